"""Attributes of classes that are assigned: counters, numbers that objects get, settings."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Settings:
    scale = 2.0
    count = 1


class Counted:
    made = 0

    def __init__(self, v):
        Counted.made += 1
        self.v = v


class Numbered:
    next_number = 0

    def __init__(self, v):
        self.number = Numbered.next_number
        Numbered.next_number += 1
        self.v = v


class Base:
    made = 0

    def __init__(self):
        type(self).made += 1


class Derived(Base):
    def __init__(self, v):
        super().__init__()
        self.__class__.last = None
        self.v = v

    @classmethod
    def of(cls, v):
        cls.made += 1
        return cls(v)


def read_and_assigned(x):
    Settings.scale = 2.0
    s = x[0] * Settings.scale
    Settings.scale = 3.0
    return s * x[1] * Settings.scale


def added_to(x):
    s = x[0] * Settings.count
    Settings.count = Settings.count + 1
    s = s * x[1] * Settings.count
    Settings.count -= 1
    return s


def in_a_loop(x):
    Settings.count = 2
    s = 1.0
    for v in x:
        Settings.count += 1
        s = s * v * Settings.count
    return s


def by_another_name(x):
    other = Settings
    other.count = 2
    s = x[0] * Settings.count
    other.count = 3
    return s * x[1] * Settings.count


def by_its_constructor(x):
    Counted.made = 1
    a = Counted(x[0])
    s = a.v * Counted.made
    b = Counted(x[1])
    return s * b.v * Counted.made


def bump():
    Settings.count = Settings.count + 1


def by_a_function(x):
    Settings.count = 1
    s = x[0] * Settings.count
    bump()
    return s * x[1] * Settings.count


def numbers_of_objects(x):
    made = [Numbered(v) for v in x]
    return sum(o.v * o.v * (o.number - made[0].number) for o in made)


def of_a_subclass(x):
    return Derived(x[0]).v * Derived.of(x[1]).v


PROGRAMS = [
    read_and_assigned, added_to, in_a_loop, by_another_name, by_its_constructor, by_a_function,
    numbers_of_objects, of_a_subclass,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_in_all_modes(f):
    check_grads(f, (X,))
    gradient = ad.grad(f)(X)
    assert np.allclose(ad.grad(f, on_overwrite="save")(X), gradient)
    assert np.allclose(ad.jvp(f, (X,), (np.ones(4),))[1], gradient.sum())


def test_assigned_once_for_each_object():
    Counted.made = 0
    ad.grad(lambda x: Counted(x[0]).v * Counted(x[1]).v)(X)
    assert Counted.made == 2


def scaled(v):
    return v * Settings.count


def assigned(count):
    Settings.count = count


def read_elsewhere(x):
    assigned(2)
    s = scaled(x[0])
    assigned(3)
    return scaled(s) * x[1]


def test_what_another_function_reads_is_refused():
    with pytest.raises(CompileError, match=r"`Settings.count` is assigned elsewhere") as e:
        ad.grad(read_elsewhere)(X)
    assert [d.code for d in e.value.diagnostics] == ["AD203"] * 1
    assert np.allclose(ad.jvp(read_elsewhere, (X,), (np.ones(4),))[1], 6.0 * (X[0] + X[1]))


class Weights:
    values = 1


def test_an_integer_that_has_become_an_array():
    def doubled(x):
        Weights.values *= 2
        return np.sum(x * x)

    gradient = ad.grad(doubled)
    gradient(X)
    Weights.values = np.ones(4)
    with pytest.raises(ad.AdtransError):
        gradient(X)


class Summed:
    total = np.zeros(2)

    def add(self, v):
        self.total = self.total + v


class Grown:
    total = np.zeros(2)

    def add(self, v):
        self.total += v


def an_array_of_the_class(x):
    s, r = Summed(), Summed()
    for k in range(3):
        s.add(x[:2] * k)
        if k == 1:
            r.add(s.total * x[0])
    return np.sum(s.total**2 * r.total)


def test_an_array_that_the_class_has():
    check_grads(an_array_of_the_class, (np.array([0.6, 0.9, 1.3]),))
    assert not Summed.total.any()


def test_an_array_that_the_class_has_is_written():
    def grown(x):
        g = Grown()
        g.add(x[:2])
        return np.sum(g.total**2)

    with pytest.raises(ad.CompileError, match="AD203"):
        ad.grad(grown)(np.array([0.6, 0.9, 1.3]))
