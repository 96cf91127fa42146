"""Programs that write into arrays that lists and dictionaries hold, at keys decided by the run."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

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


# Numbers that become arrays, at places of a list that nothing else means.


@CASES.add(mat(5, 3), row="78")
def sums_by_the_remainder(x):
    sums = [0.0] * 3
    for k, row in enumerate(x):
        sums[k % 3] += row * row
    return np.sum(sums[0] * sums[1]) + np.sum(sums[2])


@CASES.add(mat(5, 3), row="78")
def sums_by_parity_looked_at_on_the_way(x):
    sums, s = [0, 0], 0.0
    for k in range(5):
        sums[k % 2] += x[k] * k
        even, odd = sums
        s = s + np.sum(even * odd)
    sums[0] *= x[1]
    return s + np.sum(sums[0])


@CASES.add(mat(5, 3), row="78")
def sums_with_starts_of_their_own(x):
    sums = [0.0] * 2
    sums[0] = x[0] * 2.0
    for k in range(5):
        sums[k % 2] -= x[k] * x[0]
    return np.sum(sums[0] * sums[1])


@CASES.never(vec(4), row="78", code="AD205")
def sums_one_of_which_has_two_places(x):
    sums = [0.0] * 3
    for k in range(2):
        sums[k] += x
    sums[2] = sums[0]
    for k in range(3):
        sums[k] += x * x
    return np.sum(sums[0] * sums[1])


@CASES.never(vec(4), row="78", code="AD205")
def sums_one_of_which_has_a_name(x):
    sums = [0.0] * 3
    for k in range(3):
        sums[k] += x
    first = sums[0]
    for k in range(3):
        sums[k] += x * x
    return np.sum(sums[1] * first)


@CASES.never(vec(4), row="78", code="AD205")
def sums_in_two_lists(x):
    sums = [0.0] * 2
    for k in range(2):
        sums[k] += x
    others = sums * 2
    for k in range(4):
        others[k] += x * x
    return np.sum(sums[0] * others[1])


@CASES.never(vec(4), row="78", code="AD205")
def sums_put_there_twice_by_a_callee(x):
    sums = [0.0] * 2
    y = x * 2.0
    put(sums, 0, y)
    put(sums, 1, y)
    for k in range(2):
        sums[k] += x * x
    return np.sum(sums[0] * sums[1])


def put(items, k, y):
    items[k] = y
