"""Methods that `dataclasses` writes for comparisons, and those that make copies."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import asdict, dataclass, field

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 0.7, 1.1, 1.3])


@dataclass(order=True)
class Place:
    x: float
    y: float
    weight: float = field(compare=False, default=1.0)


@dataclass(order=True)
class Further(Place):
    z: float = 0.0


class Below(Place):
    pass


def less(x):
    a, b = Place(x[0], x[1], x[2]), Place(x[0], x[3], x[1])
    return a.weight * b.weight if a < b else b.weight


def not_less(x):
    a, b = Below(x[0], x[1], x[2]), Below(x[0], x[1], x[1])
    return a.weight * x[0] if a >= b and not a > b else b.weight


def equal(x):
    a, b = Place(x[0], x[1], x[2]), Place(x[0], x[1], x[3])
    return a.weight * x[0] if a == b else b.weight


def unequal(x):
    a, b = Further(x[0], x[1], x[2], x[3]), Further(x[0], x[1], x[2], x[1])
    same = a != b
    return a.weight * x[0] if same else b.weight


def nearest(x):
    best = Place(x[3], x[2], x[1])
    for k in range(3):
        other = Place(x[k], x[0], x[k] * x[k])
        best = other if other < best else best
    return best.weight * best.x


class Double:
    def __init__(self, x):
        self.x = x

    def __copy__(self):
        return Double(self.x * 2.0)

    def __deepcopy__(self, memo):
        return Double(self.x * 3.0)


def copied(x):
    c = Double(x[0])
    d = copy.copy(c)
    d.x = d.x * x[2]
    return d.x * x[1] * c.x


def copied_deep(x):
    c = Double(x[0])
    d = copy.deepcopy(c)
    d.x = d.x * x[2]
    return d.x * x[1] * c.x


@dataclass
class Rows:
    k: float
    items: list = field(default_factory=list)


def listed(x):
    q = Rows(x[0], [x[1], x[2]])
    d = asdict(q)
    q.items[0] = x[3]
    return d["k"] * d["items"][0] * q.items[0]


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [less, not_less, equal, unequal, nearest, copied, copied_deep, listed]
)
def test_methods_that_are_written_or_make_copies(f: Callable[..., object]) -> None:
    check_grads(f, (X,))


def objects_in_a_list(x):
    d = asdict(Rows(x[0], [Place(x[1], x[2])]))
    return d["k"] * (x[1] if isinstance(d["items"][0], dict) else x[3])


def test_objects_in_a_field_of_a_list_are_not_taken_for_numbers() -> None:
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(objects_in_a_list)(X)
    assert caught.value.diagnostics[0].code == "AD201"
