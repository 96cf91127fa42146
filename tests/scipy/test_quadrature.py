"""`fixed_quad`, which is gone through with the function of the user's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import fixed_quad

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def captured(x):
    return fixed_quad(lambda s: np.exp(-x[0] * s), 0.0, x[1])[0]


def passed(x):
    value, _ = fixed_quad(lambda s, k: np.exp(-k * s), x[2], x[1], args=(x[0],), n=7)
    return value


def rows(x):
    return fixed_quad(lambda s: np.outer(x, s) ** 2, 0.0, x[0], n=3)[0]


class Load:
    def __init__(self, k):
        self.k = k

    def at(self, s):
        return s**2 * self.k

    def upto(self, b):
        return fixed_quad(self.at, 0.0, b)[0]


def of_an_object(x):
    return Load(x[0]).upto(x[1])


@pytest.mark.recorded
@pytest.mark.parametrize("f", [captured, passed, rows, of_an_object])
def test_both_orders(f):
    check_grads(f, (X,), order=2)


@pytest.mark.recorded
def test_the_ends_are_finite():
    with pytest.raises(ValueError, match="finite limits"):
        ad.vjp(lambda x: fixed_quad(lambda s: np.exp(-x[0] * s), 0.0, np.inf)[0], X)
