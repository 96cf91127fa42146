"""Code that is not seen and writes constants that the derivative needs: an error, or saved."""

from __future__ import annotations

import random
import struct

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.5, 1.0, 1.5])


def shuffled(x, w):
    y = np.sum(x * w)
    random.Random(1).shuffle(w)
    return y


def in_a_list(x, w):
    y = np.sum(x * w)
    list(map(lambda a: struct.pack_into("d", a, 0, 5.0), [w]))  # noqa: C417
    return y


def through_a_view(x, w):
    y = np.sum(x * w)
    struct.pack_into("d", memoryview(w), 8, 7.0)
    return y


PROGRAMS = [shuffled, in_a_list, through_a_view]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_it_is_an_error(f):
    with pytest.raises(ad.AdtransError, match="AD301"):
        ad.recorded(f).grad(X, np.array([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("f", [shuffled, in_a_list], ids=lambda f: f.__name__)
def test_saved_the_gradient_is_right_and_the_write_is_made(f):
    w, plain = np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0])
    f(X, plain)
    found = ad.recorded(f, on_overwrite="save").grad(X, w)
    np.testing.assert_array_equal(found, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(w, plain)
