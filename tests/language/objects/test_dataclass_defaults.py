"""Objects of dataclasses with defaults, which are attributes of the class as well, in lists that
grow."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 0.7, 1.1])


@dataclass
class Surface:
    place: float
    radius: float
    index: float = 1.5

    def shift(self, x):
        return x * self.radius * self.index + self.place


def defaults(x):
    surfaces = []
    for v in x:
        surfaces.append(Surface(v, v * v))
    return sum(s.shift(x[0]) for s in surfaces)


def some_given(x):
    surfaces = []
    for i, v in enumerate(x):
        if i == 1:
            surfaces.append(Surface(v, v * v))
        else:
            surfaces.append(Surface(v, v * v, index=v))
    return sum(s.shift(x[0]) for s in surfaces)


def changed_through_another_name(x):
    surfaces = []
    for v in x:
        surfaces.append(Surface(v, v * v, v + 1.0))
    last = surfaces[-1]
    last.index = last.index * surfaces[0].radius
    surfaces[0].index *= x[1]
    last = surfaces[0]
    return sum(s.shift(x[0]) for s in surfaces) * last.index


@dataclass
class Base:
    a: float = 1.0


@dataclass
class Derived(Base):
    b: float = 2.0
    c: float = field(default=3.0, init=False)


def inherited(x):
    items = []
    for v in x:
        items.append(Derived(b=v))
        items.append(Derived(v * 2.0, v))
    return sum(d.a * d.b * d.c for d in items)


@dataclass
class OwnInit:
    x: float
    y: float = 1.0

    def __init__(self, x):
        self.x = 2.0 * x


def init_of_its_own(x):
    items = []
    for v in x:
        items.append(OwnInit(v))
    return sum(a.x * a.x * a.y for a in items)


@dataclass(frozen=True)
class Frozen:
    z: float
    n: float = 1.5


def frozen(x):
    items = []
    for v in x:
        items.append(Frozen(v))
        items.append(Frozen(v, items[-1].n * v))
    return sum(q.z * q.n for q in items)


@pytest.mark.recorded
@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize(
    "f",
    [defaults, some_given, changed_through_another_name, inherited, init_of_its_own, frozen],
)
def test_attributes_that_every_object_has_itself(f, how):
    check_grads(f, (X,), on_overwrite=how, modes=("reverse", "forward"))


@pytest.mark.recorded
@pytest.mark.parametrize("f", [defaults, some_given, changed_through_another_name])
def test_twice(f):
    gradient, h = ad.grad(f), 1e-6
    for e in np.eye(3):
        found = ad.jvp(gradient, (X,), (e,))[1]
        expected = (gradient(X + h * e) - gradient(X - h * e)) / (2.0 * h)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)
