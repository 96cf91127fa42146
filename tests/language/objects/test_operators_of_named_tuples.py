"""Arithmetic that a class of named tuples defines, and `_asdict`."""

from __future__ import annotations

import contextlib
import math
from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Vec(NamedTuple):
    x: float
    y: float = 1.0

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __radd__(self, o):
        return Vec(self.x + o, self.y * o)

    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - 2.0 * o.y)

    def __rsub__(self, o):
        return Vec(o - self.x, o * self.y)

    def __mul__(self, k):
        if isinstance(k, tuple):
            return NotImplemented
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return Vec(-self.x, 2.0 * self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __str__(self):
        return f"<{self.x}>"


class State(NamedTuple):
    pos: np.ndarray
    vel: np.ndarray

    def __add__(self, o):
        return State(self.pos + o.pos, self.vel + o.vel)

    def __mul__(self, h):
        return State(self.pos * h, self.vel * h)

    __rmul__ = __mul__


class Plain(NamedTuple):
    x: float
    y: float

    def __sub__(self, o):
        return Plain(self.x - o.x, self.y - o.y)


class Ordered(NamedTuple):
    x: float

    def __lt__(self, o):
        return self.x > o.x


def both_sides(x):
    a, b = Vec(x[0], x[1]), Vec(x[2], x[3])
    return (a + b) @ (a - b * 2.0) + (2.0 * a) @ (3.0 - b) + (1.5 + a).y


def by_sign(x):
    return abs(-Vec(x[0], x[1])) * (-Vec(x[1], x[2])).y


def summed_in_a_loop(x):
    s = Vec(0.0, 0.0)
    for k in range(3):
        s += Vec(x[k], x[k + 1]) * x[0]
    return s @ s


def in_a_list(x):
    vs = [Vec(a, b) for a, b in zip(x, 2.0 * x, strict=True)]
    vs[1] += vs[2]
    total = vs[0]
    for v in vs[1:]:
        total = total + v
    return abs(total)


def stepped(x):
    s = State(x[:2], x[2:])
    for _ in range(3):
        k = State(s.vel, -np.sin(s.pos))
        s = s + 0.1 * (k + State(k.vel, -k.pos) * 0.05)
    return np.sum(s.pos * s.vel)


def chosen(x):
    v = Vec(x[0], x[1]) if x[0] > 0.5 else Vec(x[1])
    return abs(v + (v if x[1] > 5.0 else Vec(x[2], x[3])))


def joined_where_nothing_is_defined(x):
    four = Plain(x[0], x[1]) + Plain(x[2], x[3])
    twice = Plain(x[0], x[1]) * 2
    return four[3] * four[1] + twice[2] + (Plain(x[0], x[3]) - Plain(x[1], x[2])).y


def times_an_array(x):
    return np.sum(x[:2] * Vec(x[2], x[3]))  # NumPy takes the tuple for an array


def as_dictionary(x):
    d = Vec(x[0] * x[1], x[2])._asdict()
    d["z"] = x[3]
    return d["x"] * d["y"] * d["z"] * len(d)


PROGRAMS = [
    both_sides, by_sign, summed_in_a_loop, in_a_list, stepped, chosen,
    joined_where_nothing_is_defined, times_an_array, as_dictionary,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_mode(f) -> None:
    check_grads(f, (X,), order=2)
    check_grads(f, (X,), on_overwrite="save")


def turned(s, k):
    return (k * s + s * 2.0).pos @ (s + s).vel


def test_one_that_is_an_argument() -> None:
    s = State(X[:2], X[2:])
    check_grads(turned, (s, 1.5), wrt=(0, 1))
    assert isinstance(ad.grad(turned)(s, 1.5), State)


def test_an_operator_that_is_replaced(monkeypatch) -> None:
    before = ad.grad(summed_in_a_loop)(X)
    monkeypatch.setattr(Vec, "__add__", lambda self, o: Vec(self.x * o.y, self.y - o.x))
    check_grads(summed_in_a_loop, (X,))
    assert not np.allclose(before, ad.grad(summed_in_a_loop)(X))


def numpy_number_first(x):
    return np.sum(x[0] * Vec(x[2], x[3]))


def test_a_numpy_number_takes_a_tuple_for_an_array() -> None:
    with contextlib.suppress(ad.CompileError):
        check_grads(numpy_number_first, (X,))


def unimplemented(x):
    return (Vec(x[0], x[1]) * Vec(x[2], x[3])).x


def test_what_returns_not_implemented() -> None:
    with pytest.raises(ad.AdtransError):
        ad.grad(unimplemented)(X)


def compared(x):
    a, b = Ordered(x[0]), Ordered(x[1])
    return max(a, b).x


def test_comparisons_are_refused() -> None:
    with pytest.raises(ad.CompileError, match="it defines `__lt__` itself"):
        ad.grad(compared)(X)
