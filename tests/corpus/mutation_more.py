"""Writes through aliases, arguments, callees, branches and loops."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, later, mat, spd, vec

CASES = Programs("more")


# Two names, one array.


@CASES.add(vec(3), row="25", verdicts={"z[0] =": "safe"})
def alias_element_write(x):
    y = x * x
    z = y
    z[0] = 2.0 * x[1]
    return np.sum(y) + np.sum(z)


@CASES.add(vec(3), row="25")
def alias_of_an_alias(x):
    y = np.sin(x)
    z = y
    w = z
    w[1:] = x[:-1]
    y[0] = x[2] * x[2]
    return np.sum(y) * z[0]


@CASES.refused(vec(3), row="25", code="AD302/AD301")
def alias_written_while_needed(x):
    y = x * 2.0
    z = y
    s = np.sum(y * y)
    z[0] = 1.0
    return s


@CASES.add(vec(3), row="26", verdicts={"z += x": "safe"})
def alias_whole_add(x):
    y = x * x
    z = y
    z += x
    return np.sum(y) * 2.0


@CASES.add(
    vec(3), row="26", default="ok/AD301", verdicts={"z *= x": "renamed/safe/refused"}
)
def alias_whole_multiply(x):
    y = np.sin(x)
    z = y
    z *= x
    return np.sum(y) + np.sum(z)


@CASES.add(vec(3), row="26", **later("AD206"))
def alias_chosen_by_a_branch(x):
    y = x * 2.0
    w = x * 3.0
    if x[0] > 0.0:
        z = y
    else:
        z = w
    z += x
    return np.sum(y) + 2.0 * np.sum(w)


# Arguments.


@CASES.add(vec(3), vec(3), wrt=0, row="27", verdicts={"b[:] = 0.0": "checked/safe/renamed"})
def two_arguments_apart(a, b):
    s = np.sum(a * a)
    b[:] = 0.0
    return s


_SHARED = vec(3)


@CASES.never(_SHARED, _SHARED, code="AD308/AD301/AD302/MutationError", wrt=0, row="27")
def two_arguments_the_same(a, b):
    s = a * a
    b[0] = 0.0
    return np.sum(s)


@CASES.add(vec(4), vec(4), wrt=(0, 1), row="27")
def one_argument_added_into_another(a, b):
    z = np.sin(b)
    a += b
    return np.sum(z) + np.sum(a)


@CASES.add(vec(4), row="28", final=("x",))
def argument_element_written(x):
    x[0] = x[0] * x[1]
    return np.sum(x)


@CASES.add(vec(4), 2.0, wrt=(0, 1), row="28", final=("x",))
def argument_updated_in_a_loop(x, w):
    for i in range(1, len(x)):
        x[i] += w * x[i - 1]
    return x[-1]


@CASES.add(vec(4), row="28", final=("x",))
def argument_written_without_a_result(x):
    for i in range(3):
        x[i] = x[i] * x[i + 1]


@CASES.add(vec(4), row="29", final=("x",), verdicts={"x[:2] =": "safe"})
def argument_written_after_linear_uses(x):
    s = np.sum(x) + 2.0 * x[3]
    x[:2] = 0.0
    return s


@CASES.add(mat(3, 3), row="29", final=("x",), verdicts={"x += 1.0": "safe"})
def argument_shifted(x):
    y = x[0] - x[1]
    x += 1.0
    return np.sum(y)


@CASES.refused(vec(4), row="29", final=("x",), code="AD301/AD302")
def argument_written_after_a_square(x):
    s = x * x
    x[0] = 0.0
    return np.sum(s)


# Buffers without a derivative of their own.


@CASES.add(vec(4), row="31", verdicts={"buf[:] =": "renamed"})
def inactive_buffer_rewritten(x):
    buf = np.zeros(4)
    s = 0.0
    for k in range(3):
        buf[:] = k + 1
        s += np.sum(buf * x)
    return s


@CASES.refused(vec(4), row="31")
def inactive_buffer_partly_rewritten(x):
    buf = np.ones(4)
    s = 0.0
    for k in range(3):
        buf[k] = k + 2.0
        s += np.sum(buf * x)
    return s


@CASES.refused(mat(3, 2), row="31")
def inactive_weights_changed_later(x):
    w = np.array([1.0, 2.0])
    y = x @ w
    w[0] = 7.0
    return np.sum(y)


@CASES.refused(vec(4), row="32", code="AD305/AD301")
def index_array_changed_after_use(x):
    idx = np.array([0, 2])
    y = x[idx] * 2.0
    idx[0] = 3
    return np.sum(y)


@CASES.refused(vec(4), row="32", code="AD305/AD301")
def mask_changed_after_use(x):
    mask = np.array([True, False, True, True])
    y = x[mask]
    mask[:2] = False
    return np.sum(y * y) + np.sum(x[mask])


# Callees.


def _scale_first(a, factor):
    a[0] = a[0] * factor


def _fill(out, x):
    for i in range(len(x)):
        out[i] = x[i] * x[i]


def _clear(a):
    a[1] = 0.0


def _axpy(alpha, x, y):
    y += alpha * x
    return y


def _square(v):
    return v * v


@CASES.add(vec(4), row="38")
def callee_scales_an_element(x):
    y = x * x
    _scale_first(y, x[1])
    return np.sum(y)


@CASES.add(vec(4), row="38")
def callee_fills(x):
    out = np.empty(4)
    _fill(out, x)
    return np.sum(out * x)


@CASES.add(vec(4), 0.5, wrt=(0, 1), row="38")
def callee_writes_and_returns_its_argument(x, alpha):
    y = np.zeros(4)
    for _ in range(3):
        y = _axpy(alpha, np.sin(x), y)
    return np.sum(y)


@CASES.add(vec(5), row="38")
def callee_writes_a_view(x):
    y = x.copy()
    _fill(y[1:4], x[:3])
    return np.sum(y * y)


@CASES.refused(vec(4), row="39", code="AD303/AD301")
def callee_overwrites_what_is_needed(x):
    y = x * 2.0
    z = y * y
    _clear(y)
    return np.sum(z)


@CASES.refused(vec(4), row="39", code="AD303/AD301")
def what_the_callee_needs_is_overwritten(x):
    y = x * 2.0
    z = _square(y)
    y[0] = 0.0
    return np.sum(z)


@CASES.refused(vec(4), row="39", code="AD303/AD301/AD302/AD304")
def callee_overwrites_in_a_loop(x):
    y = x * 2.0
    s = 0.0
    for k in range(3):
        s += np.sum(np.sin(y[1:] * 2.0) * y[:-1])
        _clear(y)
    return s


# NumPy's own ways of writing.


@CASES.add(vec(4), vec(4, 0.2), wrt=(0, 1), row="42", verdicts={"out=c": "safe"})
def out_argument(a, b):
    c = np.empty(4)
    np.multiply(a, b, out=c)
    return np.sum(c)


@CASES.add(vec(4), row="42", verdicts={"out=y": "renamed/safe"})
def out_is_an_operand(x):
    y = np.sin(x)
    np.multiply(y, y, out=y)
    np.add(y, x, out=y)
    return np.sum(y)


@CASES.add(vec(5), row="42")
def out_is_a_slice(x):
    y = np.ones(5)
    np.exp(x[1:3], out=y[1:3])
    return np.sum(y * x)


@CASES.add(vec(4), row="43")
def copyto(x):
    y = np.ones(4)
    np.copyto(y, x * x)
    return np.sum(y)


@CASES.add(vec(4), row="44", verdicts={"y.fill(0.0)": "renamed"})
def fill_after_a_square(x):
    y = x * 2.0
    s = np.sum(y * y)
    y.fill(0.0)
    return s + np.sum(y)


@CASES.add(vec(4), row="44", verdicts={"y.fill(k)": "renamed"})
def fill_in_a_loop(x):
    y = x * 1.0
    s = 0.0
    for k in range(3):
        s += np.sum(np.sin(y) * x)
        y.fill(k)
    return s


@CASES.add(vec(3), row="45")
def add_at_with_duplicates(x):
    y = np.zeros(4)
    np.add.at(y, np.array([0, 2, 0]), x * x)
    return np.sum(y * np.arange(4.0))


@CASES.add(vec(5), row="48", verdicts={"y[y > 2.0] =": "safe"})
def clipped_by_a_mask(x):
    y = x * 2.0
    y[y > 2.0] = 2.0
    return np.sum(y)


@CASES.add(mat(3, 3), row="48", verdicts={"y[mask] =": "safe"})
def masked_assignment(x):
    y = x * x
    mask = x < 1.0
    y[mask] = 0.5 * x[mask]
    return np.sum(y)


@CASES.add(vec(5), row="48")
def relu_by_a_mask(x):
    y = x - 1.0
    y[y < 0] = 0
    return np.sum(y) * 3.0


# Branches and while.


@CASES.add(vec(4), True, row="50", verdicts={"y[0] =": "safe"})
def write_on_one_branch(x, flag):
    y = x * 3.0
    if flag:
        y[0] = x[1] * x[2]
    return np.sum(y)


@CASES.add(vec(4), row="50")
def write_on_one_branch_of_each_iteration(x):
    y = np.zeros(4)
    for i in range(4):
        if x[i] > 1.0:
            y[i] = x[i] ** 2
        elif i > 1:
            y[i] += 3.0 * x[i]
    return np.sum(y)


@CASES.add(vec(5), row="50")
def write_on_both_branches(x):
    y = x.copy()
    if np.sum(x) > 2.0:
        y[1:3] = 0.0
    else:
        y[0] = x[1]
    return np.sum(y) * x[0]


@CASES.add(vec(5), row="51")
def writes_in_while_with_break(x):
    y = x.copy()
    i = 1
    while True:
        if i >= 4:
            break
        y[i] = y[i] * y[i - 1]
        if y[i] > 100.0:
            break
        i += 1
    return y[3] + y[i]


@CASES.add(vec(5), 1.5, row="51", wrt=(0, 1))
def halving_until_small(x, w):
    y = x * w
    while np.sum(y) > 1.0:
        for i in range(5):
            y[i] = y[i] * 0.5 * np.cos(x[i] * 0.1)
    return np.sum(y)


@CASES.refused(vec(4), row="53")
def changed_used_restored(x):
    y = x * 2.0
    a = np.sin(y)
    old = y[0]
    y[0] = 9.0
    b = np.cos(y)
    y[0] = old
    return np.sum(a * b)


@CASES.refused(vec(5), row="54", code="AD301/AD302/AD304/AD206", save="ok/AD206")
def double_buffer_nonlinear(x):
    a = x.copy()
    b = x.copy()
    for _ in range(3):
        a[1:-1] = b[1:-1] * b[2:]
        a, b = b, a
    return np.sum(b)


@CASES.add(vec(5), row="54b", **later("AD206"))
def double_buffer_linear(x):
    a = x.copy()
    b = x.copy()
    for _ in range(3):
        a[1:-1] = 0.5 * (b[:-2] + b[2:])
        a, b = b, a
    return np.sum(b * x)


# Broadcasting writes.


@CASES.add(vec(3), row="55", verdicts={"y[:, :] =": "safe"})
def row_broadcast_into_a_matrix(v):
    y = np.zeros((2, 3))
    y[:, :] = v
    return np.sum(y * np.arange(6.0).reshape(2, 3))


@CASES.add(1.3, row="55", verdicts={"y[...] =": "safe"})
def scalar_broadcast_into_a_matrix(v):
    y = np.ones((2, 3))
    y[...] = np.sin(v)
    return np.sum(y * y)


@CASES.add(mat(2, 1), row="55")
def column_added_to_a_matrix(v):
    y = np.ones((2, 3))
    y[:, 1:] += v
    y[0] = v[1]
    return np.sum(y**2)


@CASES.add(vec(4), row="56", verdicts={"y[:] = 0.5": "safe/renamed"})
def constant_into_the_whole(x):
    y = x * x
    y[:] = 0.5
    return np.sum(y) + x[0]


@CASES.add(mat(3, 2), row="56", verdicts={"y[1] = 0.5": "safe"})
def constant_into_a_row(x):
    y = x * x
    y[1] = 0.5
    return np.sum(y)


@CASES.add(vec(2), row="57")
def duplicates_the_last_writer_wins(v):
    y = np.ones(3)
    y[[0, 0]] = v * v
    return np.sum(y)


@CASES.add(vec(2), row="58")
def duplicates_added_once(v):
    y = np.ones(3)
    y[[1, 1]] += v * v
    return np.sum(y)


@CASES.never(vec(3), row="59", code="AD306")
def float_into_an_integer_array(x):
    y = np.zeros(3, dtype=int)
    y[0] = x[0]
    return x[1] * y[0]


# Recursion, overlaps, reversals.


def _powers(y, k):
    if k == len(y):
        return y[k - 1]
    y[k] = y[k] * y[k - 1]
    return _powers(y, k + 1)


@CASES.add(vec(4), row="66")
def recursion_with_writes(x):
    y = x.copy()
    return _powers(y, 1)


def _descend(y, n):
    if n > 0:
        y[n - 1] += y[n] * y[n]
        _descend(y, n - 1)


@CASES.add(vec(4), row="66")
def recursion_without_a_result(x):
    y = x * 0.5
    _descend(y, 3)
    return y[0]


@CASES.refused(vec(5), row="67", verdicts={"y[1:4] +=": "refused"})
def shifted_square_added(x):
    y = x.copy()
    y[1:4] += y[0:3] ** 2
    return np.sum(y)


@CASES.refused(mat(3, 3), row="67")
def shifted_rows_multiplied(x):
    y = x * 1.0
    y[1:] *= y[:-1]
    return np.sum(y)


@CASES.add(vec(5), row="68", verdicts={"y[:] = y[::-1] * y": "renamed"})
def reversed_times_itself(x):
    y = np.sin(x)
    y[:] = y[::-1] * y
    return np.sum(y * np.arange(5.0))


@CASES.add(mat(3, 3), row="68")
def transpose_times_itself(x):
    y = x + 1.0
    y[:, :] = y.T * y
    return np.sum(y * np.arange(9.0).reshape(3, 3))


# Solvers on scalars.


@CASES.add(np.tril(spd(4)), vec(4), wrt=(0, 1), row="69")
def forward_substitution(l, b):
    n = len(b)
    y = np.zeros(n)
    for i in range(n):
        s = b[i]
        for j in range(i):
            s -= l[i, j] * y[j]
        y[i] = s / l[i, i]
    return np.sum(y * y)


@CASES.add(np.triu(spd(4)), vec(4), wrt=(0, 1), row="69")
def back_substitution_in_place(u, b):
    x = b.copy()
    for i in range(len(b) - 1, -1, -1):
        for j in range(i + 1, len(b)):
            x[i] -= u[i, j] * x[j]
        x[i] /= u[i, i]
    return np.sum(x)


@CASES.add(spd(4), row="70")
def cholesky_in_place(a):
    l = a.copy()
    n = l.shape[0]
    for j in range(n):
        for k in range(j):
            l[j, j] -= l[j, k] * l[j, k]
        l[j, j] = np.sqrt(l[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                l[i, j] -= l[i, k] * l[j, k]
            l[i, j] /= l[j, j]
    s = 0.0
    for j in range(n):
        s += np.log(l[j, j])
    return 2.0 * s


@CASES.add(spd(4), row="70")
def lu_in_place(a):
    a = a.copy()
    n = len(a)
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] = a[i, k] / a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    det = 1.0
    for k in range(n):
        det *= a[k, k]
    return det


@CASES.add(vec(4), 4.0 + vec(5), vec(4, 0.1), vec(5), wrt=(0, 1, 2, 3), row="70")
def thomas(lower, diag, upper, rhs):
    n = len(diag)
    d = diag.copy()
    y = rhs.copy()
    for i in range(1, n):
        m = lower[i - 1] / d[i - 1]
        d[i] -= m * upper[i - 1]
        y[i] -= m * y[i - 1]
    y[n - 1] = y[n - 1] / d[n - 1]
    for i in range(n - 2, -1, -1):
        y[i] = (y[i] - upper[i] * y[i + 1]) / d[i]
    return np.sum(y * y)


@CASES.add(vec(3), row="71")
def deleted_then_rebound(x):
    y = x * 2.0
    z = y * y
    del y
    y = np.zeros(3)
    y[0] = x[0]
    return np.sum(z) + np.sum(y)


@CASES.add(vec(3), row="78")
def added_to_an_array(x):
    total = x * 2.0
    keep = total
    for k in range(2):
        total += x
    return np.sum(keep) + np.sum(total)


@CASES.add(1.3, row="78")
def added_to_a_number(x):
    total = x * 2.0
    keep = total
    for k in range(2):
        total += x * x
    return keep * total


@CASES.refused(mat(3, 4), row="32", code="AD305/AD301")
def index_array_changed_and_used_again(a):
    b = a.copy()
    for _ in range(2):
        k = np.array([1, 1, 1])
        g = b[k]
        k[2] = 2
        b[k] = g[:, :]
    return np.sum(b * b)


# Beside copies of one array, other arrays of the iteration are kept in one array for all of them,
# but not those that are filled after the place where they are kept.


@CASES.refused(mat(3, 4), code="AD301")
def filled_beside_a_copy(A):
    s = 0.0
    for i in range(3):
        row = np.zeros(4)
        row[i] = A[i, 0] * A[i, 1]
        B = A * A
        s = s + np.sum(row * row) + np.sum(B * A)
        A[:, 1:] = 0.5 * A[:, :-1] * s
    return s


@CASES.refused(mat(3, 4), code="AD301")
def swept_beside_a_copy(A):
    s = 0.0
    for i in range(3):
        row = A[i] * 1.0
        for j in range(3):
            row[j + 1] = 0.5 * row[j] + 1.0
        s = s + np.sum(A[i] * row)
        A[:, 1:] = A[:, :-1] * s
    return s


_TABLE = np.zeros(4)
_LAST = 0.0


@CASES.add(vec(4), row="41")
def global_array_written(x):
    _TABLE[:] = x * x
    return np.sum(_TABLE)


@CASES.add(vec(4), row="41")
def global_array_written_through_a_view(x):
    part = _TABLE[1:3]
    part[:] = x[1:3]
    part += x[:2]
    return np.sum(part * x[1])


@CASES.add(vec(4), row="41")
def global_name_bound_again(x):
    global _LAST
    _LAST = x[0] * x[1]
    return _LAST * _LAST


@CASES.add(vec(3), row="20")
def negated_twice_then_written(x):
    y = -(-x)
    y[0] = 5.0
    return np.sum(x * y)


@CASES.add(vec(3), row="20")
def negated_twice_by_names_then_scaled(x):
    t = -x
    y = -t
    y *= 2.0
    return np.sum(x * y)


@CASES.add(vec(6), row="5")
def whole_array_negated_twice(x):
    x = x.copy()
    x[4:] *= 3.0
    x[:] = -(-x)
    return np.sum(x)


# A view sees what is written after it was taken; a copy of its base from before does not.


@CASES.refused(vec(4), row="20")
def view_read_after_it_is_written(x):
    y, s = x * 1.0, 0.0
    for _ in range(3):
        v = y[1:]
        y = y * x
        v[0] = x[0] * x[1]
        s += np.sum(v * x[1:])
    return s + np.sum(y * x)


@CASES.refused(vec(4), row="20")
def computed_from_a_written_view(x):
    y, s = x * 1.0, 0.0
    for _ in range(3):
        v = y[1:]
        y = y * x
        v[0] = x[0] * x[1]
        w = v * x[1:]
        s += np.sum(w * w)
    return s + np.sum(y * x)


@CASES.refused(vec(4), row="20")
def view_of_a_view_that_is_written(x):
    y, s = x * 1.0, 0.0
    for _ in range(3):
        v = y[1:]
        u = v[1:]
        z = y[:-1] * y[1:]
        v[1] = x[0] * x[1]
        w = u * 3.0
        s += np.sum(w * w * z[1:])
        y = y * x
    return s + np.sum(y * x)


@CASES.refused(vec(4), row="20")
def other_name_of_a_written_view(x):
    y, s = x * x, 0.0
    for _ in range(3):
        v = y[1:]
        z = y[:-1] * y[1:]
        u = v
        v[1] = x[0] * x[1]
        w = u * 3.0
        s += np.sum(w * w) + np.sum(z * z * u)
    return s + np.sum(y * x)


# Which array, which contents: what a coarser answer would get wrong.


@CASES.add(vec(4), row="25")
def one_of_two_is_filled(x):
    a, b = x * x, 2.0 * x
    c = a if x[0] > 0.0 else b
    d = a if x[0] > 10.0 else b
    c[:] = 0.0
    return np.sum(d * x)


@CASES.add(vec(4), row="19")
def view_of_what_the_name_meant_before(x):
    y = x * 1.0
    v = y[1:]
    if x[0] > 0.0:
        y = 3.0 * x
    v[0] = x[0] * x[1]
    return np.sum(v * x[1:]) + np.sum(y * x)


@CASES.refused(vec(4), row="28")
def argument_filled_after_its_use(x):
    s = np.sum(np.sin(x) * x)
    x[:] = 0.0
    return s


def energy(a):
    s = 0.0
    for v in a:
        s += v * v
    return s


@CASES.add(vec(4), row="39")
def overwritten_after_a_callee_used_its_numbers(x):
    y = 2.0 * x
    s = energy(y)
    y[0] = 3.0
    return s + np.sum(y * x)


# Division in place where the quotient does not stay.


@CASES.refused(vec(4), row="13")
def quotient_overwritten(x):
    y = x * x
    y[:2] /= x[3]
    y[1:3] /= x[0]
    return np.sum(y * x)


@CASES.refused(vec(4), row="13")
def divided_by_its_own_part(x):
    y = x * x
    y[1:] /= y[:-1]
    return np.sum(y * x)


@CASES.add(vec(4), row="13", default="ok/AD301/AD304")
def quotient_that_a_reshaped_view_hides(x):
    y = x * x
    rows = y.reshape(2, 2)
    rows[:, 0] /= x[:2]
    y[1] = 0.0
    return np.sum(y * x)
