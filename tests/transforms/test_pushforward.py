"""The pushforward carries tangents along with the primal, whatever is overwritten."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.analyses.kinds import param_kinds
from adtrans.arguments.inputs import target_of
from adtrans.driver.options import Options
from adtrans.pipeline import Compiled, compile_function
from adtrans.testing import check_grads
from adtrans.testing.numerical import finite_difference_jvp
from tests.transforms.made import derivative

X, W = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 0.25])


def tangents(f, *args, wrt=("x",)) -> Compiled:
    kinds = param_kinds(dict(zip(target_of(f).params, args, strict=True)))
    return compile_function(f, kinds, Options(), "pushforward", wrt=wrt)


def mutating(x, w):
    y = x * 1.0
    v = y[1:]
    for i in range(1, 3):
        y[i] = y[i] * y[i - 1] + w[i]
    y *= y
    v[0] = np.sin(v[1])
    return np.sum(y * w)


def branching(x, w):
    s = 0.0
    for a, b in zip(x, w):  # noqa: B905
        if b > 0.0:
            s = s * a + b
        else:
            s -= a * a
    return s


def helper(a, k):
    a[0] *= k
    return np.sum(a * a)


def calling(x, w):
    y = x * w
    return helper(y, x[1]) + y[0]


def fresh(x, w):
    y = x * 1.0
    y[0] = w[0]
    return np.sum(y * x)


@pytest.mark.parametrize("f", [mutating, branching, calling, fresh])
def test_value_and_tangent(f) -> None:
    c = tangents(f, X, W)
    direction = np.array([0.3, -0.2, 1.0])
    args = X.copy(), W.copy()
    value, tangent = c.function(0)(*args, x_dot=direction)
    np.testing.assert_array_equal(args, (X, W))
    assert value == f(X, W)
    expected = finite_difference_jvp(f, (X, W), (direction,), (0,))
    np.testing.assert_allclose(tangent, expected, rtol=1e-7)


def test_several_inputs() -> None:
    c = tangents(calling, X, W, wrt=("x", "w"))
    dx, dw = np.array([0.3, -0.2, 1.0]), np.array([1.0, 0.1, 0.2])
    _, tangent = c.function(0)(X, W, x_dot=dx, w_dot=dw)
    expected = finite_difference_jvp(calling, (X, W), (dx, dw), (0, 1))
    np.testing.assert_allclose(tangent, expected, rtol=1e-7)


def test_names() -> None:
    source = tangents(calling, X, W).source
    assert "def calling_pushforward(x, w, *, x_dot):" in source
    assert "y_dot = " in source and "_bar" not in source


def test_forward_and_reverse_agree() -> None:
    c, d = derivative(branching, X, W), tangents(branching, X, W)
    gradient = c.function(1)(c.function(0)(X, W)[1], 1.0)
    direction = np.array([0.3, -0.2, 1.0])
    np.testing.assert_allclose(gradient @ direction, d.function(0)(X, W, x_dot=direction)[1])


def one_name_in_two_loops(x):
    s = 0.0
    for q in x:
        s = s + q
    for q in [1.0, 2.0]:
        s = s + q * x[0]
    return s + q * x[1]


def one_name_in_a_nest(x):
    z, y, s = x * 2.0, np.ones(6), 0.0
    for _, q in enumerate(z):
        s = s + q * x[1]
        for _, q in enumerate(y[:3]):
            s = s + q * x[0]
        s = s + q * x[0]
    return s


def first_bound_to_an_element(x):
    q = x[0]
    for q in np.ones(3) * 2:  # noqa: B007
        pass
    return q * x[1]


def over_an_array_and_a_range(x):
    s = 0.0
    for q in x:
        s = s + q
    for q in range(3):
        s = s + q * x[0]
    return s + q * x[1]


def over_pairs(x):
    s = 0.0
    for a, b in zip(x, [1.0, 2.0, 3.0], strict=True):
        s = s + a * b
    for a, b in zip([1.0, 2.0, 5.0], x, strict=True):
        s = s + a * b * x[0]
    return s + a * b


def rows_that_are_changed(x):
    q, y, s = x * x, np.ones((2, 3)), 0.0
    for q in y:
        q *= 2.0
        s = s + (q * x).sum()
    q[0] = x[1]
    return s + (q * x).sum() + y.sum() * x[2]


def once_around_none(x):
    q = x[1]
    for q in np.ones(3)[:0]:  # noqa: B007
        pass
    return q * x[0]


@pytest.mark.parametrize(
    "f",
    [one_name_in_two_loops, one_name_in_a_nest, first_bound_to_an_element,
     over_an_array_and_a_range, over_pairs, rows_that_are_changed, once_around_none],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_a_loop_over_what_does_not_vary_binds_a_name_that_does(f) -> None:
    direction = np.array([0.3, -0.2, 1.0])
    value, tangent = ad.jvp(f, (X.copy(),), (direction,))
    assert value == f(X.copy())
    expected = finite_difference_jvp(f, (X,), (direction,), (0,))
    np.testing.assert_allclose(tangent, expected, rtol=1e-7)


def deciding(x, w):
    t = np.where(x * w > 0.3, x, w * x)
    return np.sum(np.where(np.abs(t) < 2.5, t * t, t))


def test_what_only_decides_has_no_tangent() -> None:
    source = tangents(deciding, X, W).source
    assert "np.sign" not in source
    check_grads(deciding, (X, W))


class Flatten:
    def forward(self, x):
        self.shape = x.shape
        return x.reshape(len(x), -1)


def pooled(x):
    y = np.tanh(x).reshape(2, 2, 2, 2, 2, 2).transpose(0, 5, 1, 2, 3, 4)
    return np.sum(Flatten().forward(y.max(axis=(3, 5))) ** 2 * np.arange(8.0))


def test_a_tangent_is_copied_where_the_value_is():
    """A maximum is laid out as its argument is, a tangent of it in another way: one `reshape` may
    be a copy and the other one a view."""
    x = np.random.default_rng(0).normal(size=64)
    check_grads(pooled, (x,), order=2)
