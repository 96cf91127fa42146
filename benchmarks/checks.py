"""What the run-time checks of generated code cost, each in nanoseconds.

    python -m benchmarks.checks
"""

from __future__ import annotations

import sys
import timeit
from collections.abc import Callable

import numpy as np

from adtrans import runtime

LIMIT = 1000.0


def measured() -> dict[str, float]:
    """Nanoseconds for one check of each kind, on small arrays, the best of several rounds."""
    y = np.zeros((30, 40))
    flat, row, other = y.reshape(-1), y[3], np.zeros(40)
    needed = np.zeros(y.shape, dtype=bool)
    marks: dict[int, object] = {}
    runtime.mark_needed(marks, y)
    checks: dict[str, Callable[[], object]] = {
        "a reshape is a view": lambda: runtime.check_view(flat, y, ""),
        "a ravel is a copy": lambda: runtime.check_copy(other, y, ""),
        "a flag is asked": lambda: runtime.check_unneeded(False, ""),
        "40 elements are noted": lambda: needed.__setitem__(5, False),
        "40 elements are asked": lambda: runtime.check_unneeded(needed[3], ""),
        "an array is noted": lambda: runtime.mark_needed(marks, row),
        "an array is asked": lambda: runtime.check_unmarked(marks, other, ""),
        "an array is frozen for a call": lambda: runtime.call_frozen("", (other,), abs, 1),
        "two arguments apart": lambda: runtime.overlaps(y, other),
    }
    empty = best(lambda: None)
    return {name: best(check) - empty for name, check in checks.items()}


def best(check: Callable[[], object]) -> float:
    """Nanoseconds for one call, in the best of many short rounds: other programs run as well."""
    return min(timeit.repeat(check, number=200, repeat=500)) / 200 * 1e9


if __name__ == "__main__":
    times = measured()
    for name, ns in times.items():
        print(f"{name:32} {ns:6.0f} ns{'' if ns < LIMIT else '   too much'}")
    sys.exit(any(ns >= LIMIT for ns in times.values()))
