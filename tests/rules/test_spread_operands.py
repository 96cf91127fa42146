"""Operands that are spread out beside others: `math.hypot(*x, s)`."""

from __future__ import annotations

import math

import numpy as np
import pytest

from adtrans.testing import check_grads


def last(x, s):
    return math.hypot(*x, s)


def between(x, s):
    return math.hypot(s, *x, 2.0 * s, *x[:2])


@pytest.mark.recorded
@pytest.mark.parametrize("f", [last, between])
@pytest.mark.parametrize("x", [np.array([0.3, -0.4, 0.5]), [0.3, -0.4, 0.5]])
def test_hypotenuse(f, x) -> None:
    check_grads(f, (x, 0.7), wrt=(0, 1))
    check_grads(f, (x, 0.7), wrt=(0, 1), order=2)


@pytest.mark.recorded
def test_order_of_evaluation() -> None:
    def f(x, s):
        seen = []

        def told(v):
            seen.append(v)
            return v

        return math.hypot(told(s), *x, told(2.0 * s)) * len(seen)

    check_grads(f, (np.array([0.3, 0.4]), 0.7), wrt=(0, 1))
