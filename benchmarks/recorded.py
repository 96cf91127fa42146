"""Recorded code: what an operation costs, and the same beside HIPS autograd.

    python -m benchmarks.recorded               # beside autograd, if it is installed
    python -m benchmarks.recorded --quick       # tiny sizes: does it run?

For each program, the program itself, its recorded gradient and autograd's take turns in one
process. `an operation` is the time of the gradient beyond that of the program, forward and back,
over the number of operations that are recorded: arithmetic, calls of functions with a rule, reads
and writes of elements. Times are those of the processor, so that a busy machine does not show;
ratios are medians over the rounds. autograd cannot write into arrays, so one program has no time
there.
"""

from __future__ import annotations

import argparse
import linecache
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

import adtrans as ad
from adtrans.recorder.rewritten import rewritten
from benchmarks.measure import interleaved, ratio, table
from benchmarks.model import with_numpy

try:
    import autograd
    import autograd.numpy as autograd_numpy
except ImportError:  # the extra `bench`
    autograd = None


def operators(x, steps):
    """Arithmetic on numbers: 8 operations in a step."""
    a, b = x[0], x[1]
    for _ in range(steps):
        a = a * 0.99 + b * 0.01
        b = b - a * 0.02 / (1.0 + b * b)
    return a * b


def functions(x, steps):
    """A function of `math`: 3 operations in a step."""
    a = x[0]
    for _ in range(steps):
        a = a + 0.001 * math.sin(a)
    return a


def functions_for_autograd(x, steps):
    """The same; autograd does not know `math`."""
    a = x[0]
    for _ in range(steps):
        a = a + 0.001 * np.sin(a)
    return a


def arrays(x, steps):
    """Operations on arrays: 4 in a step."""
    y = x
    for _ in range(steps):
        y = np.tanh(y) * 1.01 + x * 0.1
    return np.sum(y)


def elements(x, steps):
    """Elements read and written: 3 reads, 3 operations and a write."""
    y = x.copy()
    for _ in range(steps):
        for i in range(1, len(y) - 1):
            y[i] = 0.5 * y[i] + 0.25 * (y[i - 1] + y[i + 1])
    return np.sum(y * y)


class Layer:
    """A neuron of an object program."""

    def __init__(self, weight, bias):
        self.weight, self.bias = weight, bias

    def __call__(self, v):
        return self.squashed(self.weight * v + self.bias)

    def squashed(self, v):
        return v / (1.0 + v * v)


def objects(x, steps):
    """Layers in a list, called one after the other: 5 operations for each, and two reads."""
    layers = [Layer(x[k % 2], x[1]) for k in range(steps)]
    v = x[0]
    for layer in layers:
        v = layer(v)
    return v


def fifty_lines():
    """The source of a function of fifty lines."""
    lines = [f"    a{k} = x[{k % 3}] * {k}.0 + np.sin(a{k - 1}) / (1.0 + a{k - 1} ** 2)"
             for k in range(1, 49)]  # fmt: skip
    return "\n".join(["def fifty(x, a0):", *lines, "    return a48"]) + "\n"


@dataclass(frozen=True)
class Contest:
    """A program, its arguments, how many operations a call records, and what autograd is given."""

    name: str
    f: Callable[..., Any]
    args: tuple[Any, ...]
    operations: int
    other: Callable[..., Any] | None


def contests(quick: bool = False) -> list[Contest]:
    """The programs."""
    n = 10 if quick else 1000
    two, some = np.array([0.5, 0.7]), np.linspace(0.1, 1.0, 12 if quick else 102)
    found = [
        Contest("numbers, operators", operators, (two, n), 8 * n, operators),
        Contest("numbers, math.sin", functions, (two, n), 3 * n, functions_for_autograd),
    ]
    for size in (10, 1000, 100_000):
        steps = 2 if quick else 200 if size < 100_000 else 20
        x = np.linspace(0.0, 1.0, 10 if quick else size)
        name = f"arrays of {size:,}"
        found.append(Contest(name, arrays, (x, steps), 4 * steps, arrays))
    inner = 8 * (len(some) - 2)
    found.append(Contest("elements, written", elements, (some, 5), 5 * inner, None))
    found.append(Contest("objects", objects, (two, n), 7 * n, objects))
    return found


@dataclass(frozen=True)
class Measured:
    """`operation`: seconds for each recorded operation, forward and back, beyond the program.
    `program`: how many runs of the program the gradient takes. `other`: the time of autograd's
    gradient over that of the recorded one."""

    operation: float
    program: float
    other: float | None


def measure(c: Contest, rounds: int = 9, slot: float = 0.1) -> Measured:
    """What a program costs recorded, and with autograd, all in turns."""
    gradient = ad.recorded(c.f).grad
    turns: dict[str, Callable[[], object]] = {
        "program": lambda: c.f(*c.args),
        "recorded": lambda: gradient(*c.args),
    }
    if autograd is not None and c.other is not None:
        other = autograd.grad(with_numpy(c.other, autograd_numpy))
        np.testing.assert_allclose(other(*c.args), gradient(*c.args), rtol=1e-9)
        turns["autograd"] = lambda: other(*c.args)
    times = interleaved(turns, rounds, slot, time.process_time)
    beyond = [r - p for r, p in zip(times["recorded"], times["program"], strict=True)]
    return Measured(
        statistics.median(beyond) / c.operations,
        ratio(times["recorded"], times["program"]),
        ratio(times["autograd"], times["recorded"]) if "autograd" in times else None,
    )


def rewriting(rounds: int = 9) -> float:
    """Seconds to rewrite a function of fifty lines and to compile what comes of it."""
    times = []
    with tempfile.TemporaryDirectory() as home:
        for k in range(rounds):
            path = Path(home) / f"fifty_{k}.py"
            path.write_text(fifty_lines(), encoding="utf-8")
            names: dict[str, Any] = {"np": np}
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
            fn: FunctionType = names["fifty"]
            linecache.getlines(str(path))
            started = time.process_time()
            rewritten(fn)
            times.append(time.process_time() - started)
    return statistics.median(times)


def shown(found: dict[str, Measured], rewrite: float) -> str:
    """The table."""
    head = ["", "an operation", "gradient / program", "autograd / recorded"]
    rows = [
        [name, f"{1e6 * m.operation:.2f} us", f"{m.program:.1f}",
         "-" if m.other is None else f"{m.other:.1f}"]
        for name, m in found.items()
    ]  # fmt: skip
    return f"{table(head, rows)}\na function of 50 lines is rewritten in {1e3 * rewrite:.1f} ms"


def main(argv: Sequence[str] | None = None) -> None:
    """Measure all and print the table."""
    parser = argparse.ArgumentParser(description="what recorded code costs")
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run?")
    quick = parser.parse_args(argv).quick
    how = {"rounds": 1, "slot": 0.0} if quick else {}
    print(shown({c.name: measure(c, **how) for c in contests(quick)}, rewriting(1 if quick else 9)))


if __name__ == "__main__":
    main()
