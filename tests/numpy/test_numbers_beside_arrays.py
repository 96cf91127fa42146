"""Objects with lists of arrays that are written at computed places, and lists that numbers are
appended to: neither makes the other one a list of numbers and arrays."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7, 0.4])


class Wave:
    def __init__(self, u):
        self.levels = [u.copy(), u.copy(), np.zeros_like(u)]
        self.k = 0
        self.energy = []

    @property
    def now(self):
        return self.levels[self.k % 3]

    def step(self, c):
        new, now, old = self.levels[(self.k + 1) % 3], self.now, self.levels[(self.k - 1) % 3]
        new[1:-1] = 2 * now[1:-1] - old[1:-1] + c * (now[2:] - 2 * now[1:-1] + now[:-2])
        self.k += 1
        self.energy.append(np.sum(self.now * now))


def wave(u, c):
    w = Wave(u)
    for _ in range(4):
        w.step(c)
    w.now[0] = w.energy[0]
    return sum(e * e for e in w.energy) + np.sum(w.levels[0] * w.levels[1])


class Counted:
    def __init__(self, u):
        self.pair = [u.copy(), 2.0 * u]
        self.times = []

    def turn(self, k):
        written = self.pair[k % 2]
        written[0] = 2 * self.pair[(k + 1) % 2][1]
        self.times.append(2.0)


def counted(u, c):
    w = Counted(c * u)
    for k in range(3):
        w.turn(k)
    return np.sum(w.pair[0] * u) + sum(w.times)


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("program", [wave, counted], ids=lambda f: f.__name__)
def test_numbers_are_appended_beside(program, mode):
    if program is wave and mode == "refuse":  # the sum of squares needs what is overwritten
        with pytest.raises(ad.CompileError) as refused:
            ad.grad(program)(X, 0.3)
        assert {d.code for d in refused.value.diagnostics} == {"AD303"}
        return
    check_grads(program, (X, 0.3), wrt=("u", "c"), on_overwrite=mode)
    given = copy.deepcopy(X)
    value, pullback = ad.vjp(program, given, 0.3, wrt=("u", "c"), on_overwrite=mode)
    assert value == program(X, 0.3)
    first, second = pullback(1.0), pullback(1.0)
    assert np.array_equal(given, X)
    assert np.array_equal(first[0], second[0])
    assert first[1] == second[1]


def of_either(filled, empty, x):
    empty.append(x[0])
    s = 0.0
    for v in filled:
        s += np.sum(v * v)
    return s


def one_list_or_two(x):
    empty = []
    filled = [x * 2.0] if x[0] > 0.5 else empty
    return of_either(filled, empty, x)


class Held:
    def __init__(self, filled, empty):
        self.filled, self.empty = filled, empty

    def add(self, v):
        self.empty.append(v)

    def total(self):
        s = 0.0
        for v in self.filled:
            s += np.sum(v * v)
        return s


def one_list_or_two_in_an_object(x):
    empty = []
    held = Held([x * 2.0] if x[0] > 0.5 else empty, empty)
    held.add(x[1])
    held.add(x[2])
    return held.total()


@pytest.mark.parametrize("x", [X, X[::-1].copy()], ids=["two", "one"])
@pytest.mark.parametrize(
    "program", [one_list_or_two, one_list_or_two_in_an_object], ids=lambda f: f.__name__
)
def test_an_empty_list_may_be_the_other_one(program, x):
    check_grads(program, (x,))
    check_grads(program, (x,), on_overwrite="save")
