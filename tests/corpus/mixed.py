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
