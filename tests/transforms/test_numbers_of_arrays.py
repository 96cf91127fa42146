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
