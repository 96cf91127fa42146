"""Objects whose `__iter__` is a generator that changes what it has yielded, or what others read."""

from __future__ import annotations

import math

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.2, 0.9, 0.4])


class Held:
    def __init__(self, x):
        self.x = x
        self.buffer = np.zeros(5)


class Walk(Held):
    def __iter__(self):
        position = self.x.copy()
        for _ in range(3):
            position += self.x
            yield position


class Filled(Held):
    def __iter__(self):
        for k in range(3):
            np.multiply(self.x, float(k), out=self.buffer)
            yield self.buffer


class Plain(Held):
    def __iter__(self):
        position = self.x.copy()
        position += self.x
        yield position


class Running(Held):
    def __iter__(self):
        total = 0.0
        for v in self.x:
            total += v
            yield total


class Asking(Held):
    def at(self, k):
        return self.x[k] * np.sin(self.x[0])

    @property
    def size(self):
        return len(self.x)

    def __iter__(self):
        k = 0
        while k < self.size:
            yield self.at(k)
            k += 1


class Doubled(Held):
    def __iter__(self):
        for k in range(len(self.x)):
            yield self.x[k] * 2.0


class ByPlace(Held):
    def __iter__(self):
        for k in range(3):
            np.add(self.x, float(k), self.buffer)
            yield self.buffer


class Copied(Held):
    def __iter__(self):
        for _ in range(3):
            np.copyto(self.buffer, self.x)
            yield self.buffer


class Options(Held):
    def __iter__(self):
        for _ in range(3):
            yield np.exp(self.x, **{"out": self.buffer})


class Chosen(Held):
    def __iter__(self):
        for _ in range(3):
            yield [self.fill][0](1.0)

    def fill(self, k):
        self.buffer += k
        return self.buffer


class Behind(Chosen):
    def __iter__(self):
        for _ in range(3):
            yield self.fill(1.0)


def sum_walk(x):
    return np.sum(sum(Walk(x)) * x)


def sum_filled(x):
    return np.sum(sum(Filled(x)) * x)


def sum_by_place(x):
    return np.sum(sum(ByPlace(x)) * x)


def sum_plain(x):
    return np.sum(sum(Plain(x)) * x)


def listed_walk(x):
    every = list(Walk(x))
    return np.sum(every[0] * every[2])


def unpacked_walk(x):
    a, b, c = Walk(x)
    return np.sum(a * b * c)


def sum_running(x):
    return sum(Running(x)) * x[0] + math.fsum(Running(x))


def all_of_asking(x):
    total = 0.0
    for v in Asking(x):
        total += v * x[1]
    return total + sum(Asking(x)) * max(Asking(x)) + sorted(Asking(x))[0]


def apart(x):
    total = x * 1.0
    o = Doubled(x)
    for v in o:
        total += v
    t = total[1]
    return np.sum(total * x) + t


ACCEPTED = [
    sum_walk, sum_filled, sum_by_place, sum_plain, listed_walk, unpacked_walk, sum_running,
    all_of_asking, apart,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", ACCEPTED)
def test_what_goes_through_them_sees_each_item_as_it_is_then(f):
    check_grads(f, (X,), on_overwrite="save")
    assert ad.vjp(f, X, on_overwrite="save")[0] == f(X)
    assert ad.jvp(f, (X,), (X,))[0] == f(X)


def looped(made):
    def f(x):
        total = 0.0
        for b in made(x):
            total += np.sum(b * x)
        return total

    return f


def seen_through_a_part(x):
    total = x * 1.0
    o = Doubled(total[1:])
    for v in o:
        total += v
    return np.sum(total * x)


def seen_through_a_part_of_it(x):
    total = x * 1.0
    part = total[1:]
    o = Doubled(part[1:])
    for v in o:
        total += v
    return np.sum(total * x)


def chosen_while_it_changes(x):
    return max(Running(x)) * x[0]


class Buffered(Held):
    def __iter__(self):
        for k in range(3):
            yield self.x * k + self.buffer


def written_by_the_loop(x):
    o = Buffered(x)
    total = 0.0
    for v in o:
        np.multiply(v, 2.0, out=o.buffer)
        total += np.sum(v)
    return total


def written_by_place(x):
    buffer = np.zeros(5)
    o = Buffered(x)
    o.buffer = buffer
    total = 0.0
    for v in o:
        np.multiply(v, 2.0, buffer)
        total += np.sum(v)
    return total


LOOPS = [looped(c) for c in (Walk, Filled, ByPlace, Copied, Options, Chosen, Behind)]


@pytest.mark.parametrize(
    "f",
    [
        *LOOPS, seen_through_a_part, seen_through_a_part_of_it, chosen_while_it_changes,
        written_by_the_loop, written_by_place,
    ],
)  # fmt: skip
def test_what_a_loop_could_tell_is_refused(f):
    with pytest.raises(ad.CompileError):
        ad.grad(f, on_overwrite="save")(X)


class TooFar(Held):
    def __iter__(self):
        for k in range(9):
            yield self.x[k]


def with_a_table(x, table):
    total = 0.0
    for k, v in enumerate(TooFar(x)):
        total += v * table[k]
    return total


def caught_outside(x):
    try:
        return with_a_table(x, [1.0, 2.0])
    except IndexError as e:
        return x[0] * len(str(e))


def with_fewer(x):
    total = 0.0
    for v in Doubled(x):
        total += v * x[0]
    return total


def deeper(x):
    return with_fewer(x) * x[1]


def caught_further_outside(x):
    try:
        return deeper(x)
    except LookupError:
        return x[0]


@pytest.mark.recorded
@pytest.mark.parametrize("f", [caught_outside, caught_further_outside, deeper])
def test_errors_that_come_in_turn_are_caught(f):
    check_grads(f, (X,))


def caught_elsewhere(x):
    try:
        k = {"a": 1}["b"]
    except KeyError:
        k = 2
    return with_fewer(x) * k


@pytest.mark.recorded
def test_other_errors_may_be_caught():
    check_grads(caught_elsewhere, (X,))
