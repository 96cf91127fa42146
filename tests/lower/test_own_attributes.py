"""`self.__dict__[name] = v` assigns an attribute where nothing else may be meant."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 0.5])


class Prices:
    def __init__(self, given, rate=None):
        self.a = float(given[0])
        self.b = float(given[1])
        for name in ["call", "put", "unused"]:
            self.__dict__[name] = None
        if rate:
            self.__dict__["rate"] = rate / 100
            [self.call, self.put] = self.both()

    def both(self):
        return [self.a * self.b, self.b * self.rate]


class Doubled:
    @property
    def v(self):
        return 2.0 * self.__dict__["v"]

    @v.setter
    def v(self, value):
        raise AttributeError

    def __init__(self, v):
        self.__dict__["v"] = v


class Open:
    def __init__(self, v):
        self.__dict__["v"] = v

    def value(self):
        return self.v


class Closed(Open):
    def __setattr__(self, name, value):
        raise AttributeError


class Rebound:
    def __init__(self, v):
        for name in ["a", "b"]:
            name = name + "_"
            self.__dict__[name] = v


def prices(x):
    p = Prices([x[0], x[1] * x[2]], rate=x[2])
    return p.call + 2.0 * p.put


@pytest.mark.recorded
def test_attributes_by_name():
    check_grads(prices, (X,), order=2)
    check_grads(prices, (X,), on_overwrite="save")


def doubled(x):
    return Doubled(x[0]).v * x[1]


def of_an_open_class(x):
    return Open(x[0]).value() * x[1]


def rebound(x):
    return Rebound(x[0]).a_ * x[1]


@pytest.mark.parametrize("f", [doubled, of_an_open_class, rebound])
def test_what_may_mean_something_else_is_refused(f):
    f(X)
    with pytest.raises(CompileError):
        ad.grad(f)(X)


def test_local_classes_are_refused():
    class Local:
        def __init__(self, v):
            self.__dict__["v"] = v

    def f(x):
        return Local(x[0]).v * x[1]

    with pytest.raises(CompileError):
        ad.grad(f)(X)
