"""Functions that call themselves twice, differentiated twice: residuals hold those of two calls."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad


def quick(a, lo, hi):
    if lo >= hi:
        return
    p = a[hi]
    i = lo
    for j in range(lo, hi):
        if a[j] < p:
            t = a[i]
            a[i] = a[j]
            a[j] = t
            i += 1
    t = a[i]
    a[i] = a[hi]
    a[hi] = t
    quick(a, lo, i - 1)
    quick(a, i + 1, hi)


def by_quicksort(x):
    a = x.copy()
    quick(a, 0, len(a) - 1)
    return np.sum(a**3 * np.arange(len(a)))


def merged(x):
    if len(x) <= 1:
        return x
    m = len(x) // 2
    left, right = merged(x[:m]), merged(x[m:])
    out = np.zeros(len(x))
    i = j = 0
    for k in range(len(x)):
        if j >= len(right) or (i < len(left) and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def by_merging(x):
    return np.sum(merged(x) ** 3 * np.arange(len(x)))


@pytest.mark.parametrize("f", [by_quicksort, by_merging], ids=lambda f: f.__name__)
def test_hessian_times_a_vector(f):
    x, v = np.array([3.0, 1.0, 2.0, 5.0, 4.0]), np.array([1.0, 0.5, -1.0, 2.0, 0.3])
    order = np.argsort(np.argsort(x))
    np.testing.assert_allclose(ad.hvp(f, (x,), (v,)), 6.0 * x * order * v)
