"""Differential equations: the times at which the solution is asked for, and `odeint`."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import odeint, solve_ivp

import adtrans as ad
from adtrans.testing import check_grads

TIGHT = {"rtol": 1e-11, "atol": 1e-12}
X = np.array([0.6, 0.9, 1.3])


def damped(t, y, k):
    return -k * y * y * np.cos(t)


def at_times(x):
    times = np.array([x[0], x[2], 2.0])
    found = solve_ivp(damped, (0.0, 2.0), x[:2], t_eval=times, args=(x[1],), **TIGHT)
    return np.sum(found.y**2 * np.arange(1.0, 7.0).reshape(2, 3))


def times_in_a_list(x):
    found = solve_ivp(lambda t, y: -y, (0.0, 2.0), [2.0], t_eval=[x[0], x[2]], **TIGHT)
    return found.y[0, 0] * found.y[0, 1]


def backwards(x):
    found = solve_ivp(damped, (2.0, 0.0), x, t_eval=x[::-1], args=(0.7,), **TIGHT)
    return np.sum(found.y**2)


def swapped(y, t, k):
    return damped(t, y, k)


def rows(x):
    found = odeint(swapped, x[:2], np.array([0.0, 0.5, 1.0]), (x[2],), **TIGHT)
    return np.sum(found**2 * np.arange(1.0, 7.0).reshape(3, 2))


def rows_backwards(x):
    found = odeint(lambda y, t: [y[1] * x[2], -y[0] * t], [x[0], x[1]], [1.0, 0.4, 0.0], **TIGHT)
    return np.sum(found[1:] ** 2)


def one_number(x):
    return np.sum(odeint(lambda y, t: -y * x[1], x[0], [0.0, 0.5, 1.0], **TIGHT) ** 2)


def time_first(x):
    found = odeint(damped, x[:2], [0.0, 0.5, 1.0], args=(x[2],), tfirst=True, **TIGHT)
    other = odeint(swapped, x[:2], [0.0, 0.5, 1.0], args=(x[2],), tfirst=False, **TIGHT)
    return np.sum(found**2 + other * np.arange(1.0, 7.0).reshape(3, 2))


@pytest.mark.parametrize(
    "f", [at_times, times_in_a_list, backwards, rows, rows_backwards, one_number, time_first]
)
def test_both_modes(f):
    check_grads(f, (X,), order=1, rtol=1e-5, atol=1e-6)


def test_a_solution_moves_with_its_time_by_the_slope():
    def f(times):
        return solve_ivp(lambda t, y: -y, (0.0, 1.0), [1.0], t_eval=times, **TIGHT).y[0]

    times = np.array([0.0, 0.5, 1.0])
    np.testing.assert_allclose(ad.jacobian(f)(times), -np.diag(np.exp(-times)), atol=1e-8)
    np.testing.assert_allclose(ad.jvp(f, (times,), (times,))[1], -times * np.exp(-times), atol=1e-8)


def test_the_rows_are_those_of_scipy():
    def f(y0):
        return odeint(swapped, y0, np.linspace(0.0, 1.0, 5), args=(0.5,))

    assert np.array_equal(ad.vjp(f, X)[0], f(X))


def moving_times(x):
    return np.sum(odeint(lambda y, t: -y, np.ones(2), x))


def flag_in_a_variable(x):
    flag = x[0] > 0.0
    return np.sum(odeint(damped, x, np.linspace(0.0, 1.0, 3), args=(0.5,), tfirst=flag))


def moving_end(x):
    return np.sum(solve_ivp(lambda t, y: -y, (0.0, x[2]), np.ones(2)).y[:, -1])


@pytest.mark.parametrize("f", [moving_times, flag_in_a_variable, moving_end])
def test_other_forms_are_refused(f):
    with pytest.raises(ad.CompileError):
        ad.grad(f)(X)
