"""`minimize`, `minimize_scalar` and `least_squares`: the derivative of where the minimum is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import Bounds, least_squares, minimize, minimize_scalar

import adtrans as ad
from adtrans.testing import check_grads

P = np.array([0.6, 0.9, 1.3])
TIGHT = {"ftol": 1e-15, "xtol": 1e-15, "gtol": 1e-15}


def quartic(x, p):
    return np.sum((x - p) ** 4 + x**2)


def place(p):
    return minimize(quartic, np.zeros(3), args=(p,), tol=1e-11).x


def expected(p, x):
    """`dx/dp` where `4 (x - p)**3 + 2 x = 0`."""
    return np.diag(12 * (x - p) ** 2 / (12 * (x - p) ** 2 + 2))


def test_the_place_of_a_minimum():
    x = place(P)
    np.testing.assert_allclose(ad.jacobian(place)(P), expected(P, x), rtol=1e-4)
    tangent = ad.jvp(place, (P,), (np.ones(3),))[1]
    np.testing.assert_allclose(tangent, expected(P, x).sum(axis=1), rtol=1e-4)


def test_the_value_is_that_of_scipy():
    value, _ = ad.vjp(place, P)
    assert np.array_equal(value, place(P))


def test_a_gradient_that_is_given():
    def f(p):
        return minimize(quartic, np.zeros(3), (p,), jac=slope, tol=1e-12).x

    np.testing.assert_allclose(ad.jacobian(f)(P), expected(P, f(P)), rtol=1e-6)


def slope(x, p):
    return 4 * (x - p) ** 3 + 2 * x


def test_captured_variables():
    def f(p, k):
        found = minimize(
            lambda x: k * np.sum((x - p) ** 2) + np.sum(x**2), np.zeros(3), method="BFGS", tol=1e-9
        )
        return np.sum(found.x * np.arange(1.0, 4.0))

    p_bar, k_bar = ad.grad(f, wrt=("p", "k"))(P, 2.0)
    np.testing.assert_allclose(p_bar, np.arange(1.0, 4.0) * 2 / 3, rtol=1e-6)
    np.testing.assert_allclose(k_bar, np.sum(np.arange(1.0, 4.0) * P) / 9, rtol=1e-6)


def test_in_one_variable():
    def f(p):
        return minimize_scalar(lambda x: (x - p) ** 2 + x**4, tol=1e-13).x

    x = f(1.2)
    np.testing.assert_allclose(ad.grad(f)(1.2), 2 / (2 + 12 * x * x), rtol=1e-6)


def test_least_squares():
    t = np.linspace(0.0, 1.0, 6)

    def fit(y):
        def off(c):
            return c[0] * np.exp(c[1] * t) - y

        return least_squares(off, np.array([1.0, 0.5]), **TIGHT).x

    def exact(y):  # SciPy stops where rounding hides the slope, too early for differences
        c = fit(y)
        for _ in range(5):
            e = np.exp(c[1] * t)
            r, part = c[0] * e - y, np.stack([e, c[0] * t * e])
            mixed = t * e @ r
            curved = np.array([[0.0, mixed], [mixed, c[0] * t * t * e @ r]])
            c = c - np.linalg.solve(part @ part.T + curved, part @ r)
        return c

    y = 1.3 * np.exp(0.7 * t) + 0.05 * np.sin(9 * t)
    found, h = ad.jacobian(fit)(y), 1e-4
    for k, unit in enumerate(np.eye(6)):
        slope = (exact(y + h * unit) - exact(y - h * unit)) / (2 * h)
        np.testing.assert_allclose(found[:, k], slope, rtol=1e-6, atol=1e-8)


def test_names_that_are_taken():
    def f(rest, np_):
        def off(c, residuals_of):
            return np.array([c[0] - rest * residuals_of, c[1] - np_])

        found = least_squares(off, [1.0, 1.0], args=(2.0,), **TIGHT)
        return found.x[0] * found.x[1]

    bars = ad.grad(f, wrt=(0, 1))(0.5, 3.0)
    np.testing.assert_allclose(bars, (6.0, 1.0), rtol=1e-6)


def test_where_the_slope_is_not_zero_there_is_no_derivative():
    def stopped(p):
        return minimize(quartic, np.zeros(3), args=(p,), options={"maxiter": 1}).x

    def flat(p):
        return minimize(lambda x: np.sum(p) + 0.0 * x[0] ** 2, np.ones(1)).x

    for f in (stopped, flat):
        with pytest.raises(ad.DerivativeError):
            ad.jacobian(f)(P)


def test_unknowns_at_bounds_stay_there():
    def f(p):
        bounds = [(None, None), (0.0, 0.5), (2.0, None)]
        return minimize(
            lambda x: np.sum((x - p) ** 2) + x[0] * x[1] ** 2, np.ones(3), bounds=bounds, tol=1e-12
        ).x

    expected = np.zeros((3, 3))
    expected[0, 0] = 1.0
    p = np.array([0.3, 1.4, 1.1])
    np.testing.assert_allclose(ad.jacobian(f)(p), expected, atol=1e-6)
    np.testing.assert_allclose(ad.jacobian(held_by_object)(p), expected, atol=1e-6)
    tangent = ad.jvp(f, (p,), (np.ones(3),))[1]
    np.testing.assert_allclose(tangent, [1.0, 0.0, 0.0], atol=1e-6)
    free = np.array([0.3, 0.2, 2.6])  # inside of all bounds
    h = 1e-4
    for k, unit in enumerate(np.eye(3)):
        slope = (f(free + h * unit) - f(free - h * unit)) / (2 * h)
        np.testing.assert_allclose(ad.jacobian(f)(free)[:, k], slope, atol=1e-3)


def held_by_object(p):
    limits = Bounds([-np.inf, 0.0, 2.0], [np.inf, 0.5, np.inf])
    return minimize(
        lambda x: np.sum((x - p) ** 2) + x[0] * x[1] ** 2, np.ones(3), bounds=limits, tol=1e-12
    ).x


def test_in_one_variable_between_bounds():
    def f(p):
        return minimize_scalar(
            lambda x: (x - p) ** 2 + x**4, bounds=(0.0, 4.0), method="bounded",
            options={"xatol": 1e-13},
        ).x  # fmt: skip

    x = f(1.2)
    np.testing.assert_allclose(ad.grad(f)(1.2), 2 / (2 + 12 * x * x), rtol=1e-5)
    assert ad.grad(f)(-1.2) == 0.0

    def coarse(p):
        return minimize_scalar(lambda x: (x - p) ** 2, bounds=(0.0, 4.0), method="bounded").x

    with pytest.raises(ad.DerivativeError):
        ad.grad(coarse)(-1.2)  # near the bound, but not there


def test_bounds_that_vary_are_refused():
    def f(p):
        return np.sum(minimize(lambda x: np.sum((x - 1.0) ** 2), np.zeros(1), bounds=[(0, p)]).x)

    with pytest.raises(ad.CompileError):
        ad.grad(f)(0.5)


def test_second_derivatives():
    def one(p):
        return minimize_scalar(lambda x: (x - p) ** 2 + x**4, tol=1e-14).x ** 2

    def several(p):
        return np.sum(minimize(quartic, np.zeros(3), args=(p,), tol=1e-11).x ** 3)

    def squares(p):
        def off(x):
            return np.array([x[0] * p[0] - 1.0, x[1] * x[0] - p[1] ** 2])

        return np.sum(least_squares(off, np.ones(2), **TIGHT).x ** 2)

    def bound(p):
        bounds = [(None, None), (0.0, 0.5), (2.0, None)]
        found = minimize(
            lambda x: np.sum((x - p) ** 4 + x**2) + x[0] * x[1] ** 2, np.ones(3), bounds=bounds,
            tol=1e-12,
        )  # fmt: skip
        return np.sum(found.x**3)

    for f, at in ((one, 1.2), (several, P), (squares, P), (bound, np.array([0.3, 1.4, 1.1]))):
        slope, h = ad.grad(f), 1e-4
        exact = np.reshape(ad.hessian(f)(at), (np.size(at), -1))
        for k, unit in enumerate(np.eye(np.size(at))):
            unit = unit.reshape(np.shape(at)) if np.ndim(at) else 1.0
            found = (np.asarray(slope(at + h * unit)) - np.asarray(slope(at - h * unit))) / (2 * h)
            np.testing.assert_allclose(exact[:, k], np.ravel(found), rtol=2e-3, atol=1e-4)


def test_a_second_derivative_is_refused_where_there_is_no_minimum():
    def stopped(p):
        return np.sum(minimize(quartic, np.zeros(3), args=(p,), options={"maxiter": 1}).x)

    with pytest.raises(ad.DerivativeError):
        ad.hessian(stopped)(P)


def robust(p):
    return least_squares(lambda x: x - p, np.zeros(3), loss="soft_l1").x


def with_value(p):
    return minimize(quartic, np.zeros(3), args=(p,)).fun


def test_an_objective_that_does_not_vary():
    def number(s, t):
        return minimize_scalar(lambda q: (q - s) ** 2, tol=1e-10).x * t

    def vector(s, t):
        found = minimize(lambda q: np.sum((q - s) ** 2), np.zeros(2), tol=1e-10)
        return np.sum(found.x) * t * t

    for f in (number, vector):
        for mode in ("refuse", "save"):
            check_grads(f, (1.2, 0.7), wrt="t", on_overwrite=mode)
        ad.hvp(f, (1.2, 0.7), (1.0,), wrt="t")


@pytest.mark.parametrize("f", [robust, with_value])
def test_other_forms_are_refused(f):
    with pytest.raises(ad.AdtransError):
        ad.grad(lambda p: np.sum(f(p)))(P)


def test_a_function_that_does_something_else_is_refused():
    seen = []

    def f(p):
        def noted(x):
            seen.append(x)
            return np.sum((x - p) ** 2)

        return np.sum(minimize(noted, np.zeros(3)).x)

    with pytest.raises(ad.AdtransError, match=r"AD409(.|\n)*which others see"):
        ad.grad(f)(P)
