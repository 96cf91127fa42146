"""Tangents that are returned can be written, and so can those that were passed."""

from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad


class Pair(NamedTuple):
    u: object
    v: object


X, T = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 2.0])


def arrays(value):
    return [leaf for leaf in ad.tree.leaves(value) if isinstance(leaf, np.ndarray)]


@pytest.mark.parametrize(
    ("f", "x", "t"),
    [
        (lambda x: x, X, T),
        (lambda x: x[1:], X, T),
        (lambda x: (x, [x * 2.0]), X, T),
        (lambda x: {"a": x.reshape(3, 1)}, X, T),
        (lambda p: p["w"], {"w": X}, {"w": T}),
        (lambda p: p, {"w": X, "b": (X, 1.0)}, {"w": T, "b": (T, 2.0)}),
        (lambda x: Pair(x, x + 1.0), X, T),
    ],
)
def test_what_is_returned_is_not_what_was_passed(f, x, t):
    _, y_dot = ad.jvp(f, (x,), (t,))
    _, linear = ad.linearize(f, x)
    for found in (y_dot, linear(t)):
        assert arrays(found)
        assert type(found) is type(f(x))
        for a in arrays(found):
            assert not any(np.may_share_memory(a, b) for b in arrays(t))
    before = [a.copy() for a in arrays(y_dot)]
    for a in arrays(linear(t)):
        a[...] = 99.0
    for a, b in zip(arrays(ad.jvp(f, (x,), (t,))[1]), before, strict=True):
        np.testing.assert_array_equal(a, b)
