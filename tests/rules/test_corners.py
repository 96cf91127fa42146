"""What the derivative is where there is none: the conventions that `docs/rules.md` states."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

INF, NAN = math.inf, math.nan
CORNERS = [
    # kinks: slope 0 at the kink of |x|; the bounds of clip let the derivative through
    ("abs", lambda x: np.sum(np.abs(x)), [0.0, -2.0], [0, -1]),
    ("fabs", lambda x: np.sum(np.fabs(x)), [0.0, -2.0], [0, -1]),
    ("builtin abs", lambda x: abs(x[0]), [0.0], [0]),
    ("norm of order 1", lambda x: np.linalg.norm(x, 1), [0.0, -1.0], [0, -1]),
    ("clip", lambda x: np.sum(np.clip(x, 0.0, 1.0)), [0.0, 1.0, 2.0, -1.0], [1, 1, 0, 0]),
    ("where", lambda x: np.sum(np.where(x > 0, x, 0.0)), [0.0], [0]),
    ("interp", lambda x: np.sum(np.interp(x, [0.0, 1, 2], [0.0, 1, 3])), [1.0, 2, 3], [2, 2, 0]),
    # ties: the first operand, or the first element, has all of the derivative
    ("maximum", lambda x: np.sum(np.maximum(x, 1.0)), [1.0], [1]),
    ("maximum of a number", lambda x: np.sum(np.maximum(1.0, x)), [1.0], [0]),
    ("minimum", lambda x: np.sum(np.minimum(x, 1.0)), [1.0], [1]),
    ("fmax", lambda x: np.sum(np.fmax(x, 1.0)), [1.0], [1]),
    ("builtin max", lambda x: max(x[0], x[1]), [1.0, 1.0], [1, 0]),
    ("np.max", lambda x: np.max(x), [1.0, 1.0, 0.0], [1, 0, 0]),
    ("np.min", lambda x: np.min(x), [1.0, 1.0, 2.0], [1, 0, 0]),
    ("ptp", lambda x: np.ptp(x), [1.0, 1.0], [0, 0]),
    ("accumulate", lambda x: np.sum(np.maximum.accumulate(x)), [1.0, 1.0, 0.5], [3, 0, 0]),
    ("median", lambda x: np.median(x), [1.0, 1.0, 0.0], [1, 0, 0]),
    ("unique", lambda x: np.sum(np.unique(x)), [1.0, 1.0, 0.0], [1, 0, 1]),
    ("sort", lambda x: np.sum(np.sort(x) * np.array([1.0, 2, 3])), [1.0, 1.0, 0.0], [2, 3, 1]),
    # jumps are constant
    ("floor", lambda x: np.sum(x * np.floor(x)), [1.0, 1.5], [1, 1]),
    ("remainder", lambda x: np.sum(x % 1.0), [1.0, 1.5], [1, 1]),
    ("heaviside", lambda x: np.sum(x * np.heaviside(x, 0.5)), [0.0], [0.5]),
    ("nan_to_num", lambda x: np.sum(np.nan_to_num(x)), [NAN, INF, 1.0], [0, 0, 1]),
    # powers and products at zero
    ("power 0", lambda x: np.sum(x**0), [0.0, 2.0], [0, 0]),
    ("powers", lambda x: np.sum(x ** np.array([0, 1, 2])), [0.0, 0.0, 0.0], [0, 1, 0]),
    ("exponent", lambda x: np.sum(0.0**x), [0.0, 2.0], [0, 0]),
    ("prod", lambda x: np.prod(x), [0.0, 2.0, 3.0], [6, 0, 0]),
    ("prod of zeros", lambda x: np.prod(x), [0.0, 2.0, 0.0], [0, 0, 0]),
    ("cumprod", lambda x: np.sum(np.cumprod(x)), [2.0, 0.0, 3.0], [1, 8, 0]),
    ("sinc", lambda x: np.sum(np.sinc(x)), [0.0], [0]),
    # infinite slopes are infinite, undefined ones NaN, as the arithmetic of the formula has it
    ("sqrt", lambda x: np.sum(np.sqrt(x)), [0.0], [INF]),
    ("log", lambda x: np.sum(np.log(x)), [0.0], [INF]),
    ("arcsin", lambda x: np.sum(np.arcsin(x)), [1.0], [INF]),
    ("norm", lambda x: np.linalg.norm(x), [0.0, 0.0], [NAN, NAN]),
    ("hypot", lambda x: np.hypot(x[0], x[1]), [0.0, 0.0], [NAN, NAN]),
    ("arctan2", lambda x: np.arctan2(x[0], x[1]), [0.0, 0.0], [NAN, NAN]),
    ("std", lambda x: np.std(x), [1.0, 1.0], [NAN, NAN]),
]


@pytest.mark.parametrize(("f", "at", "expected"), [pytest.param(*c[1:], id=c[0]) for c in CORNERS])
def test_corner(f, at: list[float], expected: list[float]) -> None:
    x = np.array(at)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(ad.grad(f)(x), expected)
        steps = [ad.jvp(f, (x,), (unit,))[1] for unit in np.eye(len(at))]
    np.testing.assert_array_equal(steps, expected)


@pytest.mark.parametrize("f", [
    lambda x: np.sqrt(x), lambda x: x**0.5, lambda x: np.cbrt(x), lambda x: np.linalg.norm(x),
    lambda x: np.log(x), lambda x: x ** np.array([0.5, 0.5]),
])  # fmt: skip
def test_nothing_of_an_infinite_slope_is_nan_in_both_modes(f) -> None:
    x = np.zeros(2)
    with np.errstate(all="ignore"):
        value, pullback = ad.vjp(f, x)
        back = pullback(np.zeros_like(value)[()])
        forth = ad.jvp(f, (x,), (np.zeros(2),))[1]
    assert np.isnan(back).all() and np.isnan(forth).all()


def test_the_norm_of_zeros_has_no_slope() -> None:
    with np.errstate(all="ignore"):
        for f in (lambda x: np.linalg.norm(x), lambda x: np.hypot(x[0], x[1])):
            assert np.isnan(ad.grad(f)(np.zeros(2))).all()


def test_a_period_that_varies_is_refused():
    """What lies between the last place and the first one of the next period depends on it."""

    def f(period):
        return np.interp(5.9, np.array([0.2, 0.5, 0.9]), np.array([1.0, 3.0, -2.0]), period=period)

    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(1.3)
    assert caught.value.diagnostics[0].code == "AD409"


def test_the_hypotenuse_of_nothing() -> None:
    def f(v):
        return math.hypot(*v[:0]) + v[0]

    check_grads(f, (np.array([2.0, 3.0]),))
