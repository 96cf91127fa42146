"""`S, I, R = y` in a function that is run again: the check of how many there are does nothing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import odeint, solve_ivp
from scipy.optimize import fsolve, minimize

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.8, 0.3, 0.7])


def pendulum(x):
    k, c, _ = x

    def slope(t, y):
        u, v = y
        return v, -k * u - c * v

    found = solve_ivp(slope, (0, 1), [1.0, 0.0], t_eval=[0.5, 1.0], rtol=1e-9, atol=1e-11)
    return np.sum(found.y)


def epidemic(x):
    def slope(y, t, b, g):
        s, i, r = y  # noqa: RUF059
        return [-b * s * i, b * s * i - g * i, g * i]

    times = np.linspace(0, 2, 5)
    y = odeint(slope, [0.9, 0.1, 0.0], times, args=(x[0], x[1]), rtol=1e-10, atol=1e-12)
    return y[-1, 1] * y[2, 2]


def equations(x):
    def residual(z):
        a, b = z
        return [a * a + b - x[0], a - b * b * x[1] + 1.0]

    a, b = fsolve(residual, [1.0, 1.0], xtol=1e-13)
    return a * b


def valley(x):
    def height(z):
        a, b = z
        return (x[0] - a) ** 2 + 5 * (b - a * a) ** 2

    found = minimize(height, [0.5, 0.5], tol=1e-12)
    return found.x[0] * found.x[1]


@ad.checkpoint
def product(v):
    a, b, c = v
    return a * b + c


def in_a_checkpoint(x):
    return product(x) * x[0]


CASES = (pendulum, epidemic, equations, valley, in_a_checkpoint)


@pytest.mark.parametrize("fn", CASES, ids=lambda f: f.__name__)
def test_unpacking(fn):
    check_grads(fn, (X,), rtol=1e-4)


def test_a_wrong_number():
    def two(v):
        a, b = v
        return a * b

    with pytest.raises(ValueError, match="too many values"):
        ad.grad(ad.checkpoint(two))(X)
