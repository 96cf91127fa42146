"""Arrays of integers in lists of arrays that carry a derivative."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

W, COUNTS = np.array([1.0, 2.0, 3.0]), np.arange(3)


def displayed(x):
    values, s = [x[:2] * 1.0, x[2:] * 1.0, np.arange(3)], 0.0
    for v in values:
        s += v[1]
    return s


def appended(x):
    values, s = [], 0.0
    values.append(2.0 * x)
    values.append(np.arange(3))
    for v in values:
        s += v[1]
    return s


def global_ones(x):
    values, s = [2.0 * x, W, COUNTS], 0.0
    for v in values:
        s += v[1] * np.sum(v)
    return s


def put_in_the_place(x):
    values, s = [2.0 * x, W], 0.0
    values.append(COUNTS)
    values[1] = COUNTS
    for i in range(3):
        s += values[i][1] * np.sum(values[i] ** 2)
    return s


@pytest.mark.recorded
@pytest.mark.parametrize("f", [displayed, appended, global_ones, put_in_the_place])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    check_grads(f, (np.linspace(0.1, 1.0, 5),), on_overwrite=mode)


@pytest.mark.parametrize("f", [displayed, global_ones])
def test_second_order(f):
    check_grads(f, (np.linspace(0.1, 1.0, 5),), order=2)


def test_the_gradient_of_a_list_has_none_in_their_place():
    def f(values):
        s = 0.0
        for v in values:
            s += v[1] * np.sum(v**2)
        return s

    first, second, third = ad.grad(f)([W, COUNTS, 2.0 * W])
    np.testing.assert_allclose(first, [4.0, 22.0, 12.0])
    assert second is None
    np.testing.assert_allclose(third, [16.0, 88.0, 48.0])
