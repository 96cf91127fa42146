"""Objects of a class that the class itself holds: `Planet.EARTH`."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


class Planet:
    def __init__(self, k):
        self.k, self.last, self.table = k, 0.0, [0.0] * 3

    def pull(self, v):
        self.last = v * v
        return self.k * self.last

    def series(self, v):
        self.table[0] = v
        self.table[1] = v * v
        return self.table[0] * self.table[1]

    def other(self, v):
        return self.pull(v) + Planet.MARS.k * v


Planet.EARTH, Planet.MARS = Planet(2.0), Planet(3.0)


class Star:
    def __init__(self, k):
        self.k, self.last = k, 0.0

    def pull(self, v):
        self.last = v * v
        return self.k * self.last + self.SUN.last

    def by_name(self, v):
        self.last = v * v
        return getattr(self, "SUN").last  # noqa: B009


Star.SUN = Star(2.0)
sirius = Star(3.0)


def pulled(x):
    return Planet.EARTH.pull(x[0]) * x[1]


def tabled(x):
    return Planet.EARTH.series(x[0] * x[1])


def beside_another(x):
    return Planet.EARTH.other(x[0]) * Planet.EARTH.last


def two(x):
    return Planet.EARTH.pull(x[0]) * Planet.MARS.pull(x[1]) * Planet.EARTH.last


def by_the_object(x):
    return Star.SUN.pull(x[0])


def by_its_name(x):
    return Star.SUN.by_name(x[0])


def by_another_one(x):
    Star.SUN.last = x[0] * x[1]
    return sirius.SUN.last * x[2]


def from_around():
    Near = Planet

    def f(x):
        return Near.EARTH.pull(x[0]) * x[1]

    return f


@pytest.mark.parametrize("fn", [pulled, tabled, beside_another, two, from_around()])
@pytest.mark.parametrize("how", ["refuse", "save"])
def test_followed(fn, how):
    check_grads(fn, (X,), on_overwrite=how)


@pytest.mark.parametrize("fn", [by_the_object, by_its_name, by_another_one])
def test_a_second_way_to_the_object(fn):
    with pytest.raises(ad.AdtransError):
        ad.grad(fn)(X)


def test_the_same_object_as_an_argument():
    def f(x, p):
        return Planet.EARTH.pull(x[0]) + p.last

    with pytest.raises(ad.AdtransError):
        ad.grad(f)(X, Planet.EARTH)
    assert ad.grad(f)(X, Planet.MARS)[0] == pytest.approx(4.0 * X[0])
