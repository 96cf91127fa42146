"""Names that may look into the same memory at the same time."""

from __future__ import annotations

import numpy as np

import adtrans as ad
from adtrans.testing import check_grads


def swapped_buffers(x, steps):
    a = x.copy()
    b = x.copy()
    for _ in range(steps):
        a[1:-1] = 0.5 * (b[:-2] + b[2:])
        a, b = b, a
    return np.sum(b * x)


def two_names(x):
    y = x * 1.0
    z = y
    z[0] = 2.0 * x[1]
    return np.sum(y * y)


def several_results(a):
    return a * 2.0, a * a


def unpacked(x):
    p, q = several_results(x)
    p[0] = q[1] * 2.0
    return np.sum(p)


def test_buffers_that_change_places_stay_apart() -> None:
    check_grads(swapped_buffers, (np.linspace(0.1, 1.0, 6), 3))


def test_two_names_of_one_array_share_their_adjoint() -> None:
    check_grads(two_names, (np.linspace(0.1, 1.0, 4),))


def test_results_of_a_callee_are_apart() -> None:
    x = np.linspace(0.1, 1.0, 4)
    check_grads(unpacked, (x,))
    np.testing.assert_allclose(ad.grad(unpacked)(x), [0.0, 4.0 * x[1] + 2.0, 2.0, 2.0])
