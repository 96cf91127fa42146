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
