"""`grad(m.loss)` where objects of other classes have an attribute of that name."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.lower import looked_up
from adtrans.testing import check_grads

X = np.array([0.4, 0.9, 1.3])


class History:
    def __init__(self, misfit_of_model):
        self.misfit_of_model = misfit_of_model

    def note_the_misfit(self, value):
        self.misfit_of_model = value


class Model:
    def __init__(self):
        self.w = np.array([1.0, 2.0, 0.5])

    def misfit_of_model(self, p):
        return np.sum(self.w * p**3)

    def step_down(self, p):
        return p - 0.01 * ad.grad(self.misfit_of_model)(p)


class Changing(Model):
    def replace_the_misfit(self):
        self.misfit_of_model = lambda p: np.sum(p**2)


def one_step(x, m):
    return np.sum(m.step_down(x) ** 2)


def several(x, m):
    for _ in range(2):
        x = m.step_down(x)
    return np.sum(x)


def with_a_name(x, m):
    g = ad.grad(m.misfit_of_model)
    return np.sum(x * g(x))


def and_the_value(x, m):
    value, g = ad.value_and_grad(m.misfit_of_model)(x)
    return value * np.sum(g)


@pytest.fixture
def only_these_classes(monkeypatch):
    """Among the hundreds of classes of all tests there are some that call what may be anything."""
    monkeypatch.setattr(looked_up, "user_classes", lambda: iter((History, Model, Changing)))


@pytest.mark.parametrize("f", [one_step, several, with_a_name, and_the_value])
def test_an_attribute_of_another_class_does_not_matter(f, only_these_classes):
    check_grads(lambda x: f(x, MODEL), (X,))
    check_grads(f, (X, Model()), wrt=0)


MODEL = Model()


def replaced(x, m):
    g = ad.grad(m.misfit_of_model)
    m.replace_the_misfit()
    return np.sum(x * g(x))


def replaced_by_what_is_given(x, m, change):
    g = ad.grad(m.misfit_of_model)
    change()
    return np.sum(x * g(x))


def test_one_that_may_be_replaced_meanwhile(only_these_classes):
    m = Changing()
    for f, more in ((replaced, ()), (replaced_by_what_is_given, (m.replace_the_misfit,))):
        with pytest.raises(CompileError):
            ad.vjp(f, X, m, *more, wrt=0)
