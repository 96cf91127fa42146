"""What a pullback keeps: recorded beside compiled, in bytes per byte of the argument.

    python -m benchmarks.kept

It is what is allocated between the forward run and the pullback, with copies of what is
overwritten (`on_overwrite="save"`), and as it is by default. Of values that two formulas could be
computed from, a recorded run keeps one.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

import adtrans as ad
from benchmarks.measure import table


def chain(x, steps=20):
    y = x
    for _ in range(steps):
        y = np.tanh(y) * 1.01 + x * 0.1
    return np.sum(y)


def matrices(x, steps=10):
    a = x[:10_000].reshape(100, 100)
    b = a
    for _ in range(steps):
        b = np.tanh(a @ b * 0.01)
    return np.sum(b)


def stencil(x, steps=20):
    y = x
    for _ in range(steps):
        new = np.zeros_like(y)
        new[1:-1] = y[1:-1] + 0.1 * np.sin(y[2:] - y[:-2])
        y = new
    return np.sum(y)


def masks(x, steps=20):
    y = x.copy()
    for _ in range(steps):
        y = np.where(y > 0.5, y * y, y + 0.1)
        y[y > 0.9] *= 0.5
    return np.sum(y)


def factorisations(x, steps=4):
    a = x[:10_000].reshape(100, 100)
    m, s = a @ a.T + 100.0 * np.eye(100), 0.0
    for _ in range(steps):
        c = np.linalg.cholesky(m)
        m = m + 0.1 * c @ c.T * np.sin(c) + 10.0 * np.eye(100)
        s = s + np.sum(np.log(np.diag(c)))
    return s


def rows(x, steps=20):
    t = np.zeros((steps, len(x)))
    t[0] = x
    for k in range(1, steps):
        t[k] = t[k - 1] * np.cos(t[k - 1])
    return np.sum(t)


def scaled(x, steps=20):
    y = x.copy()
    for _ in range(steps):
        y *= 0.9 + 0.1 * np.exp(-y)
        y += x
    return np.sum(y)


def leapfrog(x, steps=20):
    a, b = x.copy(), x * 0.5
    for _ in range(steps):
        a += 0.01 * np.sin(b)
        b -= 0.01 * a * a
    return np.sum(a * b)


def diffusion(x, steps=20):
    """The compiler keeps the state of each step alone, and computes the factor again."""
    y = x.copy()
    for _ in range(steps):
        y[1:-1] += 0.1 * (y[2:] - 2.0 * y[1:-1] + y[:-2]) * y[1:-1]
    return np.sum(y * y)


PROGRAMS = (chain, matrices, stencil, masks, factorisations, rows, scaled, leapfrog, diffusion)


def allocated(wrapped: Any, x: Any) -> int:
    """What is allocated for a pullback."""
    ad.vjp(wrapped, x)  # compiles, fills caches
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        pullback = ad.vjp(wrapped, x)[1]
        gc.collect()
        found = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    pullback(1.0)
    return found


def recorded_bytes(f: Callable[..., Any], x: Any, mode: str) -> int:
    """What a recorded run keeps."""
    return allocated(ad.recorded(f, on_overwrite=mode), x)


def compiled_bytes(f: Callable[..., Any], x: Any, mode: str) -> int:
    """What compiled code keeps; blocks of copies are mapped, which the trace does not see."""
    wrapped = ad.differentiable(f, on_overwrite=mode, on_unfollowed="refuse")
    wrapped.grad(x)
    return max(allocated(wrapped, x), int(wrapped.report().kept_bytes or 0))


def measured(
    f: Callable[..., Any], x: Any, mode: str
) -> tuple[float | None, float | None]:
    """Of both ways, by the size of the argument; None where a needed value is overwritten."""
    found: list[float | None] = []
    for ask in (compiled_bytes, recorded_bytes):
        try:
            found.append(ask(f, x, mode) / x.nbytes)
        except ad.AdtransError:  # AD301
            found.append(None)
    return found[0], found[1]


def main() -> None:
    """Measure all and print the table."""
    x = np.linspace(0.1, 1.0, 20_000)
    lines = []
    for f in PROGRAMS:
        row = [f.__name__]
        for mode in ("save", "refuse"):
            row += ["-" if v is None else f"{v:.1f}" for v in measured(f, x, mode)]
        lines.append(row)
    head = ["", "compiled, save", "recorded, save", "compiled", "recorded"]
    print(table(head, lines))


if __name__ == "__main__":
    main()
