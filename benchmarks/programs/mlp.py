"""The loss of a neural network with one hidden layer: no writes at all."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.model import Program


def loss(W1, b1, W2, b2, X, Y):
    h = np.tanh(X @ W1 + b1)
    out = h @ W2 + b2
    return np.mean((out - Y) ** 2)


def by_hand(W1, b1, W2, b2, X, Y):
    h = np.tanh(X @ W1 + b1)
    out = h @ W2 + b2
    e = out - Y
    value = np.mean(e**2)

    out_bar = (2.0 / e.size) * e
    a_bar = (out_bar @ W2.T) * (1.0 - h * h)
    return value, (X.T @ a_bar, np.sum(a_bar, axis=0), h.T @ out_bar, np.sum(out_bar, axis=0))


def arguments(n: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(4)
    return (
        0.3 * rng.standard_normal((20, 64)),
        0.1 * rng.standard_normal(64),
        0.3 * rng.standard_normal((64, 5)),
        0.1 * rng.standard_normal(5),
        rng.standard_normal((n, 20)),
        rng.standard_normal((n, 5)),
    )


PROGRAM = Program(
    "neural network",
    "one hidden layer of 64, mean square error",
    loss,
    by_hand,
    arguments,
    wrt=(0, 1, 2, 3),
    sizes=(500, 4),
)
