"""`max` and `min` of a display of one are its item; `np.atleast_1d` takes each array by itself."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def an_array(x):
    a = min([x])
    return np.sum(a**2)


def a_tuple(x):
    t = (x[0], x[1])
    a = max((t,))
    return a[0] * a[1]


def a_list(x):
    t = [x[0], x[1]]
    a = min([t])
    return a[0] * a[1]


def the_same_array(x):
    v = x * 2
    a = max([v])
    a[0] = x[1]
    return np.sum(v * v)


def a_number(x):
    return max([x[0]]) ** 2 * min((x[1],))


def with_a_key(x):
    a = max([x], key=np.sum)
    return np.sum(a**2)


def several_at_least(x):
    a, b = np.atleast_1d(x[0] * 2, x)
    (c, d), e = np.atleast_2d(x, x**2), np.atleast_3d(x, x)[1]
    return a[0] * np.sum(b) + np.sum(c * d) * e[0, 1, 0]


def at_least_is_the_array(x):
    u = x.copy()
    a, b = np.atleast_1d(u, x)
    a[0] = 0.0
    return np.sum(u * u * b)


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [an_array, a_tuple, a_list, a_number, with_a_key, several_at_least,
                               the_same_array, at_least_is_the_array])  # fmt: skip
def test_the_item_is_the_result(f, mode):
    check_grads(f, (X,), on_overwrite=mode, order=2)
