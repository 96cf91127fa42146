"""Programs that must not be refused: nothing that they overwrite is needed."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("precise")


# Callees whose numbers are read again from an array that changes later.


def square_first(a):
    a[1] = a[1] * a[0]


def weighted(a, c):
    for j in range(1, len(a)):
        a[j] = a[j] * 0.5 + a[j - 1] * c[j - 1] * 0.2


@CASES.add(vec(3), row="38")
def callee_reads_and_writes_again_and_again(x):
    y = x.copy()
    for _ in range(3):
        square_first(y)
    return np.sum(y * y)


@CASES.add(vec(5), vec(5), wrt=(0, 1), row="38")
def caller_overwrites_what_a_callee_read(x, c):
    y = x.copy()
    c = c * 1.0
    weighted(y, c)
    c[2] = 1.0
    weighted(y, c)
    return np.sum(y) * c[1]


def through_another(a, c):
    weighted(a, c)
    c[0] *= a[1]


@CASES.add(vec(5), vec(5), wrt=(0, 1), row="38")
def callee_of_a_callee_reads(x, c):
    y, c = x.copy(), c.copy()
    through_another(y, c)
    through_another(y, c)
    return np.sum(y) + np.sum(c)


def product(a):
    return np.sum(a * a)


@CASES.refused(vec(3), row="39", code="AD303")
def caller_overwrites_what_a_callee_needs(x):
    y = x * 2.0
    s = product(y)
    y[0] = 1.0
    return s + np.sum(y)


# One array for two parameters, one of which is written.


@CASES.add(vec(5), row="27")
def one_array_for_two_parameters(x):
    y = x.copy()
    weighted(y, y)
    return np.sum(y * x)


@CASES.add(vec(5), row="27")
def two_names_for_two_parameters(x):
    y = x.copy()
    z = y
    weighted(z, y)
    z[0] *= x[1]
    return np.sum(y * x)


def returned(a, c):
    a[1:] += 0.3 * c[:-1]
    return a


@CASES.add(vec(5), row="27")
def one_array_in_and_out(x):
    y = x.copy()
    z = returned(y, y)
    z += y
    return np.sum(y * x)


def steps(a, c, n):
    if n == 0:
        return a[1] * c[0]
    a[1] = a[1] * c[2]
    return steps(a, c, n - 1)


@CASES.add(vec(4), vec(4), wrt=(0, 1), row="66")
def one_array_for_two_parameters_of_a_recursion(x, b):
    y = x.copy()
    return steps(y, y, 2) + steps(y, b, 1)


@CASES.add(vec(5), row="27")
def parts_of_one_array_for_two_parameters(x):
    y = x.copy()
    weighted(y[1:], y[:-1])
    return np.sum(y)


# Statements without influence, and operands that are constants where they are used.


@CASES.add(vec(4), vec(4), wrt=(0, 1), row="12")
def product_that_is_thrown_away(x, b):
    y = x.copy()
    w = np.sum(y * b)
    y[0] = w * 0.5
    w = 2.0 * np.sum(y * b)
    y[1] = 1.0
    y[:] = b
    return np.sum(y) + y[0] * y[1]


@CASES.add(vec(4), row="56")
def nonlinear_in_what_became_constant(x):
    y = x.copy()
    y[:] = 0.5
    z = y * y
    y[1] = 3.0
    return np.sum(z * x) + np.sum(y)


@CASES.add(vec(4), vec(4), wrt=(0, 1), row="12")
def overwritten_in_each_iteration(x, b):
    y = x.copy()
    total = 0.0
    for k in range(3):
        z = y * b
        y[k] = 0.5
        z = y + b
        total += z[1]
    return total + np.sum(y)


@CASES.refused(vec(4), row="15")
def influence_by_way_of_the_next_iteration(x):
    y = x.copy()
    z = np.zeros(4)
    for k in range(3):
        y[0] = z[1]
        z = y * y
    return np.sum(z)


@CASES.add(vec(4), vec(4), wrt=(0, 1), row="50")
def constant_on_one_branch(x, b):
    y = x.copy()
    if b[0] > 0.0:
        y[:] = 2.0
    s = y[0] * y[1]
    y[0] = b[0]
    return s * np.sum(y)


@CASES.add(vec(4), vec(4), wrt=(0, 1), row="25")
def whole_write_through_a_view(x, b):
    y = x.copy()
    v = y[:]
    z = y * b
    v[:] = 1.0
    s = np.sum(y * y)
    y[1] = s * b[1]
    z = y + b
    return np.sum(z)


# Found by random programs.


@CASES.refused(vec(4), row="52")
def item_of_a_tuple_that_is_computed_again(x):
    y = np.ones(4)
    for i in reversed(range(3)):
        pair = (x, x)
        first = pair[0]
        y[1:] += y[:-1] * first[i]
    return np.sum(y)


@CASES.add(vec(4), vec(4), wrt=(0, 1), row="36")
def dictionary_that_nobody_asks_for(x, b):
    held = {"p": b, "q": b}
    held["p"] = b * 2.0
    return np.sum(x * x)


# Each of these fails when one rule of the analysis is disabled (see `tests.mutants`).


def part(a):
    return a[1:4]


@CASES.refused(vec(6), row="39", code="AD301/AD302/AD303")
def callee_returns_a_view_that_is_needed(x):
    y = x * 2.0
    h = part(y)
    z = h * h
    y[1] = 0.0
    return np.sum(z) + np.sum(y)


@CASES.add(vec(4), row="19", default="ok/AD206", save="ok/AD206")
def view_of_what_a_name_meant_before(x):
    y = x.copy()
    s = 0.0
    for _ in range(3):
        v = y[:2]
        y = y + x
        v[0] = y[1]
        s += np.sum(v)
    return s + np.sum(y)


def _corrected(p, k, seen):
    if seen[0] > 0.5:
        gain = np.exp(k)
        m = p + gain * (seen - p)
    else:
        gain = np.zeros(p.shape)
        m = p
    return gain, m


@CASES.add(vec(3), 0.3 * mat(5, 3), row="39")
def result_that_may_be_the_argument(x, seen):
    """What the pullback of the call reads of its results is what it made, and no argument."""
    predicted, filtered = np.zeros((5, 3)), np.zeros((5, 3))
    gains = np.zeros((5, 3))
    for t in range(5):
        if t == 0:
            predicted[t] = x
        else:
            predicted[t] = filtered[t - 1] * 0.9
        gains[t], filtered[t] = _corrected(predicted[t], x, seen[t])
    return np.sum(filtered * filtered)


# Tables that are filled along diagonals.


@CASES.add(vec(5), row="70", verdicts={"c[i, j] =": "safe"})
def table_by_length(d):
    n = len(d)
    c = np.diag(d).copy()
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            c[i, j] = c[i, i:j] @ c[i + 1 : j + 1, j]
    return c[0, n - 1]


@CASES.refused(mat(5, 5), row="70")
def table_by_length_with_the_element_itself(x):
    y, s = x.copy(), 0.0
    for length in range(5):
        for i in range(5 - length):
            s += np.sum(y[i, i : i + length + 1] ** 2)
            y[i, i + length] = s * 0.01
    return s + y.sum()


@CASES.add(mat(5, 5), row="70")
def blocks_before_a_diagonal(x):
    y, s = x.copy(), 0.0
    for d in range(1, 5):
        for i in range(5 - d):
            s += np.sum(y[i : i + 2, i : i + d] ** 2)
            y[i, i + d] = s * 0.01
    return s + y.sum()


# What a branch tells of an index.


@CASES.add(mat(3, 6), vec(3), wrt=(0, 1), row="3", verdicts={"y[:, n] =": "safe"})
def filter_of_several_signals(x, a):
    y = np.zeros_like(x)
    for n in range(x.shape[1]):
        t = x[:, n] * 1.0
        for k in range(1, 3):
            if n - k >= 0:
                t -= 0.1 * a[k] * y[:, n - k]
        y[:, n] = t
    return np.sum(y**2)


@CASES.add(vec(6), 2, row="3", verdicts={"y[i] =": "safe"})
def after_the_first_few(x, n):
    y, s = x.copy(), 0.0
    for i in range(6):
        if i < n:
            s += y[i]
        else:
            s += np.sum(y[i - n : i] ** 2)
            y[i] = s * 0.1
    return s + np.sum(y)


# Callees that use one part of an array and write another.


def advance(h, t, w):
    h[t + 1] = np.tanh(w @ h[t]) * h[t]


@CASES.add(vec(3), mat(3, 3, 0.1), wrt=(0, 1), row="38")
def history_that_a_callee_goes_on_with(first, w):
    h = np.zeros((5, 3))
    h[0] = first
    for t in range(4):
        advance(h, t, w)
    return np.sum(h[-1])


def eliminate(a, k):
    for i in range(k + 1, len(a)):
        a[i, k] /= a[k, k]
        a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]


@CASES.add(mat(4, 4) + 3.0 * np.eye(4), row="70")
def elimination_column_by_column(a):
    a = a.copy()
    for k in range(3):
        eliminate(a, k)
    return np.sum(a * a)


@CASES.refused(vec(4), row="39", code="AD301/AD303")
def callee_overwrites_its_own_need(x):
    y = x.copy()
    for _ in range(2):
        shifted(y)
    return np.sum(y)


def shifted(a):
    a[1:] = a[:-1] * a[1:]


# Rows are copied from one to another.


@CASES.add(mat(4, 4), 1, row="18", verdicts={"a[k] =": "safe", "a[m] =": "safe"})
def rows_copied(a, k):
    a = a.copy()
    for m in range(4):
        t = a[k].copy()
        a[k] = a[m]
        a[m] = t
    return np.sum(a * a[::-1])
