"""Objects that are made inside and go through methods of global objects: right, or refused."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.8, 1.1])


class Market:
    def __init__(self, spot):
        self.spot = spot


@dataclass
class Quote:
    bid: float
    ask: float


class Book:
    def two(self, m):
        return self.other(m)

    def other(self, m):
        return m.spot * m.spot

    def named(self, *, m):
        return self.other(m)

    def mid(self, q):
        return self.half(q)

    def half(self, q):
        return 0.5 * (q.bid + q.ask) * q.bid

    def keep(self, m):
        self.last = self.other(m)
        return self.last

    def entries(self, d):
        return self.of(d)

    def of(self, d):
        return d["a"] * d["b"][0]


class Holder:
    def __init__(self, book):
        self.book = book

    def run(self, x):
        return self.book.two(Market(x))


book = Book()
holder = Holder(book)


def called(x):
    return book.two(Market(x[0] * x[1]))


def by_a_local_name(x):
    b = book
    return b.two(Market(x[0] * x[1]))


def through(b, m):
    return b.two(m)


def handed_on(x):
    return through(book, Market(x[0] * x[1]))


def by_keyword(x):
    return book.named(m=Market(x[0])) * x[1]


def of_a_dataclass(x):
    return book.mid(Quote(x[0], x[1]))


def of_a_dictionary(x):
    return book.entries({"a": x[0], "b": [x[1]]})


def kept_by_the_object(x):
    return book.keep(Market(x[0])) * x[1]


def held_by_another(x):
    return holder.run(x[0]) + holder.book.two(Market(x[1]))


def in_a_generator(x):
    return sum(book.two(m) for m in [Market(x[0]), Market(x[1])])


PROGRAMS = (called, by_a_local_name, handed_on, by_keyword, of_a_dataclass, of_a_dictionary,
            kept_by_the_object, held_by_another, in_a_generator)  # fmt: skip


def differences(f):
    steps = 1e-6 * np.eye(2)
    return np.array([(f(X + h) - f(X - h)) / 2e-6 for h in steps])


@pytest.mark.parametrize("save", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_compiled_it_is_right_or_refused(f, save):
    try:
        found = ad.grad(f, on_overwrite=save)(X)
        along = ad.jvp(f, (X,), (np.ones(2),), on_overwrite=save)[1]
    except ad.AdtransError:
        return
    np.testing.assert_allclose(found, differences(f), rtol=1e-6)
    np.testing.assert_allclose(along, differences(f).sum(), rtol=1e-6)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_as_users_call_it_it_is_right(f):
    options = {"on_unfollowed": "record"}
    np.testing.assert_allclose(ad.grad(f, **options)(X), differences(f), rtol=1e-6)
    found = ad.jvp(f, (X,), (np.ones(2),), **options)[1]
    np.testing.assert_allclose(found, differences(f).sum(), rtol=1e-6)
