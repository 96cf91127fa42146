"""Ranges with ends that vary among what `np.r_` and `np.c_` join."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

CALLS = {
    "points": lambda a, b: np.r_[a:b:4j],
    "steps": lambda a, b: np.r_[0 : a : 0.3] * b,
    "ones": lambda a, b: np.r_[a : b + 3],
    "columns": lambda a, b: np.c_[a:b:3j, np.ones(3) * b],
    "joined": lambda a, b: np.r_[a:b:3j, 0.0, b, 1:3],
}


@pytest.mark.parametrize("name", CALLS)
def test_ends_that_vary(name: str) -> None:
    call = CALLS[name]
    check_grads(lambda a, b: np.sum(np.cos(call(a, b))), (0.7, 1.3))
    value: Any = ad.vjp(call, 0.7, 1.3)[0]
    np.testing.assert_array_equal(value, call(0.7, 1.3))


INDICES = {
    "one range": lambda x: x[np.r_[0:2]],
    "ranges and places": lambda x: x[np.r_[4:1:-2, 0, :2]] ** 2,
    "a column": lambda x: x[np.c_[0:3]] ** 2,
}


@pytest.mark.parametrize("name", INDICES)
def test_fixed_ranges_are_indices(name: str) -> None:
    check_grads(INDICES[name], (np.array([0.6, 0.9, 1.3, 0.7, 0.2]),))


def test_what_is_written_at_fixed_ranges() -> None:
    def written(x: Any) -> Any:
        y = x * 1.0
        y[np.r_[0:2, 4]] *= x[:3]
        y[np.r_[2:4]] = 3.0
        return y**2

    check_grads(written, (np.array([0.6, 0.9, 1.3, 0.7, 0.2]),))
