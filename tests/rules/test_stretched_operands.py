"""Operands that NumPy and SciPy stretch inside of functions, and arrays with odd numbers of axes.

Each gradient flows on through a sum of several elements: one that has another shape than its
operand would be spread over them without an error.
"""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
import scipy.integrate
import scipy.linalg
import scipy.signal
import scipy.spatial.distance
import scipy.stats

import adtrans as ad
from adtrans.emit.load import load
from adtrans.testing import check_grads

P = np.array([0.3, 0.1, 0.7, 0.4])
W = np.array([1.1, 2.3, 0.9, 3.2])
Q = np.eye(4) * 5.0 + np.outer(P, W)


def compiled(call: str, before: str = ""):
    source = f"def f(p, w):\n    one = np.sum(p, keepdims=True)\n    {before or 'pass'}\n"
    source += f"    y = {call}\n    return np.sum(y * np.cos(y))\n"
    return load(source, "f", {"np": np, "math": math, "scipy": scipy, "Q": Q})["f"]


STRETCHED = [
    *(f"scipy.spatial.distance.{name}({pair})" for pair in ("one, w", "w, one")
      for name in ("euclidean", "cityblock", "sqeuclidean", "canberra", "braycurtis", "chebyshev",
                   "minkowski")),
    "scipy.integrate.cumulative_trapezoid(np.outer(p, w), np.cumsum(one[:, None] + w[None], 1))",
    "scipy.integrate.cumulative_trapezoid(one[:, None] + w[None], np.cumsum(np.outer(p, w), 1))",
    "scipy.linalg.solve(Q, w * p, assume_a='sym')", "scipy.signal.resample(p * w, 3, axis=0)",
    "np.trapezoid(np.stack([p, w])[:, :2], np.cumsum(np.stack([w, p]), axis=1))",
    "np.trapezoid(np.stack([p, w]), np.cumsum(np.stack([w, p])[:, :2], axis=1))",
    "np.cov(np.outer(w, p), rowvar=False, ddof=0)",
    "np.cov((w * p)[None], p[None], rowvar=True, ddof=0)",
    "np.polyint(p, 2)", "np.poly(one)",
    "np.linalg.multi_dot([np.outer(p, w), 0.01 * Q, np.outer(w, p), w])",
]  # fmt: skip


@pytest.mark.parametrize("call", STRETCHED)
def test_gradients_have_the_shapes_of_operands(call: str) -> None:
    if "np.trapezoid" in call and not hasattr(np, "trapezoid"):
        pytest.skip("this NumPy has no such function")
    check_grads(compiled(call), (P, W), wrt=("p", "w"))


def test_stacks_of_symmetric_systems() -> None:
    a, b = np.stack([Q + Q.T, 3.0 * Q + Q.T]), np.stack([W, P])

    def solve(a, b):
        return scipy.linalg.solve(a, b, assume_a="sym")

    try:
        solve(a, b[0])
    except ValueError:
        pytest.skip("this SciPy takes one matrix")
    check_grads(lambda a, b: np.sum(solve(a, b) ** 2), (a, b[0]), wrt=(0, 1))
    check_grads(lambda a, b: np.sum(solve(a, b) ** 2), (a[0], b.T.copy()), wrt=(0, 1))


@pytest.mark.parametrize(("call", "code"), [
    ("min(np.outer(one, w))", "AD409"), ("max(one[:, None])", "AD409"),
    ("math.prod(np.outer(p, w))", "AD409"), ("math.prod(np.outer(one, w), start=p[0])", "AD409"),
    ("scipy.spatial.distance.jensenshannon(one, w)", None),
    ("scipy.spatial.distance.jensenshannon(w, one)", None),
])  # fmt: skip
def test_what_would_be_another_derivative_is_refused(call: str, code: str | None) -> None:
    """One row is no number; weights are normed before they are stretched."""
    with pytest.raises(ad.AdtransError) as caught:
        ad.grad(compiled(call))(P, W)
    assert code is None or caught.value.diagnostics[0].code == code


def test_rows_of_unknown_rank_are_refused_at_run_time() -> None:
    def f(rows, w):
        first = None
        for r in rows:
            first = r if first is None else first
        return np.sum(min(first) * w)

    with pytest.raises(ad.AdtransError):
        ad.grad(f)([np.outer([1.0], W)], P)
    np.testing.assert_array_equal(ad.grad(f)([W], P)[0], [0.0, 0.0, np.sum(P), 0.0])


@pytest.mark.parametrize("call", [
    "np.nextafter(p[0], w)", "np.ldexp(p[0], np.arange(4))", "np.copysign(p[0], w)",
    "np.heaviside(np.arange(4.0), p[0])",
])  # fmt: skip
def test_tangents_of_one_operand_are_those_of_all_results(call: str) -> None:
    """Once the tangent of a sum was that of one of its terms."""
    f = load(f"def f(p, w):\n    return np.sum({call})\n", "f", {"np": np})["f"]
    slope = ad.grad(f)(P, W)
    assert ad.jvp(f, (P, W), (W,), wrt=(0,))[1] == pytest.approx(np.dot(slope, W), rel=1e-12)
    assert slope[0] != 0.0


@pytest.mark.parametrize("call", [
    "np.select([w[:, None] > 1.0], [x], w)", "np.select([w > 1.0], [w[:, None]], x[0])",
    "np.select([w > 1.0], [x], w[:, None])", "divmod(x, w)[1]", "np.divmod(x, w)[1]",
    "sum([x[0, 0], w])", "sum([w, w], x)", "sum([x, w])", "np.where(w[:, None] > 1.0, x, w)",
])  # fmt: skip
def test_tangents_of_chosen_elements(call: str) -> None:
    """Those of one choice have the shape that all of them make together."""
    f = load(f"def f(x, w):\n    return np.sum({call})\n", "f", {"np": np})["f"]
    x = np.array([[0.5]])
    found = ad.jvp(f, (x, W), (np.ones((1, 1)),), wrt=(0,))[1]
    assert found == pytest.approx((f(x + 1e-4, W) - f(x, W)) * 1e4)
    assert found == pytest.approx(ad.grad(f)(x, W)[0, 0])


AXES = ("sum", "prod", "max", "min", "mean", "ptp", "nansum", "nanmax", "amin", "cumsum", "cumprod")


@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("name", AXES)
def test_an_axis_of_no_axes(name: str, axis: int) -> None:
    source = f"def f(x):\n    y = np.{name}(x, axis={axis})\n    return np.sum(y * y * 3.0)\n"
    f = load(source, "f", {"np": np})["f"]
    try:
        f(np.array(1.5))
    except ValueError:
        pytest.skip("NumPy does not take it")
    found = ad.grad(f)(np.array(1.5))
    assert type(found) is np.ndarray and found.shape == ()
    assert found == pytest.approx(0.0 if name == "ptp" else 9.0)


EMPTY = (
    "np.dot(x, v)", "np.inner(x, np.ones((2, 4)))", "np.dot(v, x.T)", "np.median(x, axis=1)",
    "np.linalg.norm(x, 1)", "np.linalg.norm(x, 2)", "np.max(x, initial=0.5)",
    "np.max(x, axis=0, initial=0.5)", "np.linalg.multi_dot([x, np.eye(4), v])",
    "np.quantile(v, x[:, 0])", "np.min(x, axis=1)",
)  # fmt: skip


@pytest.mark.parametrize("call", EMPTY)
def test_no_rows(call: str) -> None:
    source = f"def f(x, v):\n    return np.sum({call}) + np.sum(v * v)\n"
    f = load(source, "f", {"np": np})["f"]
    x, v = np.zeros((0, 4)), np.arange(1.0, 5.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            f(x, v)
        except ValueError:
            pytest.skip("NumPy does not take it")
        x_bar, v_bar = ad.grad(f, wrt=(0, 1))(x, v)
    assert x_bar.shape == (0, 4) and v_bar.shape == (4,)


def test_rows_of_nan_have_no_largest_number() -> None:
    x = np.array([[np.nan, np.nan], [1.0, np.nan]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ad.vjp(lambda x: np.nanmax(x, axis=1), x)[1](np.ones(2))[0]
    np.testing.assert_array_equal(found, [[0.0, 0.0], [1.0, 0.0]])


@pytest.mark.parametrize("call", ["skew(x, bias=False)", "kurtosis(x, bias=False)"])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_samples_too_small_to_be_corrected(call: str, n: int) -> None:
    f = load(f"def f(x):\n    return scipy.stats.{call}\n", "f", {"scipy": scipy})["f"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_grads(f, (np.array([0.4, 1.9, 0.7, 2.2, -0.6])[:n],), rtol=1e-4, atol=1e-6)


def test_a_line_through_two_points() -> None:
    def f(x, y):
        fit = scipy.stats.linregress(x, y)
        return fit[0] ** 2 + np.sin(fit[1])

    check_grads(f, (np.array([0.4, 1.9]), np.array([1.0, 3.0])), wrt=(0, 1))


def test_a_remainder_of_a_number_of_numpy() -> None:
    def f(a, b):
        return math.fmod(a, b) * b

    got = ad.grad(f, wrt=(0, 1))(np.float32(5.5), 1.5)
    np.testing.assert_allclose(got, (1.5, 1.0 - 3 * 1.5), rtol=1e-6)
    with np.errstate(over="ignore", invalid="ignore"):
        assert not math.isfinite(ad.grad(f, wrt=1)(1e308, 1e-308))
