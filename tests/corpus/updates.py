"""Programs with `+=` and the like on what may be a number or an array."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("updates")


@CASES.add(vec(3), row="78", verdicts={"s += x * k": "renamed"})
def sum_of_arrays_from_a_number(x):
    s = 0.0
    for k in range(3):
        s += x * k
    return np.sum(s * x)


@CASES.add(vec(3), row="78")
def every_operation_on_a_number_or_an_array(x):
    s = 1
    for k in range(3):
        s *= x + k
        t = s * x
        s -= t * t
        s /= 2.0 + x
        s += 0.5
    return np.sum(s)


@CASES.add(vec(3), 2, row="78")
@CASES.add(vec(3), 0, row="78")
def perhaps_never_an_array(x, steps):
    total = 0.25
    for row in np.outer(np.arange(1.0, steps + 1), x):
        total += row
    return np.sum(np.sin(total) * x)


@CASES.add(vec(3), row="78", steps={"eps": 1e-2, "rtol": 1e-4})
def array_of_single_precision_or_a_number(x):
    s = x.astype(np.float32) if x[0] > 0.5 else 1.0
    s += x * x
    return np.sum(s * s)


@CASES.add(vec(3), row="78")
def numbers_of_a_branch(x):
    s = np.sin(x) if x[0] > 9.0 else x[1]
    s *= x[0]
    s *= s
    return np.sum(s)


@CASES.add(vec(3), row="78", raises=TypeError)
def integers_that_cannot_hold_the_sum(x):
    s = np.arange(3) if x[0] > 0.5 else 0.0
    s += x
    return np.sum(s)


@CASES.add(vec(3), row="78")
def argument_or_a_number(x):
    s = x if x[0] > 0.5 else 0.0
    s += 1.0
    return np.sum(s * x)


@CASES.never(vec(3), row="78", code="AD205")
def under_another_name(x):
    s = 0.0
    t = 0.0
    for k in range(3):
        s += x * k
        t = s if k == 1 else t
    return np.sum(t * x)


@CASES.add(vec(3))
def tuple_that_grows(x):
    r = ()
    r += (x * x,)
    r += (x[0], np.sin(x))
    return np.sum(r[0] * r[1] * r[2])


@CASES.add(vec(3))
def tuple_that_is_repeated(x):
    r = (x * x, x + 1.0)
    r *= 2
    s = r + (x[1],)
    return np.sum(r[0] * r[3]) * s[4]


@CASES.add(vec(3))
def sum_of_two_results(x):
    def both(v, w):
        return (v * w, v + w)

    a, b, c, d = both(x, 2.0) + both(x, x)
    return np.sum(a * b * c * d)


@CASES.never(vec(3), code="AD207")
def as_many_items_as_the_run_says(x):
    def some(v):
        r = (v * v, v + 1.0)
        if v[0] > 0.5:
            r += (np.sin(v),)
        return r

    a, b, c = some(x)
    return np.sum(a * b * c)


@CASES.add(vec(4))
def displays_of_constants_among_arrays(x):
    y = np.concatenate(([3.0], x, [1.0, x[0]]))
    z = np.stack([[1.0, 2.0], x[:2], (x[3], 0.5)])
    return np.sum(y * y) + np.sum(z**3)


# A number on one path, an array on the other.


@CASES.add(vec(4), row="78")
def argument_or_number(x):
    s = x if x[0] > 0.5 else 0.0
    s += x
    return np.sum(s * x)


@CASES.add(vec(4), row="78")
def number_or_argument(x):
    s = x if x[0] > 2.0 else 0.0
    s += x * 2.0
    return np.sum(s * x)


@CASES.refused(vec(4), 0.5, row="78", code="MutationError")
@CASES.add(vec(4), 1.5, row="78")
@CASES.add(vec(4), 2.5, row="78")
def one_of_three(x, c):
    y = x * x
    if c > 2.0:
        s = y
    elif c > 1.0:
        s = 1.0
    else:
        s = x
    s -= y[0] * x
    return np.sum(s * y) + np.sum(x)


@CASES.add(vec(4), row="78")
def argument_or_number_in_a_loop(x):
    total = 0.0
    for k in range(3):
        s = 2.0 if k == 1 else x
        s += np.full(4, x[k])
        total = total + np.sum(s)
    return total


def added(s, x):
    s += x
    return s


@CASES.add(mat(3, 4), row="78")
def number_or_array_added_by_a_callee(x):
    s = 0.0
    for row in x:
        s = added(s, row)
    return np.sum(s)


@CASES.add(vec(4), 0.1, row="78")
@CASES.add(vec(4), 9.0, row="78")
def in_a_list_and_a_tuple(x, least):
    s = x * 2.0 if x[0] > least else x[1]
    kept, pair = [s], (s, x)
    s += x[2]
    return np.sum(kept[0] * pair[1]) + np.sum(pair[0] * s)


class _Total:
    def __init__(self, value):
        self.value, self.before = value, []

    def add(self, v):
        self.before.append(self.value)
        self.value += v


@CASES.add(vec(4), 0.1, row="78")
@CASES.add(vec(4), 9.0, row="78")
def in_an_attribute_and_its_history(x, least):
    total = _Total(x * 2.0 if x[0] > least else x[1] * 3.0)
    total.add(x[2])
    total.add(x[0])
    return np.sum(total.value * x) + np.sum(total.before[0]) + np.sum(total.before[1] * x)


@CASES.add(mat(3, 4), row="78")
@CASES.add(mat(1, 4), row="78")
def a_sum_and_its_history(x):
    s = 0.0
    history = []
    for row in x:
        s += row
        history.append(s)
    return np.sum(s * s) + np.sum(history[0] * x)


@CASES.add(vec(4), 0, row="78")
@CASES.add(vec(4), 3, row="78")
def a_sum_that_may_stay_a_number(x, n):
    s = 0.0
    seen = []
    for i in range(n):
        s += x * x[i]
        seen.append(s)
    kept = [s]
    s += x[1]
    return s, kept, seen


@CASES.add(vec(4), 0.1, 0.1, row="78")
@CASES.add(vec(4), 9.0, 0.1, row="78")
@CASES.add(vec(4), 9.0, 9.0, row="78")
def one_of_three_in_a_try(x, first, second):
    if x[0] > first:
        y = x
    elif x[1] > second:
        y = x[2] * 2.0
    else:
        y = 3.0
    both = (y, x)
    try:
        y -= x[0]
        y[0] = x[1] * x[3]
    except TypeError:
        y = y * x[3]
    return np.sum(both[0] * both[1]) + np.sum(y * y)
