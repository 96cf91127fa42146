"""Splines along one axis of their values, and those that are cubic ones or lines by another name,
by their values, their places and where they are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import interpolate

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = [pytest.mark.slow, pytest.mark.recorded]  # long in all

PLACES = np.array([0.0, 0.7, 1.1, 2.0, 2.9])
VALUES = np.array([1.0, 0.3, -0.5, 0.7, 0.2])
TABLE = np.stack((VALUES, VALUES**2, np.sin(PLACES)), axis=1)  # uneven, so that nothing is a tie
T = np.array([0.3, 1.05, 2.2, 2.85])


def down(x, y, t):
    s = interpolate.CubicSpline(x, y)
    bend = s.derivative(2)
    return np.sum(s(t) ** 2 * np.arange(3.0)) + np.sum(s(t[0], 1) * bend(t[1])) + s.integrate(
        t[0], t[2]) @ np.array([1.0, -2.0, 0.5])  # fmt: skip


def across(x, y, t):
    z = y.T * t[0]
    s = interpolate.PchipInterpolator(x, z, axis=1)
    z[...] = 0.0
    return np.sum(s(t) * np.arange(4.0)) * np.sum(s(t.reshape(2, 2)) ** 2)


def in_the_middle(x, y, t):
    cube = y[None] * np.array([1.0, 2.0])[:, None, None]
    s = interpolate.Akima1DInterpolator(x, cube, axis=-2)
    return np.sum(s(t.reshape(2, 2)) ** 2 * np.arange(3.0)) + np.sum(s(t[0]))


def with_slopes(x, y, t):
    said = y[0] * t[1]
    s = interpolate.CubicSpline(x, y, bc_type=((1, said), "natural"), axis=0)
    return np.sum(s(t) ** 2)


def told_slopes(x, y, t):
    return np.sum(interpolate.CubicHermiteSpline(x, y.T, np.cos(y.T), axis=-1)(t) ** 2)


def around(x, y, t):
    again = np.concatenate((y[:-1], y[:1]))
    s = interpolate.CubicSpline(x, again, bc_type="periodic")
    return np.sum(s(t + 4.0) ** 2) + s.integrate(0.3, 7.1)[1]


def antiderivative(x, y, t):
    s = interpolate.CubicSpline(x, y)
    whole = s.antiderivative()
    return np.sum(whole(t) ** 2)


def b_spline(x, y, t):
    s = interpolate.make_interp_spline(x, y)
    return np.sum(s(t) ** 2) + np.sum(s(t, nu=1) * s.derivative(2)(t[:1])) + s.integrate(
        t[0], t[2])[0]  # fmt: skip


def lines(x, y, t):
    s = interpolate.interp1d(x, y.T)
    return np.sum(s(t) ** 2 * np.arange(4.0)) + np.sum(s(t[0]) ** 3)


def lines_in_no_order(x, y, t):
    order = np.array([3, 0, 4, 1, 2])
    s = interpolate.interp1d(x[order], y[order], axis=0, bounds_error=False, fill_value=(0.5, -2.0))
    return np.sum(s(1.9 * t - 0.8) ** 2)


def cubics_in_no_order(x, y, t):
    order = np.array([3, 0, 4, 1, 2])
    s = interpolate.interp1d(x[order], y[order], "cubic", 0, fill_value="extrapolate")
    return np.sum(s(1.9 * t - 0.8) ** 2)


def beside(x, y, t):
    s = interpolate.interp1d(x, y[:, 0], kind="cubic", bounds_error=False, fill_value=np.nan)
    found = s(1.9 * t - 0.8)
    return np.nansum(found**2) + np.sum(np.where(np.isnan(found), t, 0.0))


def fitted(x, y, t):
    s = interpolate.UnivariateSpline(x, y[:, 0], s=0)
    other = interpolate.InterpolatedUnivariateSpline(x, y[:, 1], k=3)
    tck = interpolate.splrep(x, y[:, 2])
    return np.sum(s(t) * other(t, 1)) + np.sum(interpolate.splev(t, tck, der=1) * s.derivative()(t))


FUNCTIONS = [down, across, in_the_middle, with_slopes, told_slopes, around, antiderivative,
             b_spline, lines, lines_in_no_order, cubics_in_no_order, beside, fitted]  # fmt: skip


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_by_everything(f: Callable[..., Any]) -> None:
    args = PLACES, TABLE, T
    check_grads(f, args, wrt=(0, 1, 2))
    found = ad.grad(f, on_overwrite="save", wrt=(0, 1, 2))(*args)
    for mine, other in zip(found, ad.grad(f, wrt=(0, 1, 2))(*args), strict=True):
        np.testing.assert_allclose(mine, other)
    assert ad.vjp(f, *args)[0] == f(*args)


def cubics(x, y):
    return np.sum(interpolate.CubicSpline(x, y)(T) ** 2)


def straight(x, y):
    return np.sum(interpolate.interp1d(x, y, axis=0)(T) ** 3)


@pytest.mark.parametrize("f", [straight, pytest.param(cubics, marks=pytest.mark.slow)])
def test_twice(f: Callable[..., Any]) -> None:
    v = np.cos(np.arange(5.0))
    g = ad.grad(f)
    sides = [g(PLACES + h * v, TABLE) for h in (1e-6, -1e-6)]
    found = ad.hvp(f, (PLACES, TABLE), (v,), wrt=0)
    np.testing.assert_allclose(found, (sides[0] - sides[1]) / 2e-6, rtol=1e-4, atol=1e-5)


def test_shapes_are_those_of_scipy() -> None:
    def f(y, t):
        return interpolate.CubicSpline(PLACES, y, axis=1)(t)

    y = np.stack([TABLE, 2.0 * TABLE])
    for t in (0.3, np.array(0.3), T, T.reshape(2, 2), np.zeros((0,)), np.zeros((2, 0))):
        value, pull = ad.vjp(f, y, t)
        assert np.array_equal(value, f(y, t)) and value.shape == f(y, t).shape
        assert pull(np.ones(value.shape))[0].shape == y.shape
