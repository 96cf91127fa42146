"""Lists and dictionaries under `stop_gradient`, and what `ravel` makes of keys of any class."""

import enum

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([1.0, 2.0, 3.0])


def item_assigned(x):
    held = ad.stop_gradient([x, x])
    held[0] = held[0] * 2.0
    return held[0] * x


def grown(x):
    held = ad.stop_gradient([x, x])
    held.append(x)
    return held[2] * x


def in_a_tuple(x):
    held = ad.stop_gradient((x, [x]))
    held[1][0] = x * 3.0
    return held[0] * x + held[1][0] * x


@pytest.mark.parametrize(("f", "slope"), [
    (item_assigned, 2.0 * X), (grown, 2.0 * X), (in_a_tuple, 7.0 * X),
])  # fmt: skip
def test_a_list_that_is_changed(f, slope):
    value, dot = ad.jvp(f, (X,), (np.ones(3),))
    np.testing.assert_array_equal(value, f(X))
    np.testing.assert_array_equal(dot, slope)
    if f is not in_a_tuple:
        np.testing.assert_array_equal(ad.vjp(f, X)[1](np.ones(3))[0], slope)


class Part(enum.IntEnum):
    LEFT = 1
    RIGHT = 2


class Name(str, enum.Enum):
    LEFT = "left"
    RIGHT = "right"


@pytest.mark.parametrize("keys", [
    (Part.LEFT, Part.RIGHT), (Name.LEFT, Name.RIGHT), (float("inf"), -0.5), (None, True),
])  # fmt: skip
def test_the_way_back_to_a_dictionary_of_any_keys(keys):
    first = keys[0]
    flat, unravel = ad.tree.ravel({k: X * (n + 1.0) for n, k in enumerate(keys)})

    def f(v):
        parts = unravel(v)
        return np.sum(parts[first] ** 2) + np.sum(v)

    check_grads(f, (flat,))


class Settings:
    table = np.array([np.nan, 2.0, 3.0])


def test_what_is_no_number_is_no_change():
    def f(x):
        return np.sum(x * Settings.table)

    _, pullback = ad.vjp(f, X)
    np.testing.assert_array_equal(pullback(1.0)[0], Settings.table)
    Settings.table[1] = 5.0
    with pytest.raises(ad.MutationError, match="AD301"):
        pullback(1.0)
