"""Interpolants of SciPy that do not vary, by the places where they are asked: tables on a grid,
`interp1d` and the splines of FITPACK."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import interpolate

import adtrans as ad
from adtrans.testing import check_grads

X, Y = np.array([0.0, 0.7, 1.1, 2.0, 2.9]), np.array([0.0, 1.0, 3.0, 3.5, 5.0])
TABLE = np.sin(X)[:, None] * np.cos(0.3 * Y) + 0.1 * np.outer(X, Y)
FLAT = interpolate.RegularGridInterpolator((X, Y), TABLE)
OPEN = interpolate.RegularGridInterpolator((X, Y), TABLE, bounds_error=False, fill_value=None)
ZERO = interpolate.RegularGridInterpolator((X, Y), TABLE, bounds_error=False, fill_value=0.5)
CUBIC = interpolate.RegularGridInterpolator((X, Y), TABLE, method="cubic")
NEAREST = interpolate.RegularGridInterpolator((X, Y), TABLE, method="nearest")
SEVERAL = interpolate.RegularGridInterpolator((X[::-1], Y), np.stack((TABLE, TABLE**2), axis=2))
LINES = interpolate.interp1d(X, np.sin(X))
BESIDE = interpolate.interp1d(X, np.sin(X), bounds_error=False, fill_value=(0.5, -1.0))
ON = interpolate.interp1d(X, np.sin(X), kind="cubic", fill_value="extrapolate")
FITTED = interpolate.UnivariateSpline(X, np.sin(X), s=0.01)
CONSTANT = interpolate.InterpolatedUnivariateSpline(X, np.sin(X), k=2, ext=3)
AT = np.array([[0.3, 0.4], [1.3, 3.2], [2.5, 4.1]])


def at_points(p):
    return np.sum(FLAT(p) ** 2) + np.sum(FLAT(p[0] * 0.9) * p[1])


def beside(p):
    q = p * np.array([1.5, 1.0])
    return np.sum(OPEN(q) ** 2) + np.sum(ZERO(q) ** 2)


def smooth(p):
    return np.sum(CUBIC(p) ** 2) + np.sum(NEAREST(p) * p[:, 0])


def several(p):
    found = SEVERAL(p.reshape(3, 1, 2))
    return np.sum(found[:, 0, 0] * found[:, 0, 1])


def stacked(p):
    total = 0.0
    for k in range(3):
        total = total + FLAT(np.stack((p[k, 0], p[k, 1] * 0.5), axis=-1))[0] ** 2
    return total


def in_one_dimension(p):
    t = p[:, 0]
    return np.sum(LINES(t) ** 2) + np.sum(BESIDE(2.0 * t - 1.0) ** 2) + np.sum(ON(t + 1.0) ** 2)


def fitted(p):
    t = p[:, 0]
    return np.sum(FITTED(t) ** 2 * FITTED(t + 1.0, 1)) + np.sum(CONSTANT(2.0 * t - 1.0) ** 2) + (
        FITTED(t[0]) * FITTED(t[1], nu=2))  # fmt: skip


def written_out(p):
    a, b = p[:, 0], p[:, 1]
    number = FLAT([p[0, 0], 2.0 * p[0, 1]])[0] * FLAT((p[1, 0], 1.5))
    return np.sum(FLAT((a, b)) ** 2) + np.sum(FLAT((a[0], b)) * number)


FUNCTIONS = [written_out, at_points, beside, smooth, several, stacked, in_one_dimension, fitted]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_by_the_places(f: Callable[..., Any]) -> None:
    check_grads(f, (AT,))
    check_grads(f, (AT,), on_overwrite="save")
    check_grads(f, (AT,), order=2)
    assert ad.vjp(f, AT)[0] == f(AT)


def test_as_an_argument() -> None:
    def f(p, table, line):
        return np.sum(table(p) ** 2) + line(p[0, 0]) ** 2

    for table in (FLAT, CUBIC):
        check_grads(f, (AT, table, ON), wrt="p")


def test_places_that_are_a_tuple_are_refused() -> None:
    def f(a, b, table):
        places = (a, b)
        return np.sum(table(places))

    with pytest.raises(ad.CompileError, match="AD4"):
        ad.grad(f)(np.array([0.3, 0.4]), np.array([0.3, 0.4]), FLAT)


class Doubled(interpolate.CubicSpline):
    def __call__(self, x, nu=0, extrapolate=None):
        return 2.0 * super().__call__(x, nu, extrapolate)


class Shifted(interpolate.RegularGridInterpolator):
    def __call__(self, xi, method=None, *, nu=None):
        return super().__call__(xi * 0.5)


@pytest.mark.parametrize("made", [Doubled(X, np.sin(X)), Shifted((X,), np.sin(X))])
def test_a_class_of_the_user_may_answer_otherwise(made: Any) -> None:
    def f(t):
        return np.sum(made(t[:, None] if isinstance(made, Shifted) else t))

    t = np.array([0.4, 1.3])
    try:
        found = ad.grad(f)(t)
    except ad.AdtransError:
        return
    sides = [f(t + np.array([h, 0.0])) for h in (1e-6, -1e-6)]
    assert found[0] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-5)


def test_a_method_without_a_derivative_says_so() -> None:
    table = interpolate.RegularGridInterpolator((X,), np.sin(X), method="pchip")
    with pytest.raises(ad.DerivativeError, match="pchip"):
        ad.grad(lambda p: np.sum(table(p)))(np.array([[0.3]]))
