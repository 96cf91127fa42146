"""Splines of cubics in second order by their places, at arrays and at Python numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import interpolate

import adtrans as ad
from adtrans.runtime.with_scipy.cubics import cubic_slopes, periodic_slopes
from adtrans.testing import check_grads

PLACES = np.array([0.0, 0.7, 1.1, 2.0, 2.9])
VALUES = np.array([1.0, 0.3, -0.5, 0.7, 0.2])


def at_numbers(x, y, s):
    spline = interpolate.CubicSpline(x, y, bc_type="natural")
    total = spline.integrate(0.2, s) * spline(0.3)
    for k in range(2):
        total += spline(s + k) ** 2
    return total


def at_an_array(x, y, s):
    few = interpolate.CubicSpline(x[:3], y[:3] * s)
    return np.sum(interpolate.CubicSpline(x, y)(x[1:] * s) ** 2) * few(0.6, 1)


def with_said_ends(x, y, s):
    spline = interpolate.CubicSpline(x, y, bc_type=((1, s), (2, s * s)))
    return spline.derivative()(s) * spline(np.array([0.2, 2.5]), 2)[1]


def around(x, y, s):
    again = np.concatenate((y[:-1], y[:1]))
    return interpolate.CubicSpline(x, again, bc_type="periodic")(s + 4.0) ** 2


SLOW = [pytest.param(f, marks=pytest.mark.slow) for f in (at_an_array, with_said_ends)]


@pytest.mark.parametrize("f", [around, pytest.param(at_numbers, marks=pytest.mark.slow), *SLOW])
def test_second_order_by_the_places(f: Callable[..., Any]) -> None:
    check_grads(f, (PLACES, VALUES, 0.6), wrt=(0, 1, 2), order=2)


ENDS: dict[str, tuple[int, float]] = {
    "not-a-knot": (0, 0.0), "clamped": (1, 0.0), "natural": (2, 0.0), "slope": (1, 1.5),
    "bend": (2, -0.7),
}  # fmt: skip


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_the_slopes_are_those_of_scipy(count: int) -> None:
    x, y = PLACES[:count], VALUES[:count]
    said = {"slope": (1, 1.5), "bend": (2, -0.7)}
    for start in ENDS:
        for end in ENDS:
            both = said.get(start, start), said.get(end, end)
            made = interpolate.CubicSpline(x, y, bc_type=both)
            found = cubic_slopes(x, y[:, None], *ENDS[start], *ENDS[end])
            np.testing.assert_allclose(found[:, 0], made(x, 1), rtol=1e-9, atol=1e-12)
    again = np.concatenate((y[:-1], y[:1]))
    made = interpolate.CubicSpline(x, again, bc_type="periodic")
    found = periodic_slopes(x, again[:, None])
    np.testing.assert_allclose(found[:, 0], made(x, 1), rtol=1e-9, atol=1e-12)


def of_a_cubic(y, n):
    return np.sum(interpolate.CubicSpline(PLACES, y).derivative(n)(PLACES))


def of_a_monotone(y, n):
    return np.sum(interpolate.PchipInterpolator(PLACES, y).derivative(n)(PLACES))


@pytest.mark.parametrize("f", [of_a_cubic, of_a_monotone])
def test_antiderivatives_are_integrals_once(f: Callable[..., Any]) -> None:
    check_grads(f, (VALUES, -1), wrt=0)
    with pytest.raises(ad.DerivativeError, match="antiderivative"):
        ad.grad(f, wrt=0)(VALUES, -2)
