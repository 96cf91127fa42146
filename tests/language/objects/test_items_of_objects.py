"""Items of objects that are not followed: what is put there would have lost its derivative."""

from __future__ import annotations

from collections import UserDict, UserList

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Mapped(UserDict):
    pass


class Listed(UserList):
    pass


class Collecting:
    def __init__(self, **values):
        self.__dict__.update(values)

    def __setitem__(self, key, value):
        self.__dict__[key] = value

    def __getitem__(self, key):
        return self.__dict__[key]


def mapped(x):
    d = Mapped()
    d["a"] = x[0]
    return d["a"] ** 2


def listed(x):
    d = Listed([1.0])
    d[0] = x[0]
    return d[0] ** 2


def collected(x):
    d = Collecting()
    d["a"] = x[0]
    return d["a"] ** 2


def updated(x):
    d = Collecting(a=1.0)
    d["a"] += x[0]
    return d["a"] ** 2


@pytest.mark.parametrize("f", [mapped, listed, collected, updated])
def test_a_derivative_that_would_be_lost(f) -> None:
    with pytest.raises(ad.CompileError):
        ad.grad(f)(X)
    with pytest.raises(ad.CompileError):
        ad.grad(f, on_overwrite="save")(X)
    with pytest.raises(ad.CompileError):
        ad.jvp(f, (X,), (X,))


class Halving:
    def __init__(self, x):
        self.x = x

    def __bool__(self):
        self.x = 0.5 * self.x
        return bool(self.x > 0.1)

    def __lt__(self, least):
        self.x = 0.5 * self.x
        return self.x > least


def while_true(x):
    h, t = Halving(x[0]), 0.0
    while h:
        t += h.x * x[1]
    return h.x + 2.0 * t


def while_compared(x):
    h, t = Halving(x[0]), 0.0
    while h < 0.1:
        if t > 5.0:
            break
        t += h.x * x[1]
    return h.x + 2.0 * t


def while_not(x):
    h, t = Halving(x[0]), 0.0
    while not h < 0.4:
        h.x = 2.2 * h.x
        t += h.x * x[1]
    return h.x + 2.0 * t


@pytest.mark.recorded
@pytest.mark.parametrize("f", [while_true, while_compared, while_not])
def test_tests_of_loops_that_change_what_they_ask(f) -> None:
    check_grads(f, (X,))
    check_grads(f, (X,), on_overwrite="save", order=2)
