"""A tridiagonal system solved in place, element by element (the Thomas algorithm)."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.model import Program


def loss(lower, diag, upper, rhs):
    n = len(rhs)
    diag = diag.copy()
    x = rhs.copy()
    for i in range(1, n):
        w = lower[i - 1] / diag[i - 1]
        diag[i] -= w * upper[i - 1]
        x[i] -= w * x[i - 1]
    x[n - 1] /= diag[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / diag[i]
    return np.sum(x * x)


def by_hand(lower, diag, upper, rhs):
    n = len(rhs)
    diag = diag.copy()
    x = rhs.copy()
    eliminated = np.empty(n)
    for i in range(1, n):
        w = lower[i - 1] / diag[i - 1]
        diag[i] -= w * upper[i - 1]
        eliminated[i - 1] = x[i - 1]
        x[i] -= w * x[i - 1]
    x[n - 1] /= diag[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / diag[i]
    value = np.sum(x * x)

    x_bar = 2.0 * x
    lower_bar = np.zeros(n - 1)
    diag_bar = np.zeros(n)
    upper_bar = np.zeros(n - 1)
    for i in range(n - 1):
        s_bar = x_bar[i] / diag[i]
        diag_bar[i] = -s_bar * x[i]
        upper_bar[i] = -s_bar * x[i + 1]
        x_bar[i + 1] -= s_bar * upper[i]
        x_bar[i] = s_bar
    s_bar = x_bar[n - 1] / diag[n - 1]
    diag_bar[n - 1] = -s_bar * x[n - 1]
    x_bar[n - 1] = s_bar
    for i in range(n - 1, 0, -1):
        d = diag[i - 1]
        w = lower[i - 1] / d
        a_bar, b_bar = x_bar[i], diag_bar[i]
        w_bar = -a_bar * eliminated[i - 1] - b_bar * upper[i - 1]
        x_bar[i - 1] -= a_bar * w
        upper_bar[i - 1] -= b_bar * w
        lower_bar[i - 1] = w_bar / d
        diag_bar[i - 1] -= w_bar * w / d
    return value, (lower_bar, diag_bar, upper_bar, x_bar)


def rewritten(lower, diag, upper, rhs):
    n = len(rhs)
    d, b = [diag[0]], [rhs[0]]
    for i in range(1, n):
        w = lower[i - 1] / d[i - 1]
        d.append(diag[i] - w * upper[i - 1])
        b.append(rhs[i] - w * b[i - 1])
    x = [b[n - 1] / d[n - 1]]
    for i in range(n - 2, -1, -1):
        x.append((b[i] - upper[i] * x[-1]) / d[i])
    x = np.array(x)
    return np.sum(x * x)


def arguments(n: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(3)
    return rng.random(n - 1), 3.0 + rng.random(n), rng.random(n - 1), rng.random(n)


PROGRAM = Program(
    "tridiagonal solve",
    "Thomas algorithm, in place",
    loss,
    by_hand,
    arguments,
    wrt=(0, 1, 2, 3),
    sizes=(1_000, 8),
    rewritten=rewritten,
)
