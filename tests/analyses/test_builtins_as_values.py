"""Builtins that are called by another name: `def pairs(x, made=list): return made(x)`."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, -3.5])


def converted(x, made=list):
    return made(x)


def by_default(x):
    values = converted(x * x)
    return values[0] * values[1]


def given(x):
    y = x * x
    return converted(y, tuple)[0] * converted(y, sum) + converted(y, max) * converted(y, len)


def of_a_list(x, order=sorted):
    return order([x[0], x[1] * x[2]])[0] * x[1]


def chosen(x, flag=True):
    made = list if flag else tuple
    return made(x * x)[1] * x[0]


def one_after_the_other(x):
    total = 1.0
    for made in (list, tuple):
        total = total * made(x * x)[0] + x[1]
    return total


def changed_afterwards(x, made=list):
    y = x * x
    values = made(y)
    values[0] = values[1] * 2.0
    y[1] = 7.0
    return values[0] * values[2] * y[0]


def shadowed(x):
    list = tuple
    values = list(x)
    return values[0] * values[1]


PROGRAMS = [
    by_default, given, of_a_list, chosen, one_after_the_other, changed_afterwards, shadowed
]  # fmt: skip


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.recorded
def test_in_all_modes(f, mode):
    check_grads(f, (X,), on_overwrite=mode)
    gradient, v, eps = ad.grad(f, on_overwrite=mode), np.array([0.3, -0.2, 0.5]), 1e-6
    numbers = (gradient(X + eps * v) - gradient(X - eps * v)) / (2 * eps)
    assert np.allclose(ad.jvp(gradient, (X,), (v,))[1], numbers, rtol=1e-5, atol=1e-5)


TABLE = {"end": 0, "begin": 1}


def looked_up(when):
    if isinstance(when, np.ndarray):
        return when
    try:
        return TABLE[when]
    except (KeyError, TypeError):
        return [TABLE[x] for x in when]


def spread(x, when="end"):
    when = looked_up(when)
    rows, again, when = np.broadcast_arrays(x, x[:1], when)
    return np.sum(rows * again * (1.0 + looked_up(when) * x))


def test_arrays_that_are_broadcast_with_something_unknown():
    check_grads(spread, (X,))
    check_grads(lambda x: spread(x, "begin"), (X,))
    check_grads(lambda x: spread(x, ["begin", "end", "begin"]), (X,))
