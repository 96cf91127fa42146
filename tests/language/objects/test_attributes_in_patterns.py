"""A pattern asks for an attribute once, also where that runs code which changes something."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 2.0, 3.0])


class Counting:
    def __init__(self, a):
        self._a, self.n = a, 0

    @property
    def a(self):
        self.n += 1
        return self._a * self.n


class Lacking:
    def __init__(self, a):
        self._a = a

    @property
    def a(self):
        if float(self._a) > 0:
            raise AttributeError("a")
        return self._a


class Summed:
    def __init__(self, a, b):
        self._a, self.b = a, b

    @property
    def a(self):
        return np.sum(self._a) * 1.5


def counted(x, p):
    match p:
        case Counting(a=0.1):
            return x[0]
        case Counting(a=1.1):
            return x[0] * 2
        case Counting(a=q):
            return q * p.n * x[0]
    return x[1]


def lacking(x):
    match Lacking(x[0]):
        case Lacking(a=q):
            return x[0] * q
        case Lacking():
            return x[1] ** 2
    return x[2]


def summed(x):
    match Summed(x, x[1]):
        case Summed(a=q, b=r):
            return q * r * r
    return x[2]


@pytest.mark.recorded
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_a_property_runs_once_for_each_case(on_overwrite):
    check_grads(counted, (X, Counting(2.0)), on_overwrite=on_overwrite)
    check_grads(counted, (X, Counting(1.1)), on_overwrite=on_overwrite)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [summed, lacking])
def test_a_property_that_computes_is_not_read_by_a_pattern(f):
    with pytest.raises(ad.CompileError, match="the attribute is computed"):
        ad.grad(f)(X)
