"""Objects that do something when they are asked are asked as often as the function asks."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

P = np.array([0.5, 1.5, -1.0])


class Meter:
    def __init__(self):
        self.asked = 0

    def __len__(self):
        self.asked += 1
        return 3

    def __str__(self):
        self.asked += 1
        return "meter"

    def __eq__(self, other):
        self.asked += 1
        return True

    __hash__ = None

    def __contains__(self, item):
        self.asked += 1
        return True

    @property
    def level(self):
        self.asked += 1
        return 2.0


class Lazy:
    def __init__(self):
        self.asked = 0

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        self.__dict__["asked"] += 1
        return 1.5


METER, LAZY = Meter(), Lazy()


def length(p):
    return np.sum(p**3) * len(METER)


def by_another_name(p):
    meter = METER
    return np.sum(p**3) * len(meter)


def in_a_text(p):
    return np.sum(p**3) * len(f"{METER}")


def asserted(p):
    assert len(METER) > 0
    return np.sum(p**3)


def compared(p):
    return np.sum(p**3) * (METER == 3)


def contained(p):
    return np.sum(p**3) * (3 in METER)


def of_a_property(p):
    return np.sum(p**3) * METER.level


def of_a_missing_attribute(p):
    return np.sum(p**3) * LAZY.rate


@pytest.mark.parametrize(
    ("f", "asked"),
    [
        (length, METER), (by_another_name, METER), (in_a_text, METER), (asserted, METER),
        (compared, METER), (contained, METER), (of_a_property, METER),
        (of_a_missing_attribute, LAZY),
    ],
)  # fmt: skip
@pytest.mark.parametrize("mode", [ad.grad, ad.jacrev, ad.jacfwd, ad.hessian])
def test_asked_once(f, asked, mode):
    asked.asked = 0
    found = mode(f)(P)
    assert asked.asked == 1
    asked.asked = 0
    scale = f(P) / np.sum(P**3)
    expected = np.diag(6.0 * P) if mode is ad.hessian else 3.0 * P**2
    np.testing.assert_allclose(found, expected * scale, rtol=1e-12)
