"""Adjoints under one name that are an array first, and a number later."""

from __future__ import annotations

import numpy as np

import adtrans as ad
from adtrans.testing import check_grads


def overwritten_by_parts(x, b):
    kept = x * 2.0
    x[:] = 1.5 * b[::-1]
    x[2] = x[0]
    return np.sum(x) + np.sum(kept * 3.0)


def test_nothing_is_folded_past_a_write_to_the_array():
    check_grads(overwritten_by_parts, (np.array([1.0, 2.0, 3.0]), np.array([0.5, 1.5, 2.5])))
    bars = ad.vjp(overwritten_by_parts, np.ones(3), np.ones(3))[1](1.0)
    np.testing.assert_array_equal(bars[1], [0.0, 1.5, 3.0])
