"""Classes derived from a `namedtuple(...)`, with methods, properties and operators of their own."""

from collections import namedtuple
from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4, 0.9])


class Pair(namedtuple("Pair", "a b")):
    def scaled(self, k):
        return Pair(self.a * k, self.b)

    @property
    def norm(self):
        return self.a * self.a + self.b * self.b

    @classmethod
    def of(cls, x):
        return cls(x[0], x[1])

    def __add__(self, other):
        return Pair(self.a + other.a, self.b + other.b)

    def __repr__(self):
        return "a pair"


class Slotted(namedtuple("Slotted", "a b")):
    __slots__ = ()

    def product(self):
        return self.a * self.b


class Typed(NamedTuple):
    a: float
    b: float = 2.0

    def product(self):
        return self.a * self.b

    def __neg__(self):
        return Typed(-self.a, self.b)


class MoreTyped(Typed):
    def more(self):
        return self.product() * self.a


def methods(x):
    return Pair(x[0], x[1]).scaled(x[2]).norm


def operators(x):
    r = Pair(x[0], x[1])
    for k in range(3):
        r = r + r.scaled(x[k])
    a, b = r
    return a * b * len(r)


def made_by_a_method(x):
    r = Pair.of(x)
    return r.a * r[1] * len(repr(r))


def replaced(x):
    r = Pair(b=x[0], a=x[1])._replace(a=x[2] * x[0])
    return r.norm * r._asdict()["b"]


def slotted(x):
    s = Slotted(b=x[0], a=x[1])
    return s.product() * s[0]


def of_a_typed_one(x):
    q = MoreTyped(x[0])
    return q.more() * q.b + (-q).a * x[1]


def in_a_list(x):
    s = 0.0
    for r in [Pair(x[0], x[1]), Pair(x[2], x[3])]:
        s += r.norm
    return s


@pytest.mark.parametrize(
    "f", [methods, operators, made_by_a_method, replaced, slotted, of_a_typed_one, in_a_list]
)
def test_they_are_followed_as_tuples(f):
    assert ad.vjp(ad.differentiable(f), X)[0] == f(X)
    check_grads(f, (X,))


def test_they_are_arguments_and_results():
    def f(r):
        return Pair(r.norm * r.a, r.b)

    value, pull = ad.vjp(ad.differentiable(f), Pair(2.0, 3.0))
    assert value == f(Pair(2.0, 3.0)) and type(value) is Pair
    (bar,) = pull(Pair(1.0, 2.0))
    assert type(bar) is Pair and bar == (21.0, 14.0)


class Made(namedtuple("Made", "a b")):
    def __new__(cls, a):
        return super().__new__(cls, a, a * a)


class Noting(namedtuple("Noting", "a b")):
    def note(self, v):
        self.extra = v


class Covering(namedtuple("Covering", "a b")):
    @property
    def a(self):
        return 5.0


class Own(namedtuple("Own", "a b")):
    def __getitem__(self, k):
        return 3.0


class Renewed(namedtuple("Renewed", "a b")):
    def _replace(self, **words):
        return self


def noted(x):
    r = Noting(x[0], x[1])
    r.note(x[2])
    return r.extra * r.a


def given_an_attribute(x):
    r = Pair(x[0], x[1])
    r.extra = x[2]
    return r.extra * r.a


@pytest.mark.parametrize(
    "f",
    [
        lambda x: Made(x[0]).b,
        noted,
        lambda x: Covering(x[0], x[1]).a * x[0],
        lambda x: Own(x[0], x[1])[0] * x[0],
        lambda x: Renewed(x[0], x[1])._replace(a=x[2]).a,
        given_an_attribute,
    ],
)
def test_what_is_more_than_a_tuple_is_refused(f):
    with pytest.raises(CompileError):
        ad.grad(f)(X)


def test_an_argument_with_an_attribute_of_its_own_is_refused():
    r = Pair(2.0, 3.0)
    r.extra = 4.0
    with pytest.raises(CompileError):
        ad.grad(lambda r: r.a * r.extra)(r)
