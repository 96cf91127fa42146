"""A star is unpacked in its turn: what later arguments change is not seen by it."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Pair(NamedTuple):
    a: float
    b: float


def weighted(a, b, c=1.0):
    return a * b**2 + c


def product(a, b, c):
    return a * b * c + a


def bump(y):
    y[0] = y[0] * 2
    return y[1]


def an_array(x):
    y = x.copy()
    return weighted(*y[:2], bump(y))


def a_list(x):
    items = [x[0], x[1]]
    return weighted(*items, items.pop()) + product(*[*items, x[2]], items.pop())


def a_tuple(x):
    pair, y = (x[0], x[1]), x.copy()
    return product(*pair, bump(y)) + y[0]


def rows(x):
    table = np.stack([x, x * 2])

    def set_first():
        table[0, 0] = 9.0 * x[0]
        return x[1]

    return (lambda a, b, c: (a * b).sum() * c)(*table, set_first())


def primitive(x):
    y = x.copy()
    return np.hypot(*y[:1], bump(y))


def named(x):
    y = x.copy()
    made = Pair(*y[:1], bump(y))
    return made.a * made.b + made.a


def keywords(x):
    given = {"a": x[0], "b": x[1]}

    def last():
        given["a"] = x[2] * 3
        return x[3]

    return weighted(**given, c=last()) + given["a"]


def alone_behind_keywords(x):
    """What stands alone is unpacked when the call is made: Python computes the keyword first."""
    y = x.copy()
    return product(*y[:2], c=bump(y))


def extended_by_itself(x):
    q, r, s = deque(x[:2], maxlen=2), deque(x), deque([x[0], x[1]], maxlen=2)
    q.extend(q)
    r.extendleft(r)
    s.extendleft(s)
    return q[0] * 2 + q[1] + sum(v * i for i, v in enumerate(r)) + s[0] * s[1] ** 2


PROGRAMS = [
    an_array, a_list, a_tuple, rows, primitive, named, keywords, alone_behind_keywords,
    pytest.param(extended_by_itself, marks=pytest.mark.recorded),
]  # fmt: skip


@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_value_and_gradient(f, how):
    value, _ = ad.vjp(f, X, on_overwrite=how)
    assert value == f(X)
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite=how)


def test_a_generator_alone_behind_keywords_is_refused():
    """It is gone through behind the keywords, too, which is not written out."""

    def f(x):
        y = x.copy()
        return product(*(v for v in y[:2]), c=bump(y))

    with pytest.raises(ad.CompileError):
        ad.grad(f)(X)
