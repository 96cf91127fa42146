"""Names that mean one of several arrays: chosen by a branch, swapped, handed on in a loop."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("chosen")


# Chosen by a branch.


@CASES.add(vec(4), True, verdicts={"c[0] =": "safe"})
@CASES.add(vec(4), False, verdicts={"c[0] =": "safe"})
def one_of_two(x, first):
    a = x * 2.0
    b = x * 3.0
    c = a if first else b
    c[0] = x[1] * x[2]
    return np.sum(a * x) + 2.0 * np.sum(b) + c[1]


@CASES.add(vec(4), vec(4, 0.2), True, wrt=(0, 1), final=("x", "y"))
@CASES.add(vec(4), vec(4, 0.2), False, wrt=(0, 1), final=("x", "y"))
def one_of_two_arguments(x, y, first):
    c = x if first else y
    c[1:] += x[:-1]
    c[0] = y[1] * y[2]
    return np.sum(x) + 3.0 * c[2]


@CASES.add(vec(5), 0.3)
@CASES.add(vec(5), 0.9)
def parts_of_one_array(x, s):
    y = x * 1.0
    part = y[1:] if s > 0.5 else y[::-2]
    part *= 2.0
    part[0] = s * x[0]
    return np.sum(y * x)


@CASES.add(mat(3, 3), True)
@CASES.add(mat(3, 3), False)
def rows_of_a_matrix_or_its_transpose(m, turned):
    a = m * 1.0
    b = a.T if turned else a
    for row in b:
        row[0] = 0.5 * row[1]
        row[1:] += row[0]
    return np.sum(a[0] * m[1])


@CASES.add(vec(4), 1.0)
@CASES.add(vec(4), -1.0)
def kept_or_made_anew(x, s):
    y = x * 2.0
    z = y
    if s > 0.0:
        z = x * x
    z[1] = s * x[0]
    y[0] += z[1]
    return np.sum(y) + 2.0 * np.sum(z)


@CASES.refused(vec(4), True, code="MutationError")
@CASES.refused(vec(4), False, code="MutationError")
def written_while_needed(x, first):
    a = x * 2.0
    b = x * 3.0
    c = a if first else b
    s = np.sum(c * c)
    a[0] = x[1]
    c[1] *= x[3]
    return s + np.sum(a) + np.sum(b)


# Chosen in a loop.


@CASES.add(vec(6))
def three_buffers_in_turn(x):
    a, b, c = x * 1.0, x * 2.0, x * 3.0
    for k in range(5):
        a[1:] += 0.5 * b[:-1]
        c[k] = x[k] * a[k]
        a, b, c = b, c, a
    return np.sum(a) + 2.0 * np.sum(b) + 3.0 * np.sum(c)


@CASES.add(vec(6), 4)
@CASES.add(vec(6), 0)
def swapped_now_and_then(x, n):
    a, b = x * 1.0, np.zeros(6)
    for k in range(n):
        b[k] = a[k + 1] + x[k]
        if k % 3 != 1:
            a, b = b, a
        if a[0] > 5.0:
            break
        a[0] += b[k]
    return np.sum(a) + 2.0 * np.sum(b)


@CASES.add(vec(5))
def the_last_that_was_large(x):
    best = np.zeros(5)
    k = 0
    while k < 4:
        y = x * (k + 1.0)
        if y[k] > 1.5:
            best = y
        best[k] += x[4]
        k += 1
    return np.sum(best * x)


@CASES.add(vec(6))
def nested_swaps(x):
    a, b = x * 1.0, x * 0.5
    for i in range(3):
        for j in range(i):
            a, b = b, a
            a[j] = b[j + 1] + a[i]
            if j == 1:
                continue
            b[i] *= 0.5
        c = a if i > 1 else b
        c[2:] -= x[:-2]
    return np.sum(a) - np.sum(b)


# Taken out of a tuple.


@CASES.add(vec(4), 1)
@CASES.add(vec(4), 0)
def an_item_of_a_tuple(x, k):
    a, b = x * 2.0, x * 3.0
    pair = (a, b)
    c = pair[k]
    c[0] = x[1] * x[2]
    return np.sum(a * x) + np.sum(b) + c[1]


@CASES.add(vec(4))
def over_a_tuple(x):
    a, b = x * 2.0, np.zeros(4)
    for k, c in enumerate((a, b, x)):
        c[k] += 0.5 * a[3]
        for d in (c, b):
            d[1:] -= x[:-1]
    return np.sum(a) + 2.0 * np.sum(b * x)


@CASES.add(vec(5))
def three_levels(x):
    levels = (x * 1.0, x[::2] * 2.0, x[:2] * 3.0)
    for k in range(4):
        fine, coarse = levels[k % 2], levels[k % 2 + 1]
        coarse += 0.5 * fine[: len(coarse)]
        fine[k % 2] = x[k]
    return np.sum(levels[0]) + 2.0 * np.sum(levels[1]) + 3.0 * np.sum(levels[2])


@CASES.add(vec(4), 3)
def buffers_by_number(x, n):
    a, b, c = x * 1.0, x * 2.0, x * 3.0
    ring = (a, b, c)
    for k in range(n):
        now, then = ring[k % 3], ring[(k + 1) % 3]
        then[1:] += 0.5 * now[:-1]
        now[0] = x[k]
    return np.sum(ring[n % 3]) + 2.0 * np.sum(b)


# What a function returns.


def inner(a):
    return a[1:-1]


def either(a, b, first):
    return a if first else b


def shifted(a, s):
    if s > 0.5:
        a[1:] += a[:-1] * s
        return a
    return a * s


@CASES.add(vec(5), 0.4)
def written_through_what_was_returned(x, w):
    part = inner(x)
    part[:] = w * part
    part[0] = 2.0
    return np.sum(part * w) + np.sum(x)


@CASES.add(vec(5), True)
@CASES.add(vec(5), False)
def returned_one_of_two(x, first):
    a, b = x * 1.0, x * 2.0
    c = either(a, b, first)
    c[0] = b[1] + a[2]
    return np.sum(a) + np.sum(b * x) + c[4]


@CASES.add(vec(5), 0.9)
@CASES.add(vec(5), 0.3)
def returned_as_it_was_or_new(x, s):
    y = x * 3.0
    z = shifted(y, s)
    z[0] = x[4] * x[3]
    return np.sum(y) + 2.0 * np.sum(z)


@CASES.add(vec(5), True)
@CASES.add(vec(5), False)
def passed_on_and_written(x, first):
    a, b = x * 1.0, x * 2.0
    c = a if first else b
    shifted(c, 0.7)
    d = shifted(c, 0.8)
    d[3] = 0.0
    return np.sum(a) + 2.0 * np.sum(b)


@CASES.add(vec(6), True)
@CASES.add(vec(6), False)
def a_view_or_a_copy(x, turned):
    y = x.reshape(2, 3) * 1.0
    z = y.T if turned else y[::-1]
    flat = z if turned else z[[0, 1]]
    flat[0] = 2.0 * x[:1]
    return np.sum(y * y[0]) + np.sum(flat)


# Arguments whose names mean something else in the end.


def last_of(a, c, n):
    for _ in range(n):
        a[0] += 0.25 * c[-1]
        a, c = c, a
    return a


def bound_again(a, w):
    q = a
    a = a * w
    a[1] = 7.0 * a[0]
    q[0] = a[1] * w
    q = a
    q[2] = 0.0


def perhaps_bound_again(a, w):
    if w > 0.5:
        a[1:] += a[:-1]
        a = a * w
    a[0] = w * a[2]
    return a


@CASES.add(vec(4), vec(4, 0.2), 3, wrt=(0, 1), final=("x", "y"))
@CASES.add(vec(4), vec(4, 0.2), 2, wrt=(0, 1), final=("x", "y"))
def swapped_by_what_is_called(x, y, n):
    r = last_of(x, y, n)
    r[1:] += 2.0 * x[:1]
    return np.sum(r) + 2.0 * np.sum(y)


@CASES.add(vec(4), 0.4, default="ok/AD303")
def an_argument_is_bound_again(x, w):
    y = x * 1.0
    bound_again(y, w)
    return np.sum(y * x)


@CASES.add(vec(4), 0.4, default="ok/AD303")
@CASES.add(vec(4), 0.8, default="ok/AD303")
def an_argument_is_perhaps_bound_again(x, w):
    y = x * 1.0
    z = perhaps_bound_again(y, w)
    z[3] = y[1] * 0.5
    return np.sum(y * x) + np.sum(z)


# What stays refused: what cannot be told by its address, or has no address.


@CASES.add(vec(4), True)
@CASES.add(vec(4), False)
def where_exceptions_are_caught(x, first):
    a, b = x * 2.0, x * 3.0
    c = a if first else b
    try:
        c[0] = x[1]
    except ZeroDivisionError:
        c[1] = 0.0
    return np.sum(a) + np.sum(b)


@CASES.add(vec(4), True, steps={"eps": 1e-2, "rtol": 1e-4})
def of_different_types(x, first):
    a = x * 2.0
    b = np.zeros(4, np.float32)
    c = a if first else b
    c[0] = x[1]
    return np.sum(a) + np.sum(b)


@CASES.add(vec(4), True, default="ok/AD206", save="ok/AD206")
@CASES.add(vec(4), False, default="ok/AD206", save="ok/AD206")
def an_item_by_a_truth_value(x, second):
    a, b = x * 2.0, x * 3.0
    pair = (a, b)
    c = pair[second]
    c[0] = x[1]
    return np.sum(a) + np.sum(b)


def the_other_way_round(a, b):
    return b, a


def written_and_the_other_way_round(a, b):
    a[0] = 2.0 * b[1]
    return b, a


def doubled_and_itself(a):
    return 2.0 * a, a


@CASES.add(vec(4), 1.3, wrt=(0, 1))
def swapped_by_a_function(x, y):
    a, b = x * y, x**2
    a, b = the_other_way_round(a, b)
    for _ in range(3):
        a, b = written_and_the_other_way_round(a, b)
    t = the_other_way_round(b, a)
    a = t[0]
    b = t[1]
    return np.sum(a * y) + 2.0 * np.sum(b) * a[0]


@CASES.add(vec(4))
def bound_again_beside_itself(x):
    a = np.sin(x)
    a, b = doubled_and_itself(a)
    return np.sum(a * x) + np.sum(b**2)


class Three:
    def __init__(self, a, b, c):
        self.a, self.b, self.c = a, b, c

    def turned(self):
        self.a, self.b, self.c = self.b, self.c, self.a

    def swap(self):
        a = self.a
        self.a = self.b
        self.b = a


@CASES.add(vec(4), 1.3, wrt=(0, 1))
def attributes_that_change_places(x, y):
    q = Three(x * 1.0, x**2, x**3)
    q.turned()
    q.swap()
    for i in range(2):
        q.turned()
        q.a[i] *= y
    return np.sum(q.a) * y + 2.0 * np.sum(q.b) * np.sum(q.c * x)


def _where_positive(a, b):
    if a[0] > 0:
        return a * b
    return a[1:]


@CASES.add(vec(4), vec(4, 0.2), 0, wrt=(0, 1))
@CASES.add(vec(4), vec(4, 0.2), 1, wrt=(0, 1))
@CASES.add(vec(4), vec(4, 0.2), 2, wrt=(0, 1))
@CASES.add(vec(4), vec(4, 0.2), 3, wrt=(0, 1))
def results_that_are_none_on_some_path(x, y, kind):
    if kind > 0:
        if kind == 1:
            w = _where_positive(x, y)
            m = w
        else:
            w = None
        if kind == 2:
            v = _where_positive(y, x)
            m = v
        else:
            v = None
        if kind > 2:
            m = _where_positive(y, y)
    else:
        m = w = v = None
    return m, w, v
