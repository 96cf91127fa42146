"""What primitives take apart in C, writes of nothing, and checkpoints that save."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 1.2, 0.9])


class Bag:
    def __init__(self, *items: Any) -> None:
        self.items = items

    def __iter__(self) -> Any:
        for v in self.items:
            yield v * v


class Celsius:
    def __init__(self, degrees: Any) -> None:
        self.degrees = degrees

    def __float__(self) -> Any:
        return float(self.degrees + 1.0)


def items_of_an_object(x):
    return math.prod(Bag(x[0], x[1], 2.0)) + math.fsum(Bag(x[2], 1.0))


def number_of_an_object(x):
    return math.sin(Celsius(x[0])) * math.hypot(Celsius(x[1]), x[2])


def copied_onto_itself(x):
    v = np.broadcast_to(x, (2, 3))
    np.copyto(v, v)
    np.copyto(dst=v, src=v.astype(float, copy=False))
    return np.sum(v * v)


def saved_in_a_checkpoint(x):
    @ad.checkpoint(on_overwrite="save")
    def step(v):
        y = v * 2.0
        s = np.sum(y * y)
        y[0] = 0.0
        return s + np.sum(y)

    return step(x) * step(x[1:])


@pytest.mark.parametrize(
    "f", [items_of_an_object, number_of_an_object, copied_onto_itself, saved_in_a_checkpoint]
)
def test_derivatives(f: Any) -> None:
    check_grads(ad.recorded(f), (X,))


def test_what_is_read_only_stays_so() -> None:
    def f(x):
        v = np.broadcast_to(x, (2, 3))
        np.copyto(v, x * 2.0)
        return np.sum(v)

    with pytest.raises(ValueError, match="read-only"):
        ad.grad(ad.recorded(f))(X)


def test_a_checkpoint_that_does_not_save_is_told_of() -> None:
    def f(x):
        @ad.checkpoint
        def step(v):
            y = v * 2.0
            s = np.sum(y * y)
            y[0] = 0.0
            return s + np.sum(y)

        return step(x)

    with pytest.raises(ad.MutationError, match="AD301"):
        ad.grad(ad.recorded(f))(X)
