"""What stays what it is, and what may say something else when it is asked again."""

from __future__ import annotations

import math
from enum import Enum

import numpy as np
import pytest

from adtrans.analyses.fixed import asks_only_fixed, is_fixed
from adtrans.ir import expr as E


class Mode(Enum):
    FAST = 1


class Counted(Enum):
    ONE = 1

    def __bool__(self) -> bool:
        return True


class Point(tuple[float, ...]):
    pass


@pytest.mark.parametrize(
    "value", [2, 2.0, True, None, "edge", (1, ("a", None)), np.float64(1.0), np.bool_(True), math,
              math.sin, np.sin, Mode.FAST, frozenset({1}), is_fixed, dict]
)  # fmt: skip
def test_fixed(value):
    assert is_fixed(value)


@pytest.mark.parametrize(
    "value", [[], {}, set(), (1, []), np.zeros(2), Counted.ONE, Point((1.0,)), object()]
)
def test_not_fixed(value):
    assert not is_fixed(value)


def test_which_object_it_is_may_be_asked_of_any():
    hist = E.Ref("HIST", [])
    assert asks_only_fixed(E.Compare(hist, ("is not",), (E.NONE,)))
    assert not asks_only_fixed(E.Compare(hist, ("==",), (E.NONE,)))
    assert not asks_only_fixed(E.BoolOp("or", (E.Name("x"), hist)))
    assert not asks_only_fixed(E.Attribute(E.Ref("Cfg", dict), "flag"))
