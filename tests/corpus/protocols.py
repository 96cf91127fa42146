"""What operators, statements and built-ins mean for objects of the user's classes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("protocols")


class _Vec:
    scale = 2.0

    def __init__(self, data):
        self.data = data

    @classmethod
    def doubled(cls, x):
        return cls(cls.scale * x)

    def twice(self):
        return self.__class__.doubled(self.data)

    def thrice(self):
        return self.doubled(self.data) + type(self)(self.data)

    def __add__(self, other):
        if not isinstance(other, _Vec):
            return NotImplemented
        return type(self)(self.data + other.data)

    def __mul__(self, other):
        if isinstance(other, _Vec):
            return np.sum(self.data * other.data)
        return _Vec(self.data * other)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, k):
        return self.data[k]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, v):
        return v in self.data

    def __bool__(self):
        return bool(self.data[0] > 0.0)

    def __lt__(self, other):
        return self.data[0] < other.data[0]

    def __eq__(self, other):
        return bool(self.data[0] == other.data[0])

    __hash__ = None


class _Sub(_Vec):
    scale = 3.0


class _Counted:
    """A manager that counts, and keeps nothing back."""

    def __init__(self, value):
        self.value = value
        self.entered = 0

    def __enter__(self):
        self.entered += 1
        self.value = self.value * 2.0
        return self

    def __exit__(self, *error):
        self.value = self.value + 1.0
        self.entered -= 1


class _Scope:
    def __init__(self, k):
        self.k = k

    def __enter__(self):
        return self.k * self.k

    def __exit__(self, kind, error, traceback):
        return None


@dataclass(frozen=True)
class _Setting:
    rate: float
    grid: np.ndarray
    name: str = "a"


@CASES.add(vec(4))
def made_by_a_class_method(x):
    return np.sum(_Vec.doubled(x).data) * _Sub.doubled(x).data[0]


@CASES.add(vec(4))
def class_methods_of_objects(x):
    return np.sum(_Sub(x).twice().data * _Vec(x).thrice().data)


@CASES.add(vec(4))
def operators_that_ask_for_the_class(x):
    v = _Sub(x) + _Vec(x * x)
    return v * _Vec(x) + np.sum((v + v).data)


@CASES.add(vec(4))
def lengths(x):
    v = _Vec(x * x)
    total = v[len(v) - 1]
    for k in range(len(v)):
        total += v[k] * x[k] * len(v)
    if len(v) > 2:
        total = total * total
    return total


@CASES.add(vec(4))
def iterated(x):
    total = 0.0
    for k in range(3):
        v = _Vec(x * (k + 1.0))
        for e in v:
            total += e * e
    return total


@CASES.add(vec(4))
def compared(x):
    v, w = _Vec(x * x), _Vec(x * 2.0)
    total = np.sum(v.data) if v < w else np.sum(w.data)
    if v == w:
        total = 0.0
    if v != w:
        total = total * x[1]
    ordered = w < v
    if 0.25 in v or ordered:
        total = total + 1.0
    if 0.25 not in v:
        total = total * 3.0
    return total


@CASES.add(vec(4))
def while_true(x):
    v = _Vec(x * 1.0)
    while v:
        v.data = v.data - 0.4 * x * x
    return np.sum(v.data * x) if not v else 0.0


@CASES.add(vec(4))
def entered_and_left(x):
    with _Counted(x * x) as c:
        total = np.sum(c.value * x)
    return total * c.value[0] + c.entered


@CASES.add(vec(4))
def entered_in_a_loop(x):
    c = _Counted(x * 1.0)
    total = 0.0
    for k in range(3):
        with c, _Scope(x[k]) as s:
            if k != 1:
                total += s * c.value[k]
    return total + np.sum(c.value)


@CASES.never(vec(4), code="AD201")
def left_by_continue(x):
    c = _Counted(x * 1.0)
    total = 0.0
    for k in range(3):
        with c:
            if k == 1:
                continue
            total += c.value[k]
    return total


@CASES.add(vec(4))
def left_by_return(x):
    c = _Counted(x * 1.0)
    with c:
        if x[0] > 0.5:
            return np.sum(c.value * x)
    return np.sum(c.value)


@CASES.add(vec(4))
def replaced(x):
    a = _Setting(x[0], x * x)
    b = dataclasses.replace(a, rate=x[1] * a.rate)
    c = dataclasses.replace(b, grid=b.grid * b.rate, name="c")
    return np.sum(c.grid) * a.rate + np.sum(b.grid)


def _bounded(k, v):
    a = _Setting(k, v)
    return a, _Setting(a.rate * 2.0, a.grid * a.rate), np.sum(v)


@CASES.add(vec(4))
def several_objects_returned(x):
    a, b, total = _bounded(x[0], x * x)
    rest = _bounded(a.rate, b.grid)
    return np.sum(rest[1].grid) * total * b.rate * rest[2]


def _next(state, k):
    return dataclasses.replace(state, rate=state.rate * k, grid=state.grid * state.rate), state.rate


@CASES.add(vec(4))
def a_state_handed_on(x):
    state, total = _Setting(x[0], x * x), 0.0
    for k in range(3):
        state, rate = _next(state, x[k])
        total += rate * state.grid[k]
    return total


class _Loose:
    def __init__(self, data):
        self.data = data

    def __contains__(self, k):
        return self.data[k]


@CASES.add(vec(4))
def contained_is_a_bool(x):
    a = _Loose(x * 1.0)
    found = 1 in a
    return np.sum(x * x) * found + x[0] * (2 not in a)
