"""Attributes and methods of objects by a name that is put together, or that a loop goes through."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    @property
    def both(self):
        return self.a * self.b

    @both.setter
    def both(self, v):
        self.a = v * v

    def on_sin(self, v):
        return self.a * np.sin(v)

    def on_square(self, v):
        return self.b * v * v


def put_together(x):
    kind = "sin"
    return np.sum(getattr(Pair(x[0], x[1]), "on_" + kind)(x))


def methods_in_turn(x):
    p = Pair(x[0], x[1] * x[2])
    for kind in ("sin", "square"):
        x = getattr(p, "on_" + kind)(x)
    return np.sum(x)


def attributes_in_turn(x):
    p, s = Pair(x[0], x[1] * x[2]), 0.0
    for name in ("a", "b"):
        s = s * 0.5 + getattr(p, name) ** 2
    return s


def assigned_in_turn(x):
    p, s = Pair(x[0], x[1] * x[2]), 0.0
    for name in ["a", "b"]:
        setattr(p, name, getattr(p, name) * x[3])
        s = s + getattr(p, name) * p.a
    return s


class Chosen(Pair):
    def apply(self, kind, v):
        return getattr(self, "on_" + kind)(v)

    def read(self, kind):
        return getattr(self, f"{kind}oth") if kind == "b" else getattr(self, f"{kind}")


def applied_to(p, kind, v):
    again = getattr(p, f"on_{kind}")
    return again(again(v))


def told_by_the_call(x):
    p = Chosen(x[0], x[1] * x[2])
    first = np.sum(p.apply("sin", x)) * p.read("a")
    return first * p.read("b") + np.sum(applied_to(p, "square", p.apply("square", x)))


def property_by_name(x):
    p = Pair(x[0], x[1])
    for name in ("both",):
        setattr(p, name, getattr(p, name) * x[2])
    return p.both


def of_several_objects(x):
    s = 0.0
    for p in [Pair(x[0], x[1]), Pair(x[2], x[3] * x[0])]:
        for name in ("a", "b"):
            s = s * 0.5 + getattr(p, name) ** 2
    return s


def another_name_later(x):
    p, name = Pair(x[0], x[1]), "a"
    for _ in range(2):
        p.a = p.a * getattr(p, name)
        name = "b"
    return p.a


PROGRAMS = [
    put_together, told_by_the_call, methods_in_turn, attributes_in_turn, assigned_in_turn,
    property_by_name, of_several_objects, another_name_later,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_in_all_modes(f):
    check_grads(f, (X,), on_overwrite="save")
    gradient = ad.grad(f)(X)
    assert np.allclose(ad.grad(f, on_overwrite="save")(X), gradient)
    assert np.allclose(ad.jvp(f, (X,), (np.ones(4),))[1], gradient.sum())
