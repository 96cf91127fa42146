"""`super(C, self).m(...)` in a method of `C` is `super().m(...)`; others are not."""

# ruff: noqa: UP004, UP008

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 0.5])


class Base(object):
    def __init__(self):
        super(Base, self).__init__()
        self.k = 2.0

    def value(self, x):
        return self.k * x


class Line(Base):
    def __init__(self, a, b):
        super(Line, self).__init__()
        self.a, self.b = float(a), float(b)

    def value(self, x):
        return super(Line, self).value(x) * self.a + self.b


class Square(Line):
    def __init__(self, a):
        super(Square, self).__init__(a, b=a * a)

    def value(this, x, Square=None):
        return x

    def squared(this, x):
        return super(Square, this).value(x) ** 2


class Skipping(Line):
    def value(self, x):
        return super(Line, self).value(x)


def of_a_line(x):
    return Line(x[0], x[1]).value(x[2]) * x[1]


def of_a_square(x):
    return Square(x[0]).squared(x[1]) * x[2]


@pytest.mark.parametrize("f", [of_a_line, of_a_square])
def test_the_class_may_be_named(f):
    check_grads(f, (X,), order=2)
    check_grads(f, (X,), on_overwrite="save")


def test_a_class_of_another_place_is_not_the_next_one():
    def f(x):
        return Skipping(x[0], x[1]).value(x[2])

    with pytest.raises(CompileError):
        ad.grad(f)(X)


def test_the_name_may_mean_another_class_later(monkeypatch):
    alias = Square

    def f(x):
        return alias(x[0]).squared(x[1])

    derivative = ad.grad(f)
    derivative(X)
    monkeypatch.setitem(globals(), "Square", dict)
    with pytest.raises(TypeError):
        f(X)
    with pytest.raises(CompileError):
        derivative(X)
