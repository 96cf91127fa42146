"""Calls with a star before a display that is repeated, and before what has no known length."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, -3.5])


def of_one(x, count=2):
    return np.concatenate(*[[x * x, x]] * 1) * x[0] + count


def twice(x, count=2):
    return np.broadcast_arrays(*[x * x] * count)[1] * x[1]


def the_other_way(x):
    return np.broadcast_arrays(*2 * [x * x])[0] * x[1]


def scaled(a, b, c=1.0):
    return a * b * c


def of_a_function(x, count=3):
    return scaled(*[x * x[0]] * count) + scaled(*(x, x[1]) * 1)


def changed_in_between(x, count=2):
    rows = [x * x]
    again = rows * count
    rows[0] = x
    again[1] = x * x[2]
    return scaled(*again) * rows[0]


def in_a_loop(x, count=2):
    total = 0.0
    for v in x:
        total = total + scaled(*[v] * count)
    return total


@pytest.mark.parametrize("mode", ["refuse", pytest.param("save", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "f", [of_one, twice, the_other_way, of_a_function, changed_in_between, in_a_loop]
)
def test_in_all_modes(f, mode):
    check_grads(f, (X,), on_overwrite=mode)
    gradient = ad.grad(lambda x: np.sum(f(x)), on_overwrite=mode)
    check_grads(gradient, (X,), on_overwrite="save")


def test_too_many():
    with pytest.raises(TypeError, match="scaled"):
        ad.grad(lambda x, count=4: scaled(*[x[0]] * count))(X)


def test_what_is_said_of_an_unknown_number():
    def joined(x):
        parts = [x * k for k in range(3)]
        return np.broadcast_arrays(*parts)[0]

    with pytest.raises(ad.CompileError, match="it is not known how many items `parts` has"):
        ad.vjp(joined, X)
