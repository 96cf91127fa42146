"""A reaction-diffusion equation whose states are written into one array, row after row."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.model import Program


def loss(u, k, rate, steps):
    U = np.zeros((steps + 1, len(u)))
    U[0] = u
    for t in range(steps):
        old = U[t]
        U[t + 1, 1:-1] = (
            old[1:-1]
            + k * (old[2:] - 2.0 * old[1:-1] + old[:-2])
            + rate * old[1:-1] * (1.0 - old[1:-1])
        )
    return np.mean(U * U)


def by_hand(u, k, rate, steps):
    U = np.zeros((steps + 1, len(u)))
    U[0] = u
    for t in range(steps):
        old = U[t]
        U[t + 1, 1:-1] = (
            old[1:-1]
            + k * (old[2:] - 2.0 * old[1:-1] + old[:-2])
            + rate * old[1:-1] * (1.0 - old[1:-1])
        )
    value = np.mean(U * U)

    U_bar = (2.0 / U.size) * U
    k_bar = rate_bar = 0.0
    for t in range(steps - 1, -1, -1):
        old, old_bar = U[t], U_bar[t]
        mid, new_bar = old[1:-1], U_bar[t + 1, 1:-1]
        k_bar += new_bar @ (old[2:] - 2.0 * mid + old[:-2])
        rate_bar += new_bar @ (mid * (1.0 - mid))
        lap_bar = k * new_bar
        old_bar[1:-1] += new_bar * (1.0 + rate - 2.0 * rate * mid) - 2.0 * lap_bar
        old_bar[2:] += lap_bar
        old_bar[:-2] += lap_bar
    return value, (U_bar[0].copy(), k_bar, rate_bar)


def rewritten(u, k, rate, steps):
    edge = np.zeros(1)
    total = np.sum(u * u)
    for _ in range(steps):
        mid = u[1:-1]
        inner = mid + k * (u[2:] - 2.0 * mid + u[:-2]) + rate * mid * (1.0 - mid)
        u = np.concatenate([edge, inner, edge])
        total = total + np.sum(u * u)
    return total / (len(u) * (steps + 1))


def arguments(n: int) -> tuple[Any, ...]:
    return np.random.default_rng(6).random(n), 0.1, 0.05, 100


PROGRAM = Program(
    "kept states",
    "reaction-diffusion, each state a row of an array, 100 steps",
    loss,
    by_hand,
    arguments,
    wrt=(0, 1, 2),
    sizes=(2_000, 10),
    rewritten=rewritten,
)
