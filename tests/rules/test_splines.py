"""Splines that do not vary: values and derivatives by the places where they are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import interpolate

import adtrans as ad
from adtrans.testing import check_grads

KNOTS = np.linspace(0.0, 3.0, 7)
VALUES = np.sin(2.0 * KNOTS)
X = np.array([0.31, 1.13, 2.27])
SPLINE = interpolate.CubicSpline(KNOTS, VALUES)
MADE: dict[str, Callable[[], Any]] = {
    "cubic": lambda: interpolate.CubicSpline(KNOTS, VALUES, bc_type="natural"),
    "pchip": lambda: interpolate.PchipInterpolator(KNOTS, VALUES),
    "akima": lambda: interpolate.Akima1DInterpolator(KNOTS, VALUES),
    "hermite": lambda: interpolate.CubicHermiteSpline(KNOTS, VALUES, np.cos(KNOTS)),
    "b-spline": lambda: interpolate.make_interp_spline(KNOTS, VALUES, k=3),
    "pieces": lambda: interpolate.PPoly(SPLINE.c, SPLINE.x),
}


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_as_an_argument(made: Callable[[], Any]) -> None:
    spline = made()

    def f(x, s):
        return np.sum(s(x) ** 2) + np.sum(s(x, 1) * x)

    check_grads(f, (X, spline), wrt="x")
    check_grads(f, (X.reshape(3, 1), spline), wrt="x")
    hessian = ad.hessian(f, wrt="x")(X, spline)
    sides = [ad.grad(f, wrt="x")(X + h * np.eye(3)[0], spline) for h in (1e-6, -1e-6)]
    np.testing.assert_allclose(hessian[0], (sides[0] - sides[1]) / 2e-6, rtol=1e-5, atol=1e-6)


def test_a_global_one_at_a_number() -> None:
    def f(t):
        return 2.0 * SPLINE(t) + SPLINE(t, nu=1)

    check_grads(f, (0.7,))
    assert ad.grad(f)(0.7) == pytest.approx(2.0 * SPLINE(0.7, 1) + SPLINE(0.7, 2))


def test_made_inside_of_constants() -> None:
    def f(x, shift):
        s = interpolate.CubicSpline(KNOTS, VALUES)
        y = s(x + shift)
        y[0] = x[1] * y[0]
        return np.sum(y * x)

    check_grads(f, (X, 0.1), wrt=(0, 1))


def test_what_has_no_rule() -> None:
    several = interpolate.CubicSpline(KNOTS, np.stack([VALUES, VALUES**2], axis=1))
    for f in (
        lambda x: np.sum(several(x)),
        lambda x: np.sum(interpolate.CubicSpline(KNOTS, x)(X)),
    ):
        with pytest.raises(ad.CompileError) as found:
            ad.grad(f)(VALUES)
        assert found.value.diagnostics[0].code == "AD401"
