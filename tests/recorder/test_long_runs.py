"""Runs that are long or deep: what is held meanwhile, and how deep a recursion may go."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import adtrans as ad
from adtrans.recorder import escapes


class Node:
    def __init__(self, n):
        self.n = n

    def walk(self, x):
        return x if self.n == 0 else self.below.walk(x) * 0.99 + x


def deep(x, n):
    return 0.0 if n == 0 else x * 0.99 + deep(x, n - 1) * 0.999


def by_function(x):
    return deep(x[0], 700)


def by_method(x):
    nodes = [Node(k) for k in range(700)]
    for k in range(1, 700):
        nodes[k].below = nodes[k - 1]
    return nodes[-1].walk(x[0])


@pytest.mark.parametrize("f", [by_function, by_method])
def test_recursion_as_deep_as_in_the_plain_run(f):
    before = sys.getrecursionlimit()
    slope = f(np.array([2.0])) / 2.0
    np.testing.assert_allclose(ad.recorded(f).grad(np.array([2.0])), [slope], rtol=1e-12)
    assert sys.getrecursionlimit() == before


def endless(x):
    return endless(x) + 1.0


def test_recursion_without_an_end_is_an_error_as_in_the_plain_run():
    with pytest.raises(RecursionError):
        ad.recorded(endless).grad(1.0)


class Price:
    def __init__(self, v):
        self.v = v


def many_small_objects(x, kept):
    total = 0.0
    for k in range(20_000):
        p = Price(x[0] * k)
        total = total + p.v
        if k % 5_000 == 0:
            kept.append(p)
    return total


def test_objects_that_nobody_holds_any_more_are_not_held_by_the_run(monkeypatch):
    sizes, put_right = [], escapes.put_right
    monkeypatch.setattr(
        escapes, "put_right", lambda touched, *rest: (sizes.append(len(touched)),
                                                      put_right(touched, *rest))
    )  # fmt: skip
    kept = []
    found = ad.recorded(many_small_objects).grad(np.array([2.0]), kept)
    np.testing.assert_allclose(found, [sum(range(20_000))])
    assert sizes[0] < 10_000
    assert [type(p.v) for p in kept] == [np.float64] * 4
