"""What is spread over an array, where the kinds do not tell that it is."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.testing import check_grads

V = np.array([1.0, 2.0, 3.0, 4.0])
X = np.array([0.7, 0.2])

PROGRAMS = [
    (lambda s, v: np.sum(np.reshape(s, (1,)) + v), (0.7, V)),
    (lambda s, v: np.sum(v - np.reshape(s, (1, 1))), (0.7, V)),
    (lambda s, v: np.mean(np.reshape(s, (1,)) + v), (0.7, V)),
    (lambda s, v: np.sum(np.reshape(s * s, (1,)) * v), (0.7, V)),
    (lambda x, v: np.sum(np.reshape(x[0], (1,)) + v), (X, V)),
    (lambda s, v: np.sum(np.add.outer(s, v)), (0.7, V)),
    (lambda s, v: np.sum(np.subtract.outer(v, s)), (0.7, V)),
    (lambda s, v: np.sum(np.add.outer(s * v, 2.0 * v)), (0.7, V)),
    (lambda s, v: np.sum(np.cos(np.reshape(s, (1,)) + v) ** 2), (0.7, V)),
]


@pytest.mark.parametrize("f, args", PROGRAMS)
def test_it_counts_for_each_element(f, args):
    check_grads(f, args, wrt=(0, 1))
