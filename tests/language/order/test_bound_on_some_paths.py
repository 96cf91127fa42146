"""A variable that only some paths bind: what is kept of it does not fail on the others."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads


def scaled(a, b):
    if a > 0.0:
        return a * b
    return a


def one_of_three(x, y, which):
    if which > 0:
        if which == 1:
            first = scaled(x, y)
            if y < 0.0:
                first = 3.0 - first
            found = first
        else:
            first = 0.0
        if which == 2:
            second = scaled(y, x)
            found = second
        else:
            second = 0.0
        if which > 2:
            _, found = scaled(x, x), scaled(y, y)
    else:
        found = first = second = 0.0
    return found, first, second


def whole(x, y, which):
    return sum(k * v for k, v in enumerate(one_of_three(x, y, which), 1)) * x


@pytest.mark.parametrize("which", [0, 1, 2, 3])
@pytest.mark.parametrize("x", [1.5, -1.5])
def test_numbers(x, which):
    check_grads(whole, (x, np.float64(2.0), which), wrt=(0, 1))


def parts(a, b):
    if a[0] > 0.0:
        return a * b
    return a[1:]


def arrays(x, y, which):
    if which > 0:
        if which == 1:
            found = parts(x, y)
        scale = np.sum(x * y)
        if which == 2:
            found = parts(y, x)
        if which > 2:
            found = x * y
    else:
        found, scale = x, 1.0
    return np.sum(found * found) * scale


@pytest.mark.parametrize("which", [0, 1, 2, 3])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_arrays(which, sign):
    check_grads(arrays, (sign * np.array([1.5, 2.0]), np.array([2.0, 0.5]), which), wrt=(0, 1))


def begun_in_the_loop(x):
    s = 0.0
    for n in range(2, 5):
        if n % 2 == 0:
            d = []
        d.append(x[n - 2] * x[0])
        s = s + d[0] * n * x[1] + len(d)
    return s


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_a_list_that_the_first_iteration_makes(mode):
    f = ad.differentiable(begun_in_the_loop, on_overwrite=mode)
    check_grads(f, (np.array([1.5, 2.0, 0.5, 0.7]),))
