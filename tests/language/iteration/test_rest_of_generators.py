"""Iterators that are asked for some elements, and of which `sum`, `list` ... take the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from adtrans.testing import check_grads

V = np.array([0.6, 1.4, 0.9, 1.1])
SLOW = pytest.mark.slow


def products(v: Any, k: float) -> Iterator[Any]:
    p = 1.0
    for t in v:
        p = p * t * k
        yield p


def of_a_function(v: Any) -> Any:
    g = products(v, 0.5)
    first = next(g)
    return first * sum(g)


def of_an_expression(v: Any) -> Any:
    g = (t * t for t in v)
    first = next(g)
    rest = list(g)
    return first * rest[0] * rest[-1] * len(rest)


def of_an_array(v: Any) -> Any:
    values = iter(v)
    a, b = next(values), next(values)
    return a * b * sum(values, 1.0)


def in_order(v: Any) -> Any:
    state = [v[0]]

    def steps() -> Iterator[Any]:
        for t in v:
            state[0] = t * state[0]
            yield t * state[0]

    g = steps()
    first = next(g)
    return state[0] * sum(g) * state[0] + first * sum(g)


def largest(v: Any) -> Any:
    g = products(v, 2.0)
    a = next(g) * max(g)
    h = products(v, 1.5)
    b = next(h)
    t = tuple(h)
    return a + b * t[1] * len(t)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        of_a_function,
        pytest.param(of_an_expression, marks=SLOW),
        of_an_array,
        in_order,
        pytest.param(largest, marks=SLOW),
    ],
)
def test_gradient(f: Callable[[Any], Any]) -> None:
    check_grads(f, (V,))
