"""Sums of a tuple that is written out and one that is made of a list: `(s,) + tuple(values)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adtrans.testing import check_grads

V = np.array([0.6, 1.4, 0.9])


def in_front(v: Any) -> Any:
    t = (v[0], 2.0) + tuple(s * s for s in v)
    return t[0] * t[-1] + sum(t) * len(t)


def behind(v: Any) -> Any:
    pair = (v[0], v[1] * 2.0)
    t = tuple([s * s for s in v]) + pair
    return t[0] * t[3] * t[4] + t[::-1][0]


def arrays(v: Any) -> Any:
    t = (v,) + tuple(v * k for k in range(3))
    return sum(np.sum(a * a) for a in t)


def sizes(v: Any) -> Any:
    y = np.zeros((2,) + tuple(len(v) for _ in range(1)))
    y[0] = v
    return np.sum(y * y)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [in_front, behind, pytest.param(arrays, marks=pytest.mark.slow), sizes]
)
def test_gradient(f: Callable[[Any], Any]) -> None:
    check_grads(f, (V,))
