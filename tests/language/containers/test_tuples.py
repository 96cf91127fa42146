"""Tuples of results, nested and of one item: their adjoints have a part for each item."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 0.7, 0.9])


def pair(x):
    return x * x, np.sum(x * x)


def nested(x):
    return (x * x, np.sum(x)), (x, x * x)


def single(x):
    return (x * x,)


def doubles(a, x):
    a[:] = a * 2.0
    return x * x


def one_of_a_nested_tuple(x):
    p, q = nested(x)
    _a, b = p
    _c, _d = q
    return b * 2.0


def an_item_by_number(x):
    p, q = nested(x)
    return np.sum(q[1]) * 2.0 + p[1]


def one_tuple_read_twice(x):
    t = nested(x)
    p = t[0]
    q = t[0]
    return p[1] * 2.0 + q[1] * q[1]


def of_one_item(x):
    (a,) = single(x)
    return np.sum(a)


def the_item_of_one(x):
    return np.sum(single(x)[0] * x)


def the_array_that_nobody_asked_for(x):
    return pair(x)[1] * 2.0


def a_result_that_is_dropped(x):
    a = 3.0 * x
    doubles(a, x)
    return np.sum(a * x)


def tuples_in_tuples(x):
    a = 3.0 * x
    t = (a, x)
    u = (t, 2.0)
    s = np.sum(a)
    b = t[0]
    c = u[0][0]
    return np.sum(b * c) + s


@pytest.mark.parametrize("f", [
    one_of_a_nested_tuple, an_item_by_number, one_tuple_read_twice, of_one_item, the_item_of_one,
    the_array_that_nobody_asked_for, a_result_that_is_dropped, tuples_in_tuples, single,
])  # fmt: skip
def test_against_differences(f):
    check_grads(f, (X,))


def test_gradients_of_tuples_have_no_gaps_and_their_own_memory():
    def last(p):
        (_, _), c = p
        return c * 2.0

    (a_bar, b_bar), c_bar = ad.grad(last)(((X, 2.0), 3.0))
    np.testing.assert_array_equal(a_bar, np.zeros(3))
    assert (b_bar, c_bar) == (0.0, 2.0)
    seed = np.ones(3)
    ((x_bar, _),) = ad.vjp(lambda p: p[0], (X, 2.0))[1](seed)
    assert not np.shares_memory(x_bar, seed)


def test_a_callee_that_takes_a_tuple():
    def product(p):
        a, b = p
        return a * b, b

    assert ad.grad(lambda p: np.sum(product(p)[0]))((X, 2.0))[1] == pytest.approx(np.sum(X))


def test_derivatives_of_any_order():
    f = lambda x: x**5  # noqa: E731
    for n, expected in enumerate([80.0, 160.0, 240.0, 240.0, 120.0, 0.0]):
        f = ad.grad(f)
        assert f(2.0) == pytest.approx(expected), n


def carried_by_a_loop(x):
    t = ((x, x * 2.0), 1.0)
    for _ in range(2):
        (p, q), r = t
        t = ((q, p * x), r * p[0])
    return np.sum(t[0][0]) + t[1]


def read_in_a_loop(x):
    t = pair(x)
    s = 0.0
    for i in range(3):
        s += t[1] * np.sum(t[0]) * i
    return s


def swapped(x):
    y = x * x
    t = (y, y)
    s = np.sum(t[0] * t[1])
    for _ in range(2):
        t = (t[1], t[0] * y)
        s = s + np.sum(t[0])
    return s


def grown_in_a_while_loop(x):
    t = (x,)
    while np.sum(t[0]) < 5.0:
        t = (t[0] * 1.5,)
    return np.sum(t[0] * t[0])


@pytest.mark.parametrize("f", [carried_by_a_loop, read_in_a_loop, swapped, grown_in_a_while_loop])
def test_tuples_in_loops(f):
    check_grads(f, (X,), order=2)


def from_a_branch(x):
    t = pair(x) if x[0] > 0.0 else (x, 2.0)
    a, b = t
    return np.sum(a) * b


def test_tuples_from_branches():
    check_grads(from_a_branch, (X,))


def test_slices_sums_and_items_by_a_variable():
    def cut(x):
        p = (x[0], x[1] * x[1], x[2])
        q = p[::-1]
        return q[0] * q[1] + p[-2:][0]

    def joined(x):
        p = (x[0] * x[2], x[1]) + (x[2],)
        return p[0] * p[1] * p[2]

    def by_a_variable(x):
        p, s = (x[0], x[1] * x[1], x[2]), 0.0
        for k in range(3):
            s = s + p[k] * p[k]
        return s

    def an_array_of_two(x):
        p = (x * x, np.sin(x))
        k = int(x[0] > 0.5)
        return np.sum(p[k] * x)

    for f in (cut, joined, by_a_variable, an_array_of_two):
        for mode in ("refuse", "save"):
            check_grads(f, (np.array([0.6, 0.9, 1.3]),), on_overwrite=mode)
    check_grads(joined, (np.array([0.6, 0.9, 1.3]),), order=2)
