"""Subscripts of tuples: bools, and what no tuple has an item for."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.4, 0.9, 1.3])


def of_one_place(x):
    t = (x, x * 2)
    try:
        return t[0,] * 2
    except TypeError:
        return x * 3


def of_two_places(x):
    t = (x, x * 2)
    try:
        y = t[0, 1]
    except TypeError:
        y = x * x
    return y


def by_none(x):
    t = (x, x * 2)
    try:
        y = t[None]
    except TypeError:
        y = x * x
    return y


def by_a_float(x):
    t = (x[0], x[1])
    y = x * 2
    try:
        y = t[1.0] * x
    except TypeError:
        y = y * x
    return y


def by_a_text(x):
    t = (x, x * 2)
    try:
        y = t["a"]
    except TypeError:
        y = x * x
    return y


def by_a_tuple(x):
    t, k = (x, x * 2), (0,)
    try:
        y = t[k]
    except TypeError:
        y = x * x
    return y


def in_a_loop(x):
    t = (x, x * 2)
    for k in range(2):
        try:
            x = t[k,]
        except TypeError:
            x = x * (k + 2)
    return x


def by_a_bool(x):
    t = (x, x * x)
    return t[len(x) > 2] * t[False]


def by_one_of_numpy(x):
    t = (x, x * x)
    try:
        return t[x[0] > 0]
    except TypeError:
        return x * 3


@pytest.mark.parametrize(
    "f",
    [of_one_place, of_two_places, by_none, by_a_float, by_a_text, by_a_tuple, in_a_loop,
     by_a_bool, by_one_of_numpy],
)  # fmt: skip
def test_derivatives(f):
    np.testing.assert_array_equal(ad.vjp(f, X)[0], f(X))
    np.testing.assert_array_equal(ad.jvp(f, (X,), (X,))[0], f(X))
    check_grads(f, (X,))


def chosen(x, first):
    pair = (x, x * x)
    return pair[first] * pair[0]


@pytest.mark.parametrize("first", [True, False, 0, 1, -1])
def test_a_place_that_is_an_argument(first):
    check_grads(lambda x: chosen(x, first), (X,))
    check_grads(chosen, (X, first), wrt=0)


def test_the_error_is_that_of_python():
    def no_item(x):
        t = (x, x)
        return t[0,]

    def none_either(x):
        t = (x, x)
        return t[1.5]

    for f in (no_item, none_either):
        with pytest.raises(TypeError, match="tuple indices must be integers"):
            ad.vjp(f, X)
        with pytest.raises(TypeError, match="tuple indices must be integers"):
            ad.jvp(f, (X,), (X,))
