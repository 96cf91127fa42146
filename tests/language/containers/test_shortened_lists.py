"""A list that a loop replaces by a part of itself: its adjoint is as long as it was before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 0.8, 1.1, 0.3])


def from_behind(x: Any) -> Any:
    rest = [v * v for v in x]
    total = 0.0
    while len(rest) > 1:
        s = rest[-1]
        rest = rest[:-1]
        total = total * 0.5 + s * s * rest[0]
    return total


def by_number(x: Any) -> Any:
    rest = [v * v for v in x]
    total = 0.0
    for k in range(3):
        s = rest[k - 1]
        rest = rest[:-1]
        total = total * 0.5 + s * s
    return total


def of_arrays(x: Any) -> Any:
    rest = [x * v for v in x]
    total = 0.0
    while len(rest) > 1:
        s = rest[-1]
        rest = rest[:-1]
        total = total * 0.5 + np.sum(s * rest[0])
    return total


def tuples(x: Any) -> Any:
    rest = tuple(v * v for v in x)
    total = 0.0
    while len(rest) > 1:
        s = rest[-1]
        rest = rest[:-1]
        total = total * 0.5 + s * rest[0]
    return total


@pytest.mark.parametrize("f", [from_behind, by_number, of_arrays, tuples])
def test_gradient(f: Callable[..., Any]) -> None:
    check_grads(f, (X,))


@pytest.mark.recorded
def test_the_gradient_of_a_slope() -> None:
    """A star in a target, as a pushforward spells it."""

    def f(x: Any) -> Any:
        s, *rest = x
        total = s
        while rest:
            s, *rest = rest
            total = total * 0.5 + s * s
        return total

    def slope(x: Any) -> Any:
        return ad.jvp(f, (x,), (np.ones(4),))[1]

    np.testing.assert_allclose(ad.grad(slope)(X), [0.0, 0.5, 1.0, 2.0])
