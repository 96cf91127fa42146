"""Burgers' equation, stepped in place: each step needs differences only, which are fresh arrays.

So no write is in the way, but every step keeps something; one copy of `u` for each would do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.model import Program


def loss(u, nu, steps):
    u = u.copy()
    for _ in range(steps):
        lap = u[2:] - 2.0 * u[1:-1] + u[:-2]
        u[1:-1] += nu * lap - 0.1 * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


def by_hand(u, nu, steps):
    u = u.copy()
    kept = np.empty((steps, len(u)))
    for k in range(steps):
        kept[k] = u
        lap = u[2:] - 2.0 * u[1:-1] + u[:-2]
        u[1:-1] += nu * lap - 0.1 * u[1:-1] * (u[2:] - u[:-2])
    value = np.sum(u * u)

    u_bar = 2.0 * u
    nu_bar = 0.0
    for k in range(steps - 1, -1, -1):
        old = kept[k]
        t_bar = u_bar[1:-1].copy()
        nu_bar += t_bar @ (old[2:] - 2.0 * old[1:-1] + old[:-2])
        d_bar = 0.1 * t_bar
        slope_bar = d_bar * old[1:-1]
        lap_bar = nu * t_bar
        u_bar[1:-1] -= d_bar * (old[2:] - old[:-2]) + 2.0 * lap_bar
        u_bar[2:] += lap_bar - slope_bar
        u_bar[:-2] += lap_bar + slope_bar
    return value, (u_bar, nu_bar)


def rewritten(u, nu, steps):
    for _ in range(steps):
        lap = u[2:] - 2.0 * u[1:-1] + u[:-2]
        inner = u[1:-1] + nu * lap - 0.1 * u[1:-1] * (u[2:] - u[:-2])
        u = np.concatenate([u[:1], inner, u[-1:]])
    return np.sum(u * u)


def arguments(n: int) -> tuple[Any, ...]:
    return np.random.default_rng(1).random(n), 0.05, 100


PROGRAM = Program(
    "nonlinear stencil",
    "Burgers' equation, in place, 100 steps",
    loss,
    by_hand,
    arguments,
    wrt=(0, 1),
    sizes=(10_000, 12),
    rewritten=rewritten,
)
