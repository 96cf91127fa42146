"""Tuples, lists and dictionaries that hold values with a derivative."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("containers")


# Tuples.


@CASES.add(vec(3), row="52")
def array_in_a_tuple_then_written(x):
    a = x * 1.0
    t = (a, 2.0)
    a[0] = x[1] * x[2]
    c = t[0]
    return np.sum(c * c)


@CASES.refused(vec(3), row="52")
def array_in_a_tuple_written_while_needed(x):
    a = x * 1.0
    t = (a, 2.0)
    s = np.sum(t[0] * t[0])
    a[0] = x[1] * x[2]
    return s + t[1] * np.sum(a)


@CASES.add(vec(3), row="52", **later("AD206"))
def tuple_chosen_then_written_through(x):
    a, b = x * x, np.sin(x)
    pair = (a, b)
    if x[0] > 0.1:
        pair = (b, a)
    c, d = pair
    c[0] += d[1]
    return np.sum(c * 3.0 + d) + a[0] * 2


def _step(state, h):
    q, p = state
    return q + h * p, p - h * q * q


@CASES.add(vec(3))
def tuple_carried_through_a_loop(x):
    state = (x[0], x[1])
    for _ in range(5):
        state = _step(state, x[2] * 0.1)
    q, p = state
    return q * p


@CASES.add(vec(4), 0.1, wrt=(0, 1))
def tuple_of_arrays_carried(x, h):
    state = (x * 1.0, x[::-1] * 2.0)
    for _ in range(3):
        state = _step(state, h)
    return np.sum(state[0] * state[1])


@CASES.add(vec(3))
def tuple_in_a_tuple(x):
    parts = (x[0], (x[1] * 2, x[2]))
    b, (c, d) = parts
    return b * c * d


@CASES.add(vec(5))
def best_so_far(x):
    best = (x[0], 0)
    for i in range(1, 5):
        v = x[i] * x[i - 1]
        if v > best[0]:
            best = (v, i)
    return best[0] * best[0]


@CASES.add(vec(4))
def conditional_expressions_in_one_statement(x):
    y = x[0] if x[1] > 0 else np.sin(x[0])
    s = 0.0
    s = s + (y * y if x[1] * y > 0.1 else y)
    return s * y
