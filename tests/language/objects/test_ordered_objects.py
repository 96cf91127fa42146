"""Objects that are put in order, or chosen, by methods of their own."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.9, 0.6, 1.3])


class Part:
    def __init__(self, v, c):
        self.v, self.c = v, c

    @property
    def weight(self):
        return self.v * self.c

    def __lt__(self, other):
        return self.weight < other.weight


@dataclass(order=True)
class Pair:
    k: float
    c: float


@dataclass(order=True)
class Job:
    rank: int
    cost: float = field(compare=False)


@functools.total_ordering
class Total:
    def __init__(self, v, c):
        self.v, self.c = v, c

    def __eq__(self, other):
        return self.v == other.v

    def __lt__(self, other):
        return self.v < other.v


def weighted(parts):
    s = 0.0
    for k, p in enumerate(parts):
        s = s + (k + 1) * p.c
    return s


def in_order(x):
    return weighted(sorted([Part(x[i], x[2 - i] * 2.0) for i in range(3)])) * x[0]


def the_other_way(x):
    return weighted(sorted([Total(x[0], x[1]), Total(-x[1], x[2] ** 2)], reverse=True))


def of_a_dataclass(x):
    pairs = [Pair(x[0], x[1]), Pair(-x[1], x[2] * x[2]), Pair(x[2], x[0])]
    return weighted(sorted(pairs)) * max(pairs).k


def by_one_field(x):
    s = 0.0
    for k, job in enumerate(sorted([Job(3, x[1]), Job(1, x[2] * x[0]), Job(2, x[0])])):
        s = s + (k + 1) * job.cost**2
    return s


def in_place(x):
    parts = [Part(x[0], x[1]), Part(-x[1], x[2])]
    parts.append(Part(x[2] * x[0], -x[0]))
    parts.sort()
    return weighted(parts) * parts[0].v


def chosen(x):
    parts = [Part(x[0], x[1]), Part(x[1], x[2]), Part(x[2], x[0])]
    return min(parts).c * max(parts).v


def of_two(x):
    return max(Total(x[0], x[1]), Total(-x[1], x[2] * x[2])).c * x[0]


def changed_in_between(x):
    parts = [Part(x[i], 1.0) for i in range(3)]
    s = 0.0
    for k in range(2):
        parts.sort()
        s = s + (k + 1) * parts[0].v * parts[0].c
        parts[0].v = parts[0].v * 5.0
        parts[1].c = parts[0].v * x[k]
    return s


PROGRAMS = [
    in_order, the_other_way, of_a_dataclass, by_one_field, in_place, chosen, of_two,
    changed_in_between,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_the_order_is_a_constant(f, mode):
    check_grads(f, (X.copy(),), on_overwrite=mode)
    assert ad.value_and_grad(f, on_overwrite=mode)(X)[0] == f(X)


class Counted(Part):
    def __lt__(self, other):
        self.c = self.c * 2.0
        return self.v < other.v


class Inner:
    def __init__(self, v):
        self.v, self.asked = v, 0.0

    def __lt__(self, other):
        self.asked += 1.0
        return self.v < other.v


class Outer(Part):
    def __lt__(self, other):
        return self.v < other.v


def counted(x):
    return weighted(sorted([Counted(x[0], x[1]), Counted(x[1], x[2])]))


def counted_by_a_key(x):
    parts = [Counted(x[0], x[1]), Counted(x[1], x[2])]
    return weighted(sorted(parts, key=lambda p: p))


def counted_in_pairs(x):
    parts = [Counted(x[0], x[1]), Counted(x[1], x[2])]
    return weighted(sorted(parts, key=lambda p: (1, p)))


def counted_inside(x):
    parts = [Outer(Inner(x[0]), x[1]), Outer(Inner(x[1]), x[2])]
    return weighted(sorted(parts)) * (parts[0].v.asked + parts[1].v.asked)


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [counted, counted_by_a_key, counted_in_pairs, counted_inside])
def test_what_changes_when_it_is_compared_is_refused(f, mode):
    with pytest.raises(ad.CompileError, match="AD201"):
        ad.grad(f, on_overwrite=mode)(X)
