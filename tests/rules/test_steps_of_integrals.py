"""`np.trapezoid` with distances that are an array: NumPy spreads them out over the values."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate

import adtrans as ad
from adtrans.testing import check_grads

Y = np.array([0.3, 1.2, 0.7, 0.5, 0.6, 0.9])
PAIR = np.array([1.0, 2.0])
TABLE = np.arange(1.0, 9.0).reshape(4, 2)
CONSTANT = {
    "columns": lambda y: np.trapezoid(y.reshape(3, 2), dx=PAIR, axis=0),
    "rows": lambda y: np.trapezoid(y.reshape(2, 3), dx=PAIR),
    "down": lambda y: np.trapezoid(y.reshape(3, 2), dx=PAIR[:, None], axis=0),
    "more axes": lambda y: np.trapezoid(y[:3], dx=TABLE),
    "more axes, the first": lambda y: np.trapezoid(y[:3], dx=TABLE, axis=0),
    "one interval": lambda y: np.trapezoid(y[:2], dx=TABLE),
    "one interval, a vector": lambda y: np.trapezoid(y[:2], dx=PAIR) * y[:1],
    "places": lambda y: np.trapezoid(y.reshape(3, 2), x=np.array([0.0, 1.0, 4.0]), axis=0),
    "rows of places": lambda y: np.trapezoid(y.reshape(2, 3), x=np.array([[0.0, 1.0, 4.0]])),
    "SciPy": lambda y: scipy.integrate.trapezoid(y.reshape(3, 2), dx=PAIR, axis=0),
}
ROWS = np.arange(1.0, 13.0).reshape(2, 6)
TABLES = ROWS.reshape(3, 2, 2)
VARYING = {
    "places of their own": lambda y: np.trapezoid(ROWS[:, :3], x=y.reshape(2, 3)),
    "places, more axes": lambda y: np.trapezoid(ROWS[0, :3], x=y.reshape(3, 2), axis=0),
    "places beside": lambda y: np.trapezoid(TABLES, x=y.reshape(3, 2)[:, None], axis=0),
    "places down": lambda y: np.trapezoid(y.reshape(3, 2), x=y[:3] ** 2, axis=0),
    "each": lambda y: np.trapezoid(y[:3] ** 2, dx=y[3:5]),
    "one": lambda y: np.trapezoid(y[:3] ** 2, dx=y[3:4]),
    "of constants": lambda y: np.trapezoid(np.array([1.0, 2.0, 4.0]), dx=y[:2] * y[2:4]),
    "one interval": lambda y: np.trapezoid(y[:2], dx=y[2:5]),
    "SciPy": lambda y: scipy.integrate.trapezoid(y[:3] ** 2, dx=y[3:5]),
    "of rows": lambda y: np.trapezoid(ROWS[:, :3] * y[0], dx=y[3:5]),
    "of columns": lambda y: np.trapezoid(ROWS * y[:2, None], dx=y, axis=0),
    "a column": lambda y: scipy.integrate.trapezoid(ROWS[:, :3], dx=y[:2, None]),
    "a table, of a vector": lambda y: np.trapezoid(y[:3] ** 2, dx=y[2:].reshape(2, 2), axis=0),
}


@pytest.mark.parametrize("name", CONSTANT)
def test_constant_distances(name):
    part = CONSTANT[name]
    weights = np.arange(1.0, 1.0 + np.size(part(Y))).reshape(np.shape(part(Y)))

    def f(y):
        return np.sum(part(y) ** 2 * weights)

    check_grads(f, (Y,), modes=("reverse", "forward"))
    check_grads(ad.grad(f), (Y,), modes=("forward",))


@pytest.mark.parametrize("name", VARYING)
def test_distances_that_vary(name):
    part = VARYING[name]

    def f(y):
        return np.sum(part(y) ** 2)

    check_grads(f, (Y,), modes=("reverse", "forward"))
    check_grads(ad.grad(f), (Y,), modes=("forward",))
