"""Numbers of classes that give operators a meaning of their own."""

from __future__ import annotations

import enum
from fractions import Fraction

import numpy as np
import pytest

import adtrans as ad


class Odd(float):
    def __mul__(self, other):
        return float(self) * other**2

    __rmul__ = __mul__


class OddInt(int):
    def __mul__(self, other):
        return int(self) * other**2


class OddScalar(np.float64):
    def __mul__(self, other):
        return float(self) * other**2


class Chained(float):
    def __mul__(self, other):
        return Chained(float(self) * float(other) + 1.0)

    def __add__(self, other):
        return Chained(17.0)


class Level(float, enum.Enum):
    LOW = 2.0


class Metres(float):
    """A float with a name."""

    def shown(self):
        return f"{float(self)} m"


X = np.array([0.3, 1.2])
FOREIGN = [Odd(2.0), OddInt(2), OddScalar(2.0), Chained(2.0)]
PLAIN = [Level.LOW, Metres(2.0), Fraction(2), np.float32(2.0), np.int64(2), True]


def ways(w):
    held, table = w, {"w": w}
    return [
        (lambda x, q: q * x[0], (w,)),
        (lambda x, q: q[0] * x[0] + q[1], ([w, 3.0],)),
        (lambda x, q: q["w"] * x[0], ({"w": w},)),
        (lambda x: held * x[0], ()),
        (lambda x: table["w"] * x[0], ()),
    ]


@pytest.mark.parametrize("way", range(5))
@pytest.mark.parametrize("w", FOREIGN, ids=lambda w: type(w).__name__)
def test_operators_with_a_meaning_of_their_own(w, way):
    f, args = ways(w)[way]
    with pytest.raises(ad.AdtransError, match=r"AD408|AD601"):
        ad.grad(f)(X, *args)
    with pytest.raises(ad.AdtransError, match=r"AD408|AD601"):
        ad.jvp(f, (X, *args), (X, *[None] * len(args)))


@pytest.mark.parametrize("way", range(5))
@pytest.mark.parametrize("w", PLAIN, ids=lambda w: type(w).__name__)
def test_numbers_that_are_none_but_by_their_class(w, way):
    f, args = ways(w)[way]
    np.testing.assert_allclose(ad.grad(f)(X, *args), [float(w), 0.0])
