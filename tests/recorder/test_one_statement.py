"""A statement that overwrites what its own derivative reads: what it reads is copied. What another
statement needs is not."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 0.4, 1.3, 0.9])


def squared(x):
    y = x * 1.0
    y **= 2
    return np.sum(y * x)


def by_itself(x):
    y = x * 1.0
    y *= y
    y /= x
    return y


def with_out(x):
    y = x * 2.0
    np.sin(y, out=y)
    np.multiply(y, x, y)
    np.cumprod(y, out=y)
    return y


def sorted_in_place(x):
    y = x * x
    y.sort()
    y[::-1].partition(1)
    return y * np.arange(4)


def in_a_loop(x):
    y = x * 1.0
    for k in range(3):
        y[k:] *= y[k]
        y[:2] @= np.outer(x[:2], x[1:3])
    return y


def attributes(x):
    class Held:
        pass

    h = Held()
    h.y = x * 1.0
    h.y[1:] *= h.y[:-1]
    h.y **= 1.5
    return np.sum(h.y)


@pytest.mark.parametrize("f", [
    squared, by_itself, with_out, sorted_in_place, in_a_loop, attributes,
])  # fmt: skip
def test_right_without_an_option(f):
    check_grads(f, (X,), on_unfollowed="always")
    check_grads(f, (X,), on_unfollowed="always", on_overwrite="save")


def test_what_another_statement_needs_is_refused():
    def f(x):
        y = x * 1.0
        s = np.sum(y * y)
        y[:2] **= 2
        return s + np.sum(y)

    def swapped(x):  # what an earlier turn of the same statement needs
        a, b = x * 1.0, x * 2.0
        for _ in range(3):
            np.multiply(a[:2], x[:2], out=b[:2])
            a, b = b, a
        return np.sum(a)

    for g in (f, swapped):
        with pytest.raises(ad.MutationError):
            ad.grad(ad.recorded(g))(X)
        check_grads(g, (X,), on_unfollowed="always", on_overwrite="save")
