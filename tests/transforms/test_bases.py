"""One copy of an array in place of several temporaries, and the zeros that nobody reads."""

from __future__ import annotations

import numpy as np

import adtrans as ad
from adtrans.testing import check_grads


def burgers(u, nu, steps):
    u = u.copy()
    for _ in range(steps):
        lap = u[2:] - 2.0 * u[1:-1] + u[:-2]
        u[1:-1] += nu * lap - 0.1 * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


def history(u, steps):
    H = np.zeros((steps + 1, len(u)))
    H[0] = u
    for t in range(steps):
        H[t + 1] = np.sin(H[t])
    return np.sum(H[steps])


def product_then_written(x, y):
    total = 0.0
    for _ in range(2):
        z = x + y
        z[0] = 2.0 * z[1]
        total += np.sum(z * z)
    return total


ARGS = (np.linspace(0.2, 1.0, 7), 0.1, 3)


def test_a_pool_of_copies_is_kept() -> None:
    text = ad.differentiable(burgers, wrt=("u", "nu")).source_for(*ARGS)
    assert "u_saved = pool_for(steps, u.shape)" in text
    assert "lap_saved" not in text
    check_grads(burgers, ARGS, wrt=("u", "nu"))


def test_dead_zeros_are_not_written() -> None:
    text = ad.differentiable(history).source_for(ARGS[0], 3)
    assert "= 0.0" not in text
    check_grads(history, (ARGS[0], 3))


def test_what_is_written_afterwards_is_not_computed_again() -> None:
    args = (np.array([0.3, 0.7, 1.1]), np.array([0.2, 0.4, 0.9]))
    check_grads(product_then_written, args, wrt=(0, 1), on_overwrite="save")
