"""Views, written through: what is a view for certain, and what the run has to check."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, later, mat, vec

CASES = Programs("views")


# Reshaped: without gaps by construction, so a view.


@CASES.add(mat(2, 3), row="21", verdicts={"rows[0] =": "safe"})
def rows_of_a_reshape(x):
    y = np.zeros((2, 3))
    rows = y.reshape(3, 2)
    rows[0] = x[0, :2] * x[1, 1:]
    rows[1:] += x[0, 0]
    return np.sum(y * y)


@CASES.add(vec(6), row="21", verdicts={"m[0] *=": "safe", "m[:, 1] =": "safe"})
def matrix_over_a_vector(x):
    y = x.copy()
    m = y.reshape(2, 3)
    m[0] *= 2.0
    m[:, 1] = x[1]
    return np.sum(y * np.arange(6.0))


@CASES.add(vec(6), row="21", verdicts={"m[0, k] =": "safe/by value"})
def matrix_over_an_argument(x):
    m = x.reshape(3, 2)
    for k in range(2):
        m[0, k] = m[1, k] * m[2, k]
    return np.sum(x)


@CASES.add(mat(3, 4), row="21", verdicts={"row.reshape(2, 2)[1] =": "safe"})
def reshape_of_a_row(x):
    y = x.copy()
    for k in range(3):
        row = y[k]
        row.reshape(2, 2)[1] = x[k, :2] * x[k, 2]
    return np.sum(y * y)


@CASES.add(mat(2, 6), row="21", verdicts={"b[:, 0] *=": "safe"})
def reshape_of_a_reshape(x):
    y = np.sin(x.copy())
    a = y.reshape(-1)
    b = a.reshape(4, 3)
    b[:, 0] *= 3.0
    return np.sum(y * x)


@CASES.add(mat(2, 3), row="21", verdicts={"f[0] =": "checked"})
def reshape_of_what_may_have_gaps(x):
    y = x * x
    f = y.reshape(-1)
    f[0] = x[0, 1]
    return np.sum(y)


@CASES.add(np.asfortranarray(mat(2, 3)), row="21", default="MutationError", save="MutationError")
def reshape_that_copies(x):
    y = x * x
    f = y.reshape(-1)
    f[0] = x[0, 1]
    return np.sum(y)


@CASES.add(mat(2, 3), row="21", verdicts={"f[0] =": "checked"})
def reshape_of_a_transpose(x):
    y = x.copy().T
    f = y.reshape(-1)
    f[0] = x[0, 1]
    return np.sum(y * y) + f[0]


@CASES.add(mat(1, 3), row="21")
def reshape_of_a_transposed_row(x):
    y = x.copy().T
    f = y.reshape(-1)
    f[0] = x[0, 1]
    return np.sum(y * y) + f[0]


@CASES.add(mat(3, 4), row="21", verdicts={"f[0] =": "safe"})
def reshape_of_a_part_with_gaps(x):
    y = x.copy()
    f = y[:, 1:3].reshape(-1)
    f[0] = x[0, 1]
    return np.sum(y * y) + np.sum(f * f)


@CASES.add(mat(2, 3), row="21", verdicts={"f[j] =": "safe"})
def adjoint_in_another_order(x):
    y = x.copy()
    f = y.reshape(-1)
    z = y.T * np.ones((3, 2))
    for j in range(2):
        f[j] = 2.0 * x[0, j]
    return np.sum(z) + np.sum((y.T @ y) * 1.5)


# Flattened.


@CASES.add(mat(2, 3), row="23", verdicts={"f[i] =": "checked"})
def ravel_filled_in_a_loop(x):
    y = np.zeros_like(x)
    f = np.ravel(y)
    for i in range(6):
        f[i] = x[i // 3, i % 3] ** 2
    return np.sum(y * x)


@CASES.add(mat(2, 3), row="23", verdicts={"flat[::2] =": "safe"})
def ravel_of_zeros(x):
    y = np.zeros((2, 3))
    flat = y.ravel()
    flat[::2] = x[0] * x[1]
    return np.sum(y * x)


@CASES.add(mat(2, 3), row="23", verdicts={"f[0] =": "checked"})
def ravel_of_an_argument(x):
    f = x.ravel()
    f[0] = f[1] * f[2]
    return np.sum(x)


@CASES.never(np.asfortranarray(mat(2, 3)), row="23", code="MutationError")
def ravel_of_an_argument_in_another_order(x):
    f = x.ravel()
    f[0] = f[1] * f[2]
    return np.sum(x)


@CASES.add(vec(6), row="23", verdicts={"f[1] =": "safe"})
def ravel_of_a_strided_part(x):
    y = x.copy()
    f = y[::2].ravel()
    f[1] = x[0]
    return np.sum(y * y) + f[1] * f[2]


@CASES.add(mat(2, 3), row="23")
def flatten_is_a_copy(x):
    y = x * x
    f = y.flatten()
    f[0] = x[1, 1]
    return np.sum(y) + np.sum(f * f)


# The same object, or not.


@CASES.add(vec(5), row="72", verdicts={"y[0] =": "by value/safe"})
def asarray_of_an_argument(x):
    y = np.asarray(x)
    y[0] = x[1] * x[2]
    return np.sum(x * y)


@CASES.add(vec(5), row="72", verdicts={"z[0] =": "safe"})
def asarray_with_the_same_dtype(x):
    y = x * 1.0
    z = np.asarray(y, dtype=float)
    z[0] = x[1]
    return np.sum(y)


@CASES.add(vec(5), row="72", verdicts={"z[0] +=": "safe"})
def atleast_2d_written(x):
    y = x * 1.0
    z = np.atleast_2d(y)
    z[0] += x[1]
    return np.sum(y * x)


@CASES.add(vec(5), row="72", verdicts={"z[1:] =": "safe"})
def atleast_1d_written(x):
    y = x * 1.0
    z = np.atleast_1d(y)
    z[1:] = x[:-1]
    return np.sum(y * y)


@CASES.add(vec(5), row="72", verdicts={"z *=": "safe"})
def astype_without_a_copy(x):
    y = x * 1.0
    z = y.astype(np.float64, copy=False)
    z *= 3.0
    return np.sum(y * x)


@CASES.add(vec(5), row="72", verdicts={"z += ": "safe"})
def ascontiguousarray_of_new_memory(x):
    y = x * 1.0
    z = np.ascontiguousarray(y)
    z += x[1]
    return np.sum(y) + np.sum(z)


@CASES.add(mat(3, 2), row="72", verdicts={"z[0] =": "checked"})
def ascontiguousarray_of_an_argument(x):
    z = np.ascontiguousarray(x)
    z[0] = x[1] * 2.0
    return np.sum(x * x)


@CASES.refused(vec(4), row="72", code="AD301/AD302")
def asarray_written_while_needed(x):
    y = x * 1.0
    z = np.asarray(y)
    s = np.sum(y * y)
    z[0] = 3.0
    return s


@CASES.add(vec(4), row="72", verdicts={"r[0] =": "safe"})
def real_part_is_the_array(x):
    y = x * 1.0
    r = y.real
    r[0] = x[1]
    return np.sum(y * x)


# Views of views, in loops.


@CASES.add(vec(6), row="19", verdicts={"w +=": "safe", "v[0] =": "safe"})
def views_of_moving_views(x):
    y = x * 1.0
    for k in range(3):
        v = y[k:]
        w = v[1:3]
        w += 0.5 * x[k]
        v[0] = x[1]
    return np.sum(y * y)


@CASES.add(vec(6), row="19")
def rows_and_their_halves(x):
    y = np.zeros((3, 6))
    for k in range(3):
        row = y[k]
        left = row[:3]
        left[:] = x[:3] * x[k]
        row[3:] = left[::-1]
    return np.sum(y * y)


@CASES.add(mat(3, 3), row="22", verdicts={"d[0] =": "safe"})
def transpose_of_a_reshape(x):
    y = np.zeros(9)
    d = y.reshape(3, 3).T[1:]
    d[0] = x[0] * x[1]
    return np.sum(y[:6] * x.ravel()[3:])


# A write on one path, a need on another.


@CASES.add(vec(5), False, row="75", verdicts={"y[0] =": "checked"})
def overwritten_on_a_path_not_taken(x, reset):
    y = x * 1.0
    z = y * y
    if reset:
        y[0] = 1.0
    return np.sum(z) + np.sum(y)


@CASES.refused(vec(5), True, row="75", code="MutationError")
def overwritten_on_the_path_taken(x, reset):
    y = x * 1.0
    z = y * y
    if reset:
        y[0] = 1.0
    return np.sum(z) + np.sum(y)


@CASES.add(vec(5), 7, row="75", verdicts={"y[:2] =": "checked"})
def overwritten_in_an_iteration_that_never_comes(x, when):
    y = x * 1.0
    s = 0.0
    for k in range(3):
        s += np.sum(y * y) * k
        if k == when:
            y[:2] = 0.0
    return s + y[0]


@CASES.refused(vec(5), 1, row="75", code="MutationError")
def overwritten_in_an_iteration_that_comes(x, when):
    y = x * 1.0
    s = 0.0
    for k in range(3):
        s += np.sum(y * y) * k
        if k == when:
            y[:2] = 0.0
    return s + y[0]


@CASES.add(vec(5), True, row="74", verdicts={"y[0] =": "checked"})
def needed_on_one_branch_overwritten_on_the_other(x, p):
    y = x * 1.0
    s = 0.0
    if p:
        s = np.sum(y * y)
    if not p:
        y[0] = 1.0
    return s + np.sum(y)


@CASES.add(vec(5), False, row="74", verdicts={"y[0] =": "checked"})
def overwritten_on_the_other_branch(x, p):
    y = x * 1.0
    s = 0.0
    if p:
        s = np.sum(y * y)
    if not p:
        y[0] = 1.0
    return s + np.sum(y)


@CASES.add(vec(5), row="74", verdicts={"y[k] =": "safe"})
def use_and_write_take_turns(x):
    s = 0.0
    for k in range(4):
        y = x * (k + 1)
        if k % 2:
            s += np.sum(y * y)
        else:
            y[k] = 0.0
            s += y[0]
    return s


@CASES.refused(vec(5), row="74", code="MutationError")
def what_an_earlier_iteration_used(x):
    y = x * 1.0
    s = 0.0
    for k in range(4):
        if k % 2:
            s += np.sum(y * y)
        else:
            y[k] = 0.0
    return s


@CASES.refused(vec(4), row="74", code="MutationError")
def the_buffer_of_the_iteration_before(x):
    """The name has moved on when its old array is written through a view."""
    s = 0.0
    v = np.zeros(3)
    for k in range(3):
        y = x * (k + 1.0)
        if k > 0:
            v[0] = 3.0
        v = y[1:]
        s += np.sum(y * y)
    return s + v[0]


# Elements at computed places.


@CASES.add(mat(4, 3), np.array([2, 0, 3, 1]), row="76", verdicts={"y[perm[i]] =": "checked"})
def rows_in_a_computed_order(x, perm):
    y = np.ones((4, 3))
    for i in range(1, 4):
        y[perm[i]] = y[perm[i - 1]] * x[i]
    return np.sum(y)


@CASES.refused(mat(4, 3), np.array([2, 0, 2, 1]), row="76", code="MutationError")
def rows_in_a_computed_order_twice(x, perm):
    y = np.ones((4, 3))
    for i in range(1, 4):
        y[perm[i]] = y[perm[i - 1]] * x[i]
    return np.sum(y)


@CASES.add(mat(4, 3), 0, 2, row="76", verdicts={"y[b] =": "checked"})
def two_rows_by_number(x, a, b):
    y = x * 1.0
    row = y[a]
    s = np.sum(row * row)
    y[b] = 0.0
    return s + np.sum(y)


@CASES.refused(mat(4, 3), 2, 2, row="76", code="MutationError")
def one_row_by_two_numbers(x, a, b):
    y = x * 1.0
    row = y[a]
    s = np.sum(row * row)
    y[b] = 0.0
    return s + np.sum(y)


@CASES.add(vec(8), 0, 3, row="76", verdicts={"y[b : b + 3] =": "checked"})
def parts_by_number(x, a, b):
    y = x * 1.0
    s = np.sum(y[a : a + 3] ** 3)
    y[b : b + 3] = 0.0
    return s + np.sum(y)


@CASES.refused(vec(8), 1, 3, row="76", code="MutationError")
def overlapping_parts_by_number(x, a, b):
    y = x * 1.0
    s = np.sum(y[a : a + 3] ** 3)
    y[b : b + 3] = 0.0
    return s + np.sum(y)


# A view of a view, while the name at its root moves on.


@CASES.add(vec(5), False, row="19", default="ok/AD206", save="ok/AD206")
def root_of_a_view_of_a_view_moves(x, p):
    z = x * 1.0
    v = z[1:][:2]
    for _ in range(2):
        if p:
            z[0] = 1.0
        else:
            z = z * 1.5
    return np.sum(z) + np.sum(v)


@CASES.add(vec(5), row="22", default="ok/AD206", save="ok/AD206")
def root_of_a_transpose_of_a_transpose_moves(x):
    z = x * 1.0
    v = z.T.T
    for _ in range(2):
        z[0] = 3.0
        z = z * 1.5
    return np.sum(z) + np.sum(v * v)


@CASES.add(mat(4, 3), False, row="21", default="ok/AD206", save="ok/AD206")
def root_of_a_reshape_of_a_ravel_moves(x, p):
    z = np.ones((4, 3)) * x[0]
    v = z.ravel().reshape(4, 3)
    for k in range(1, 3):
        if p:
            z[k] = x[k]
        else:
            z = z * 1.5
    return np.sum(z) + np.sum(v)


# One name for arrays of several shapes.


@CASES.add(vec(4), vec(4), row="21")
def both_bound_to_rows(a, b):
    a = a[None, :]
    b = b[None, :]
    r = a * b
    for _ in range(2):
        r = r * a * b
    return np.sum(r)


@CASES.add(vec(5), vec(5), row="21")
def both_cut_shorter(a, b):
    c = a * b
    a = a[1:]
    b = b[2:] * a[1:]
    c = np.outer(c, b)[:, 1]
    return np.sum(a) * np.sum(b * b) + np.sum(c)


@CASES.add(mat(3, 2), mat(3, 2), row="21")
def transposed_in_a_loop(a, b):
    for k in range(3):
        a = (a * b).T.copy()
        b = b.T * (k + 1.0)
    return np.sum(a * a)


# Slices that have a name.

INNER = slice(1, -1)
BORDERS = (slice(1, -1), slice(None, None, 2))


@CASES.add(vec(5), row="21", verdicts={"y *=": "safe"})
def slice_in_a_variable(x):
    s = slice(1, 4)
    y = x[s]
    y *= 2.0
    return np.sum(x**2) + np.sum(y)


@CASES.add(vec(6), row="21")
def slices_of_each_turn(x):
    y = x.copy()
    for i in range(2):
        s = slice(i, i + 3)
        y[s] = y[s] + x[s] * x[0]
    return np.sum(y * x)


@CASES.add(vec(6), row="21")
def slices_by_s_(x):
    y = x.copy()
    inner, left = np.s_[1:-1], slice(None, -2)
    right = np.index_exp[2:]
    y[inner] = 0.5 * (x[left] * x[right])
    return np.sum(y * y)


@CASES.add(vec(4), row="21")
def tuple_with_a_slice(x):
    a = np.outer(x, x)
    place = (slice(1, 3), 0)
    a[place] = x[:2]
    return np.sum(a * a)


@CASES.add(vec(6), row="21")
def global_slices(x):
    y = x * 2.0
    y[INNER] = x[INNER] ** 2
    b = np.outer(y, x)[BORDERS]
    b *= 3.0
    return np.sum(y * y) + np.sum(b)


@CASES.add(vec(5), True, row="21", **later("AD202"))
def one_of_two_slices(x, p):
    s = slice(1, 3)
    if p:
        s = slice(0, 2)
    return np.sum(x[s] * x[0])


@CASES.add(vec(5), row="21", **later("AD202"))
def bound_of_a_slice_that_moves(x):
    n = 2
    s = slice(0, n)
    for _ in range(2):
        n += 1
    return np.sum(x[s] * x[0]) + n


def win(x, s):
    y = x.copy()
    y[s] = y[s] * 2.0
    y[s] += x[s]
    return np.sum(y * y)


@CASES.add(vec(4))
def slice_param_write(x):
    return win(x, slice(1, 3)) * win(x, slice(None, None, 2)) * win(x, slice(-2, None))


@CASES.add(vec(4))
def slice_tuple_param(x):
    a = np.outer(x, x)
    return np.sum(sub2(a, (slice(1, -1), slice(0, 3)))) * np.sum(sub2(a, (slice(None), 1)))


def sub2(a, w):
    b = a[w]
    return b * b


@CASES.add(vec(4))
def slice_zip(x):
    y = np.zeros(4)
    for dst, src in [(slice(0, 2), slice(1, 3)), (slice(2, 4), slice(0, 2))]:
        y[dst] = x[src] * x[dst]
    return np.sum(y * y)


@CASES.add(vec(4))
def slice_list_param(x):
    return lsum([v * v for v in x], slice(1, 3))


def lsum(l, s):
    return sum(l[s]) * l[0]


@CASES.add(vec(4))
def slice_dict_loop(x):
    blocks = {"a": slice(0, 2), "b": slice(2, 4)}
    out = {}
    for k, s in blocks.items():
        out[k] = np.sum(x[s] ** 2)
    return out["a"] * out["b"]


@CASES.add(vec(4))
def slice_chosen(x):
    s = slice(0, 2) if x[0] > 0.5 else slice(1, 4)
    return np.sum(x[s] ** 2)


@CASES.add(vec(4))
def slice_list_of_slices(x):
    r = 0.0
    for s in [slice(0, 2), slice(1, 4), slice(2, 3)]:
        r += np.sum(x[s]) ** 2
    return r


@CASES.add(vec(4), default="MutationError")
def written_through_slices_in_a_list(x):
    y = x.copy()
    for s in [slice(0, 2), slice(1, 4)]:
        z = y[s] * y[s]
        y[s] = z * x[0]
    return np.sum(y)
