"""The element that a loop ended with, written or read by its name behind the loop."""

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
A = np.arange(1.0, 7.0).reshape(2, 3)


def written(x, A):
    t = 0.0
    for row in A:
        t += np.sum(row * x[0])
    row[2] = x[1]
    return t + np.sum(A * A)


def left_early(x, A):
    for row in A:
        if row[0] * x[0] > 0.5:
            break
    row *= x[1]
    return np.sum(A * A)


def a_part_of_it(x, A):
    for row in A:
        part = row[1:]
        part *= x[0]
    part[0] = x[2]
    return np.sum(A * A)


def nested(x, A):
    t = 0.0
    for _ in range(2):
        for row in A:
            t += row[0] * x[0]
        row[0] = t * x[1]
    return t + np.sum(A)


def of_a_list(x, A):
    rows = [A[0] * x[0], A[1] * x[1]]
    for row in rows:
        row += x
    row[1] = x[2] * 3.0
    return np.sum(rows[0] * rows[1])


@pytest.mark.parametrize("f", [written, left_early, a_part_of_it, nested, of_a_list])
@pytest.mark.parametrize("how", ["refuse", "always"])
def test_gradients(f, how):
    check_grads(f, (X, A), wrt=(0, 1), on_overwrite="save", on_unfollowed=how)
