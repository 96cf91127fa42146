"""An argument that is written, or an object that is followed, is held in some other way as well."""

from __future__ import annotations

import types
import weakref
from array import array
from collections import UserDict, deque
from functools import lru_cache, partial

import numpy as np
import pytest

import adtrans as ad


class Plain:
    def __init__(self, x):
        self.x = x

    def get(self):
        return self.x


class Asked:
    def __init__(self, x):
        self.__dict__["x"] = x

    def __getattr__(self, name):
        raise AttributeError(name)


class Slots:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x


class Queue(deque):
    def __iter__(self):
        raise RuntimeError("nobody may ask")


def same(x):
    return x


def objects(x):
    made = np.empty(1, object)
    made[0] = x
    return made


def started(x):
    made = (v for v in [x, x])
    next(made)
    return made


def remembering(x):
    @lru_cache
    def found():
        return x

    return found


FIRST = {
    "deque": lambda x: deque([x]),
    "class of deques": lambda x: Queue([x]),
    "array of objects": objects,
    "proxy": lambda x: types.MappingProxyType({0: x}),
    "class of dictionaries": lambda x: UserDict({0: x}),
}
CALLED = {
    "bound method": lambda x: Plain(x).get,
    "method of C": lambda x: x.__copy__,
    "partial": lambda x: partial(same, x),
    "partial by name": lambda x: partial(same, x=x),
    "weak reference": lambda x: weakref.ref(x),
    "closure": lambda x: lambda: x,
    "remembered": remembering,
}
ATTRIBUTE = {
    "asked": Asked,
    "slots": Slots,
    "class": lambda x: type("K", (), {"x": x}),
    "inner": lambda x: types.SimpleNamespace(x=x, inner=[Asked({"x": x})]),
}
GONE_THROUGH = {
    "values": lambda x: {0: x}.values(),
    "iterator": lambda x: iter([x]),
    "generator": started,
    "map": lambda x: map(same, [x]),
}


def first(x, q):
    x[0] = 5.0 * x[1]
    return np.sum(q[0] ** 2 * x)


def called(x, q):
    x[0] = 5.0 * x[1]
    return np.sum(q() ** 2 * x)


def attribute(x, q):
    x[0] = 5.0 * x[1]
    return np.sum(q.x**2 * x)


def gone_through(x, q):
    x[0] = 5.0 * x[1]
    y = 0.0
    for v in q:
        y = y + np.sum(v**2 * x)
    return y


def buffer(x, q):
    x[0] = 5.0 * x[1]
    return np.sum(np.asarray(q) * x)


FORMS = [
    *((first, FIRST[n]) for n in FIRST),
    *((called, CALLED[n]) for n in CALLED),
    *((attribute, ATTRIBUTE[n]) for n in ATTRIBUTE),
    *((gone_through, GONE_THROUGH[n]) for n in GONE_THROUGH),
    (buffer, memoryview),
]
IDS = [*FIRST, *CALLED, *ATTRIBUTE, *GONE_THROUGH, "memoryview"]


def numbers():
    return np.array([0.7, 1.2, 0.4])


@pytest.mark.parametrize("f, hold", FORMS, ids=IDS)
def test_an_argument_that_is_written_and_held(f, hold):
    x = numbers()
    held = hold(x)
    before = x.copy()
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(f)(x, held)
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.jvp(f, (x, held), (np.ones(3), None))
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("name", [*FIRST, *CALLED])
def test_another_array_may_be_held(name):
    f, hold = (first, FIRST[name]) if name in FIRST else (called, CALLED[name])
    other = numbers()
    x = numbers()
    expected = 5.0 * other[0] ** 2 + other[1] ** 2
    np.testing.assert_allclose(ad.grad(f)(x, hold(other)), [0.0, expected, other[2] ** 2])


def test_an_array_that_is_only_read_may_be_held():
    def f(x, q):
        return np.sum(q[0] ** 2 * x)

    x = numbers()
    np.testing.assert_allclose(ad.grad(f)(x, deque([x])), x**2)


QUEUE, ASKED, METHOD = deque([None]), Asked(None), Plain(None).get


def test_globals_that_hold_an_argument(monkeypatch):
    def by_queue(x):
        x[0] = 5.0 * x[1]
        return np.sum(QUEUE[0] ** 2 * x)

    def by_object(x):
        x[0] = 5.0 * x[1]
        return np.sum(ASKED.x**2 * x)

    def by_method(x):
        x[0] = 5.0 * x[1]
        return np.sum(METHOD() ** 2 * x)

    x, apart = numbers(), numbers()
    for f, put in (
        (by_queue, lambda v: QUEUE.__setitem__(0, v)),
        (by_object, lambda v: ASKED.__dict__.__setitem__("x", v)),
        (by_method, lambda v: setattr(METHOD.__self__, "x", v)),
    ):
        put(apart)
        gradient = ad.grad(f)
        expected = 5.0 * apart[0] ** 2 + apart[1] ** 2
        np.testing.assert_allclose(gradient(x), [0.0, expected, apart[2] ** 2])
        put(x)
        with pytest.raises(ad.MutationError, match="AD308"):
            gradient(x)


def test_a_buffer_of_bytes():
    def f(x, q):
        x[0] = 5.0 * x[1]
        return np.sum(np.frombuffer(q) * x)

    for memory in (bytearray(numbers().tobytes()), array("d", [0.7, 1.2, 0.4])):
        with pytest.raises(ad.MutationError, match="AD308"):
            ad.grad(f)(np.frombuffer(memory), memory)


class Counter:
    def __init__(self):
        self.total = 1.0

    def add(self, v):
        self.total = self.total + v


def counted(x, counter, held):
    counter.add(x[0])
    other = held[0] if isinstance(held, deque) else held()
    return counter.total * np.sum(x * other.total)


@pytest.mark.parametrize("hold", [lambda c: deque([c]), weakref.ref, lambda c: partial(same, c)])
def test_an_object_that_is_followed_and_held(hold):
    counter, x = Counter(), numbers()
    with pytest.raises(ad.AdtransError, match=r"AD308|AD401|AD207"):
        ad.grad(counted)(x, counter, hold(counter))
    assert counter.total == 1.0


@pytest.mark.parametrize("name", ["deque", "bound method", "partial", "weak reference"])
def test_what_is_held_may_be_written_between_vjp_and_its_pullback(name):
    def by_item(x, q):
        return np.sum(x**2 * q[0])

    def by_call(x, q):
        return np.sum(x**2 * q())

    f, hold = (by_item, FIRST[name]) if name in FIRST else (by_call, CALLED[name])
    x, w = numbers(), np.ones(3)
    _, pullback = ad.vjp(f, x, hold(w), wrt="x")
    w[...] = 7.0
    np.testing.assert_allclose(pullback(1.0)[0], 2.0 * x)


def test_nothing_of_the_users_is_run():
    class Loud:
        def __getattr__(self, name):
            raise RuntimeError(name)

        def __eq__(self, other):
            raise RuntimeError("==")

        def __hash__(self):
            raise RuntimeError("hash")

        def __repr__(self):
            raise RuntimeError("repr")

    def f(x, q):
        x[0] = 5.0 * x[1]
        return np.sum(x)

    x = numbers()
    held = object.__new__(Loud)
    np.testing.assert_allclose(ad.grad(f)(x, [held, {1: held}]), [0.0, 6.0, 1.0])
    held.__dict__["x"] = x
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(f)(x, [held])
