"""The heat equation in two dimensions, stepped in place: nothing has to be kept but the result."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.model import Program


def loss(u, c, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += c * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
    return np.sum(u * u)


def by_hand(u, c, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] += c * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
    value = np.sum(u * u)

    u_bar = 2.0 * u
    for _ in range(steps):
        d_bar = c * u_bar[1:-1, 1:-1]
        u_bar[2:, 1:-1] += d_bar
        u_bar[:-2, 1:-1] += d_bar
        u_bar[1:-1, 2:] += d_bar
        u_bar[1:-1, :-2] += d_bar
        u_bar[1:-1, 1:-1] -= 4.0 * d_bar
    return value, (u_bar,)


def rewritten(u, c, steps):
    for _ in range(steps):
        inner = u[1:-1, 1:-1] + c * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
        rows = np.concatenate([u[1:-1, :1], inner, u[1:-1, -1:]], axis=1)
        u = np.concatenate([u[:1], rows, u[-1:]], axis=0)
    return np.sum(u * u)


def arguments(n: int) -> tuple[Any, ...]:
    return np.random.default_rng(0).random((n, n)), 0.2, 50


PROGRAM = Program(
    "linear stencil",
    "2-D heat equation, in place, 50 steps",
    loss,
    by_hand,
    arguments,
    wrt=(0,),
    sizes=(128, 12),
    rewritten=rewritten,
)
