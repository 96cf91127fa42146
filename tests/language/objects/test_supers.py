"""`super()` where classes have several bases: the class that comes next is the same for all."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads


class Squares:
    @staticmethod
    def square(v):
        return v * v

    def value(self):
        return self.held * self.held


class Price(ABC, Squares):
    def __init__(self, held, rate):
        assert held > 0.0, f"not {held}"
        self.held, self.rate = held, rate

    @abstractmethod
    def price(self): ...

    @property
    def grown(self):
        return self.held * self.rate


class Call(Price):
    def __init__(self, held, rate=0.1):
        super().__init__(held=held, rate=rate)

    def price(self):
        return self.held * np.exp(-self.rate) * self.square(self.grown)


class Root:
    def __init__(self, held):
        super().__init__()
        self.held = held

    def value(self):
        return self.held


class Mixed(Squares, Root):
    def value(self):
        return super().value() * 5.0


class Left(Root):
    def __init__(self, held):
        super().__init__(held * held)

    def value(self):
        return 2.0 * super().value()

    def plain(self):
        return self.held


class Right(Root):
    def value(self):
        return super().value() ** 2


class Both(Left, Right):
    def __init__(self, held):
        super().__init__(3.0 * held)


def abstract(x):
    return Call(held=x, rate=0.2).price()


def mixed_in(x):
    return Mixed(x).value()


def over_the_bare_one(x):
    return Right(x).value()


def through_two(x):
    return Both(x).plain() + Left(x).plain()


@pytest.mark.parametrize("f", [abstract, mixed_in, over_the_bare_one, through_two])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_the_method_that_is_meant(f, mode):
    check_grads(f, (1.3,), on_overwrite=mode)
    second = (ad.grad(f)(1.3 + 1e-6) - ad.grad(f)(1.3 - 1e-6)) / 2e-6
    np.testing.assert_allclose(ad.grad(ad.grad(f))(1.3), second, rtol=1e-6)


def test_what_depends_on_the_class_of_the_object_is_refused():
    for cls in (Left, Both):
        with pytest.raises(CompileError):
            ad.grad(lambda x, cls=cls: cls(x).value())(1.3)


def test_a_class_that_is_made_later():
    def f(x):
        return Mixed(x).value()

    np.testing.assert_allclose(ad.grad(f)(1.3), 13.0)

    class Cubes:
        def value(self):
            return self.held**3

    class Later(Mixed, Cubes):
        pass

    def g(x):
        return Later(x).value()

    slope = (g(1.3 + 1e-6) - g(1.3 - 1e-6)) / 2e-6
    np.testing.assert_allclose(ad.grad(g)(1.3), slope, rtol=1e-6)
    np.testing.assert_allclose(ad.grad(f)(1.3), 13.0)
