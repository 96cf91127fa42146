"""`grad(m.loss)` where objects of other classes have an attribute of that name."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.4, 0.9, 1.3])


class History:
    def __init__(self, loss):
        self.loss = loss

    def note(self, value):
        self.loss = value


class Model:
    def __init__(self):
        self.w = np.array([1.0, 2.0, 0.5])

    def loss(self, p):
        return np.sum(self.w * p**3)

    def step(self, p):
        return p - 0.01 * ad.grad(self.loss)(p)


class Changing(Model):
    def replace(self):
        self.loss = lambda p: np.sum(p**2)


def one_step(x, m):
    return np.sum(m.step(x) ** 2)


def several(x, m):
    for _ in range(2):
        x = m.step(x)
    return np.sum(x)


def with_a_name(x, m):
    g = ad.grad(m.loss)
    return np.sum(x * g(x))


def and_the_value(x, m):
    value, g = ad.value_and_grad(m.loss)(x)
    return value * np.sum(g)


@pytest.mark.parametrize("f", [one_step, several, with_a_name, and_the_value])
def test_an_attribute_of_another_class_does_not_matter(f):
    check_grads(lambda x: f(x, MODEL), (X,))
    check_grads(f, (X, Model()), wrt=0)


MODEL = Model()


def replaced(x, m):
    g = ad.grad(m.loss)
    m.replace()
    return np.sum(x * g(x))


def replaced_by_what_is_given(x, m, change):
    g = ad.grad(m.loss)
    change()
    return np.sum(x * g(x))


def test_one_that_may_be_replaced_meanwhile():
    m = Changing()
    for f, more in ((replaced, ()), (replaced_by_what_is_given, (m.replace,))):
        with pytest.raises(CompileError):
            ad.vjp(f, X, m, *more, wrt=0)
