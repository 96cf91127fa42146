"""What random programs over rows, lists, objects and functions at once have found."""

import numpy as np

from tests.corpus.model import Programs, mat, vec

CASES = Programs("mixed")


@CASES.add(vec(4))
def sums_of_arrays_in_a_list(x):
    rows = [x.copy() for _ in range(3)]
    return sum(np.sum(r) for r in rows) + np.sum(rows[-1] * x)


@CASES.add(mat(3, 4))
def sums_over_rows_in_a_list(a):
    rows = [r for r in a]
    return sum(np.sum(r) for r in rows) + sum([r[0] * r[1] for r in rows])


@CASES.add(mat(3, 4))
def complex_buffer_of_a_row(a):
    z = np.zeros(4, dtype=complex)
    z[...] = a[1]
    s = np.sum(np.abs(z))
    return s * np.sum(a)


@CASES.add(mat(3, 4))
def complex_buffer_of_a_row_that_is_written(a):
    a = a * 1.0
    z = np.zeros(4, dtype=complex)
    r = a[1]
    z[...] = r
    y = np.abs(z) + 0.1
    r[0] = y[0] * 0.5
    return np.sum(a) + np.sum(y)


@CASES.add(vec(4), vec(4))
def list_made_of_an_array_in_a_try(x, a):
    y = x * 1.0
    try:
        items = list(a)
    except IndexError:
        y *= y[0]
        items = [x[0]]
    return sum(items) * np.sum(y)


@CASES.add(vec(4), vec(4))
def comprehension_and_a_write_in_a_try(x, a):
    y = x * 1.0
    items = [x[0]]
    try:
        items = [v * v for v in a]
        y += a
    except IndexError:
        y *= x[0]
    return np.sum(y * y) * items[0] * len(items)


@CASES.add(vec(4))
def list_written_into_an_array(x):
    y = x * 2.0
    items = [v * x[2] for v in x]
    y[:] = items
    items[0] *= 2.0
    return np.sum(y * x) + items[0]


@CASES.add(vec(4))
def list_added_to_an_array(x):
    y = x * 2.0
    some = [v * v for v in x if v > 0.9]
    y += [v * x[2] for v in x]
    y[: len(some)] -= some
    return np.sum(y * x)


@CASES.add(vec(4))
def rows_written_into_a_matrix(x):
    a = np.zeros((3, 4))
    a[:] = [x * k for k in range(3)]
    a[2] = [v * v for v in a[1]]
    return np.sum(a * a)
