"""Defaults and attributes of classes outlast a call: who writes them, writes something global."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

ROWS = [[0.5, 0.7]]
BUFFER = np.zeros(2)
PAIR = [0.1, 0.2]
X = np.array([0.6, 0.8])


class Plain:
    def __init__(self):
        self.k = 2.0


PLAIN = Plain()


def by_plain_object(v, s=PLAIN):
    return s.k * v


def a_plain_object(x):
    PLAIN.k = x[1]
    return by_plain_object(x[0])


class Settings:
    def __init__(self):
        self.k = 2.0
        self.w = np.ones(2)

    def put(self, v):
        self.w[0] = v


    def __call__(self, v):
        return self.k * v


SETTINGS = Settings()


def by_row(v, r=ROWS[0]):
    return r[0] * v


def a_row(x):
    ROWS[0][0] = x[1]
    return by_row(x[0])


def by_object(v, s=SETTINGS):
    return s.k * v


def an_object(x):
    SETTINGS.k = x[1]
    return by_object(x[0])


def by_attribute(v, w=SETTINGS.w):
    return w[0] * v


def a_method_writes(x):
    SETTINGS.put(x[1])
    return by_attribute(x[0])


def by_tuple(v, t=(BUFFER, 1.0)):
    return t[0][0] * v


def in_a_tuple(x):
    BUFFER[0] = x[1]
    return by_tuple(x[0])


class Reader:
    w = BUFFER
    settings = SETTINGS

    def first(self, v):
        return self.w[0] * v

    def by_settings(self, v):
        return self.settings.k * v


class Heir(Reader):
    pass


def of_a_class(x):
    BUFFER[0] = x[1]
    return Heir().first(x[0])


def held_by_a_class(x):
    SETTINGS.k = x[1]
    return Reader().by_settings(x[0])


@pytest.mark.parametrize(
    ("f", "code"),
    [(a_plain_object, "AD207"), (an_object, "AD207"), (held_by_a_class, "AD207")],
)
def test_what_is_written_has_no_other_way_in(f, code) -> None:
    with pytest.raises(ad.AdtransError, match=code):
        ad.grad(f)(X)
    with pytest.raises(ad.AdtransError, match=code):
        ad.jvp(f, (X,), (X,))


@pytest.mark.recorded
@pytest.mark.parametrize("f", [a_row, a_method_writes, in_a_tuple, of_a_class])
def test_what_is_written_is_found_in_other_ways_by_the_recorder(f) -> None:
    check_grads(f, (X,), on_overwrite="save")


def scratch(w=np.zeros(2)):  # noqa: B008  # one array in all calls
    return w


def the_default_itself(x):
    r = scratch()
    r[0] = x[0]
    return scratch()[0] * x[1]


class Hold:
    def __init__(self, w=[0.1, 0.2]):  # noqa: B006  # it is kept from one object to the next
        self.w = w


def two_objects_with_one_list(x):
    a, b = Hold(), Hold()
    a.w[0] = x[0]
    return b.w[0] * x[1]


class Shared:
    w = [0.1, 0.2]  # noqa: RUF012  # all objects have it

    def get(self):
        return self.w


def of_the_class(x):
    a, b = Shared(), Shared()
    r = a.get()
    r[0] = x[0]
    return b.get()[0] * x[1]


class Taken:
    a = np.ones(2)

    def __init__(self):
        self.b = self.a


def taken_from_the_class(x):
    p, q = Taken(), Taken()
    p.b[0] = x[0]
    return q.a[0] * x[1]


def add_row(rows, row=PAIR):
    rows.append(row)


def put_in_a_list(x):
    rows = [[x[0], x[1]]]
    add_row(rows)
    add_row(rows)
    rows[1][0] = x[0]
    return rows[2][0] * x[1]


def either(r=None, d=PAIR):
    r = d if r is None else r
    return r


def one_of_two(x):
    either()[0] = x[0]
    return either()[0] * x[1]


@pytest.mark.parametrize(
    "f",
    [
        the_default_itself,
        two_objects_with_one_list,
        of_the_class,
        taken_from_the_class,
        put_in_a_list,
        one_of_two,
    ],
)
@pytest.mark.parametrize("how", ["refuse", "save"])
def test_it_is_not_written_under_another_name(f, how) -> None:
    with pytest.raises(ad.AdtransError, match="AD203"):
        ad.grad(f, on_overwrite=how)(X)
    with pytest.raises(ad.AdtransError, match="AD203"):
        ad.jvp(f, (X,), (X,), on_overwrite=how)


def only_read(x):
    a = Hold()
    b = Shared()
    return scratch()[1] + np.sum(x * x) * a.w[0] + b.get()[1] * x[0]


def given(x):
    a = Hold([x[0], 1.0])
    a.w[1] = x[1]
    rows = [[x[1], 2.0]]
    add_row(rows, [x[0], x[1]])
    return a.w[0] * a.w[1] + rows[1][0] * either(2 * x)[0]


@pytest.mark.parametrize("f", [only_read, given])
def test_what_is_read_or_given_is_differentiated(f) -> None:
    check_grads(f, (X,))
    assert ad.value_and_grad(f)(X)[0] == f(X)
