"""Memory without a derivative that a function hands on under several names: its tangent is one.

The function that makes it carries a derivative elsewhere, so that it has a pushforward of its own.
"""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from tests.every_mode import check_every_mode

X = np.array([0.6, 0.9, 1.3])


def _lists(a):
    h = [0.0, 0.0]
    return h, h, a * 2.0


def two_names(x):
    p, q, a = _lists(x[0])
    p[1] = x[1] * a
    return q[1] * x[2]


def _view(a):
    h = np.zeros(3)
    return h, h[1:], a * 2.0


def a_part(x):
    p, q, a = _view(x[0])
    p[1] = x[1] * a
    return q[0] * x[2]


def _nested(a):
    h = np.zeros(3)
    return (h, a), (h, a * a)


def in_two_tuples(x):
    (p, a), (q, b) = _nested(x[0])
    p[1] = x[1] * a
    return q[1] * x[2] * b


def _entries(a):
    h = np.zeros(3)
    return {"p": h, "q": h, "a": np.array([a])}


def in_a_dictionary(x):
    d = _entries(x[0])
    d["p"][1] = x[1] * d["a"][0]
    return d["q"][1] * x[2]


def _appended(a):
    h, rows = np.zeros(3), []
    for _ in range(2):
        rows.append(h)
    rows.append(np.array([a, a * a]))
    return rows


def appended_twice(x):
    rows = _appended(x[0])
    rows[0][1] = x[1] * rows[2][0]
    return rows[1][1] * x[2]


class Buffer:
    def __init__(self, n, gain):
        self.full = np.zeros(n)
        self.inner = self.full[1:-1]
        self.gain = gain
        self.log = self.first_log = []

    def fill(self, v):
        self.inner[:] = self.gain * v
        self.log.append(self.full[1] * v)


def two_attributes(x):
    b = Buffer(5, x[0])
    b.fill(x[1])
    b.fill(x[2])
    return np.sum(b.full[:3] * x) + b.first_log[0] * b.first_log[1]


def two_closures(x):
    def stack(gain):
        items = []

        def push(v):
            items.append(gain * v)

        def pop():
            return items.pop()

        return push, pop

    push, pop = stack(x[0])
    for v in x:
        push(v)
    return pop() * pop() + pop()


def _queues(a):
    q = deque([0.0, 0.0], maxlen=3)
    return q, q, a


def two_queues(x):
    p, q, a = _queues(x[0])
    p.append(x[1] * a)
    p.append(x[2])
    return q[0] * x[0] + q[1] * q[2]


def _inner(a):
    p, q = np.zeros(2), [0.0]
    return p, q, {"p": p}, q, a


def _outer(a):
    p, q, r, s, b = _inner(a * a)
    return (r, p), (q, s, b)


def through_two_functions(x):
    (r, p), (q, s, b) = _outer(x[0])
    r["p"][1] = b * x[1]
    q.append(p[1] * x[2])
    return s[1] * p[1]


PROGRAMS = [two_names, a_part, in_two_tuples, in_a_dictionary, appended_twice, two_attributes,
            two_closures, two_queues, through_two_functions]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_mode(f):
    check_every_mode(f, X)
