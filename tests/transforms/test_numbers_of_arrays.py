"""A number that is computed from an array without axes has a tangent of its own: the array may be
written later, and with it its tangent."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def times_one(x):
    y = np.ones(())
    a = y * 1.0
    y[...] = np.sum(x)
    return a * y


def as_it_is(x):
    y = np.ones(())
    a = +y
    np.sum(x, out=y)
    return (a + x[0]) * y


def in_a_loop(x):
    y = np.ones(())
    total = 0.0
    for v in x:
        a = y + 0.0
        y *= v
        total += a * y
    return total


@pytest.mark.parametrize("f", [times_one, as_it_is, in_a_loop])
def test_the_tangent_is_not_that_of_the_array(f):
    check_grads(f, (X,), on_overwrite="save", order=2)


def a_sum_of_one(x):
    y = x * x[2]
    a = sum([y])
    y[...] = x[0] * x[1]
    return np.sum(a * y)


def a_sum_of_one_that_is_written(x):
    y = x * x[2]
    a = sum((y,))
    a[0] = x[1] * x[3]
    return np.sum(a * y)


def a_sum_with_a_start(x):
    y = x * x[2]
    a = sum([1.0], y)
    y *= x
    return np.sum(a * y)


@pytest.mark.parametrize("f", [a_sum_of_one, a_sum_of_one_that_is_written, a_sum_with_a_start])
def test_a_sum_of_one_is_a_new_array(f):
    check_grads(f, (X,), on_overwrite="save", order=2)
    check_grads(f, (X,), on_overwrite="save", modes=("forward",))
