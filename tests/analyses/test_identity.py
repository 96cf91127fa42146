"""Tuples that are handed on stay the tuples that they are, where somebody asks."""

from __future__ import annotations

import functools
from builtins import id as number_of
from collections import namedtuple
from dataclasses import dataclass
from operator import is_ as one

import numpy as np
import pytest

import adtrans as ad
from adtrans.analyses.identity_tests import asks
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


def same(a, b):
    return a is b


def chosen(a, b):
    return a if a is b else (b[1], b[0])


def given_back(t):
    return t


def numbered(t, u):
    return 1.0 if id(t) == id(u) else 2.0


class Held:
    def __init__(self, a):
        self.a = a


def of_numbers(x):
    t = (x[0], x[1])
    u = t
    return (1.0 if same(t, u) else 2.0) * t[0]


def of_arrays(x):
    t = (x * 2.0, x[1])
    u = t
    return np.sum((1.0 if same(t, u) else 2.0) * t[0])


def chosen_by_it(x):
    t = (x[0], x[1])
    u = t
    a, b = chosen(t, u)
    return a * a * b + t[0]


def handed_back(x):
    t = (x[0], x[1])
    u = given_back(t)
    return (1.0 if t is u else 2.0) * t[0] * u[1]


def two(x):
    t = (x[0], x[1])
    u = t
    return t, u, t[0]


def returned_twice(x):
    a, b, c = two(x)
    return (1.0 if a is b else 2.0) * a[0] * c


def returned_and_handed_on(x):
    a, b, c = two(x)
    return (1.0 if same(a, b) else 2.0) * a[0] * c


def by_number(x):
    t = (x[0], x[1])
    u = t
    return numbered(t, u) * t[0] * numbered(t, (x[0], x[1]))


def of_objects(x):
    t = (Held(x[0]), Held(x[1]))
    u = t
    return (1.0 if same(t, u) else 2.0) * t[0].a


def by_another_name(a, b):
    return one(a, b)


def by_another_number(a, b):
    return number_of(a) == number_of(b)


class Register:
    def __init__(self, held):
        self.held = held

    def same(self, other):
        return self.held is other

    def __call__(self, other):
        return self.held is other

    def __eq__(self, other):
        return self.held is other.held

    @property
    def whole(self):
        return self.held[:] is self.held


WAYS = {"one": one}
LAST = None


def by_method(a, b):
    return Register(a).same(b)


def by_call(a, b):
    return Register(a)(b)


def by_equality(a, b):
    return Register(a) == Register(b)


def by_property(a, _):
    return Register(a).whole


def by_default(a, b, way=one):
    return WAYS["one"](a, b) and way(a, b)


def by_global(a, b):
    global LAST
    LAST = b
    told = a is LAST
    LAST = None
    return told


def decorator(fn):
    @functools.wraps(fn)
    def wrapper(a, b):
        return a is b or fn(a, b)

    return wrapper


@decorator
def decorated(a, b):
    return False


def asked_by(callee):
    def f(x):
        t = (x * 2.0, x[1])
        u = t
        return np.sum((1.0 if callee(t, u) else 2.0) * t[0]) * x[1]

    f.__name__ = callee.__name__
    return f


ASKING = [by_another_name, by_another_number, by_method, by_call, by_equality, by_property,
          by_default, by_global, decorated]  # fmt: skip


def whole_slices(x):
    t = (x[0] * 2.0, x[1])
    u, v, w = t[:], t[0:2], t[::2]
    return t[0] * ((1.0 if u is t else 2.0) + (3.0 if id(v) == id(t) else 5.0)) + w[0]


def whole_slice_asked_inline(x):
    t = (x[0] * 2.0, x[1])
    return t[0] * (1.0 if t[:] is t else 100.0)


def empty_sums(x):
    t = (x[0] * 2.0, x[1])
    u, v, w, z = t + (), () + t, t * 1, t[:1] + t[1:]
    same = (u is t) + 2.0 * (v is t) + 4.0 * (w is t) + 8.0 * (z is t)
    return same * t[0] * t[1]


def summed_in_a_list(x):
    t = (x[0] * 2.0, x[1])
    u = sum([t, ()], ())
    return t[0] * (1.0 if u is t else 100.0)


def grown_by_nothing(x):
    t = (x[0] * 2.0, x[1])
    u = t
    for _ in range(2):
        u += ()
    return t[0] * (1.0 if u is t else 100.0)


def one_item(x):
    t = (x[0] * 2.0,)
    return t[0] * ((1.0 if t[:] is t else 100.0) + (1.0 if t[::-1] is t else 10.0))


@dataclass
class Plain:
    a: float


Point = namedtuple("Point", ["a", "b"])


def of_a_named_tuple(x):
    t = Point(x[0] * 2.0, x[1])
    u, v = t[:], t + ()
    return t.a * (1.0 if u is t else 3.0) * (1.0 if v is t else 7.0)


PROGRAMS = [of_numbers, of_arrays, chosen_by_it, by_number, of_objects, whole_slices,
            whole_slice_asked_inline, empty_sums, summed_in_a_list,
            grown_by_nothing, one_item, of_a_named_tuple]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_what_depends_on_it(f, mode: str) -> None:
    value, _ = ad.vjp(f, X, on_overwrite=mode)
    assert value == f(X)
    assert ad.jvp(f, (X,), (X,))[0] == f(X)
    check_grads(f, (X,), on_overwrite=mode)


@pytest.mark.parametrize("callee", ASKING, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_however_a_callee_asks_its_answer_is_that_of_python(callee, mode: str) -> None:
    f = asked_by(callee)
    for run in (
        lambda: ad.vjp(f, X, on_overwrite=mode)[0],
        lambda: ad.jvp(f, (X,), (X,))[0],
    ):
        try:
            value = run()
        except ad.CompileError:
            continue  # that it is asked may be refused, and nothing else be answered
        assert value == f(X)


@pytest.mark.parametrize("callee", ASKING, ids=lambda f: f.__name__)
def test_that_it_is_asked_is_found(callee) -> None:
    assert asks(callee)


def test_methods_that_ask_of_classes_only_do_not_count() -> None:
    assert not asks(Held)
    assert not asks(Point)
    assert not asks(Plain)


@pytest.mark.parametrize("f", [handed_back, returned_twice, returned_and_handed_on],
                         ids=lambda f: f.__name__)  # fmt: skip
def test_of_what_a_call_returned_it_is_not_known(f) -> None:
    with pytest.raises(ad.CompileError, match="which tuple"):
        ad.grad(f)(X)
    with pytest.raises(ad.CompileError, match="which tuple"):
        ad.jvp(f, (X,), (X,))
