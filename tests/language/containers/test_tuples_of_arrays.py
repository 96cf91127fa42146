"""Tuples of unknown length, whose arrays a function or a method changes in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.9])


def made(x):
    return [np.outer(x, x), x * 2.0]


def halved(ps):
    for p in ps:
        p *= 0.5


def squared(ps):
    for p in ps:
        p *= p


class Optimizer:
    def __init__(self, ps):
        self.ps = ps

    def step(self):
        for p in self.ps:
            p *= 0.5


def rows(x):
    ps = tuple(np.outer(x, x))
    halved(ps)
    return np.sum(ps[0] * ps[1])


def by_method(x):
    ps = tuple(made(x))
    Optimizer(ps).step()
    return np.sum(ps[0]) * np.sum(ps[1])


def views(x):
    a = np.outer(x, x)
    ps = tuple(a)
    again = tuple(ps)
    halved(ps)
    halved(again[1:])
    return np.sum(a * a) + np.sum(ps[0] * again[1])


def one_array_twice(x):
    a = x * 2.0
    ps = tuple([a, a, x * 3.0][k] for k in range(3))
    halved(ps)
    return np.sum(a * ps[2])


def one_of_two(x):
    ps, qs = tuple(np.outer(x, x)), tuple(np.outer(x, x * x))
    halved(ps if x[0] > 0.5 else qs)
    return np.sum(ps[0] * qs[1])


def in_a_list(x):
    pairs = [tuple(np.outer(x, x)), tuple(np.outer(x, x * 2.0))]
    for ps in pairs:
        halved(ps)
    return np.sum(pairs[0][0] * pairs[1][1])


def in_a_loop(x):
    total = 0.0
    for k in range(3):
        ps = tuple(np.outer(x, x) * (k + 1))
        for _ in range(k):
            halved(ps)
        total = total + np.sum(ps[k] * ps[0])
    return total


def none_at_all(x):
    ps = tuple(np.outer(x, x)[:0])
    halved(ps)
    return np.sum(x * x) + len(ps)


def needed_later(x):
    ps = tuple(made(x))
    for _ in range(2):
        squared(ps)
    return sum(np.sum(p * p) for p in ps)


@pytest.mark.parametrize(
    "f",
    [rows, by_method, views, one_array_twice, one_of_two, in_a_list, in_a_loop, none_at_all],
)
def test_tuples_whose_arrays_change(f: Callable[..., Any]) -> None:
    x = X.copy()
    check_grads(f, (x,))
    check_grads(f, (x,), on_overwrite="save")
    np.testing.assert_array_equal(x, X)
    value, pullback = ad.vjp(f, x)
    assert value == f(X)
    np.testing.assert_array_equal(pullback(1.0), pullback(1.0))


def test_what_is_overwritten_is_saved() -> None:
    check_grads(needed_later, (X,), on_overwrite="save")
    with pytest.raises(ad.CompileError, match="overwritten"):
        ad.grad(needed_later)(X)
