"""Variables with names that generated code uses itself: built-in functions, `np`."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.9, 1.3, 0.4, 1.1])
Y = np.array([0.7, 0.2, 1.4, 0.8])
cosine, total, largest = np.cos, np.sum, np.max


def in_a_loop(x):
    s = 1.0
    for v in x:
        enumerate = v * x[1]
        s = np.sin(s * enumerate)
    return s


def several(x):
    slice = x[0]
    list = x[1]
    len = x[2]
    tuple = slice * list
    s = 1.0
    for v in x:
        enumerate = v * len
        s = np.sin(s * enumerate + tuple)
    return s


def lengths(len, y):
    values = []
    for i in [0, 1, 2]:
        values = [*values] + [len[i] * y[i]]
        y = y * np.cos(len)
    len = len * 1.0
    len[1:3] *= y[1:3]
    return values[0] * values[2] * np.sum(len) * np.max(y)


def summed(sum, y):
    values = []
    for i in [0, 1, 2]:
        values = values + [sum[i] * y[i]]
    zip, reversed, range = sum * y, y * 2.0, values[1]
    for id, type in pairs(zip, reversed):
        range = range * id + type
    return total_of(values) * range


pairs, total_of = zip, sum


def module_name(np):
    np = np * 1.0
    np[1:] *= np[0]
    parts = [np * 2.0, np[::-1]]
    return total(parts[0] * parts[1]) * largest(cosine(np))


def function_name(x):
    def np(v):
        return v * v

    held = {"a": np(x[0]), "b": x[1]}
    for key in held:
        held[key] = held[key] * x[2]
    squares = [np(v) for v in x]
    return held["a"] * held["b"] * squares[3]


ONE = [in_a_loop, several, module_name, function_name]
TWO = [lengths, summed]


@pytest.mark.parametrize("f", [*ONE, *TWO], ids=lambda f: f.__name__)
def test_the_derivative(f):
    args = (X,) if f in ONE else (X, Y)
    for options in ({}, {"on_overwrite": "save"}):
        if f not in (lengths, module_name) or options:
            check_grads(f, args, wrt=tuple(range(len(args))), **options)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [in_a_loop, several], ids=lambda f: f.__name__)
def test_again(f):
    def squared(x):
        return np.sum(ad.grad(f)(x) ** 2)

    def along(x):
        return ad.jvp(f, (x,), (np.ones(4),))[1]

    check_grads(squared, (X,))
    check_grads(along, (X,))
