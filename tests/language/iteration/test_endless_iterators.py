"""`itertools.cycle`, and `repeat` without an end, wherever something else tells when to stop."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, islice, repeat
from typing import Any

import numpy as np
import pytest

from adtrans.testing import check_grads

V = np.array([0.6, 1.4, 0.9])
SLOW = pytest.mark.slow


def sliced(v: Any) -> Any:
    return sum(islice(repeat(v[0]), 3)) * list(islice(cycle(v), 5))[4]


def beside_others(v: Any) -> Any:
    s = v[0] * 0.0
    for t, w in zip(v, cycle([v[1], 2.0]), strict=False):
        s = s + t * w
    for w, t in zip(cycle((1.0, v[0])), v, strict=False):
        s = s * w + t
    return s


def of_nothing(v: Any) -> Any:
    s = v[0]
    for t, w in zip(v, cycle([]), strict=False):
        s = s + t * w
    return s * v[1]


def left_early(v: Any) -> Any:
    s = 1.0
    for i, w in enumerate(cycle([v[0], v[1]])):
        if i > 4:
            break
        s *= w
    for w in repeat(v[2]):
        s += w
        if s > 3.0:
            break
    return s


def grows_while_it_is_read(v: Any) -> Any:
    values = [v[0], v[1]]
    s = 0.0
    for n, t in enumerate(cycle(values)):
        s += t
        if n < 2:
            values.append(t * v[2])
        values[0] = v[2]
        if n > 7:
            break
    return s


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        sliced,
        beside_others,
        pytest.param(of_nothing, marks=SLOW),
        pytest.param(left_early, marks=SLOW),
        grows_while_it_is_read,
    ],
)
def test_gradient(f: Callable[[Any], Any]) -> None:
    check_grads(f, (V,))
