"""How long the analyses of a long function take: `python -m benchmarks.analysis_time`.

The function is written here, line by line: buffers that loops fill, branches that write, views that
live across writes, temporaries that are needed later.
"""

from __future__ import annotations

import gc
import linecache
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.analyses.analyse import Question
from adtrans.analyses.kinds import param_kinds
from adtrans.driver.options import Options
from adtrans.driver.program import Program
from adtrans.ir.names import NameAllocator
from benchmarks.measure import human

LINES = 500
CLAIM = 2.0
_START = ["def f(x, b, w):", "    s = 0.5", "    y = x.copy()", "    z = np.zeros(6)"]


def text(lines: int) -> str:
    """The source of a function `f(x, b, w)` over arrays of six numbers."""
    found = list(_START)
    k = 0
    while len(found) < lines - 1:
        i, j = k % 6, (k + 1) % 6
        found += [
            [f"    t{k} = y * {k}.0 + b"],
            [f"    y[{i}] = b[{j}] * s"],
            [f"    s = s * 0.5 + np.sum(t{k - 2}) * 0.01"],
            ["    for i in range(1, 6):", "        z[i] = z[i - 1] * 0.5 + b[i] * y[i]"],
            ["    if s > 0.5:", f"        z[{i}] += w", "    else:", f"        z[{j}] -= w"],
            [f"    v{k} = z[1:4]"],
            [f"    v{k - 1}[0] += 0.1 * s"],
            ["    z[1:] += 0.1 * np.sin(b[:-1])"],
        ][k % 8]
        k += 1
    return "\n".join([*found, "    return s + np.sum(z) + np.sum(y)", ""])


def function(lines: int) -> Callable[..., Any]:
    """That function, with its source where tools look for it."""
    source, name = text(lines), f"<{lines} lines>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(source, name, "exec"), namespace)
    return namespace["f"]  # type: ignore[no-any-return]


def measure(*, quick: bool = False, lines: int = LINES) -> dict[str, Any]:
    """CPU seconds from the function object to all that the analyses know about it."""
    fn = function(lines)
    kinds = param_kinds({"x": np.ones(6), "b": np.ones(6), "w": 0.7})
    times = []
    for _ in range(1 if quick else 5):
        gc.collect()
        started = time.process_time()
        Program(Options(), NameAllocator()).member(fn, Question(dict(kinds), ("x", "b", "w")))
        times.append(time.process_time() - started)
    return {"lines": len(text(lines).splitlines()), "seconds": statistics.median(times)}


if __name__ == "__main__":
    row = measure()
    print(
        f"analysing a function of {row['lines']} lines: {human(row['seconds'])} "
        f"(to stay below {human(CLAIM)})"
    )
