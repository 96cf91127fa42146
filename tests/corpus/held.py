"""Programs that write into arrays that lists and dictionaries hold, at keys decided by the run."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("held")


@CASES.add(vec(4), row="52")
def rows_that_were_appended(x):
    rows = [x * k for k in range(3)]
    for k in range(3):
        rows[k][0] = x[1] * k
    return sum(np.sum(r) for r in rows)


@CASES.refused(vec(4), row="52")
def row_of_the_largest(x):
    rows = [x * (k + 1.0) for k in range(4)]
    i = int(np.argmax(x))
    s = np.sum(rows[i] * rows[i - 1])
    rows[i][0] = x[1]
    r = rows[i - 1]
    r *= 2.0
    return s + sum(np.sum(r * r) for r in rows)


@CASES.add(vec(4), row="52")
def rows_by_letters(x):
    rows = {}
    for k in "abc":
        rows[k] = x * 2.0
    for k in "ab":
        rows[k][0] = x[1] ** 2
    return np.sum(rows["a"] * rows["b"]) + np.sum(rows["c"])


@CASES.add(vec(4), 0, row="52")
@CASES.add(vec(4), 2, row="52")
def one_array_in_several_places(x, k):
    a = x * x
    rows = [a, 2.0 * x, a]
    rows[k][1:] = x[:-1] * 3.0
    rows.reverse()
    rows[0], rows[1] = rows[1], rows[0]
    rows[k] += rows[1]
    return np.sum(rows[0] * x) + 2.0 * np.sum(a)


@CASES.add(vec(4), row="34")
def stack_of_arrays(x):
    stack = [x * 2.0]
    for k in range(3):
        top = stack.pop()
        top[k] = x[k + 1] * x[0]
        stack.append(top)
        stack.append(top + x)
    return np.sum(stack[0] * stack[-1])


@CASES.add(vec(4), 1, row="35")
def rows_that_are_replaced(x, k):
    rows = [x * 1.0, x * 2.0, x * 3.0]
    old = rows[k]
    rows[k] = x * x
    rows[k][0] = 0.5 * x[3]
    old[1] = x[2] * x[3]
    return np.sum(rows[k] * x) + np.sum(old) + np.sum(rows[0] * rows[2])


@CASES.add(vec(4), True, row="36")
@CASES.add(vec(4), False, row="36")
def one_of_two_dictionaries(x, first):
    a, b = {"u": x * 2.0}, {"u": x * 3.0}
    d = a if first else b
    d["u"][0] = x[1]
    return np.sum(a["u"]) + np.sum(b["u"] * x)


@CASES.add(vec(4), row="35")
def stored_under_its_own_key(x):
    rows = {}
    a = x * 1.0
    rows[0] = a
    rows[1] = a
    rows[0] = rows[1]
    a[0] = a[1]
    return np.sum(rows[0] * rows[1])


@CASES.add(vec(4), True, row="60", steps={"eps": 1e-2, "rtol": 1e-4})
@CASES.add(vec(4), False, row="60", steps={"eps": 1e-2, "rtol": 1e-4})
def one_of_two_precisions(x, wide):
    a, b = x.copy(), np.zeros(4, np.float32)
    c = a if wide else b
    c[0] = x[1] * x[2]
    c[1:] += 0.5
    return np.sum(a * x) + np.sum(b)


@CASES.add(vec(3), 1, row="52")
def stacked_after_a_write(x, k):
    rows = [x * (i + 1.0) for i in range(3)]
    rows[k][0] = x[1] * x[2]
    m = np.stack(rows)
    rows[0][1] = 5.0
    return np.sum(m @ m.T) + np.sum(np.array(rows)) + sum(rows) @ x


@CASES.refused(vec(3), 1, row="52")
def joined_after_a_write(x, k):
    rows = []
    h = x * 1.0
    for _ in range(3):
        h = np.sin(h)
        rows.append(h)
    rows[k][0] += x[1]
    return np.sum(np.concatenate(rows) * np.concatenate(rows))


@CASES.add([vec(3), vec(3, 0.9)], 1, row="52")
def argument_stacked_after_a_write(rows, k):
    rows[k][1:] = rows[k - 1][:-1]
    return np.sum(np.vstack(rows) ** 2)


@CASES.add(vec(3), 1, row="52")
def read_by_a_function_after_a_write(x, k):
    def total(rows):
        return sum(np.sum(r * r) for r in rows)

    rows = [x * 1.0, x * 2.0]
    rows[k][0] = x[1] * x[2]
    return total(rows)
