"""Copies of objects: what they share with the original, and what they do not."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("copies")


class _State:
    def __init__(self, grid, level=1.0):
        self.grid = grid
        self.level = level

    def step(self, v):
        self.level = self.level * v
        self.grid[0] = self.grid[1] * v


@dataclass(frozen=True)
class _Setting:
    rate: float
    state: _State


def _total(s):
    return np.sum(s.grid * s.grid) * s.level


@CASES.add(vec(4))
def shared_with_the_copy(x):
    a = _State(x * 1.0, x[0])
    b = copy.copy(a)
    b.step(x[2])
    return np.sum(a.grid * x) * a.level + np.sum(b.grid) * b.level


@CASES.add(vec(4))
def apart_from_the_deep_copy(x):
    a = _State(x * 1.0, x[0])
    b = copy.deepcopy(a)
    b.step(x[2])
    a.step(x[3])
    return np.sum(a.grid * x) * a.level + np.sum(b.grid) * b.level


@CASES.add(vec(4))
def rebound_in_the_copy(x):
    a = _State(x * x)
    b = copy.copy(a)
    b.grid = b.grid * x[0]
    b.more = a.level * x[1]
    c = copy.copy(b)
    c.level = c.more
    return np.sum(a.grid) * np.sum(b.grid) * c.level * b.level


@CASES.add(vec(4))
def copies_of_what_holds_an_object(x):
    a = _Setting(x[0], _State(x * 1.0))
    b, c = copy.copy(a), copy.deepcopy(a)
    b.state.level = x[1]
    c.state.grid[0] = x[2] * c.rate
    return a.state.level * np.sum(a.state.grid) + np.sum(c.state.grid) * c.state.level * b.rate


@CASES.add(vec(4))
def copied_in_a_loop(x):
    a = _State(x * 1.0)
    total = 0.0
    for k in range(3):
        b = copy.deepcopy(a)
        b.step(x[k])
        total += np.sum(b.grid) * b.level
        a.level = a.level + b.level
    return total * a.level


@CASES.add(vec(4), _State(vec(4) * 2.0, 0.5))
def copied_argument(x, s):
    b = copy.copy(s)
    b.level = x[0] * s.level
    c = copy.deepcopy(s)
    c.level = c.level * x[1]
    return b.level * c.level * np.sum(b.grid * c.grid)


@CASES.never(vec(4), code="AD201")  # `b` has more attributes than the function knows of
def copied_by_a_callee(x):
    def moved(s, v):
        t = copy.copy(s)
        t.level = s.level * v
        return t

    a = _State(x * x)
    b = moved(moved(a, x[0]), x[1])
    return _total(a) * _total(b)


class _Own:
    def __init__(self, v):
        self.v = v

    def __copy__(self):
        return _Own(self.v * 2.0)


@CASES.never(vec(4), code="AD201")
def copied_in_its_own_way(x):
    return np.sum(copy.copy(_Own(x)).v)
