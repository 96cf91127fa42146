"""Named tuples that are made inside: locals, results, in branches and loops, with `_replace`."""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("named")

_Pair = namedtuple("_Pair", "a b")


class _State(NamedTuple):
    level: float
    grid: np.ndarray
    count: int = 2

    def total(self):
        return self.level * np.sum(self.grid)


@CASES.add(vec(4))
def named_local(x):
    p = _Pair(x[0] * x[1], b=x[2])
    first, second = p
    return p.a * p[1] * first + second * p[-1]


@CASES.add(vec(4))
def named_result(x):
    p = _Pair(b=x[0] * x[1], a=x * x)
    first, _ = p
    q = _State(p.b, first)
    return q


@CASES.add(vec(4))
def named_with_defaults(x):
    s = _State(x[0], x * x)
    return s.level * np.sum(s.grid) ** s.count


@CASES.add(vec(4))
def named_replaced(x):
    s = _State(x[0], x * x)
    t = s._replace(level=s.level * x[1])
    u = t._replace(grid=t.grid * t.level, count=3)
    return s.level * np.sum(u.grid) * u.level * u.count


@CASES.add(vec(4))
def named_in_branches(x):
    if x[0] > 0.5:
        p = _Pair(x * 2.0, x[0])
    else:
        p = _Pair(x * x, x[1])
    q = p
    a, b = q
    return np.sum(a) * b, q


def _step(s, k):
    return _State(s.level * k, s.grid * s.level)


@CASES.add(vec(4))
def named_handed_on(x):
    s = _State(x[0], x * x)
    total = 0.0
    for k in range(3):
        s = _step(s, x[k])
        total += s.level * s.grid[k]
    return total + np.sum(s.grid)


@CASES.add(vec(4))
def named_with_an_array_written(x):
    p = _Pair(x * 2.0, x[0])
    p.a[0] = p.b * x[1]
    q = _Pair(p.a, p.b)
    return np.sum(p.a) * q.b
