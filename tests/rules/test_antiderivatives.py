"""Antiderivatives of splines, and splines that are bound together with other names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import Akima1DInterpolator, CubicSpline, PchipInterpolator

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.0, 1.0, 2.5, 4.0])
Y = np.array([1.0, 0.5, -0.3, 0.8])
T = np.array([0.3, 1.2, 3.3])
pytestmark = pytest.mark.recorded


def by_a_name(y: Any, t: Any) -> Any:
    s = CubicSpline(X, y)
    whole = s.antiderivative()
    return whole(3.0) - whole(t[0]) + np.sum(whole(np.array([-1.0, 5.0])) ** 2)


def by_the_places(y: Any, t: Any) -> Any:
    s = PchipInterpolator(X + 0.1 * y, y * y)
    return np.sum(s.antiderivative(1)(t) ** 2) + s(1.0)


def by_a_negative_order(y: Any, t: Any) -> Any:
    s = CubicSpline(X, y)
    return s.derivative(-1)(t[0]) * s.derivative(1)(t[1])


def beside_the_places(y: Any, t: Any) -> Any:
    s = Akima1DInterpolator(X, y)
    whole = s.antiderivative()
    return np.nansum(whole(np.array([-1.0, t[1], 5.0])) ** 2)


def in_periods(y: Any, t: Any) -> Any:
    s = CubicSpline(X, np.concatenate([y[:3], y[:1]]), bc_type="periodic")
    whole = s.antiderivative()
    return np.nansum(whole(np.array([-1.0, t[0], 4.0, 5.0])) ** 2)


def two_at_once(y: Any, t: Any) -> Any:
    total = 0.0
    for k in range(2):
        rise, run = CubicSpline(X, y * (k + 1)), PchipInterpolator(X, y * y)
        total = total + np.sum(rise(t) * run(t + 0.01 * total))
    return total


def beside_an_array(y: Any, t: Any) -> Any:
    s, w = CubicSpline(X, y), y * 2.0
    w[0] = 3.0
    return np.sum(s(t) * w[:3])


SLOW = [pytest.param(f, marks=pytest.mark.slow) for f in (
    beside_the_places, by_a_name, by_the_places, by_a_negative_order, in_periods, two_at_once,
)]  # fmt: skip


@pytest.mark.parametrize("f", [beside_an_array, *SLOW])
def test_followed(f: Callable[..., Any]) -> None:
    check_grads(f, (Y, T), wrt=(0, 1))
    saved = ad.grad(f, on_overwrite="save", wrt=(0, 1))(Y, T)
    for mine, other in zip(saved, ad.grad(f, wrt=(0, 1))(Y, T), strict=True):
        np.testing.assert_allclose(mine, other)
    g = ad.grad(f)
    expected = np.array([(g(Y + e, T) - g(Y - e, T)) / 2e-6 for e in np.eye(4) * 1e-6])
    np.testing.assert_allclose(ad.hessian(f)(Y, T), expected, rtol=1e-5, atol=1e-6)


def test_the_value_is_that_of_scipy() -> None:
    assert ad.vjp(by_a_name, Y, T)[0] == by_a_name(Y, T)


def test_a_name_that_the_spline_is_made_of_is_bound_with_it() -> None:
    def f(y: Any) -> Any:
        y, s = y * 2, CubicSpline(X, y)
        return np.sum(s(T) * y[:3])

    check_grads(f, (Y,))
