"""What a warm call of `loss.grad` costs beyond the generated code that it runs."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

import adtrans as ad
from benchmarks.measure import human, interleaved, table

CLAIM = 3e-6


@ad.differentiable
def one(x):
    return np.sum(x * x)


@ad.differentiable
def two(x, a):
    return np.sum(a * x * x)


@ad.differentiable(wrt=("x", "w"))
def three(x, w, a):
    return np.sum(a * w * x)


@ad.differentiable(wrt=("x", "w"))
def four(x, w, a, n):
    return np.sum(a * w * x**n)


def _generated(fn: Any, args: tuple[Any, ...]) -> Callable[[], object]:
    """The two generated functions, called directly."""
    fn.grad(*args)
    forward, pullback = fn.grad.dispatcher.version(args).functions

    def run() -> object:
        y, residuals = forward(*args)
        return y, pullback(residuals, 1.0)

    return run


def measure(*, quick: bool) -> list[dict[str, Any]]:
    """One row for each number of arguments."""
    x, w = np.random.default_rng(0).random((2, 8))
    rounds, slot = (5, 0.001) if quick else (25, 0.02)
    rows = []
    for fn, args in ((one, (x,)), (two, (x, 0.5)), (three, (x, w, 0.5)), (four, (x, w, 0.5, 3))):
        whole = lambda fn=fn, args=args: fn.grad(*args)  # noqa: E731
        times = interleaved({"grad": whole, "generated": _generated(fn, args)}, rounds, slot)
        beyond = [g - d for g, d in zip(times["grad"], times["generated"], strict=True)]
        rows.append(
            {
                "arguments": len(args),
                "grad_seconds": statistics.median(times["grad"]),
                "generated_seconds": statistics.median(times["generated"]),
                "beyond_seconds": statistics.median(beyond),
            }
        )
    return rows


def shown(rows: list[dict[str, Any]]) -> str:
    """The table."""
    lines = [
        [
            f"{row['arguments']} argument{'s' if row['arguments'] > 1 else ''}",
            human(row["grad_seconds"]),
            human(row["generated_seconds"]),
            human(row["beyond_seconds"]),
        ]
        for row in rows
    ]
    text = table(["warm call", "loss.grad", "generated code", "beyond it"], lines)
    return text + f"\n(to stay below {human(CLAIM)})"
