"""More programs for situations that have few, differing in shape, loop and spelling."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("rows")


@CASES.add(vec(6), row="2", verdicts={"h[::2] =": "safe", "h[1::2] =": "safe"})
def empty_filled_by_two_strides(x):
    h = np.empty_like(x)
    h[::2] = np.sin(x[::2])
    h[1::2] = h[::2] * x[1::2]
    return np.sum(h)


@CASES.add(mat(3, 4), row="9", verdicts={"y[1:] =": "safe"})
def overwritten_before_it_is_used(x):
    y = np.sin(x) * x
    y[1:] = x[:-1] * x[1:]
    y[0] = np.cos(x[0])
    return np.sum(y * y)


@CASES.add(vec(5), row="11", verdicts={"y[...] = 0.0": "renamed"})
def cleared_by_an_ellipsis_after_a_sine(x):
    y = np.multiply(x, x)
    s = np.sum(np.sin(y))
    y[...] = 0.0
    y[1] = s * x[0]
    return s + np.sum(y)


@CASES.add(vec(5), row="14", verdicts={"z[1:] =": "safe"})
def sine_overwritten_by_a_slice(x):
    z = np.sin(x)
    s = np.sum(z)
    z[1:] = x[:-1]
    return s + np.sum(z * x)


@CASES.add(mat(4, 3), row="18", verdicts={"y[[2, 0]] =": "safe"})
def rows_rotated_by_index_lists(x):
    y = x * 2.0
    y[[2, 0]] = y[[0, 2]]
    y[:, [0, 1]] = y[:, [1, 0]]
    return np.sum(y[0] * x[1])


@CASES.add(mat(3, 3), row="22", verdicts={"t[0] =": "safe", "y.T[1:] +=": "safe"})
def written_through_a_transpose_twice(x):
    y = np.zeros((3, 3))
    t = y.T
    t[0] = x[1] * x[2]
    y.T[1:] += x[:2] * 2.0
    return np.sum(y[:, 0] * x[0]) + y[2, 1]


@CASES.refused(mat(3, 3), row="24")
def diagonal_by_fill(x):
    y = x * 2.0
    s = np.sum(y * y)
    np.fill_diagonal(y, 1.0)
    return s + np.sum(y)


@CASES.refused(mat(4, 4), row="24")
def diagonal_elements_in_a_loop(x):
    y = np.cos(x)
    z = y @ y
    for i in range(4):
        y[i, i] = x[0, i]
    return np.sum(z) + np.sum(y)


@CASES.refused(vec(5), row="32", code="AD305")
def index_array_shifted_after_use(x):
    index = np.array([3, 0, 2])
    y = x[index] * x[index]
    index[:2] += 1
    return np.sum(y) + x[index[0]]


@CASES.add(vec(5), row="44", verdicts={"y.fill(0.0)": "renamed"})
def filled_after_a_product(x):
    y = x + 1.0
    s = np.sum(y * y * x)
    y.fill(0.0)
    y += x
    return s + np.sum(y)


@CASES.add(vec(5), row="45")
def scattered_subtraction_with_duplicates(x):
    y = np.ones(3)
    np.subtract.at(y, np.array([0, 2, 2, 0, 1]), x * x)
    return np.sum(y * y)


@CASES.add(mat(4, 3), row="45")
def scattered_rows_with_duplicates(x):
    y = np.zeros((2, 3))
    where = np.array([1, 0, 1, 1])
    np.add.at(y, where, np.sin(x))
    return np.sum(y[1] * x[0]) + np.sum(y)


@CASES.add(vec(4), row="51")
def written_until_small(x):
    y = x.copy()
    k = 0
    while True:
        y[k % 4] = 0.5 * y[k % 4] * x[0]
        k += 1
        if y[0] < 0.05 or k > 9:
            break
    return np.sum(y)


@CASES.refused(vec(5), row="53")
def negated_and_restored(x):
    y = x * 1.0
    y[1:3] = -y[1:3]
    s = np.sum(y * y * x)
    y[1:3] = -y[1:3]
    return s + np.sum(y)


@CASES.refused(vec(5), row="53")
def one_element_lifted_for_a_moment(x):
    y = x * 2.0
    kept = y[2]
    y[2] = 1.0
    s = np.sum(np.sin(y * y))
    y[2] = kept
    return s * y[2]


@CASES.refused(vec(6), 3, row="54")
def buffers_swapped_with_a_square(x, steps):
    a, b = x.copy(), np.zeros(6)
    for _ in range(steps):
        b[1:-1] = a[1:-1] * a[2:] - a[:-2]
        a, b = b, a
    return np.sum(a * x)


@CASES.refused(mat(3, 3), row="54")
def matrices_swapped_with_a_product(x):
    old, new = x.copy(), np.zeros((3, 3))
    for k in range(3):
        new[:2, :] = old[:2] * old[1:] * (k + 1.0)
        old, new = new, old
    return np.sum(old)


@CASES.add(vec(6), 4, row="54b")
def buffers_swapped_with_an_average(x, steps):
    a, b = x.copy(), np.zeros(6)
    for _ in range(steps):
        b[1:-1] = 0.5 * (a[2:] + a[:-2])
        b[0], b[-1] = a[0], a[-1]
        a, b = b, a
    return np.sum(a * x)


@CASES.add(mat(3, 4), row="54b")
def matrices_swapped_with_a_shift(x):
    old, new = x * 1.0, np.zeros((3, 4))
    for k in range(3):
        new[1:] = 2.0 * old[:-1]
        new[0] = old[-1] - k
        old, new = new, old
    return np.sum(old[0] * x[1])


@CASES.add(vec(4), row="57")
def the_last_of_three_writers(x):
    y = np.zeros(3)
    y[np.array([1, 1, 1, 0])] = x * x
    return np.sum(y * np.array([1.0, 2.0, 3.0]))


@CASES.add(mat(3, 2), row="57")
def rows_written_twice(x):
    y = np.ones((2, 2))
    y[[0, 0, 1]] = np.sin(x)
    return np.sum(y * y)


@CASES.add(vec(4), row="58")
def added_twice_at_one_place(x):
    y = np.ones(3) * x[0]
    y[[2, 2, 0, 2]] += x * x
    return np.sum(y * y)


@CASES.add(mat(3, 2), row="58")
def rows_added_twice(x):
    y = np.outer(x[:, 0], x[0])
    y[np.array([1, 1, 2])] += x
    return np.sum(y)


@CASES.never(vec(3), row="59", code="AD306")
def float_slice_into_integers(x):
    y = np.zeros(3, dtype=np.int32)
    y[1:] = x[1:]
    return np.sum(y)


@CASES.never(vec(3), row="59", code="AD306")
def float_into_an_array_like_indices(x):
    counts = np.arange(3)
    for i in range(3):
        counts[i] = x[i] * 10.0
    return np.sum(counts) * x[0]


@CASES.add(vec(3), row="60", steps={"eps": 1e-2, "rtol": 1e-4})
def float64_into_float32(x):
    y = np.zeros(3, np.float32)
    y[:] = 2.0 * x
    return np.sum(y * np.float32(4.0))


@CASES.add(mat(2, 2), row="60", steps={"eps": 1e-2, "rtol": 1e-4})
def float64_element_into_float32(x):
    y = np.empty((2, 2), dtype="float32")
    for i in range(2):
        y[i, 0] = 4.0 * x[i, 1]
        y[i, 1] = 0.5
    return y.sum()


@CASES.add(vec(3), row="60", steps={"eps": 1e-2, "rtol": 1e-4})
def float64_added_to_float32(x):
    y = np.ones(3, np.float32)
    y += 8.0 * x
    return np.sum(y)


@CASES.add(vec(3), row="61")
def zero_dimensional_cell(x):
    s = np.zeros(())
    for v in x:
        s[...] = s + v * v
    return s[()] * x[0]


@CASES.add(vec(3), row="61")
def zero_dimensional_sum_in_place(x):
    s = np.array(1.0)
    t = s
    for i in range(3):
        s += np.sin(x[i])
    return np.sum(t * x)


@CASES.add(np.array(0.7), row="61")
def zero_dimensional_argument(x):
    y = np.asarray(x) * 2.0
    z = np.empty(())
    z[()] = y * y
    return z * 1.0


@CASES.refused(vec(5), row="67")
def powers_of_the_left_neighbour(x):
    y = np.cos(x)
    y[1:4] -= y[0:3] ** 3
    return np.sum(y)


@CASES.add(vec(5), row="68", verdicts={"y[:] =": "renamed"})
def whole_from_shifted_products(x):
    y = np.exp(x)
    y[:] = np.roll(y, 1) * y + x
    return np.sum(y)


@CASES.add(vec(4), row="71")
def deleted_in_a_loop(x):
    s = 0.0
    for k in range(3):
        y = x * (k + 1.0)
        y[0] = s
        s = s + np.sum(y * x)
        del y
    y = x[1:]
    return s + np.sum(y * y)


@CASES.add(vec(4), row="71")
def deleted_view_and_new_array(x):
    y = x * 2.0
    v = y[1:]
    v[0] = x[0]
    del v
    v = np.sin(y)
    return np.sum(v)


@CASES.add(vec(4), 5, row="73")
def noise_from_a_seeded_generator(x, seed):
    rng = np.random.default_rng(seed)
    y = x.copy()
    for _ in range(3):
        y[1:] += rng.standard_normal(3) * y[0]
    return np.sum(y * y)


@CASES.add(vec(4), 5, row="73")
def dropped_at_random(x, seed):
    rng = np.random.default_rng(seed)
    y = x * x
    y[rng.random(4) < 0.5] = 0.0
    return np.sum(y * x)


@CASES.add(vec(4), 3, row="73")
def shuffled_indices(x, seed):
    order = np.random.default_rng(seed).permutation(4)
    y = np.zeros(4)
    for k, i in enumerate(order):
        y[i] = x[k] * x[i]
    return np.sum(y * np.array([1.0, 2.0, 3.0, 4.0]))


@CASES.add(0.7, row="78")
def added_to_a_number(x):
    s = 0.0
    for k in range(3):
        t = s
        s += x * k
        s += t * x
    return s


@CASES.add(vec(3), 4, row="73", default="AD307/MutationError", save="ok")
def numbers_drawn_into_a_needed_array(x, seed):
    rng = np.random.default_rng(seed)
    w = np.ones(3)
    s = np.sum(w * x)
    rng.standard_normal(None, float, w)
    return s + np.sum(w * x)
