"""Arrays beside None in lists and dictionaries, which are written in place."""

from __future__ import annotations

from collections import deque

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("beside_none")


@CASES.add(vec(4))
def grid_filled_and_scaled(x):
    t = [[None] * 2 for _ in range(2)]
    for i in range(2):
        for j in range(2):
            t[i][j] = x * (i + j + 1.0)
    for i in range(2):
        for j in range(2):
            t[i][j][i] += x[j]
            t[i][j] *= 2.0
    return np.sum(t[0][0] * t[1][1]) + np.sum(t[0][1] * x)


@CASES.add(vec(4))
def one_array_at_two_places_of_a_grid(x):
    t = [[None] * 2 for _ in range(2)]
    a = x * x
    t[0][0] = a
    t[1][1] = a
    t[0][1] = x * 3.0
    t[1][0] = t[0][1]
    t[1][1][2] = x[0]
    t[1][0] *= 2.0
    return np.sum(t[0][0] * x) + np.sum(t[0][1] * a)


@CASES.add(vec(4))
def made_where_they_are_asked_for(x):
    pool = [None] * 3

    def get(i):
        if pool[i] is None:
            pool[i] = np.zeros(4)
        return pool[i]

    for k in range(4):
        b = get(k % 3)
        b += x * x[k]
        b[k] = x[0] * x[k]
    return np.sum(pool[0] * pool[1]) + np.sum(pool[2])


@CASES.add(vec(4))
def filled_in_a_comprehension(x):
    kept = [x * (k + 1.0) if k != 1 else None for k in range(3)]
    for k in range(3):
        if kept[k] is not None:
            kept[k][k] = x[1] * x[3]
    return np.sum(kept[0] * kept[2])


@CASES.refused(vec(4))
def item_of_the_iteration_before(x):
    last, s = [None, None], 0.0
    for k in range(3):
        now = [x * (k + 1.0), x * x]
        if last[0] is not None:
            last[0][0] = x[3]
            s = s + np.sum(last[0] * last[1] * now[0])
        last = now
    return s


@CASES.refused(vec(4), code="AD401/AD301/AD302/AD303/AD304")
def queue_that_begins_with_none(x):
    d, s = deque([None, None], maxlen=2), 0.0
    for k in range(4):
        d.append(x * (k + 1.0))
        if d[0] is not None:
            d[0][1] = x[2]
            s = s + np.sum(d[0] * d[1])
    return s


def _some(x, n):
    made = [None] * n
    for k in range(n):
        if k != 1:
            made[k] = x * (k + 1.0)
    return made


@CASES.add(vec(4))
def made_by_a_function_and_swapped(x):
    a, b = _some(x, 3), _some(x * x, 3)
    for k in range(3):
        if a[k] is not None:
            a[k][k] = x[0]
            a[k], b[k] = b[k], a[k]
            b[k][0] *= 1.5
    return np.sum(a[0] * b[2]) + np.sum(a[2] * b[0])


def _of_both(x, y, n):
    made = [None] * n
    for k in range(n):
        if k == 1:
            made[k] = x
        if k == 2:
            made[k] = y
    return made


@CASES.add(vec(4))
def arguments_in_a_list_that_is_returned(x):
    a, b = x * 1.0, x * x
    made = _of_both(a, b, 3)
    for k in range(3):
        if made[k] is not None:
            made[k][k] = x[0] * x[3]
    return np.sum(a * b * x) + np.sum(made[2] * made[1])


@CASES.refused(vec(4))
def taken_out_before_it_is_cleared(x):
    held = _some(x, 3)
    a = held[2]
    a[1] = x[0]
    held[2] = None
    for k in range(3):
        if held[k] is None:
            held[k] = a * x
        held[k][0] = x[1] * x[2]
    return np.sum(held[0] * held[2] * held[1]) + np.sum(a)


@CASES.add(vec(4))
def lists_cut_joined_and_turned(x):
    held = [None] * 4
    for k in range(2):
        held[k] = x * (k + 1.0)
    other = held[1:] + held[:1]
    other.reverse()
    other.append(None)
    other.insert(0, x * x)
    for a in reversed(other):
        if a is not None:
            a[0] = a[1] * a[2]
    b = other.pop(1)
    b[2] *= x[1]
    return np.sum(held[0] * held[1]) + np.sum(other[0] * b)


@CASES.add(vec(4))
def dictionary_by_computed_keys(x):
    d = {}
    for k in range(4):
        d[k] = None
    for k in range(3):
        d[k + 1] = x[k : k + 2] * 2.0
    v = d.get(2)
    v[0] = x[0]
    w = d.pop(3)
    w += 1.0
    if d[0] is None:
        d[0] = w
    d[0][1] = x[3]
    return np.sum(d[0] * d[2]) + np.sum(w * v)


@CASES.add(vec(4))
def parts_of_one_array(x):
    y = x * 2.0
    held = [None] * 3
    for k in range(2):
        held[k] = y[k : k + 3]
    held[0][1] = x[0] * x[1]
    held[1][1] *= x[3]
    return np.sum(y * x) + np.sum(held[0] * held[1])


@CASES.add(vec(4))
def what_none_raises_is_caught(x):
    held, s = [None] * 3, 0.0
    for k in range(2):
        held[k] = x * (k + 1.0)
    for k in range(3):
        try:
            held[k][0] = x[1] * x[2]
        except TypeError:
            s = s + x[3] ** 2
    return s + np.sum(held[0] * held[1])


@CASES.refused(vec(4), code="AD201/AD301/AD302/AD303/AD304")
def none_is_scaled_and_that_is_caught(x):
    held, s = [None] * 3, 0.0
    for k in range(2):
        held[k] = x * (k + 1.0)
    for k in range(3):
        try:
            held[k] *= x[1]
        except TypeError:
            s = s + x[3] ** 2
    return s + np.sum(held[0] * held[1])


@CASES.add({"a": vec(4), "b": None}, wrt="given")
def dictionary_from_outside(given):
    s = 0.0
    for k in given:
        if given[k] is not None:
            given[k][0] = 2.0 * given[k][1]
            s = s + np.sum(given[k])
    return s


@CASES.add([[vec(4), None], [None, vec(3)]], wrt="given")
def grid_from_outside(given):
    s = 0.0
    for row in given:
        for a in row:
            if a is not None:
                a[0] = 2.0 * a[1]
                s = s + np.sum(a)
    return s
