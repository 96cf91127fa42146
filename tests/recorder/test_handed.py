"""Solvers and integrals that are handed a function, recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate as si
import scipy.optimize as so

import adtrans as ad


class Cubic:
    """A function that holds what varies, and counts its calls."""

    def __init__(self, k: float) -> None:
        self.k, self.calls = k, 0

    def f(self, x: float) -> float:
        self.calls += 1
        return x * x * x - self.k * x - 1


def bracketed(p):
    return so.brentq(lambda x: x * x - p[0] * p[1], 0.0, 9.0)


def of_a_method(p):
    return so.newton(Cubic(p[0] + 2).f, 2.0)


def system(p):
    f = lambda x: [x[0] * p[0] + x[1] - 1, x[0] - x[1] ** 3 * p[1]]  # noqa: E731
    return np.sum(so.fsolve(f, [0.5, 0.5]) ** 2)


def root_of_a_vector(p):
    return np.sum(so.root(lambda x, a: x**3 - a, np.ones(2), args=(p,)).x * p)


def root_scalar(p):
    return so.root_scalar(lambda x: np.exp(x) - p[0] * 3, bracket=[0, 5]).root * p[1]


def fixed_point(p):
    return 2.0 * so.fixed_point(lambda x: np.cos(x * p[0]), 0.5)


def minimum(p):
    f = lambda x: np.sum((x - p) ** 2 * np.array([1.0, 3.0])) + x[0] * x[1]  # noqa: E731
    return np.sum(so.minimize(f, np.zeros(2), tol=1e-10).x ** 2)


def value_at_the_minimum(p):
    return so.minimize(lambda x: np.sum((x - p) ** 2) + p[0] * x[0], np.zeros(2), tol=1e-10).fun


def at_a_bound(p):
    f = lambda x: np.sum((x - p) ** 2)  # noqa: E731
    return so.minimize(f, np.zeros(2), bounds=[(0, 0.5), (0, None)], tol=1e-10).x[1]


def least_squares(p):
    f = lambda x: np.array([x[0] - p[0], x[1] * p[1] - 1, x[0] * x[1] - 1])  # noqa: E731
    return np.sum(so.least_squares(f, [1.0, 1.0], xtol=1e-12, gtol=1e-12, ftol=1e-12).x)


def integral(p):
    return si.quad(lambda x: np.exp(-p[0] * x) * np.sin(p[1] * x), 0.0, p[0])[0]


def improper(p):
    whole = si.quad(lambda x: np.exp(-p[0] * x * x), -np.inf, np.inf)[0]
    return whole * si.quad(lambda x: x ** (-0.5) * p[1], 0, 1)[0]


def double_integral(p):
    f = lambda y, x: x * y * p[0] + y**2 * p[1]  # noqa: E731
    return si.dblquad(f, 0, p[1], lambda x: 0.0, lambda x: x * p[0])[0]


def decay(p):
    f = lambda t, y: [-p[0] * y[0], p[1] * y[0] - y[1]]  # noqa: E731
    return np.sum(si.solve_ivp(f, (0, 2), [1.0, 0.5], rtol=1e-8, atol=1e-9).y[:, -1])


def implicit(p):
    f = lambda t, y, a: -a * y  # noqa: E731
    found = si.solve_ivp(f, (0, 2), p, args=(p[0],), method="BDF", t_eval=[0.5, 1.0], rtol=1e-7,
                         atol=1e-8)  # fmt: skip
    return np.sum(found.y)


def rows(p):
    f = lambda y, t: [-p[0] * y[0], p[1] * y[0] - y[1]]  # noqa: E731
    times = np.linspace(0, 2, 5)
    return np.sum(si.odeint(f, [1.0, 0.5 * p[0]], times, rtol=1e-9, atol=1e-9) ** 2)


def along(p):
    return np.sum(np.apply_along_axis(lambda r: r * p, 1, np.outer(p, p)))


ALL: list[Any] = [
    bracketed, of_a_method, system, root_of_a_vector, root_scalar, fixed_point, minimum,
    value_at_the_minimum, at_a_bound, least_squares, integral, improper, double_integral, decay,
    implicit, rows, along,
]  # fmt: skip
ONCE = (double_integral, decay, implicit, rows)
AT = np.array([0.9, 1.2])


def differences(f: Any, h: float = 1e-5) -> Any:
    return np.array([(f(AT + h * e) - f(AT - h * e)) / (2 * h) for e in np.eye(2)])


@pytest.mark.parametrize("f", ALL)
def test_first_derivative(f: Any) -> None:
    value, gradient = ad.recorded(f).value_and_grad(AT)
    assert value == f(AT) and type(value) is type(f(AT))
    np.testing.assert_allclose(gradient, differences(f), rtol=5e-4, atol=5e-4)
    _, slope = ad.recorded(f).jvp((AT,), (np.array([1.0, 2.0]),))
    np.testing.assert_allclose(slope, gradient @ [1.0, 2.0], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("f", [f for f in ALL if f not in ONCE])
def test_second_derivative(f: Any) -> None:
    gradient = ad.recorded(f).grad
    for k in range(2):
        found = ad.recorded(lambda x, k=k: gradient(x)[k]).grad(AT)
        np.testing.assert_allclose(
            found, differences(lambda x, k=k: gradient(x)[k]), rtol=1e-3, atol=1e-3
        )


def test_calls_are_counted_as_in_the_plain_run() -> None:
    cubic = Cubic(2.5)

    def f(p):
        cubic.k = p + 2.0
        return so.brentq(cubic.f, 1.0, 3.0)

    f(0.9)
    plain, cubic.calls = cubic.calls, 0
    ad.recorded(f).grad(0.9)
    assert cubic.calls == plain and cubic.k == 2.9


def test_what_is_no_solution_is_an_error() -> None:
    def f(p):
        return so.fsolve(lambda x: x * x + p, [0.5])[0]

    with pytest.raises(ad.DerivativeError), pytest.warns(RuntimeWarning):
        ad.recorded(f).grad(1.0)
