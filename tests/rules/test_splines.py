"""Splines that do not vary: values and derivatives by the places where they are evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import interpolate

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded  # where their values vary

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
    with pytest.raises(ad.CompileError, match="AD401"):
        ad.grad(lambda x: np.sum(interpolate.UnivariateSpline(KNOTS, x)(X)))(VALUES)
    check_grads(lambda x: np.sum(several(x)), (X,))
    check_grads(lambda x: np.sum(interpolate.UnivariateSpline(KNOTS, x, s=0, ext=3)(X)), (VALUES,))


def by_values(y, t):
    return np.sum(interpolate.CubicSpline(KNOTS, y)(t) ** 2)


def by_values_named(y, t):
    s = interpolate.CubicSpline(KNOTS, y * y, bc_type="natural")
    area = s.integrate(t[0], t[2])
    for k in range(2):
        area = area + s(0.3 + k) * s(1.1, 1) + np.sum(s.derivative(2)(t))
    return area


def values_overwritten(y, t):
    z = y * t[0]
    s = interpolate.make_interp_spline(KNOTS, z, k=3)
    z[:] = 0.0
    return np.sum(s(t) ** 2) + np.sum(s(t, nu=1) * t)


def of_a_list(y, t):
    s = interpolate.CubicSpline([0.0, 1.0, 2.0, 3.0], [y[0], y[1] * y[2], y[3], 1.0])
    return s(t[1]) ** 2


@pytest.mark.parametrize("f", [by_values, by_values_named, values_overwritten, of_a_list])
def test_by_the_values(f: Callable[..., Any]) -> None:
    check_grads(f, (VALUES + 1.5, X), wrt=(0, 1))
    assert ad.vjp(f, VALUES, X)[0] == f(VALUES, X)


@pytest.mark.slow
def test_by_the_values_twice() -> None:
    check_grads(by_values, (VALUES, X), wrt=(0, 1), order=2)
    check_grads(values_overwritten, (VALUES, X), wrt=(0, 1), order=2)


@pytest.mark.parametrize("kind", ["linear", "cubic"])
def test_interp1d(kind: str) -> None:
    def lines(y):
        s = interpolate.interp1d(KNOTS, y, fill_value=2.0, bounds_error=False)
        return np.sum(s(np.array([-1.0, 1.2, 9.0])) ** 2)

    def cubics(y):
        return np.sum(interpolate.interp1d(KNOTS, y, kind="cubic")(X) ** 2)

    check_grads(lines if kind == "linear" else cubics, (VALUES,))


def test_what_is_not_linear_in_the_values() -> None:
    def knots(x):
        return np.sum(interpolate.make_interp_spline(x, VALUES, k=2)(X))

    def columns(y):
        return np.sum(interpolate.make_interp_spline(KNOTS, y, k=2)(X))

    with pytest.raises(ad.CompileError, match="AD401"):
        ad.grad(knots)(KNOTS)
    check_grads(columns, (np.stack([VALUES, VALUES**2], axis=1),))


PLACES = np.array([0.0, 0.7, 1.1, 2.0, 2.9])


def ends_of_all_kinds(x, y, t, s):
    natural = interpolate.CubicSpline(x, y, bc_type="natural")
    slope = natural.derivative()
    given = interpolate.CubicSpline(x, y, bc_type=((1, s), (2, s * s)))(t)
    mixed = interpolate.CubicSpline(x, y, 0, ("clamped", "not-a-knot"))(t, 1)
    return np.sum(slope(t) ** 2) + slope(s) + natural(t[0], 2) + np.sum(given * mixed)


def few_places(x, y, t, s):
    two = interpolate.CubicSpline(x[:2], y[:2])
    three = interpolate.CubicSpline(x[:3], y[:3] * s)
    return np.sum(two(t)) + np.sum(three(t) ** 2) + three.integrate(s, t[3])


def by_slopes(x, y, t, s):
    both = interpolate.PchipInterpolator(x, y)(t) * interpolate.Akima1DInterpolator(x, s * y)(t)
    return np.sum(both + interpolate.CubicHermiteSpline(x, y, y * y)(t))


@pytest.mark.parametrize("f", [ends_of_all_kinds, few_places, by_slopes])
def test_by_the_places(f: Callable[..., Any]) -> None:
    args = PLACES, np.array([1.0, 0.3, -0.5, 0.7, 0.2]), np.array([0.3, 1.05, 2.2, 2.85]), 0.6
    check_grads(f, args, wrt=(0, 1, 2, 3))


def periodic(x, y, t):
    s = interpolate.CubicSpline(x, np.concatenate((y, y[:1])), bc_type="periodic")
    return np.sum(s(t + 4.0) ** 2) + s.integrate(0.3, 7.1)


def test_a_periodic_spline() -> None:
    args = PLACES, np.array([1.0, 0.3, -0.5, 0.7]), np.array([0.3, 1.05, 2.2, 2.85])
    check_grads(periodic, args, wrt=(0, 1, 2))


def test_outside_of_the_places() -> None:
    def f(x, y):
        return np.nansum(interpolate.CubicSpline(x, y, extrapolate=False)(np.array([-1.0, 0.5])))

    check_grads(f, (PLACES, PLACES**2), wrt=(0, 1))


def monotone(y, t):
    s = interpolate.PchipInterpolator(KNOTS, y * t[0])
    return np.sum(s(t) ** 2) + s.integrate(0.1, t[1]) * s(t[2], 1)


def monotone_of_two(y, t):
    return np.sum(interpolate.PchipInterpolator(KNOTS[:2], y[:2])(0.2 * t) ** 2)


def akima(y, t):
    return np.sum(interpolate.Akima1DInterpolator(KNOTS, y)(t) ** 2)


def modified_akima(y, t):
    s = interpolate.Akima1DInterpolator(KNOTS, y, method="makima")
    return np.sum(s(t) * s(t, nu=1))


def hermite(y, t):
    s = interpolate.CubicHermiteSpline(KNOTS, y, np.cos(y))
    return np.sum(s(t) ** 2) + np.sum(s.derivative()(t))


def coefficients(y, t):
    k = 3
    s = interpolate.BSpline(np.arange(11.0) - 4.0, y**2, k)
    return np.sum(s(t) ** 2) + s.integrate(t[0], t[2])


def through_all(y, t):
    s = interpolate.UnivariateSpline(KNOTS, y, k=2, s=0)
    return np.sum(s(t) ** 2) + np.sum(s(t, 1) * t)


def by_fitpack(y, t):
    tck = interpolate.splrep(KNOTS, y)
    return np.sum(interpolate.splev(t, tck) ** 2) + np.sum(interpolate.splev(t, tck, der=1) * t)


def polynomial(y, t):
    return np.sum(interpolate.KroghInterpolator(KNOTS, y)(t) ** 2)


def in_a_loop(y, t):
    total = 0.0
    for k in range(3):
        s = interpolate.PchipInterpolator(KNOTS, y * t[k])
        total += s(t[k]) ** 2
    return total


def lines_at_places(y, t):
    s = interpolate.interp1d(KNOTS, y, bounds_error=False, fill_value=0.5)
    cubic = interpolate.interp1d(KNOTS, y, kind="cubic", fill_value="extrapolate")
    return np.sum(s(1.5 * t) ** 2) + np.sum(cubic(2.0 * t) * t)


MORE = [monotone, monotone_of_two, akima, modified_akima, hermite, coefficients, through_all,
        by_fitpack, polynomial, in_a_loop, lines_at_places]  # fmt: skip
UNEVEN = VALUES + 1.5 + 0.1 * np.cos(9.0 * KNOTS)


@pytest.mark.parametrize("f", MORE)
def test_other_makers(f: Callable[..., Any]) -> None:
    check_grads(f, (UNEVEN, X), wrt=(0, 1))
    check_grads(f, (UNEVEN, X), wrt=(0, 1), on_overwrite="save")
    assert ad.vjp(f, UNEVEN, X)[0] == f(UNEVEN, X)


TWICE = [pytest.param(f, marks=pytest.mark.slow) for f in (monotone, lines_at_places)]


@pytest.mark.parametrize("f", [modified_akima, coefficients, *TWICE])
def test_other_makers_twice(f: Callable[..., Any]) -> None:
    v = np.cos(np.arange(7.0))
    found = ad.hvp(f, (UNEVEN, X), (v,), wrt=0)
    grad = ad.grad(f, wrt=0)
    expected = (grad(UNEVEN + 1e-5 * v, X) - grad(UNEVEN - 1e-5 * v, X)) / 2e-5
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_what_a_spline_looks_at_is_overwritten() -> None:
    def values(y):
        c = y * 2.0
        s = interpolate.BSpline(np.arange(11.0) - 4.0, c, 3)
        c[3] = 5.0
        return s(1.2)

    def knots(y):
        x = KNOTS.copy()
        s = interpolate.KroghInterpolator(x, y)
        x += 0.1
        return s(1.2)

    def ordinates(y):
        c = y * 2.0
        s = interpolate.BarycentricInterpolator(KNOTS, c)
        c[0] = 1.0
        return s(1.2)

    for f in (values, knots, ordinates):
        check_grads(f, (VALUES,))


def test_barycentric_interpolation() -> None:
    def f(y, t):
        return np.sum(interpolate.BarycentricInterpolator(KNOTS, y)(t) ** 2)

    pairs = zip(*(ad.grad(g, wrt=(0, 1))(UNEVEN, X) for g in (f, polynomial)), strict=True)
    for found, expected in pairs:
        np.testing.assert_allclose(found, expected, rtol=1e-9)


ROUGH = np.array([0.3, -1.7, 2.2, 0.4, 1.1, -0.6, 0.7])


def clamped(y, t):
    return interpolate.CubicSpline(KNOTS, y, bc_type="clamped").derivative(2)(t)


def monotone_slope(y, t):
    s = interpolate.PchipInterpolator(KNOTS, y)
    return s.derivative()(t) + s(t, 1)


def basis(y, t):
    return interpolate.BSpline(np.arange(11.0) - 4.0, y, 3).derivative(2)(t)


def fitted(y, t):
    return interpolate.InterpolatedUnivariateSpline(KNOTS, y).derivative(1)(t)


@pytest.mark.parametrize("f", [clamped, monotone_slope, basis, fitted])
def test_a_derivative_is_rounded_as_in_the_program(f: Callable[..., Any]) -> None:
    """Another spline than the one it is of: its coefficients are rounded first."""
    places = np.linspace(0.1, 2.9, 29)
    assert np.array_equal(ad.vjp(f, ROUGH, places)[0], f(ROUGH, places))
    assert np.array_equal(ad.jvp(f, (ROUGH, places), (ROUGH, places))[0], f(ROUGH, places))
    check_grads(lambda y, t: np.sum(f(y, t) ** 2), (ROUGH, X), wrt=(0, 1))


def test_an_order_that_there_is_not_fails_as_in_the_program() -> None:
    def f(y, n):
        return np.sum(interpolate.BSpline(np.arange(11.0) - 4.0, y, 3).derivative(n)(X))

    for call in (f, ad.grad(f, wrt=0)):
        with pytest.raises(ValueError, match="Order of derivative"):
            call(ROUGH, 5)
    check_grads(lambda y: f(y, -1), (ROUGH,))


def test_options_that_are_given_by_position() -> None:
    x = np.arange(5.0)

    def f(v, t):
        a = interpolate.CubicSpline(x, v, 0, "natural")(t)
        b = interpolate.make_interp_spline(x, v, 2)(t)
        c = interpolate.interp1d(x, v, "cubic")(t)
        return np.sum(a * b) + np.sum(c * interpolate.PchipInterpolator(x, v, axis=0)(t))

    check_grads(f, (np.array([0.3, 1.1, -0.4, 0.9, 0.2]), np.array([0.4, 2.3, 3.1])))


def beside_a_line(w):
    s = interpolate.interp1d(np.arange(2.0), w[:2], bounds_error=False)
    v = s(np.array([0.5, 2.0]))
    return np.where(np.isnan(v), 0.0, v).sum()


def beside_lines_at_places(w):
    s = interpolate.interp1d(np.arange(6.0), w * w, bounds_error=False, kind="cubic")
    return np.nansum(s(w * 10.0))


def beside_a_basis(w):
    s = interpolate.BSpline(np.arange(10.0), w * w, 3, extrapolate=False)
    return np.nansum(s(np.array([0.5, 4.0, 5.0, 20.0]))) * w[2]


def beside_a_basis_at_places(w):
    s = interpolate.BSpline(np.arange(10.0), w, 3, extrapolate=False)
    return np.nansum(s(w * 10.0)) + np.nansum(s.derivative(1)(w * 8.0))


@pytest.mark.parametrize("f", [
    beside_a_line, pytest.param(beside_lines_at_places, marks=pytest.mark.slow), beside_a_basis,
    beside_a_basis_at_places,
])  # fmt: skip
def test_places_beside_it_contribute_nothing(f: Callable[..., Any]) -> None:
    w = np.array([0.11, 0.52, 0.33, 0.41, 0.23, 0.74])
    check_grads(f, (w,))
    np.testing.assert_allclose(ad.jacfwd(f)(w), ad.grad(f)(w), rtol=1e-12, atol=1e-14)
    step = 1e-6 * np.array([1.0, -2.0, 0.5, 1.5, -1.0, 1.0])
    slope = (ad.grad(f)(w + step) - ad.grad(f)(w - step)) / 2
    np.testing.assert_allclose(ad.hessian(f)(w) @ step, slope, rtol=1e-5, atol=1e-12)


def test_nan_among_the_values_is_not_hidden() -> None:
    def f(v, t):
        s = interpolate.BSpline(np.arange(10.0), v, 3, extrapolate=False)
        return np.sum(s(t))

    v = np.array([0.1, 0.5, np.nan, 0.4, 0.2, 0.7])
    assert np.isnan(ad.grad(f, wrt="t")(v, np.array([4.5]))).all()


@pytest.mark.parametrize("maker", [
    interpolate.CubicSpline, interpolate.PchipInterpolator, interpolate.Akima1DInterpolator,
])  # fmt: skip
def test_a_second_antiderivative(maker: Any) -> None:
    def of_values(v):
        return maker(np.arange(6.0), v).derivative(-2)(np.array([0.5, 2.0])).sum()

    def of_places(t):
        return maker(np.arange(6.0), np.arange(6.0) ** 2).derivative(-2)(t).sum()

    for f in (of_values, of_places):
        check_grads(f, (np.array([0.1, 0.5, 0.3, 0.4, 0.2, 0.7]),))


@pytest.mark.parametrize("spline", [
    interpolate.CubicSpline(KNOTS, VALUES, extrapolate=False),
    interpolate.BSpline(np.arange(11.0) - 4.0, VALUES, 3, extrapolate=False),
    interpolate.Akima1DInterpolator(KNOTS, VALUES),
])  # fmt: skip
def test_beside_a_spline_that_does_not_vary_there_is_no_slope(spline: Any) -> None:
    def f(t):
        found = spline(t)
        return np.sum(np.where(np.isnan(found), 0.0, found) ** 2) + np.nansum(spline(t[1], 1))

    t = np.array([-9.0, 0.4, 1.3, 20.0])
    check_grads(f, (t,))
    check_grads(f, (t,), order=2)
    assert ad.grad(f)(t)[0] == ad.grad(f)(t)[3] == 0.0


def test_an_order_that_is_given_by_name() -> None:
    def f(y, t):
        s = interpolate.CubicSpline(KNOTS, y)
        bend = s.derivative(nu=2)
        return np.sum(bend(t)) + s.derivative(nu=1)(t[0]) ** 2

    check_grads(f, (UNEVEN, X), wrt=(0, 1))
    assert ad.vjp(f, UNEVEN, X)[0] == f(UNEVEN, X)
