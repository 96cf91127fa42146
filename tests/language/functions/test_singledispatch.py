"""Functions that `functools.singledispatch` chooses by the class of the first argument."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3, 0.7])


@functools.singledispatch
def energy(v, scale=1.0):
    return scale * v * v


@energy.register
def _(v: np.ndarray, scale=1.0):
    return scale * np.sum(np.sin(v))


@energy.register(list)
@energy.register(tuple)
def _(v, scale=1.0):
    return sum(energy(w) for w in v)


@energy.register
def _(v: dict, scale=1.0):
    s = 0.0
    for key in v:
        s = s + energy(v[key], scale)
    return s


class Shape:
    def __init__(self, size):
        self.size = size


class Circle(Shape):
    pass


@dataclass
class Square:
    side: float


class Ring(Circle):
    pass


@functools.singledispatch
def area(shape):
    raise NotImplementedError


@area.register
def _(shape: Shape):
    return shape.size


@area.register
def _(shape: Circle):
    return np.pi * shape.size**2


@area.register
def _(shape: Square):
    return shape.side**2


def of_numbers_and_arrays(x):
    return energy(x, scale=x[1]) * energy(x[0]) + energy(float(x[2]), 3.0)


def of_containers(x):
    return energy([x, 2.0 * x]) + energy({"a": x, "b": x * x}, x[0])


def of_objects(x):
    return area(Shape(x[0])) * area(Circle(x[1])) + area(Square(x[2])) * area(Ring(x[3]))


def of_objects_in_turn(x):
    return sum(area(s) for s in [Circle(x[0]), Square(x[1]), Circle(x[2])])


PROGRAMS = [of_numbers_and_arrays, of_containers, of_objects, of_objects_in_turn]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_mode(f) -> None:
    check_grads(f, (X,), order=2)


def of_one_given(shape, x):
    return area(shape) * x[0] * area(shape)


def test_an_argument() -> None:
    for shape in (Circle(0.5), Ring(1.5)):
        check_grads(of_one_given, (shape, X), wrt="x")


def test_what_is_registered_later_counts() -> None:
    @functools.singledispatch
    def g(v):
        return 2.0 * np.sum(v)

    def f(x):
        return g(x)

    gradient = ad.grad(f)
    np.testing.assert_allclose(gradient(X), 2.0)
    g.register(np.ndarray, lambda v: np.sum(v * v))
    np.testing.assert_allclose(gradient(X), 2.0 * X)
    g.register(np.ndarray, lambda v: np.sum(v * v * v))
    np.testing.assert_allclose(gradient(X), 3.0 * X**2)
