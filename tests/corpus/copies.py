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


@CASES.add(vec(4), default="ok/AD201", save="ok/AD201")
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


class _Model:
    def __init__(self, x):
        self.states = [_State(x * 1.0), _State(2.0 * x, x[0])]
        self.weights = {"w": x * x, "b": x[0] * 2.0, "n": 3}

    def value(self):
        first, second = self.states
        return np.sum(first.grid * second.grid * self.weights["w"]) * self.weights["b"]


@CASES.add(vec(4), default="ok/AD201", save="ok/AD201")
def lists_and_dictionaries_of_the_copy(x):
    a = _Model(x)
    b = copy.deepcopy(a)
    b.states[0].step(x[1])
    b.weights["w"] *= 2.0
    b.weights["b"] = b.weights["b"] ** 2
    a.states[1].grid = x
    return a.value() * b.value() * b.weights["n"]


@CASES.add(vec(4))
def deep_copies_of_containers(x):
    state = {"level": x * x, "rows": [x * 2.0, {"last": x}]}
    kept = copy.deepcopy(state)
    kept["rows"][0][0] = x[1]
    state["level"][1] = x[2] * x[3]
    state["rows"][1]["last"] = x * 3.0
    kept["level"] = kept["level"] * state["level"]
    return np.sum(kept["level"] * kept["rows"][0] * state["rows"][0] * kept["rows"][1]["last"])


@CASES.add(vec(4))
def deep_copies_of_lists_of_objects(x):
    states = [_State(x * 1.0), _State(x * x)]
    for k in range(2):
        others = copy.deepcopy(states)
        others[k].step(x[2])
        states[0].level = states[0].level + others[k].level * np.sum(others[0].grid)
    return _total(states[0]) * _total(states[1]) * others[1].level


@CASES.never(vec(4), code="AD201")  # a new tuple would have to be made
def deep_copy_of_a_tuple(x):
    pair = (_State(x * 1.0), x)
    other = copy.deepcopy(pair)
    other[0].step(x[2])
    return _total(pair[0]) * _total(other[0])


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


@CASES.add(vec(4))
def copied_in_its_own_way(x):
    return np.sum(copy.copy(_Own(x)).v)
