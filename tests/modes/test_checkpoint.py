"""Checkpoints: computed again instead of kept, with the same derivatives."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
RAN: list[int] = []


@ad.checkpoint
def block(x, w, n=3):
    """A block."""
    y = x.copy()
    for _ in range(n):
        y = np.sin(y * w) + y
    return y


@ad.checkpoint
def two_results(x):
    y = np.exp(x)
    return y * y, np.sum(y)


def in_a_loop(x, w):
    for k in range(3):
        x = block(x, w, k + 1)
    return np.sum(x * x)


def of_a_part(x, w):
    y = block(x[1:], w, n=2)
    return np.sum(y) * w


def several(x, w):
    a, b = two_results(x * w)
    return np.sum(a) * b


@pytest.mark.parametrize("f", [in_a_loop, of_a_part, several])
def test_derivatives(f):
    check_grads(f, (X.copy(), 0.7), wrt=(0, 1))


def test_second_derivatives():
    check_grads(of_a_part, (X.copy(), 0.7), order=2)


def test_nothing_but_the_arguments_is_kept():
    source = ad.differentiable(in_a_loop).source_for(X, 0.7)
    assert "np.sin" not in source and "block_pullback(" in source


def test_it_stays_the_function_that_it_is():
    np.testing.assert_array_equal(block(X, 0.5), block.__wrapped__(X, 0.5))
    assert block.__name__ == "block" and block.__doc__ == "A block."
    assert list(inspect.signature(block).parameters) == ["x", "w", "n"]
    np.testing.assert_allclose(ad.jacobian(block)(X, 0.5), ad.jacobian(block.__wrapped__)(X, 0.5))


def test_at_the_call():
    def plain(x):
        return np.exp(np.sin(x))

    kept = ad.checkpoint(plain)
    check_grads(lambda x: np.sum(kept(x) * x), (X,))


def prints(x):
    print("again")
    return x * x


def draws(x):
    return x * np.random.rand()


def writes(x):
    x[0] = 2.0 * x[1]
    return x * x


@pytest.mark.parametrize("body", [prints, draws, writes])
def test_what_may_not_run_twice_is_refused(body):
    kept = ad.checkpoint(body)
    with pytest.raises(CompileError, match="AD413"):
        ad.grad(lambda x: np.sum(kept(x * 1.0)))(X.copy())


def test_overwritten_inside():
    @ad.checkpoint(on_overwrite="save")
    def steps(x):
        y = x.copy()
        for _ in range(3):
            y[1:] += y[:-1] * y[1:]
        return y

    check_grads(lambda x: np.sum(steps(x) ** 2), (X.copy(),))


def test_arguments_that_are_overwritten_later():
    def f(x):
        y = x * x
        z = block(y, 0.5)
        y[0] = 0.0
        return np.sum(z * z) + np.sum(y)

    with pytest.raises(CompileError, match="AD301"):
        ad.grad(f)(X)
    check_grads(f, (X.copy(),), on_overwrite="save")


def test_made_where_it_is_called():
    check_grads(lambda x: ad.checkpoint(block)(x * x, 0.5) @ x, (X.copy(),))

    def by_a_local_name(x):
        g = ad.checkpoint(lambda z: np.sum(z * z * x[0]))
        return g(x * x) * x[1]

    check_grads(by_a_local_name, (X.copy(),))


@ad.checkpoint
def twice_as_long(a, v):
    return len(a + a) * v


def test_a_list_stays_a_list():
    def grown(x):
        a, s = [x[0]], 0.0
        for v in x:
            s += twice_as_long(a, v)
            a.append(s)
        return s

    x = np.array([1.0, 2.0, 3.0])
    with pytest.raises(ad.CompileError, match="AD301"):
        ad.grad(grown)(x)
    check_grads(grown, (x,), on_overwrite="save")
    assert ad.jvp(grown, (x,), (x,)) == (28.0, 28.0)


def affine(p, x):
    return np.tanh(p["w"] * x + p["b"])


again_affine = ad.checkpoint(affine)


def with_a_dictionary(p, x):
    for _ in range(3):
        x = again_affine(p, x)
    return np.sum(x) * np.sum(p["w"])


def with_one_made_inside(x):
    p, y = {"w": x, "b": x[0]}, x
    for _ in range(3):
        y = again_affine(p, y)
    return np.sum(y)


def with_several(layers, x):
    for p in layers:
        x = again_affine(p, x)
    return np.sum(x)


def test_dictionaries_are_arguments():
    p = {"w": X.copy(), "b": 0.5}
    check_grads(with_a_dictionary, (p, X.copy()), wrt=("p", "x"), order=2)
    check_grads(with_a_dictionary, ({**p, "name": "first"}, X.copy()), wrt=("p", "x"))
    check_grads(with_a_dictionary, (p, X.copy()), wrt="x")
    check_grads(with_one_made_inside, (X.copy(),))
    check_grads(with_several, ([p, {"w": 2.0 * X, "b": 0.1}], X.copy()), wrt=("layers", "x"))


def test_a_dictionary_is_not_changed_in_between():
    def changed(x):
        p = {"w": x * x, "b": 0.5}
        y = again_affine(p, x)
        p["b"] = x[0]
        return np.sum(again_affine(p, y))

    def written(x):
        p = {"w": x * x, "b": 0.5}
        y = again_affine(p, x)
        p["w"][0] = x[1] * x[2]
        return np.sum(again_affine(p, y))

    for f, code in ((changed, "AD301"), (written, "AD206")):
        for mode in ("refuse", "save"):
            with pytest.raises(ad.CompileError, match=code):
                ad.grad(f, on_overwrite=mode)(X.copy())


def defined_inside(x):
    @ad.checkpoint
    def g(v):
        return np.sin(v * v)

    return np.sum(g(x) * g(x[::-1]))


def with_what_varies(x):
    y = x * 2.0

    @ad.checkpoint(on_overwrite="save")
    def g(v, n=2):
        w = v.copy()
        for k in range(n):
            w[1:] *= w[:-1] * y[k]
        return w

    return np.sum(g(x) * y) * np.sum(g(y, 1))


def bound_again_between(x):
    n = 2.0

    @ad.checkpoint
    def g(v):
        return v * v * n

    a = g(x)
    n = x[0]
    return np.sum(a * g(x))


def calls_itself(x):
    @ad.checkpoint
    def power(v, k):
        if k == 0:
            return v
        return power(v * v, k - 1) * x[0]

    return np.sum(power(x, 2))


def a_gradient(x):
    @ad.grad
    def slope(v):
        return np.sum(v**3 * x)

    return np.sum(slope(x))


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [defined_inside, with_what_varies, bound_again_between, calls_itself, a_gradient]
)
def test_decorated_inside(f):
    check_grads(f, (X.copy(),), on_overwrite="save")


def test_one_array_for_two_parameters_stays_one():
    @ad.checkpoint
    def g(a, b):
        return a[0] if a is b else a[0] * a[0]

    def f(x):
        a = 2.0 * x
        return g(a, a)

    np.testing.assert_allclose(ad.grad(f)(np.array([0.4, 0.5])), [2.0, 0.0])


def of_functions_of_numpy(x):
    steps = [ad.checkpoint(np.sin), ad.checkpoint(lambda z: z * z), ad.checkpoint(np.cumsum)]
    for step in steps:
        x = step(x)
    return np.sum(ad.checkpoint(np.linalg.norm)(x) * x)


@pytest.mark.recorded
def test_functions_with_a_rule():
    check_grads(of_functions_of_numpy, (X.copy(),), order=2)
