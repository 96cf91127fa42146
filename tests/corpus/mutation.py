"""Writes to local arrays: what each of them must come to."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, later, mat, vec

CASES = Programs("mutation")


# Element writes into a fresh array.


@CASES.add(vec(5), row="1", verdicts={"y[i] =": "safe"})
def zeros_filled_in_a_loop(x):
    y = np.zeros(5)
    for i in range(5):
        y[i] = np.sin(x[i])
    return np.sum(y)


@CASES.add(mat(3, 4), row="1", verdicts={"out[i, j] =": "safe"})
def zeros_filled_in_two_loops(x):
    m, n = x.shape
    out = np.zeros((m, n))
    for i in range(m):
        for j in range(n):
            out[i, j] = x[i, j] * x[i, (j + 1) % n]
    return out.sum()


@CASES.add(vec(4), row="1", verdicts={"y[k] =": "safe"})
def zeros_like_filled_from_enumerate(x):
    y = np.zeros_like(x)
    for k, v in enumerate(x):
        y[k] = v * v * v
    return y.sum()


@CASES.add(vec(5), 0.7, wrt=(0, 1), row="2", verdicts={"h[i] =": "safe", "h[0] =": "safe"})
def empty_then_filled(x, w):
    h = np.empty(len(x))
    h[0] = x[0]
    for i in range(1, len(x)):
        h[i] = np.tanh(w * h[i - 1]) + x[i]
    return h[-1]


@CASES.add(mat(3, 4), row="2", verdicts={"rows[i] =": "safe"})
def empty_filled_with_rows(x):
    rows = np.empty((3, 4))
    for i in range(3):
        rows[i] = np.cos(x[i]) * i
    return np.sum(rows)


# Recurrences on elements.


@CASES.add(vec(5), row="3", verdicts={"y[i] =": "by value/safe"})
def product_recurrence(x):
    y = np.ones(5)
    y[0] = x[0]
    for i in range(1, 5):
        y[i] = y[i - 1] * x[i]
    return y[4]


@CASES.add(vec(6), row="3")
def product_recurrence_backwards(x):
    y = np.ones_like(x)
    for i in range(len(x) - 2, -1, -1):
        y[i] = y[i + 1] * x[i] + y[i + 1]
    return y[0]


@CASES.add(vec(6), row="3")
def second_order_recurrence(x):
    y = np.zeros(6)
    y[0] = x[0]
    y[1] = x[1]
    for i in range(2, 6):
        y[i] = y[i - 1] * y[i - 2] + x[i]
    return y[5]


@CASES.add(vec(5), row="3")
def recurrence_over_itself(x):
    y = x.copy()
    for t in range(3):
        for i in range(1, 5):
            y[i] = y[i] * y[i - 1]
    return y[4]


# Slice writes.


@CASES.add(vec(4), row="4", verdicts={"y[1:3] =": "safe"})
def slice_write(x):
    y = np.zeros(4)
    y[1:3] = x[1:3] * x[:2]
    return y[1] * 2.0 + y[2]


@CASES.add(mat(4, 3), row="4")
def slice_writes_in_two_dimensions(x):
    y = np.zeros((4, 3))
    y[1:3, ::2] = x[:2, ::2] * x[1:3, ::-2]
    y[0, :] = np.exp(x[0])
    return np.sum(y)


@CASES.add(vec(6), row="4")
def slice_writes_in_blocks(x):
    y = np.zeros(6)
    for k in range(0, 6, 2):
        y[k : k + 2] = x[k : k + 2] * x[k]
    return y.sum()


# Whole-array updates.


@CASES.add(vec(4), row="5", verdicts={"y += x": "safe"})
def whole_add(x):
    y = np.sin(x)
    y += x
    return np.sum(y)


@CASES.add(vec(4), row="5", verdicts={"y -= x[:1]": "safe"})
def whole_subtract_broadcast(x):
    y = x * x
    y -= x[:1]
    return np.sum(y * 2.0)


@CASES.add(vec(4), row="5")
def whole_add_in_a_loop(x):
    total = np.zeros(4)
    for k in range(3):
        total += k * np.cos(x)
    return total.sum()


@CASES.add(vec(4), row="6", verdicts={"y *= x": "renamed/safe"})
def whole_multiply(x):
    y = np.sin(x)
    y *= x
    return np.sum(y)


@CASES.add(vec(4), row="6", verdicts={"y *= x": "renamed/safe"})
def whole_multiply_then_square(x):
    y = x + 1.0
    z = y * y
    y *= x
    return np.sum(y * y + z)


@CASES.add(vec(4), row="6", verdicts={"y /= x": "renamed/safe"})
def whole_divide_in_a_loop(x):
    y = x * x
    for k in range(3):
        y /= x + k
    return np.sum(y * y)


@CASES.add(vec(4), row="6", verdicts={"y **= 2": "renamed/safe"})
def whole_power(x):
    y = 1.0 + x
    y **= 2
    return y.sum()


# Element updates.


@CASES.add(vec(5), row="7", verdicts={"y[i] +=": "safe"})
def element_add(x):
    y = x.copy()
    for i in range(1, 5):
        y[i] += np.sin(x[i - 1])
    return np.sum(y)


@CASES.add(vec(5), row="7", verdicts={"y[i] -=": "safe"})
def element_subtract_of_a_neighbour(x):
    y = np.ones(5)
    for i in range(4):
        y[i] -= x[i] * x[i + 1]
    return np.sum(y)


@CASES.add(mat(3, 3), row="7")
def accumulate_in_a_matrix(a):
    c = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            for k in range(3):
                c[i, j] += a[i, k] * a[k, j]
    return np.sum(c)


@CASES.add(vec(5), row="8", verdicts={"y[i] *=": "by value/safe"})
def element_multiply(x):
    y = x.copy()
    for i in range(5):
        y[i] *= np.sin(x[i])
    return np.sum(y)


@CASES.add(vec(5), row="8", verdicts={"y[0] *=": "by value/safe"})
def one_element_multiplied_many_times(x):
    y = np.ones(2)
    for v in x:
        y[0] *= v
    return y[0] + y[1]


@CASES.add(mat(3, 2), row="8")
def element_divide_in_two_dimensions(x):
    y = x + 1.0
    for i in range(3):
        y[i, 0] /= x[i, 1]
        y[i, 1] *= y[i, 0]
    return y.sum()


@CASES.add(vec(4), row="9", verdicts={"y[0] = 2.0": "safe", "y[:] =": "safe/renamed"})
def overwritten_before_any_use(x):
    y = x * x
    y[0] = 2.0
    y[:] = np.sin(x)
    return np.sum(y)


@CASES.add(vec(4), row="9", verdicts={"y[i] = 0.0": "safe"})
def overwritten_twice_in_a_loop(x):
    y = np.zeros(4)
    for i in range(4):
        y[i] = 0.0
        y[i] = x[i] ** 2
    return np.sum(y)


# Overwritten after it was needed.


@CASES.refused(vec(4), row="10", code="AD301", verdicts={"y[0] = 3.0": "refused"})
def element_overwritten_after_a_square(x):
    y = x * 2.0
    z = y * y
    y[0] = 3.0
    return np.sum(z)


@CASES.refused(mat(3, 3), row="10", code="AD301")
def row_overwritten_after_a_product(x):
    y = x + 1.0
    z = np.sin(y)
    y[1] = 0.0
    return np.sum(z) + np.sum(y)


@CASES.refused(vec(5), row="10", code="AD301/AD304")
def elements_overwritten_in_a_loop_after_use(x):
    y = x * 2.0
    z = np.cos(y)
    for i in range(5):
        y[i] = i * 1.0
    return np.sum(z * y)


@CASES.add(vec(5))
def elements_overwritten_after_a_logarithm(x):
    y = x * 2.0
    z = np.log(y)
    for i in range(5):
        y[i] = i * 1.0
    return np.sum(z * y)


@CASES.refused(vec(4), row="10", code="AD301")
def part_updated_after_a_product(x):
    y = x * 2.0
    z = y * x
    y[1:] += 1.0
    return np.sum(z) + np.sum(y)


@CASES.add(vec(4), row="11", verdicts={"y[:] = 0": "renamed"})
def whole_overwrite_after_sin(x):
    y = x * 2.0
    s = np.sum(np.sin(y))
    y[:] = 0
    return s + np.sum(y)


@CASES.add(mat(2, 3), row="11", verdicts={"y[...] =": "renamed"})
def whole_overwrite_with_ellipsis(x):
    y = x + 1.0
    s = np.sum(y * y)
    y[...] = 2.0 * x
    return s * np.sum(y)


@CASES.add(vec(4), row="12", verdicts={"y[1] = 0.0": "safe", "y[2:] =": "safe"})
def overwritten_after_linear_uses(x):
    y = x * 3.0
    s = np.sum(y) + np.sum(2.0 * y[1:] - y[:-1])
    y[1] = 0.0
    y[2:] = x[2:]
    return s + y[3]


@CASES.add(mat(3, 3), row="12")
def overwritten_after_a_transpose_and_a_sum(x):
    y = x * x
    s = y.T + y
    y[0] = 1.0
    y[:, 1] += 2.0
    return np.sum(s) + np.sum(y)


@CASES.add(vec(4), row="13", verdicts={"z[0] = 0.0": "recomputed"})
def result_of_exp_overwritten(x):
    y = x * 0.5
    z = np.exp(y)
    z[0] = 0.0
    return np.sum(z)


@CASES.add(vec(4), row="13", verdicts={"z[1:3] = 1.0": "recomputed"})
def result_of_sqrt_overwritten(x):
    z = np.sqrt(x)
    z[1:3] = 1.0
    return np.sum(z * 3.0)


@CASES.add(mat(2, 3), row="13", verdicts={"z[0, 0] = 0.5": "recomputed"})
def result_of_tanh_overwritten(x):
    z = np.tanh(x)
    z[0, 0] = 0.5
    return z.sum()


@CASES.add(vec(4), row="14", verdicts={"y[0] = 0.0": "safe"})
def result_of_sin_overwritten(x):
    y = np.sin(x)
    y[0] = 0.0
    return np.sum(y)


@CASES.add(vec(4), row="14", verdicts={"y[1:] = 0.0": "safe"})
def result_of_a_product_overwritten(x):
    y = x * x
    y[1:] = 0.0
    y[0] = 1.0
    return np.sum(y) + np.sum(x)


# Stencils.


@CASES.refused(vec(3), 3, row="15", verdicts={"u[1:3] =": "refused"})
def nonlinear_slices_in_a_loop(x, steps):
    u = x.copy()
    for t in range(steps):
        u[1:3] = u[1:3] * u[:2]
    return np.sum(u)


@CASES.refused(vec(5), 0.1, 4, row="15", wrt=(0, 1))
def burgers_in_place(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:] -= dt * u[1:] * (u[1:] - u[:-1])
    return np.sum(u * u)


@CASES.refused(mat(3, 3), row="15")
def nonlinear_rows_in_a_loop(x):
    u = x.copy()
    for i in range(1, 3):
        u[i] = u[i] * u[i - 1]
        u[i - 1] = 0.0
    return np.sum(u)


@CASES.add(vec(6), 0.1, 4, row="16", wrt=(0,), verdicts={"u[1:-1] +=": "safe"})
def heat_in_place(u, dt, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += dt * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum(u * u)


@CASES.add(mat(4, 4), 0.1, 2, row="16", wrt=0)
def heat_in_place_in_two_dimensions(u, dt, steps):
    u = u.copy()
    t = 0
    while t < steps:
        u[1:-1, 1:-1] += dt * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
        t += 1
    return np.sum(u**2)


@CASES.add(vec(6), 3, row="16", verdicts={"u[1:-1] =": "safe"})
def smoothing_by_assignment(u, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] = 0.25 * u[:-2] + 0.5 * u[1:-1] + 0.25 * u[2:]
    return u[2] * u[3]


# Swaps.


@CASES.add(vec(3), row="17", verdicts={"y[0], y[1] =": "safe/by value"})
def elements_swapped(x):
    y = x * x
    y[0], y[1] = y[1], y[0]
    return y[0] * 2.0 + y[1] * 3.0


@CASES.add(vec(6), row="17")
def reversed_by_swaps(x):
    y = x.copy()
    n = len(y)
    for i in range(n // 2):
        y[i], y[n - 1 - i] = y[n - 1 - i], y[i]
    return np.sum(y * np.arange(6.0))


@CASES.add(vec(5), row="17")
def bubble_sort(x):
    y = x.copy()
    for i in range(5):
        for j in range(4 - i):
            if y[j] > y[j + 1]:
                y[j], y[j + 1] = y[j + 1], y[j]
    return np.sum(y * np.array([1.0, 4.0, 9.0, 16.0, 25.0]))


@CASES.add(mat(3, 2), row="18", verdicts={"y[[0, 1]] =": "safe"})
def rows_swapped_by_index_lists(x):
    y = x * x
    y[[0, 1]] = y[[1, 0]]
    return np.sum(y * np.arange(6.0).reshape(3, 2))


@CASES.add(mat(3, 3), row="18")
def columns_permuted_by_an_index_array(x):
    perm = np.array([2, 0, 1])
    y = x.copy()
    y[:, perm] = y[:, [0, 1, 2]] * 2.0
    return np.sum(y * np.arange(9.0).reshape(3, 3))


# Views.


@CASES.add(vec(5), row="19", verdicts={"v[0] =": "safe", "v += ": "safe"})
def write_through_a_slice(x):
    y = x * x
    v = y[1:4]
    v[0] = 2.0 * x[0]
    v += x[:3]
    return np.sum(y)


@CASES.add(mat(3, 3), row="19")
def write_through_a_row_and_a_column(x):
    y = x * 2.0
    row = y[1]
    column = y[:, 2]
    row[2] = x[0, 0] * x[0, 1]
    column[0] += row[2]
    return np.sum(y * y)


@CASES.add(vec(6), row="19")
def write_through_a_view_of_a_view(x):
    y = np.zeros(6)
    v = y[::2]
    w = v[1:]
    w[:] = x[:2] * x[2:4]
    v[0] = x[5]
    return np.sum(y * np.arange(6.0))


@CASES.refused(vec(4), row="20", code="AD302/AD301", verdicts={"y[0] = 5": "refused"})
def base_written_while_a_view_is_needed(x):
    y = x * 2.0
    v = y[:2]
    z = v * v
    y[0] = 5
    return np.sum(z) + np.sum(y)


@CASES.refused(mat(3, 3), row="20", code="AD302/AD301")
def row_view_written_while_the_base_is_needed(x):
    y = x + 1.0
    row = y[1]
    z = np.sin(y)
    row[:] = 0.0
    return np.sum(z)


@CASES.refused(vec(6), row="20", code="AD302/AD301")
def overlapping_views(x):
    y = x * 1.0
    a = y[:4]
    b = y[2:]
    s = a * a
    b += 1.0
    return np.sum(s) + np.sum(b)


@CASES.add(vec(6), row="20")
def views_that_do_not_overlap(x):
    y = x * 1.0
    a = y[:3]
    b = y[3:]
    s = a * a
    b[:] = 0.0
    return np.sum(s) + np.sum(y)


@CASES.add(vec(6), row="20")
def interleaved_views(x):
    y = x * 1.0
    even = y[::2]
    odd = y[1::2]
    s = np.sum(even * even)
    odd *= 2.0
    odd[0] = x[0]
    return s + np.sum(y)


@CASES.add(
    mat(2, 3), row="21", verdicts={"flat[0] =": "safe/checked/refused"}, **later("AD206")
)
def write_through_reshape(x):
    y = x * x
    flat = y.reshape(6)
    flat[0] = x[1, 1]
    return np.sum(y)


@CASES.add(mat(2, 3), row="22", verdicts={"y.T[0] =": "safe"})
def write_through_the_transpose(x):
    y = x * x
    y.T[0] = x[:, 1] * 2.0
    return np.sum(y * x)


@CASES.add(
    mat(2, 3), row="23", verdicts={"flat[2] =": "safe/checked/refused"}, **later("AD206")
)
def write_through_ravel(x):
    y = x * x
    flat = y.ravel()
    flat[2] = x[0, 0]
    return np.sum(y)


@CASES.refused(mat(3, 3), row="24")
def diagonal_of_a_needed_array_written(x):
    y = x * 2.0
    z = y * y
    for i in range(3):
        y[i, i] = 1.0
    return np.sum(z)
