"""Containers of `collections` that change while they are gone through, or where they are chosen."""

from collections import Counter, OrderedDict, deque

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3, 0.7])


def last_of_an_ordered_one(x):
    d = OrderedDict(a=x[0], b=x[1])
    total = 0.0
    for k in d:
        total = total * 2 + d[k]
        if k == "b":
            del d[k]
    return total * len(d)


def taken_from_an_ordered_one(x):
    d = OrderedDict(a=x[0], b=x[1])
    total = 0.0
    for k in d:
        total = total * 2 + d[k]
        if k == "b":
            d.pop(k)
    return total * len(d)


def counted_by_a_name_that_changes(x):
    c, k = Counter(), "a"

    def g():
        nonlocal k
        k = "b"
        return x[1]

    c[k] += g()
    return c["a"] * 2 + c["b"] * 3


def a_slice_is_not_deleted(x):
    q = deque([x[0], x[1]])
    try:
        del q[0:1]
    except TypeError:
        return x[3] * x[3]
    return sum(q)


def deleted_between(x):
    q = deque([x[0], x[1], x[2]])
    total = 0.0
    for _ in range(len(q)):
        del q[0]
        total = total * 2 + sum(q)
    return total


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [last_of_an_ordered_one, taken_from_an_ordered_one, counted_by_a_name_that_changes,
     a_slice_is_not_deleted, deleted_between],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_values_and_gradients(f):
    assert ad.value_and_grad(f)(X)[0] == f(X)
    check_grads(f, (X,))


def deleted_meanwhile(x):
    q = deque([x[0], x[1], x[2]])
    total = 0.0
    try:
        for v in q:
            total += v
            del q[0]
    except RuntimeError:
        total *= x[3]
    return total


def deleted_as_several(x):
    q = deque([x[0], x[1], x[2]])
    total = 0.0
    try:
        for v in q:
            total += v
            del (q[0], q[0])
    except RuntimeError:
        total *= x[3]
    return total


def moved_meanwhile(x):
    d = OrderedDict(a=x[0], b=x[1])
    total = 0.0
    try:
        for k in d:
            total = total * 2 + d[k]
            d.move_to_end("a")
    except RuntimeError:
        total *= x[2]
    return total


def the_larger_one(x):
    q, r = deque([x[0], x[1]]), deque([x[2]])
    return isinstance(max(q, r), deque) * x[0]


def turned_by_an_effect(x):
    q = deque()
    y = [x[0], 1.0]
    q.rotate(-len([y.pop()]))
    q.append(x[1])
    return sum(q) * y[-1]


@pytest.mark.parametrize(
    "f",
    [deleted_meanwhile, deleted_as_several, moved_meanwhile, the_larger_one, turned_by_an_effect],
    ids=lambda f: f.__name__,
)
def test_right_or_refused(f):
    try:
        value, gradient = ad.value_and_grad(f)(X)
    except (ad.CompileError, ad.DerivativeError, ad.MutationError):
        return
    assert value == f(X)
    sides = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(4)]
    np.testing.assert_allclose(gradient, sides, rtol=1e-6, atol=1e-8)
