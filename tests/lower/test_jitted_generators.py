"""Generators that a compiler of Python functions was given, such as Numba's."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


class Compiled:
    """Stands for what `numba.njit` returns."""

    __module__ = "numba.core.registry"

    def __init__(self, fn):
        self.py_func = fn

    def __call__(self, *args):
        return self.py_func(*args)


@Compiled
def pairs(x, n):
    for i in range(n):
        if x[i] > 5.0:
            return
        yield x[i], x[i] * x[0]


@Compiled
def solutions(x):
    found = pairs(x, 3)
    k = 3.0 * x[1]
    for a, b in found:
        yield a * b * k


def uncompiled(x):
    found = pairs.py_func(x, 2)
    for a, b in found:
        yield a + b


@Compiled
def square(v):
    return v * v


def called(x):
    return sum(v * v for v in solutions(x))


def inside_it(x):
    total = 0.0
    for v in solutions.py_func(x):
        total += v * x[0]
        if total > 50.0:
            break
    return total


def of_a_plain_one(x):
    a, b = list(uncompiled(x))
    return a * b


def under_a_name(x):
    found = solutions(x)
    x = x * 2.0
    return np.prod(x) + sum(found)


def a_function(x):
    return square.py_func(x[0]) * square(x[1])


def in_a_buffer(x):
    out = np.zeros(3)
    for i, v in enumerate(solutions(x)):
        out[i] = v
        out[0] = out[0] * v
    return np.sum(out * out)


PROGRAMS = [called, inside_it, of_a_plain_one, under_a_name, a_function, in_a_buffer]


@pytest.mark.recorded
@pytest.mark.parametrize("fn", PROGRAMS)
def test_gradients(fn):
    check_grads(fn, (X,), rtol=1e-5, on_overwrite="save")


@pytest.mark.recorded
@pytest.mark.parametrize("fn", [called, inside_it, in_a_buffer])
def test_second_order(fn):
    d, e = np.array([0.3, -0.2, 0.5]), 1e-6
    g = ad.grad(fn, on_overwrite="save")
    got = ad.hvp(fn, (X,), (d,), on_overwrite="save")
    np.testing.assert_allclose(got, (g(X + e * d) - g(X - e * d)) / (2 * e), rtol=1e-5, atol=1e-6)
