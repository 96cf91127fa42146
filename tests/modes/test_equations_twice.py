"""Second derivatives of trajectories: the slopes are integrated with the solution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import odeint, solve_ivp

import adtrans as ad

TIGHT = {"rtol": 1e-10, "atol": 1e-11}
X = np.array([0.6, 0.9, 1.3, 0.7])


def oscillator(t, state, k, c):
    return [state[1], -k * state[0] - c * state[1]]


def at_times(x):
    found = solve_ivp(lambda t, y: -x[0] * y * y + x[1], (0.0, 1.0), x[2:],
                      t_eval=np.array([0.0, 0.5, 1.0]), rtol=1e-10, atol=1e-11)  # fmt: skip
    return np.sum(found.y**2)


def at_the_end(x):
    found = solve_ivp(oscillator, (0.0, 1.0), [x[2], x[3]], args=(x[0], x[1]), method="DOP853",
                      **TIGHT)  # fmt: skip
    return found.y[0, -1] * found.y[1, -1]


def moving_times(x):
    found = solve_ivp(lambda t, y: -y * y * x[3], (0.0, 2.0), (2.0, 1.0), t_eval=[x[0], x[2]],
                      **TIGHT)  # fmt: skip
    return found.y[0, 0] * found.y[1, 1]


def by_a_matrix(x):
    w = x.reshape(2, 2)
    found = solve_ivp(lambda t, y: np.tanh(w @ y) * t, (0.0, 1.0), np.array([1.0, 0.5]), **TIGHT)
    return np.sum(found.y[:, -1] ** 2)


def rows(x):
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    found = odeint(lambda y, t: turn @ y * x[2] * t, [x[0], x[1]], [1.0, 0.4, 0.0], **TIGHT)
    return np.sum(found[1:] ** 2)


def one_number(x):
    times = [0.0, 0.5, 1.0]
    return np.sum(odeint(lambda t, y: -y * x[1], x[0], times, tfirst=True, **TIGHT) ** 2)


def given_as_a_list(x):
    found = solve_ivp(lambda t, y: -x[0] * y, (0.0, 1.0), [1.3], **TIGHT)
    return found.y[0, -1] * x[1]


@pytest.mark.parametrize("f", [
    given_as_a_list, at_times, moving_times, by_a_matrix, rows, one_number,
    pytest.param(at_the_end, marks=pytest.mark.slow),  # lists take long to compile
])  # fmt: skip
def test_second_order(f):
    slope, h, along = ad.grad(f), 1e-4, np.array([0.4, -0.7, 0.3, 0.5])
    expected = (slope(X + h * along) - slope(X - h * along)) / (2 * h)
    np.testing.assert_allclose(ad.hvp(f, (X,), (along,)), expected, rtol=1e-5, atol=1e-6)
    twice = ad.vjp(slope, X)[1](along)[0]
    np.testing.assert_allclose(twice, expected, rtol=1e-5, atol=1e-6)


def test_the_hessian_is_symmetric():
    found = ad.hessian(at_times)(X)
    np.testing.assert_allclose(found, found.T, rtol=1e-6, atol=1e-7)


def test_columns_whose_times_the_solver_chooses():
    def f(x):
        return np.sum(solve_ivp(lambda t, y: -x[0] * y, (0.0, 1.0), x[2:], **TIGHT).y ** 2)

    with pytest.raises(ad.DerivativeError, match="t_eval"):
        ad.vjp(ad.grad(f), X)


def test_integers_beside_numbers():
    def f(x):
        found = solve_ivp(lambda t, y, n, k: -k * y**n, (0, 1), x[:1], args=(2, x[1]), **TIGHT)
        return found.y[0, -1]

    # y = y0 / (1 + k y0)
    y0, k = X[0], X[1]
    d = 1.0 + k * y0
    expected = np.zeros((4, 4))
    expected[:2, :2] = [[-2 * k / d**3, -2 * y0 / d**3], [-2 * y0 / d**3, 2 * y0**3 / d**3]]
    np.testing.assert_allclose(ad.hessian(f)(X), expected, rtol=1e-6, atol=1e-7)


def test_single_precision_is_refused():
    def f(x):
        n = x.astype(np.float32)
        return np.sum(solve_ivp(lambda t, y: -n[:2] * y, (0.0, 1.0), x[:2], **TIGHT).y[:, -1])

    with pytest.raises(ad.AdtransError, match="AD410"):
        ad.hessian(f)(X)
