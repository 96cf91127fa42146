"""Primitives that are handed functions: roots, integrals, equations, functions of elements."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import (
    bisect,
    brenth,
    brentq,
    fixed_point,
    fsolve,
    newton,
    ridder,
    root,
    root_scalar,
    toms748,
)

import adtrans as ad
from adtrans.testing import check_grads

P = np.array([1.3, 0.4, 0.7])
TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def cubic(x, p, q):
    return x**3 + p * x - q


def by_brackets(p):
    total = 0.0
    total += brentq(cubic, 0.0, 3.0, args=(p[0], p[1]), xtol=1e-14)
    total += brenth(lambda x: cubic(x, p[0], p[2]), 0.0, 3.0, xtol=1e-14)
    total += bisect(lambda x, q: x * x - q, 0.0, 3.0, args=(p[0],), xtol=1e-14)
    total += ridder(lambda x: x * x - p[1], 0.0, 3.0, xtol=1e-14)
    total += toms748(lambda x: x - p[1] * p[2], 0.0, 3.0, xtol=1e-14)
    return total


def captured_by_a_local_function(p):
    scale = 2.0 * p[0]

    def equation(x, q):
        y = scale * x
        return y * y - q * p[2]

    return brentq(equation, 0.0, 9.0, args=(p[1],), xtol=1e-14) * scale


def in_a_loop(p):
    t = 0.0
    for i in range(3):
        t = t + newton(lambda x, q: x**3 - q * p[i], 1.0, args=(t + 1.0,), tol=1e-14)  # noqa: B023
    return t


def several_at_once(p):
    return np.sum(newton(lambda x: x * x - p, np.ones(3)) * p)


def equations(p):
    def residual(x, p):
        return [x[0] + 2.0 * x[1] * x[1] - p[0], x[1] - x[0] * p[1]]

    found = root(residual, [0.5, 0.5], args=(p,), tol=1e-13)
    if not found.success:
        raise ValueError(found.message)
    return np.sum(found.x**2) + fsolve(lambda x: x**3 - p, np.ones(3), xtol=1e-13)[1]


def objects(p):
    found = root_scalar(lambda x: x**3 - p[0], bracket=[0.0, 3.0], xtol=1e-14)
    return found.root + root(lambda x: x - p, np.zeros(3)).x[2]


def fixed(p):
    return fixed_point(lambda x: np.cos(p[0] * x), 0.5) + np.sum(
        fixed_point(lambda x, q: 0.5 * np.sin(x) + q, np.ones(3), args=(p,), xtol=1e-12)
    )


def integral(p):
    value, error = quad(lambda x, q: x ** p[0] * np.exp(-p[1] * x * q), 0.0, np.inf,
                        args=(p[2],), epsabs=1e-12)  # fmt: skip
    ends = quad(lambda x: np.exp(-x * x * p[0]), p[1], p[2] * p[2], epsabs=1e-12)[0]
    return value * ends * (error < 1.0)


def oscillator(p):
    def slope(t, y, k):
        return [y[1], -p[0] * y[0] - k * y[1] * np.sin(t)]

    times = [0.0, 0.5, 2.0]
    found = solve_ivp(slope, (0.0, 2.0), [1.0, p[2]], args=(p[1],), t_eval=times, **TIGHT)
    return np.sum(found.y**2)


def predators(p):
    def slope(t, y, a):
        return np.array([a * y[0] - y[0] * y[1], 0.5 * y[0] * y[1] - y[1]])

    y0 = p[:2] * 2.0
    found = solve_ivp(slope, (0.0, 1.0), y0, args=(p[2],), method="DOP853", **TIGHT)
    return found.y[0, -1] * found.y[1, -1]


def elements(p):
    product = np.vectorize(lambda s, t: s * t * p[0] if s > t else s + p[0] * p[0])
    return np.sum(product(p[:, None], p[None, :]) ** 2) + product(1.0, p[1]) ** 2


@np.vectorize
def decorated(s, k=2.0):
    return s**3 if s > 0.5 else k * s


def made_outside(p):
    return np.sum(decorated(p, 2.0) * p)


def rows(p):
    table = np.outer(p, p[:2])

    def row(r, c):
        return r[1:] * r[:-1] * c[0] * p[2]

    along = np.apply_along_axis(row, 0, table, p[1:])
    return np.sum(along**2) + np.sum(np.apply_along_axis(lambda r: np.sum(r * r), 1, table) ** 2)


def _listed(values, form=list):
    return form(values) if values.ndim < 2 else values.T


def rows_as_lists(p):
    def powers(r):
        found = [1.0]
        for k, v in enumerate(r):
            found.append(found[k] * v + r[0])
        return found[1:]

    one = _listed(np.apply_along_axis(powers, 0, p * 2.0))
    two = np.apply_along_axis(lambda r: (r[0] * p[1], r[-1] ** 2), 1, np.outer(p, p))
    return one[0] * one[2] + np.sum(two**2)


CASES = (
    by_brackets, captured_by_a_local_function, in_a_loop, several_at_once, equations, objects,
    fixed, integral, oscillator, predators, elements, made_outside, rows, rows_as_lists,
)  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_against_finite_differences(f) -> None:
    check_grads(f, (P,))


def test_second_derivatives_of_roots_and_integrals() -> None:
    def cube_root(a):
        return brentq(lambda s: s**3 - a, 0.0, 3.0, xtol=1e-14)

    assert ad.hessian(cube_root)(1.3) == pytest.approx(-2.0 / 9.0 * 1.3 ** (-5.0 / 3.0))

    def area(a):
        return quad(lambda s: np.exp(-a * s * s), 0.0, a, epsabs=1e-13)[0]

    h = 1e-5
    slope = ad.grad(area)
    assert ad.hessian(area)(1.3) == pytest.approx((slope(1.3 + h) - slope(1.3 - h)) / (2 * h))


def system(x):
    k, size, slope = x[0], x[1], x[2]  # names that generated code might use

    def rest(z):
        return np.array([z[0] ** 3 + z[1] * k - size, z[1] ** 2 - z[0] * slope - 0.3])

    return np.sum(fsolve(rest, np.ones(2), xtol=1e-13) ** 3)


def system_as_object(x):
    found = root(lambda z, p: z**3 + z - p, np.ones(3), args=(x,), tol=1e-13)
    return np.sum(found.x**2)


def point(x):
    return np.sum(fixed_point(lambda z, p: np.cos(z * p), 0.7 * np.ones(3), (x,), xtol=1e-14) ** 3)


def each(x):
    k = x[0]
    wave = np.vectorize(lambda s, n, t: np.sin(s) * s**n * k if s > 0.65 else t * s**3)
    return np.sum(wave(x[:, None], np.array([1, 2, 1]), x[1]) ** 2)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [system, system_as_object, point, each])
def test_second_derivatives_of_systems_and_elements(f) -> None:
    slope, h = ad.grad(f), 1e-5
    exact = ad.hessian(f)(P)
    for k, unit in enumerate(np.eye(3)):
        found = (slope(P + h * unit) - slope(P - h * unit)) / (2 * h)
        np.testing.assert_allclose(exact[:, k], found, rtol=1e-4, atol=1e-5)
        again = ad.grad(lambda x, u=unit: np.sum(slope(x) * u))(P)
        np.testing.assert_allclose(again, exact[k], rtol=1e-8, atol=1e-10)


@pytest.mark.recorded
def test_rows_are_differentiated_twice_in_reverse() -> None:
    def f(x):
        flat = x[1]
        rows = np.apply_along_axis(lambda r: np.cumsum(r * flat) ** 2, 0, np.outer(x, x))
        return np.sum(np.apply_along_axis(lambda r, s: np.sum(r**2) * s, 1, rows, x[0]) ** 2)

    slope, h, u = ad.grad(f), 1e-5, np.array([0.3, -0.5, 1.0])
    found = (slope(P + h * u) - slope(P - h * u)) / (2 * h)
    again = ad.grad(lambda x: np.sum(slope(x) * u))(P)
    np.testing.assert_allclose(again, found, rtol=1e-5)


@pytest.mark.recorded
def test_the_value_is_that_of_the_primitive() -> None:
    for f in CASES:
        assert ad.value_and_grad(f)(P)[0] == f(P)


def test_the_gradient_is_that_of_the_exact_solution() -> None:
    def decay(k):
        return solve_ivp(lambda t, y: -k * y, (0.0, 1.0), np.array([2.0])).y[0, -1]

    assert ad.grad(decay)(1.0) == pytest.approx(-2.0 * np.exp(-1.0), rel=1e-7)


def test_what_is_refused() -> None:
    with pytest.raises(ad.DerivativeError, match="flat"):
        ad.grad(lambda p: brentq(lambda x: x**3 - p, -1.0, 1.0))(0.0)
    with pytest.raises(ad.CompileError, match="AD401"):
        ad.grad(lambda x: np.sum(np.vectorize(lambda s: 0 if s < 0.5 else s)(x)))(P - 1.0)
    with pytest.raises(ad.CompileError, match="no derivative with respect to `t_span`"):
        ad.grad(lambda k: solve_ivp(lambda t, y: -y, (0.0, k), np.ones(1)).y[0, -1])(1.0)


def test_a_function_that_does_something_else_is_refused() -> None:
    seen = []

    def f(p):
        def noted(x):
            seen.append(1)
            return x - p

        return brentq(noted, -1.0, 1.0)

    with pytest.raises(ad.CompileError):
        ad.grad(f)(0.5)


def of_indices(p):
    table = np.fromfunction(lambda i, j: p[0] * i + j * p[1], (3, 4))
    return np.sum(table**2) + np.sum(np.fromfunction(cubic, (2, 3, 2), dtype=int))


HALF = 0.5


def cube(s, k=1.0):
    return s**3 * k


def in_pieces(p):
    x = p * p
    a = np.piecewise(x, [x < 0.3, x > 1.0], [cube, lambda s: s * p[0], np.sin])
    b = np.piecewise(x, [x < 0.3], [2.0, lambda s: s * s])
    c = np.piecewise(x, [x > 9.0, x <= 9.0], [lambda s: s / np.max(s), lambda s: s])
    return np.sum(a * b + c)


def lambda_at_once(p):
    return (lambda s: s * s * p[0])(p[1])


@pytest.mark.recorded
@pytest.mark.parametrize("f", [of_indices, in_pieces, lambda_at_once], ids=lambda f: f.__name__)
def test_what_is_spelled_out(f) -> None:
    check_grads(f, (P,))
    assert ad.value_and_grad(f)(P)[0] == f(P)


def numbers_for_pieces(x, y):
    z = y * y

    def curve(s):
        return s * s * y

    a = np.piecewise(x, [x < 0.7], [2.0, y])
    b = np.piecewise(x, [x < 0.7, x > 1.0], [z, curve, HALF])
    return np.sum(a * b * x)


@pytest.mark.recorded
def test_numbers_for_pieces() -> None:
    x = np.array([0.3, 0.9, 1.2])
    check_grads(numbers_for_pieces, (x, 2.0), wrt=(0, 1))
    assert ad.value_and_grad(numbers_for_pieces)(x, 2.0)[0] == numbers_for_pieces(x, 2.0)
    gradient, h = ad.grad(numbers_for_pieces, wrt=1), 1e-5
    along = ad.jvp(gradient, (x, 2.0), (1.0,), wrt=1)[1]
    sides = (gradient(x, 2.0 + h) - gradient(x, 2.0 - h)) / (2 * h)
    np.testing.assert_allclose(along, sides, rtol=1e-6)


@pytest.mark.recorded
@pytest.mark.parametrize("piece", [3.0, cube], ids=["number", "function"])
def test_a_piece_that_is_an_argument(piece) -> None:
    def f(x, piece):
        return np.sum(np.piecewise(x, [x < 0.7], [2.0, piece]) * x)

    check_grads(f, (np.array([0.3, 0.9, 1.2]), piece), wrt=0)


def items_by_name(p):
    a = np.outer(p, p) + np.diag(p + 1.0)
    found = np.linalg.eigh(a)
    total = np.sum(found.eigenvalues**3) + np.sum(np.abs(found.eigenvectors[:, 2]))
    return total + np.linalg.slogdet(a).logabsdet * np.sum(np.linalg.svd(a).S ** 2)


def test_items_of_named_tuples() -> None:
    check_grads(items_by_name, (P,))
    assert ad.value_and_grad(items_by_name)(P)[0] == items_by_name(P)


def test_points_of_an_integral_that_vary_are_refused():
    """They say that the function has a jump there, which moves."""

    def moving(w):
        return quad(lambda x: 1.0 if x > w else 0.0, 0.0, 1.0, points=[w])[0]

    def fixed(w):
        return quad(lambda x: abs(x - 0.3) * w, 0.0, 1.0, points=[0.3])[0]

    for transform in (ad.grad, ad.jacfwd):
        with pytest.raises(ad.CompileError, match="with respect to `points`"):
            transform(moving)(0.4)
    check_grads(fixed, (0.4,))
