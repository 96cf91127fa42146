"""Splines of cubics in second order by their places, at arrays and at Python numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import interpolate

from adtrans.testing import check_grads

PLACES = np.array([0.0, 0.7, 1.1, 2.0, 2.9])
VALUES = np.array([1.0, 0.3, -0.5, 0.7, 0.2])
pytestmark = pytest.mark.recorded


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


def of_a_cubic(y, n):
    return np.sum(interpolate.CubicSpline(PLACES, y).derivative(n)(PLACES))


def of_a_monotone(y, n):
    return np.sum(interpolate.PchipInterpolator(PLACES, y).derivative(n)(PLACES))


@pytest.mark.parametrize("f", [of_a_cubic, of_a_monotone])
def test_antiderivatives_are_integrals(f: Callable[..., Any]) -> None:
    check_grads(f, (VALUES, -1), wrt=0)
    check_grads(f, (VALUES, -2), wrt=0)
