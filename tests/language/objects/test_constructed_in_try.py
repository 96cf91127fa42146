"""Objects that are made inside `try`: an exception on the way leaves nothing of them."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.2])


class Pair:
    def __init__(self, a, b):
        self.a = a * 2
        if b > 1.0:
            raise ValueError
        self.b = b * a


class Listed:
    def __init__(self, items, a, b):
        items.append(self)
        self.a = a
        if b > 1.0:
            raise ValueError
        self.a = b * a


class Writing:
    def __init__(self, other, a, b):
        other.a = a
        if b > 1.0:
            raise ValueError
        self.a = a
        other.a = b


def made_or_not(x, k):
    try:
        p = Pair(x, k)
        y = p.a + p.b
    except ValueError:
        y = x * k
    return np.sum(y * y)


def the_old_one_stays(x, k):
    p = Pair(x, 0.5 * x[0])
    with contextlib.suppress(ValueError):
        p = Pair(x * k, k * 2)
    return np.sum(p.a * p.b)


def the_old_one_has_two_names(x, k):
    p = Pair(x, 0.5 * x[0])
    q = p
    try:
        p = Pair(x * k, k * 2)
    except ValueError:
        q.a = q.a * k
    return np.sum(p.a * p.b) + np.sum(q.a)


def a_closure(x, k):
    try:
        f = [np.sin, lambda v: v * x]
        if k > 0.5:
            raise KeyError
        y = f[1](x * k)
    except KeyError:
        y = x * k
    return np.sum(y)


@pytest.mark.recorded
@pytest.mark.parametrize("k", [0.3, 0.9])
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize(
    "f", [made_or_not, the_old_one_stays, the_old_one_has_two_names, a_closure],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_right(f, mode, k) -> None:
    check_grads(ad.differentiable(f, on_overwrite=mode), (X, k), wrt=(0, 1))


def in_each_turn(x, k):
    p = Pair(x, 0.5 * x[0])
    s = 0.0
    for i in range(3):
        try:
            p = Pair(x * k, k * (i + 0.1))
        except ValueError:
            s = s + k
        s = s + np.sum(p.a * p.b)
    return s


def known_elsewhere(x, k):
    items = []
    with contextlib.suppress(ValueError):
        Listed(items, x, 2 * k)
    return np.sum(items[0].a ** 2)


def another_half_written(x, k):
    other = Pair(x, 0.1)
    with contextlib.suppress(ValueError):
        Writing(other, x * k, 2 * k)
    return np.sum(other.a**2)


@pytest.mark.parametrize("k", [0.3, 0.9])
@pytest.mark.parametrize(
    "f", [in_each_turn, known_elsewhere, another_half_written], ids=lambda f: f.__name__
)
def test_right_or_refused(f, k) -> None:
    try:
        check_grads(ad.differentiable(f, on_overwrite="save"), (X, k), wrt=(0, 1))
    except ad.CompileError as refused:
        assert {d.code for d in refused.diagnostics} <= {"AD201", "AD206", "AD207"}
