"""Exits from loops that end in no other way."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


def returns_where_it_catches(x):
    s = 0.0
    n = 0
    while True:
        try:
            v = [x[0], x[1] * 2][n]
        except IndexError:
            return s
        n += 1
        s = s + v * v


def _until_it_catches(a):
    it = iter([a, a * a])
    while True:
        try:
            v = next(it)
        except StopIteration:
            return
        yield v


def yields_until_it_catches(x):
    s = 0.0
    for v in _until_it_catches(x[0]):
        s = s + v * v
    return s


def _each(a):
    n = 0
    while True:
        try:
            v = [a, a * 2][n]
        except IndexError:
            return
        n += 1
        yield v


def goes_through_what_ends_so(x):
    s = 0.0
    for v in _each(x[0]):
        s = s + v * v
    return s


def inside_another_loop(x):
    s = 0.0
    for k in range(3):
        for v in _each(x[k]):
            s = s * x[1] + v
    return s


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        returns_where_it_catches,
        yields_until_it_catches,
        goes_through_what_ends_so,
        inside_another_loop,
    ],
)
def test_an_endless_loop_is_left_by_a_return_where_something_is_caught(f):
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite="save")
