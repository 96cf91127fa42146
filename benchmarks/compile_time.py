"""How long the first call of a gradient takes: a function of a hundred lines."""

from __future__ import annotations

import gc
import inspect
import statistics
import time
import types
from typing import Any

import numpy as np

import adtrans as ad
from benchmarks.hundred_lines import lake
from benchmarks.measure import human

CLAIM = 1.0


def measure(*, quick: bool) -> dict[str, Any]:
    """Seconds from `ad.grad` to its first result, each time for a new function object.

    `first_seconds` is the very first: it also reads and parses the file. Garbage is collected
    before, so that what a large process has left behind is not swept up in the time of one call.
    """
    rng = np.random.default_rng(0)
    args = 5.0 + rng.random(6), rng.random(6), rng.random(3), 0.1 * rng.random(8), 2
    times = []
    for _ in range(4 if quick else 8):
        fn = types.FunctionType(lake.__code__, lake.__globals__, lake.__name__)
        gc.collect()
        started = time.perf_counter()
        ad.grad(fn, wrt=(0, 1, 2, 3))(*args)
        times.append(time.perf_counter() - started)
    return {
        "lines": len(inspect.getsource(lake).splitlines()),
        "first_seconds": times[0],
        "median_seconds": statistics.median(times[1:]),
    }


def shown(row: dict[str, Any]) -> str:
    """Two sentences."""
    return (
        f"compiling a function of {row['lines']} lines and calling it once: "
        f"{human(row['first_seconds'])} the first time, {human(row['median_seconds'])} later "
        f"(to stay below {human(CLAIM)})"
    )
