"""Methods, properties and class methods of named tuples."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads
from tests.every_mode import check_every_mode

X = np.array([0.6, 0.9, 1.3, 0.7])


class Vec(NamedTuple):
    x: float
    y: float = 1.0

    def dot(self, o):
        return self.x * o.x + self.y * o.y

    def scaled(self, k, *, by=1.0):
        return Vec(self.x * k, self.y * by)

    @property
    def norm(self):
        return math.sqrt(self.dot(self))

    @classmethod
    def unit(cls, a):
        return cls(math.cos(a), math.sin(a))

    @staticmethod
    def half(a):
        return 0.5 * a

    def turned(self):
        return self._replace(x=self.y, y=-self.x)

    def _square(self):
        return self.norm**2

    def add_to(self, out, k):
        out[k] += self._square()


class State(NamedTuple):
    pos: np.ndarray
    vel: np.ndarray

    def step(self, dt):
        return State(self.pos + dt * self.vel, self.vel - dt * np.sin(self.pos))

    @property
    def energy(self):
        return 0.5 * np.sum(self.vel**2) - np.sum(np.cos(self.pos))


class Held:
    def __init__(self, v):
        self.v = v

    def turn(self):
        self.v = self.v.turned()


def of_tuples(x):
    a, b = Vec(x[0], x[1]), Vec(x[2], x[3])
    return a.scaled(b.norm).dot(b._replace(y=a.x)) + a.scaled(x[0], by=x[1]).norm


def of_the_class(x):
    a = Vec.unit(x[0])
    return a.dot(Vec(x[1])) * Vec.half(x[2]) + a.turned().norm * a.turned().x


def in_a_loop(x):
    v, s = Vec(x[0], x[1]), 0.0
    for _ in range(3):
        v = v.scaled(x[2]).turned()
        s += v.norm * v._square()
    return s


def that_write(x):
    out = np.zeros(3)
    for k in range(3):
        Vec(x[k], x[k + 1]).add_to(out, k)
    return np.sum(out * out)


def of_arrays(x):
    s = State(x[:2], x[2:])
    for _ in range(3):
        s = s.step(0.1)
    return s.energy


def in_lists(x):
    vs = [Vec(a, b) for a, b in itertools.pairwise(x)]
    f = max(vs, key=lambda v: v.norm)
    return sum(v.norm for v in vs) * f.dot(vs[0])


def in_objects(x):
    h = Held(Vec(x[0], x[1] * x[2]))
    h.turn()
    return h.v.x * h.v.norm


PROGRAMS = [of_tuples, of_the_class, in_a_loop, that_write, of_arrays, in_lists, in_objects]


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_mode(f):
    check_every_mode(f, X)


def energy(s):
    return s.step(0.1).energy * s.energy


def test_one_that_is_an_argument():
    check_grads(energy, (State(X[:2], X[2:]),))
    assert isinstance(ad.grad(energy)(State(X[:2], X[2:])), State)


def test_a_method_that_is_replaced(monkeypatch):
    s = State(X[:2], X[2:])
    before = ad.grad(energy)(s)
    monkeypatch.setattr(State, "step", lambda self, dt: State(2.0 * self.pos, self.vel))
    check_grads(energy, (s,))
    assert not np.allclose(before.pos, ad.grad(energy)(s).pos)


def of_one_made_inside(x):
    return State(x[:2], x[2:]).energy


def test_a_property_that_is_replaced(monkeypatch):
    before = ad.grad(of_one_made_inside)(X)
    monkeypatch.setattr(State, "energy", property(lambda self: np.sum(self.pos) ** 3))
    check_grads(of_one_made_inside, (X,))
    assert not np.allclose(before, ad.grad(of_one_made_inside)(X))
