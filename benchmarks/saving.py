"""What it costs to keep copies: time loops in save mode, their forward sweep and the plain loop.

    python -m benchmarks.saving

Large temporaries cost page faults whenever the C library gives their memory back to the system;
then the plain loop takes several times as long, and the ratio is near 1. So that this does not
decide, the script starts itself again with glibc told to keep memory.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.api.differentiable import grad
from benchmarks.measure import human, interleaved, ratio, table

N, STEPS, LIMIT = 100_000, 100, 1.6
KEEP = {
    "MALLOC_TOP_PAD_": "67108864",
    "MALLOC_MMAP_THRESHOLD_": "33554432",
    "MALLOC_TRIM_THRESHOLD_": "1073741824",
}


def advection(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:] = u[1:] - dt * u[1:] * (u[1:] - u[:-1])
    return np.sum(u)


def burgers(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] -= dt * u[1:-1] * (u[2:] - u[:-2])
    return np.sum(u * u)


def growth(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] *= 1.0 + dt * (u[2:] - u[:-2])
    return np.sum(u)


def part(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[:1000] = u[:1000] - dt * u[:1000] * u[1000:2000]
        u[1000:] += dt * u[:-1000]
    return np.sum(u)


def until(u, dt, steps):
    """The number of steps is not known beforehand: copies stand in growing blocks."""
    u = u.copy()
    t = 0.0
    while t < dt * (steps - 0.5):
        u[1:] = u[1:] - dt * u[1:] * (u[1:] - u[:-1])
        t += dt
    return np.sum(u)


PROGRAMS: tuple[Callable[..., Any], ...] = (advection, burgers, growth, part, until)


def measured(rounds: int = 15) -> dict[str, tuple[float, float, float]]:
    """Seconds of the plain loop and of the forward sweep, and their ratio, by program."""
    u = np.random.default_rng(0).uniform(0.1, 0.9, N)
    found = {}
    for f in PROGRAMS:
        gradient = grad(f, on_overwrite="save")
        gradient(u, 1e-3, 3)
        forward = gradient.dispatcher.version((u, 1e-3, STEPS)).functions[0]
        times = interleaved(
            {"plain": lambda f=f: f(u, 1e-3, STEPS),
             "forward": lambda forward=forward: forward(u, 1e-3, STEPS)},
            rounds, 0.0,
        )  # fmt: skip
        plain, swept = (sorted(times[k])[rounds // 2] for k in ("plain", "forward"))
        found[f.__name__] = plain, swept, ratio(times["forward"], times["plain"])
    return found


if __name__ == "__main__":
    if not KEEP.items() <= os.environ.items():
        os.execve(
            sys.executable, [sys.executable, "-m", "benchmarks.saving"], {**os.environ, **KEEP}
        )
    results = measured()
    rows = [[name, human(a), human(b), f"{r:.2f}"] for name, (a, b, r) in results.items()]
    print(table([f"n = {N}, {STEPS} steps", "plain", "forward", "ratio"], rows))
    sys.exit(any(r > LIMIT for _, _, r in results.values()))
