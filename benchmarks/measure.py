"""Timing several functions side by side, in turns, so that a change of the machine hits them all.

>>> times = interleaved({"a": lambda: None, "b": lambda: None}, rounds=3, slot=0.0)
>>> sorted(times), len(times["a"])
(['a', 'b'], 3)
"""

from __future__ import annotations

import math
import statistics
import time
import timeit
from collections.abc import Callable, Iterable, Mapping, Sequence


def interleaved(
    contestants: Mapping[str, Callable[[], object]],
    rounds: int,
    slot: float,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Seconds per call of each contestant in each round.

    In a round everyone is called in turn, for about `slot` seconds (at least once); every other
    round goes through them backwards. What was measured in one round belongs together.
    """
    timers = {name: timeit.Timer(fn, timer=clock) for name, fn in contestants.items()}
    repeats = {}
    for name, timer in timers.items():
        timer.timeit(1)  # compiles, fills caches
        repeats[name] = max(1, round(slot / max(timer.timeit(1), 1e-9)))
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for k in range(rounds):
        for name in list(timers)[:: -1 if k % 2 else 1]:
            times[name].append(timers[name].timeit(repeats[name]) / repeats[name])
    return times


def ratio(a: Sequence[float], b: Sequence[float]) -> float:
    """The median, over the rounds, of how many times longer `a` took than `b`.

    >>> ratio([2.0, 4.0, 90.0], [1.0, 2.0, 3.0])
    2.0
    """
    return statistics.median(x / y for x, y in zip(a, b, strict=True))


def geometric_mean(values: Iterable[float]) -> float:
    """The mean of ratios.

    >>> geometric_mean([0.5, 2.0])
    1.0
    """
    logs = [math.log(v) for v in values]
    return math.exp(sum(logs) / len(logs))


def human(seconds: float) -> str:
    """A time with three digits and a unit.

    >>> human(0.0123), human(4.5e-7)
    ('12.3 ms', '0.45 us')
    """
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * scale >= 1 or unit == "us":
            return f"{seconds * scale:.3g} {unit}"
    raise AssertionError


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows of text with the first column to the left and the others to the right.

    >>> print(table(["name", "x"], [["a", "10"], ["bcdef", "2"]]))
    name    x
    a      10
    bcdef   2
    """
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
    lines = []
    for row in [head, *rows]:
        cells = [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]  # noqa: B905
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
