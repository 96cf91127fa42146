"""Trees: going through nested values, and vectors of all their numbers."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from dataclasses import dataclass, field

import numpy as np
import pytest

from adtrans import tree

Point = namedtuple("Point", "x y")


@dataclass
class Layer:
    w: np.ndarray
    b: float = 0.0
    name: str = "layer"


@dataclass(frozen=True)
class Checked:
    a: float
    made: list = field(default_factory=list, compare=False)

    def __post_init__(self):
        assert self.a is not None and self.a > 0.0


class Custom:
    def __init__(self, u, v):
        self.u, self.v = u, v


tree.register(Custom, lambda c: (c.u, c.v), lambda c, parts: Custom(*parts))

EVERYTHING = {
    "layers": [Layer(np.ones((2, 2))), Layer(np.zeros(1), 3.0)],
    "point": Point(1.0, (2.0, None)),
    "custom": Custom(np.float32(4.0), 7),
}


def test_leaves_from_left_to_right():
    found = tree.leaves(EVERYTHING)
    assert len(found) == 11
    assert found[2] == "layer" and found[-1] == 7 and found[8] is None


def test_map_keeps_the_structure():
    found = tree.map(lambda leaf: leaf, EVERYTHING)
    assert type(found["layers"][0]) is Layer and found["layers"][0] is not EVERYTHING["layers"][0]
    assert type(found["point"]) is Point and type(found["custom"]) is Custom
    ordered = tree.map(lambda leaf: leaf + 1, OrderedDict(a=1))
    assert type(ordered) is OrderedDict and ordered["a"] == 2


def test_dataclasses_are_not_validated_again():
    assert tree.map(lambda leaf: None, Checked(1.0)).a is None


def test_map_of_several():
    assert tree.map(lambda a, b: (a, b), {"x": 1, "y": 2}, {"y": [3], "x": 4}) == {
        "x": (1, 4),
        "y": (2, [3]),
    }
    for other in ([1], (1, 2, 3), {"a": 1}, 5):
        with pytest.raises(ValueError, match="structures differ"):
            tree.map(lambda a, b: a, (1, 2), other)


def test_ravel_and_back():
    flat, unravel = tree.ravel(EVERYTHING)
    np.testing.assert_array_equal(flat, [1, 1, 1, 1, 0, 0, 3, 1, 2, 4])
    again = unravel(flat)
    for a, b in zip(tree.leaves(again), tree.leaves(EVERYTHING), strict=True):
        assert type(a) is type(b)
        np.testing.assert_array_equal(a, b)
    doubled = unravel(2.0 * flat)
    assert doubled["point"].x == 2.0 and doubled["custom"].v == 7
    assert doubled["custom"].u.dtype == np.float32
    assert not np.shares_memory(doubled["layers"][0].w, flat)
    with pytest.raises(ValueError, match="shape"):
        unravel(flat[1:])
    assert tree.ravel(("a", 1))[0].shape == (0,)


def test_the_way_back_does_not_follow_later_changes():
    params = {"w": np.ones(2)}
    flat, unravel = tree.ravel(params)
    flat[:] = 5.0
    params["w"] = np.ones(7)
    np.testing.assert_array_equal(unravel(flat)["w"], [5.0, 5.0])
