"""Fitting an ordinary differential equation: gradients for SciPy's optimisers and solvers.

A predator and its prey are observed; four parameters are recovered three ways: by `minimize` with a
gradient, by `least_squares` with a Jacobian, and with the sensitivities of `solve_ivp`.

    python examples/sensitivities.py
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares, minimize

import adtrans as ad

TRUE = np.array([1.1, 0.4, 0.1, 0.4])
START = np.array([10.0, 5.0])
STEP, STEPS = 0.05, 200


def rates(u, p):
    """Lotka and Volterra: how fast prey and predators change."""
    du = np.empty(2)
    du[0] = p[0] * u[0] - p[1] * u[0] * u[1]
    du[1] = p[2] * u[0] * u[1] - p[3] * u[1]
    return du


def simulate(p):
    """The trajectory by Runge and Kutta's method, one row for each step."""
    path = np.empty((STEPS + 1, 2))
    path[0] = START
    u = START.copy()
    for k in range(STEPS):
        k1 = rates(u, p)
        k2 = rates(u + 0.5 * STEP * k1, p)
        k3 = rates(u + 0.5 * STEP * k2, p)
        k4 = rates(u + STEP * k3, p)
        u = u + STEP / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        path[k + 1] = u
    return path


def residuals(p, data):
    """What the model gets wrong, in relative terms."""
    return ((simulate(p) - data) / (1.0 + data)).ravel()


def misfit(p, data):
    """The sum of squares of the residuals."""
    return np.sum(residuals(p, data) ** 2)


def sensitivities(p, until):
    """The state and its derivative by the parameters, solved together by `solve_ivp`."""
    by_u, by_p = ad.jacobian(rates, wrt="u"), ad.jacobian(rates, wrt="p")

    def extended(t, z):
        u, s = z[:2], z[2:].reshape(2, 4)
        return np.concatenate([rates(u, p), (by_u(u, p) @ s + by_p(u, p)).ravel()])

    z0 = np.concatenate([START, np.zeros(8)])
    found = solve_ivp(extended, (0.0, until), z0, rtol=1e-9, atol=1e-9).y[:, -1]
    return found[:2], found[2:].reshape(2, 4)


def main():
    rng = np.random.default_rng(0)
    data = simulate(TRUE) * np.exp(0.02 * rng.normal(size=(STEPS + 1, 2)))
    guess = TRUE * np.array([1.15, 0.9, 1.1, 0.9])

    bounds = [(0.5 * g, 2.0 * g) for g in guess]
    fit = minimize(ad.value_and_grad(misfit), guess, args=(data,), jac=True, bounds=bounds)
    print("minimize      ", np.round(fit.x, 3))

    squares = least_squares(residuals, guess, jac=ad.jacfwd(residuals), args=(data,))
    print("least_squares ", np.round(squares.x, 3), f"in {squares.nfev} evaluations")

    _, s = sensitivities(TRUE, STEP * STEPS)
    through = ad.jacfwd(lambda p: simulate(p)[-1])(TRUE)
    print("sensitivities ", np.array2string(s[0], precision=2))
    print("of the method ", np.array2string(through[0], precision=2))
    return fit.x, squares.x, s, through


if __name__ == "__main__":
    main()
