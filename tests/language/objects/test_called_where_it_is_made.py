"""Derivatives of what is made or looked up in the same expression; `super().m` by a name; methods
of enumerations."""

from __future__ import annotations

import enum

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
MADE: list[int] = []


class Wave:
    def __init__(self, k):
        self.k = k

    def __call__(self, x):
        return np.sum(np.sin(x * self.k))

    def energy(self, x, c=1.0):
        return c * np.sum(x * x * x * self.k)


class Scales(Wave):
    def __init__(self, k, x):
        self.k = k
        x *= 2.0


class Fields:
    def __init__(self, x):
        self.waves = [Wave(x[0]), Wave(x[1] * x[1])]

    def force(self, x):
        total = 0.0
        for k in range(2):
            total = total - ad.grad(self.waves[k].energy)(x, c=2.0)
        return total


def without_a_variable(x):
    return np.sum(ad.grad(Wave(x[0]))(x) ** 2)


def of_a_method(x):
    return np.sum(ad.grad(Wave(x[0] * x[1]).energy)(x) ** 2)


def of_items(x):
    return np.sum(Fields(x).force(x) ** 2)


class Base:
    def __init__(self, k):
        self.k = k

    def step(self, x):
        return np.sin(x * self.k)


class Twice(Base):
    def step(self, x):
        step = super().step
        return step(step(x)) * self.k


class Often(Twice):
    def step(self, x):
        before = super().step
        for _ in range(2):
            x = before(x)
        return x


def by_a_name(x):
    return np.sum(Twice(x[0]).step(x) * Often(x[1]).step(x))


class Shape(enum.Enum):
    TANH = 1
    SIN = 2

    def apply(self, x, gain=1.0):
        if self is Shape.TANH:
            return np.tanh(x) * gain
        return np.sin(x) * gain


def of_members(x):
    return np.sum(Shape.TANH.apply(x, gain=x[0]) * Shape.SIN.apply(x))


def in_a_condition(x):
    y = x * 1.0
    while np.sum(ad.grad(Wave(y[0]))(y)) > 1.0:
        y = y * 0.7
    return np.sum(y * x)


PROGRAMS = [without_a_variable, of_items, by_a_name, of_members, in_a_condition]


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_derivatives(f, mode):
    check_grads(f, (X.copy(),), on_overwrite=mode)
    assert ad.value_and_grad(f, on_overwrite=mode)(X.copy())[0] == f(X.copy())


@pytest.mark.recorded
def test_a_method_of_an_object_that_is_made_for_it():
    steps = 1e-6 * np.eye(len(X))
    expected = [(of_a_method(X + e) - of_a_method(X - e)) / 2e-6 for e in steps]
    np.testing.assert_allclose(ad.grad(of_a_method)(X), expected, rtol=1e-6, atol=1e-8)


def test_a_method_of_an_enumeration_that_is_another_one_later():
    before = ad.grad(of_members)(X)
    kept = Shape.apply
    Shape.apply = lambda self, x, gain=1.0: x * gain
    try:
        check_grads(of_members, (X.copy(),))
        assert not np.allclose(ad.grad(of_members)(X), before)
    finally:
        Shape.apply = kept
    np.testing.assert_array_equal(ad.grad(of_members)(X), before)


def written_before(x):
    y = x * 1.0
    return np.sum(ad.grad(Scales(2.0, y))(y * y))


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_what_is_evaluated_first_stays_first(mode):
    with pytest.raises(ad.CompileError, match="AD401"):
        ad.grad(written_before, on_overwrite=mode)(X.copy())
