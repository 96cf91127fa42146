"""Iterators that have a name, and what changes before they are used."""
# ruff: noqa: B905, C417

import itertools
from contextlib import suppress

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

W = np.array([0.3, 0.7, 1.1, 0.9, 0.4])


def under_a_test(x):
    y = [x[0], x[1], x[2]]
    last = reversed(y)
    if len(x) > 2:
        y.append(x[3])
        s = 0.0
        for v in last:
            s = s * 0.5 + v
        return s
    return 0.0


def in_a_with(x):
    y = [x[0], x[1], x[2]]
    last = reversed(y)
    with suppress(ValueError):
        y.append(x[3])
        return sum(last)


def keys_added(x):
    d = {"a": x[0], "b": x[1]}
    values = (d[k] for k in d)
    if len(x) > 2:
        d["c"] = x[2]
        try:
            return sum(values)
        except RuntimeError:
            return x[4]
    return x[3]


def in_the_same_expression(x):
    y = [x[0], x[1]]
    last = reversed(y)
    return y.append(x[2]) or sum(last)


def by_another_name(x):
    y = [x[0], x[1]]
    z = y
    last = reversed(y)
    z.append(x[3])
    return sum(last)


def by_a_closure(x):
    y = [x[0], x[1]]

    def add():
        y.append(x[3])

    last = reversed(y)
    add()
    return sum(last)


class Holder:
    def __init__(self, x):
        self.h = [x[0], x[1]]


def in_an_attribute(x):
    o = Holder(x)
    last = reversed(o.h)
    o.h.append(x[3])
    return sum(last)


def in_an_item(x):
    rows = [[x[0], x[1]], [x[2]]]
    last = reversed(rows[0])
    rows[0].append(x[3])
    return sum(last)


def unpacked(x):
    y = [x[0], x[1]]
    last = reversed(y)
    a, _ = y, 3.0
    a.append(x[3])
    return sum(last)


def through_a_container(x):
    y = [x[0], x[1]]
    box = [y]
    last = reversed(y)
    for q in box:
        q.append(x[3])
    return sum(last)


def dictionary_by_another_name(x):
    d = {"a": x[0], "b": x[1]}
    e = d
    squares = (v * v for v in d.values())
    e["c"] = x[2]
    try:
        return sum(squares)
    except RuntimeError:
        return x[4]


def in_a_comprehension(x):
    y = [x[0], x[1]]
    last = reversed(y)
    z = [v * 1.0 for v in [y.append(x[2]) or 1.0]]
    return sum(last) * z[0]


def by_map(x):
    y = [x[0], x[1]]
    last = reversed(y)
    done = list(map(y.append, [x[2]]))
    return sum(last) + len(done)


def by_a_generator(x):
    y = [x[0], x[1]]
    adding = (y.append(v) for v in [1.0, 2.0])
    last = reversed(y)
    for _ in adding:
        pass
    return sum(last)


def add_to(y):
    y.append(4.0)
    return 1.0


def by_a_function(x):
    y = [x[0], x[1]]
    last = reversed(y)
    t = add_to(y)
    return sum(last) + t


def pairs_of_items(x):
    y = [x[0], x[1], x[2]]
    pairs = itertools.combinations(y, 2)
    y[0] = 5.0 * x[3]
    return sum(a * b for a, b in pairs)


def making_raises(x):
    s = x[0]
    try:
        pairs = zip(x, 5)
        s = s * 2.0
        s += sum(a for a, b in pairs)
    except TypeError:
        s = s * x[1]
    return s


def raised_elsewhere(x):
    s = x[0]
    pairs = zip(x, 5)
    try:
        s += sum(a for a, b in pairs)
    except TypeError:
        s = s * x[1]
    return s


def default_of_next(x):
    y = [x[0], x[1]]
    a = next(reversed(y), y.append(x[2]) or 2.0)
    return a * a


CHANGED = [
    under_a_test, in_a_with, keys_added, in_the_same_expression, by_another_name, by_a_closure,
    in_an_attribute, in_an_item, unpacked, through_a_container, dictionary_by_another_name,
    in_a_comprehension, by_map, by_a_generator, by_a_function, pairs_of_items, making_raises,
    default_of_next,
]  # fmt: skip


@pytest.mark.parametrize("f", CHANGED, ids=lambda f: f.__name__)
def test_changes_in_between_are_not_missed(f):
    with pytest.raises(CompileError, match=r"AD201|AD207|AD401"):
        check_grads(f, (W,))


def test_an_error_of_the_making_is_not_caught_where_it_is_used():
    with pytest.raises((TypeError, CompileError)):
        ad.grad(raised_elsewhere)(W)


def square(v):
    return v * v


def harmless_calls(x):
    squares = (v * v for v in x)

    def half(v):
        return v * 0.5

    s = square(x[0]) + half(x[1])
    return sum(squares) * s


def lists_grow(x):
    y = [x[0], x[1], x[2]]
    rows = enumerate(y)
    y.append(x[3])
    y[0] = 2.0 * x[4]
    return sum(i * v + v for i, v in rows)


def results_of_its_own(x):
    last = reversed(x)
    d, out, rows = {}, [], np.zeros(5)
    d["a"] = x[0]
    out.append(x[1])
    rows[1:] = x[0]
    n = 0
    n += 1
    for v in last:
        out.append(v * v)
        rows[n] = rows[n] * v
        d["a"] = d["a"] * 0.5 + v
    return d["a"] + sum(out) + np.sum(rows)


def in_a_context(x):
    y = [x[0], x[1], x[2]]
    last = reversed(y)
    with np.errstate(divide="ignore"):
        s = sum(last)
    return s * x[3]


def surely_made(x):
    y = [x[0], x[1]]
    rows = enumerate(y)
    s = x[2]
    try:
        s = s * 2.0
        s += sum(i * v for i, v in rows)
    except TypeError:
        s = s * 7.0
    return s


def deleted(x):
    y = [x[0], x[1]]
    squares = map(lambda v: v * v, y)
    del y
    return sum(squares)


def pairs_of_what_stays(x):
    y = [x[0], x[1], x[2]]
    pairs = itertools.combinations(y, 2)
    s = x[3] * 2.0
    return sum(a * b for a, b in pairs) * s


STAYS = [
    harmless_calls, lists_grow, results_of_its_own, in_a_context, surely_made, deleted,
    pairs_of_what_stays,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", STAYS, ids=lambda f: f.__name__)
def test_what_changes_nothing_may_stand_in_between(f):
    check_grads(f, (W,))
