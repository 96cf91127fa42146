"""A subscript that is a tuple of one item, and slices between numbers that vary."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Table:
    def __getitem__(self, key):
        return 2.0 if isinstance(key, tuple) else 3.0


TABLE = Table()


def keys(x):
    d = {1: x[0], (1,): x[1]}
    d[2,] = x[2]
    d[2] = x[3]
    d[2,] *= 2.0
    return np.sum(d[1,] * x * d[2,] * len(d))


def asked(x):
    own = Table()
    return np.sum(x * own[1,] + own[0:1,] * x**2) * TABLE[:,] * TABLE[1,]


def places(x):
    y = x.copy()
    y[1:3,] += x[:2]
    y[0,] = x[3] ** 2
    y[...,] += 1.0
    where = np.s_[0:3,]
    rows = np.mgrid[0:3,]
    return np.sum(y * x[-1,]) + len(where) * np.sum(x[where] * rows)


@pytest.mark.parametrize("f", [keys, asked, places])
def test_program(f) -> None:
    mine = X.copy()
    value = f(mine)
    assert ad.value_and_grad(f)(mine)[0] == value
    np.testing.assert_array_equal(mine, X)
    check_grads(f, (mine,))


def chosen(x):
    s = slice(x[0], x[1] + 3.0, 5j) if x[0] > x[1] else slice(x[1], x[1] + 3.0, 5j)
    return np.sum(np.mgrid[s])


def one_line(x):
    return np.sum(np.mgrid[x[0] : x[1] + 2.0 : 5j,] ** 2)


def asked_back(x):
    return slice(x[0], 3).start * 2.0


def among_others(x):
    s = slice(x[0], x[1] + 3.0, 5j)
    return np.sum(np.r_[s])


@pytest.mark.parametrize("f", [chosen, one_line, asked_back, among_others])
def test_slices_between_numbers_that_vary_are_refused(f) -> None:
    for way in (ad.grad(f), lambda x: ad.jvp(f, (x,), (x,))):
        with pytest.raises(ad.CompileError, match=r"AD409|AD207|AD401"):
            way(X)
