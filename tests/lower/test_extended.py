"""A list that is extended by a generator expression takes the items one by one."""

from __future__ import annotations

from functools import reduce
from operator import mul

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


def plain(x):
    values = [x[0] * x[1]]
    values.extend(v * v for v in x)
    return sum(values)


def products(x):
    values = [1.0 + x[0]]
    values.extend(reduce(mul, x[:m], 1.0) * x[m] for m in reversed(range(2)))
    return values[0] * values[1] + values[2]


def by_what_is_there(x):
    values = [x[0]]
    values.extend(v * values[-1] for v in x if v > 0.7)
    return sum(values) * len(values)


def of_the_same_name(x):
    v = x[2]
    values = []
    values.extend(v * w for w in x for v in x)
    values.extend(map(np.square, x))
    return sum(values) * v


def through_another_name(x):
    values = [x[0]]
    other = values
    values.extend(v * other[0] for v in x)
    other[1] = x[1]
    return values[1] * values[2] * values[3]


def cut_short(x):
    values = [x[0] * x[0]]
    try:
        values.extend(x[k] * x[0] for k in range(5))
    except IndexError:
        values.append(x[1])
    return values[-1] * values[-2]


def from_a_generator(x):
    values = []
    for k in range(2):
        values.extend(squares(x[k:]))
    return sum(values) * values[0]


def squares(x):
    for v in x:
        yield v * v


GOOD = [plain, products, by_what_is_there, of_the_same_name, through_another_name]


@pytest.mark.recorded
@pytest.mark.parametrize("f", [*GOOD, from_a_generator], ids=lambda f: f.__name__)
def test_extended(f):
    check_grads(f, (X,), order=2)
    check_grads(f, (X,), on_overwrite="save")


@pytest.mark.recorded
def test_what_came_before_an_exception_stays():
    check_grads(cut_short, (X,), on_overwrite="save")


class Counting:
    def __init__(self, x):
        self.x, self.n = x, 0

    def append(self, v):
        self.n += 100

    def extend(self, values):
        self.n += 1


def something_else(x):
    values = []
    if x[0] > 0.5:
        values = Counting(x)
    values.extend(v * v for v in x)
    return x[0] * values.n


def an_array_by_now(x):
    values = [x[0]]
    values += x
    values.extend(v * v for v in x)
    return sum(values)


@pytest.mark.parametrize("f", [something_else, an_array_by_now])
def test_what_may_be_no_list_is_refused(f):
    with pytest.raises(CompileError):
        ad.grad(f)(X)


def lengthened_twice(x):
    v = [a * a for a in x]
    v.extend(q * 2 for q in v[:2])
    v += [v[0], v[1]]
    return sum(a * (k + 1) for k, a in enumerate(v))


@pytest.mark.recorded
def test_a_list_to_which_a_list_is_added_is_one():
    check_grads(lengthened_twice, (np.array([0.3, 0.7, 1.1]),))
