"""When a run is over, and its pullback gone, nothing of the record is held any more."""

from __future__ import annotations

import contextlib
import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.linspace(0.1, 1.0, 50_000)


def chain(x):
    y = x
    for _ in range(5):
        y = np.tanh(y) * 1.01 + x * y
    return np.sum(y)


def written(x):
    y, z = x.copy(), []
    for _ in range(5):
        y[1:] = y[1:] * x[:-1]
        z.append(y * y)
        y += x
    return sum(np.sum(v) for v in z)


def fails(x):
    y = chain(x) * x
    raise ValueError(len(y))


def nested(x):
    slope = ad.grad(ad.recorded(chain))(x)
    return np.sum(slope * x)


def _vjp(f: Any) -> None:
    _, pullback = ad.vjp(f, X)
    pullback(1.0)


MODES = {
    "grad": lambda f: f.grad(X),
    "value_and_grad": lambda f: ad.value_and_grad(f)(X),
    "vjp": _vjp,
    "jvp": lambda f: ad.jvp(f, (X,), (X,)),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", [chain, written, fails, nested])
def test_nothing_is_left(f: Any, mode: str) -> None:
    recorded = ad.recorded(f, on_overwrite="save")

    def run() -> None:
        with contextlib.suppress(ValueError):
            MODES[mode](recorded)

    run()
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(2):
            run()
        gc.collect()
        left = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert left < X.nbytes / 2
