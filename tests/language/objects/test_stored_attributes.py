"""`vars(obj)` and `obj.__dict__`: what is read of them at once, and what is put into them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


@dataclass
class Config:
    a: float = 1.0
    b: float = 2.0


GLOBAL = Config(2.0, 3.0)


class Tank:
    kind = "tank"

    def __init__(self, level, rate=0.25):
        self.level = level
        self.rate = rate
        self.count = 0

    def settings(self):
        return {k: v for k, v in self.__dict__.items() if k != "count"}


class Leaky(Tank):
    def __init__(self, level, leak):
        super().__init__(level)
        self.leak = leak


class Model:
    def __init__(self, **options):
        self.__dict__.update(options)

    def value(self, x):
        return self.a * x + self.b


class Named:
    def __init__(self, a, b):
        vars(self).update(a=a, b=a * b)


class Shown:
    def __init__(self, a, b):
        self.__dict__.update({"a": a, "b": b})


def product(a, b):
    return a * b + a


def spread(x):
    c = Config(x[0], x[1])
    return product(**vars(c)) + product(**c.__dict__) + np.sum(x) * product(**vars(GLOBAL))


def one_of_them(x):
    c = Config(x[0], x[1] * x[2])
    return vars(c)["b"] * c.__dict__["a"] * len(vars(c)) + ("a" in vars(c))


def gone_through(x):
    t = Leaky(x[0], x[1])
    t.level = t.level * x[2]
    found = t.settings()
    return found["level"] * found["leak"] + sum([2.0 * v for v in vars(t).values()])


def snapshot(x):
    t = Tank(x[0], x[1])
    before = dict(vars(t))
    t.level = x[2] * x[3]
    return before["level"] * t.level * before["rate"]


def handed_on(x):
    return np.sum(Model(**vars(Config(x[0], x[1]))).value(x))


@pytest.mark.recorded
@pytest.mark.parametrize("f", [spread, one_of_them, gone_through, snapshot])
def test_attributes_as_a_dictionary(f) -> None:
    check_grads(f, (X,), order=2)
    check_grads(f, (X,), on_overwrite="save")


@pytest.mark.recorded
def test_attributes_that_are_handed_to_another_class() -> None:
    check_grads(handed_on, (X,), order=2)


def updated(x):
    m, n, s = Model(a=x[0], b=x[1]), Named(x[1], x[2]), Shown(x[0], x[3])
    return np.sum(m.value(x)) * n.b * s.b


@pytest.mark.recorded
def test_attributes_that_are_put_into_a_dictionary() -> None:
    check_grads(updated, (X,), order=2)


class Watched:
    def __init__(self, **options):
        self.__dict__.update(options)

    @property
    def a(self):
        return 2.0 * self.__dict__["a"]


def behind_a_property(x):
    return Watched(a=x[0]).a * x[1]


class Slotted:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


def of_slots(x):
    return vars(Slotted(x[0]))["a"]


def alive(x):
    c = Config(x[0], x[1])
    table = vars(c)
    c.a = x[2]
    return table["a"] * x[3]


def alive_in_a_loop(x):
    c = Config(x[0], x[1])
    total = 0.0
    for _, v in vars(c).items():
        c.b = c.b * x[2]
        total = total + v
    return total


@pytest.mark.parametrize("f", [behind_a_property, alive, alive_in_a_loop])
def test_what_is_not_followed_is_refused(f) -> None:
    f(X)
    with pytest.raises(ad.CompileError):
        ad.vjp(f, X)


def test_what_has_no_dictionary() -> None:
    with pytest.raises(TypeError):
        of_slots(X)
    with pytest.raises((TypeError, ad.AdtransError)):
        ad.vjp(of_slots, X)


@dataclass(frozen=True)
class State:
    q: np.ndarray
    p: np.ndarray
    t: float = 0.0
    seen: int = field(default=0, compare=False)


def kicks_and_drifts(x):
    s = State(x[:2], x[2:])
    for _ in range(3):
        s = replace(s, p=s.p - 0.1 * s.q**3)
        s = replace(s, q=s.q + 0.1 * s.p, t=s.t + 0.1)
    return np.sum(s.q * s.p) * s.t


def kicks_by_turns(x):
    s = State(x[:2], x[2:])
    for k in range(4):
        r = replace(s, seen=k)
        s = replace(r, q=r.q + 0.1 * r.p) if k % 2 else replace(r, p=r.p * r.q)
    return np.sum(s.q * s.p) * s.seen


@pytest.mark.parametrize("f", [kicks_and_drifts, kicks_by_turns])
def test_replaced_several_times_in_a_loop(f) -> None:
    check_grads(f, (X,), order=2)


class Grid:
    def __init__(self, v):
        self.v = v

    def __getitem__(self, key):
        return self.v[key]

    def __setitem__(self, key, value):
        self.v[key] = value


def nothing_between_brackets(x):
    g = Grid(x * x)
    g[()] = g[()] + x
    g[()] *= 0.5
    return np.sum(g[()] * x)


@pytest.mark.recorded
def test_nothing_between_brackets() -> None:
    check_grads(nothing_between_brackets, (X,), order=2)


class Bare:
    pass
