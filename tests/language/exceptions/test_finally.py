"""A `finally` of which nothing is left in the generated code."""

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.55])


def beside_a_body(x):
    try:
        try:
            y = x * 2.0
        finally:
            x = x
    except ValueError:
        x = x * 3.0
    return np.sum(x * y)


def beside_nothing(x):
    try:
        try:
            pass
        finally:
            x = x
    except ValueError:
        x = x * 3.0
    return np.sum(x * x)


def where_something_is_raised(x):
    try:
        try:
            if x[0] < 1.0:
                raise ValueError
        finally:
            x = x
    except ValueError:
        x[1:] -= x[:-1]
    return np.sum(x * x)


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [beside_a_body, beside_nothing, where_something_is_raised])
def test_gradients(f, mode):
    check_grads(f, (X,), on_overwrite=mode)
