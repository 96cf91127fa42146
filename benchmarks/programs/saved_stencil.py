"""Upwind advection, in place: each step needs the velocities that it overwrites, and keeps them."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.model import Program


def loss(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:] -= u[1:] * (u[1:] - u[:-1]) * dt
    return np.sum(u * u)


def by_hand(u, dt, steps):
    u = u.copy()
    kept = np.empty((steps, len(u)))
    for k in range(steps):
        kept[k] = u
        u[1:] -= u[1:] * (u[1:] - u[:-1]) * dt
    value = np.sum(u * u)

    u_bar = 2.0 * u
    for k in range(steps - 1, -1, -1):
        old = kept[k]
        t_bar = dt * u_bar[1:]
        d_bar = t_bar * old[1:]
        u_bar[1:] -= t_bar * (old[1:] - old[:-1]) + d_bar
        u_bar[:-1] += d_bar
    return value, (u_bar,)


def rewritten(u, dt, steps):
    for _ in range(steps):
        u = np.concatenate([u[:1], u[1:] - u[1:] * (u[1:] - u[:-1]) * dt])
    return np.sum(u * u)


def arguments(n: int) -> tuple[Any, ...]:
    return 0.5 + 0.5 * np.random.default_rng(7).random(n), 0.2, 50


PROGRAM = Program(
    "saved stencil",
    "upwind advection, in place, 50 steps, on_overwrite='save'",
    loss,
    by_hand,
    arguments,
    wrt=(0,),
    sizes=(10_000, 12),
    options={"on_overwrite": "save"},
    rewritten=rewritten,
)
