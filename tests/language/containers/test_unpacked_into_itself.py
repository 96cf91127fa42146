"""Targets among which is the name of what is unpacked: `first, *rest = first`."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.2, 0.9, 0.4])


def rows(x):
    m = np.outer(x, x * x)
    if x[0] > 0.1:
        m, *rest = m
        return np.sum(m * rest[0]) + np.sum(rest[1] * x[0])
    return m[0, 0]


def numbers(x):
    y = x
    if x[0] > 0.1:
        y, *rest, z = y
        return y * z + rest[0]
    return y[0]


def a_list(x):
    v = [x[0], x[1], x[2]]
    if x[0] > 0.1:
        v, *rest = v
        return v * rest[0] + rest[1]
    return v[0]


def lists(x):
    v = [[x[0], x[1]], [x[2], x[3]], [x[4], x[0]]]
    if x[0] > 0.1:
        v, *rest, w = v
        return v[0] * w[0] + rest[0][1]
    return v[0][0]


def a_tuple(x):
    b = (x[0], x[1] * x[1], x[2], x[3])
    b, *c = b
    return b * c[0] + c[1] ** 2


def without_a_star(x):
    a = x[:2]
    a, b = a
    return a * b


def in_a_loop(x):
    a = list(x)
    total = 0.0
    while a:
        *a, v = a
        total = total * x[0] + v
    return total


def a_list_of_an_array(x):
    b = list(x)
    a, *c = b
    return a * c[0] + c[1] ** 2


@pytest.mark.parametrize(
    "f", [rows, numbers, a_list, lists, a_tuple, without_a_star, in_a_loop, a_list_of_an_array]
)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_the_rest_is_of_what_was_there(f, mode):
    check_grads(f, (X,), on_overwrite=mode)
    assert ad.vjp(f, X, on_overwrite=mode)[0] == f(X)
    assert ad.jvp(f, (X,), (X,))[0] == f(X)
