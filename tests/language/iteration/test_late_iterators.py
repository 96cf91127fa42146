"""Iterators that have a name, and `functools.reduce` over what is no list yet."""
# ruff: noqa: B905, C416

import functools

import numpy as np
import pytest

from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

W = np.array([0.3, 0.7, 1.1])


def backwards(x):
    return functools.reduce(lambda acc, a: acc * 0.5 + a, reversed(x), 0.0)


def backwards_from_the_last(x):
    return functools.reduce(lambda acc, a: acc * 0.5 + a, reversed(x))


def in_pairs(x):
    return functools.reduce(lambda acc, p: acc * 0.5 + p[0] * p[1], zip(x, x[::-1]), x[1])


def counted(x):
    squares = [v * v for v in x]
    return functools.reduce(lambda acc, p: acc * 0.5 + p[0] * p[1], enumerate(squares), 1.0)


def by_name(x):
    entries = {"a": x[0], "b": x[1]}
    total = functools.reduce(lambda acc, e: acc * 0.5 + e[1], entries.items(), x[2])
    return total + functools.reduce(lambda acc, v: acc * v, entries.values())


def pairs_of_what_changes(x):
    y = np.array(x)
    pairs = zip(y, x)
    y[0] = 7.0 * x[1]
    t = 0.0
    for a, b in pairs:
        y[2] = y[2] * b
        t += a * b
    return t


def items_of_a_list_that_changes(x):
    y = [v * x[0] for v in x]
    squares = (v * v for v in y)
    rows = enumerate(y)
    y[1] = y[0]
    return sum(squares) + sum(v * i for i, v in rows)


@pytest.mark.recorded
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
@pytest.mark.parametrize(
    "f",
    [
        backwards, backwards_from_the_last, in_pairs, counted, by_name, pairs_of_what_changes,
        items_of_a_list_that_changes,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_late(f, on_overwrite):
    check_grads(f, (W,), on_overwrite=on_overwrite)


class Vector:
    """Whoever goes through it gets what it held in the beginning."""

    def __init__(self, held):
        self.held = held

    def __mul__(self, k):
        return Vector([v * k for v in self.held])

    def __iter__(self):
        return iter(list(self.held))

    def __setitem__(self, i, v):
        self.held[i] = v


def of_an_object(x):
    y = Vector([v for v in x]) * 2.0
    pairs = zip(y, x)
    y[0] = 7.0
    t = 0.0
    for a, b in pairs:
        t += a * b
    return t


def backwards_through_what_gets_shorter(x):
    y = [v * x[0] for v in x]
    last = reversed(y)
    y[1:] = [x[2]]
    return sum(v * x[1] for v in last)


@pytest.mark.parametrize("f", [of_an_object, backwards_through_what_gets_shorter])
def test_what_an_iterator_began_with_is_not_looked_for_later(f):
    with pytest.raises(CompileError, match="AD401"):
        check_grads(f, (W,))
