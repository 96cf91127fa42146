"""An `out` that is passed by position is written like one that is named: what is read before the
call in the same expression is read before it."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def read_before_and_after(x):
    y = x * 3
    return y[0] ** 2 + np.sum(np.exp(x, y)) * x[1] + y[0] ** 2


def in_a_tuple(x):
    y = x * 3
    a = (y[0] ** 2, np.multiply(x, x, y)[1], y[0] ** 2)
    return a[0] * a[1] * a[2]


def of_a_reduction(x):
    y = np.ones(())
    a = [y * 1.0, np.sum(x, 0, None, y) * 1.0, y * 1.0]
    return a[0] * a[1] * a[2]


def of_a_method(x):
    y = np.ones(())
    a = [y * 1.0, x.sum(0, None, y) * 1.0, y * 1.0]
    return a[0] * a[1] * a[2]


def of_a_constant(x):
    y = x * 2
    return y[0] * x[1] + y @ np.floor(x * 3, y) * x[0] + y[2] * x[3]


def in_a_condition(x):
    y = x * 2
    far = y[0] < 1.5 and np.exp(x, y)[0] > 0 and y[0] > 1.5
    return y[0] ** 2 if far else x[0]


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [read_before_and_after, in_a_tuple, of_a_reduction, of_a_method,
                               of_a_constant, in_a_condition])  # fmt: skip
def test_what_is_read_before_is_the_old_value(f, mode):
    check_grads(f, (X,), on_overwrite=mode, order=2)
