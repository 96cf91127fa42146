"""Cotangents and tangents that vary themselves: derivatives of what a mode returns, by its seed.

A number as a seed went through `float(...)` of adtrans's own code, which lost its place in the
record: the transpose of a recorded pullback, and so `linearize`, gave zero.
"""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad

A = np.array([1.0, 2.0])
WAYS = [{"on_unfollowed": "record"}, {"on_unfollowed": "always"}]


def squares(x):
    return np.sum(x * x)


def by_a_number(w):
    return np.sum(ad.vjp(squares, A)[1](w)[0] * w)


def pulled_back_twice(w):
    back = ad.vjp(lambda x: x * x * x * w, 2.0)[1]
    return back(w)[0] * back(2)[0]


def into_a_product(w):
    return np.sum(ad.vjp(lambda x: x[0] * x[1], np.array([1.0, 2.0]))[1](w * w)[0])


def into_a_global(w):
    return np.sum(ad.vjp(lambda x: np.float64(x[0]) * x[1], A)[1](w * w)[0])


def into_an_array_without_axes(w):
    back = ad.vjp(lambda x: np.array(np.sum(x * x)), A)[1]
    return np.sum(back(w * w)[0] * back(np.array(w))[0])


def by_an_array_for_a_number(w):
    return np.sum(ad.vjp(squares, A)[1](np.array(w * w))[0])


def into_float32(w):
    back = ad.vjp(lambda x: (x * x).astype(np.float32), A)[1]
    return np.sum(back(np.array([1.0, 2.0]) * w)[0])


def into_containers(w):
    back = ad.vjp(lambda x: [np.sum(x * x), {"a": x[0]}], A)[1]
    return np.sum(back([w, {"a": w * w}])[0])


def along_a_number(w):
    return ad.jvp(lambda x: x * x * x, (2.0,), (w,))[1] * w


def along_a_dictionary(w):
    point, along = {"a": 2.0, "b": 3.0}, {"a": w, "b": w * w}
    return ad.jvp(lambda d: d["a"] * d["b"], (point,), (along,))[1]


def linear(w):
    return ad.linearize(squares, A)[1](np.array([1.0, 0.5]) * w) * w


def linear_in_a_number(w):
    return ad.linearize(lambda x: x * x * x, 2.0)[1](w) * w


PROGRAMS = [
    by_a_number, pulled_back_twice, into_a_product, into_a_global, into_an_array_without_axes,
    by_an_array_for_a_number, into_float32, into_containers, along_a_number, along_a_dictionary,
    linear, linear_in_a_number,
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=["compiled", "recorded"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_by_the_seed(f, way):
    expected = (f(1.5 + 1e-4) - f(1.5 - 1e-4)) / 2e-4
    tolerance = 1e-3 if f is into_float32 else 1e-7
    np.testing.assert_allclose(ad.grad(f, **way)(1.5), expected, rtol=tolerance)
    np.testing.assert_allclose(ad.jvp(f, (1.5,), (1.0,), **way)[1], expected, rtol=tolerance)


RESULTS = [
    squares, lambda x: np.float64(x[0]) * 3, lambda x: float(x[0]) * x[1],
    lambda x: np.array(x[0] ** 2), lambda x: (np.sum(x), x * 2), lambda x: [x[0] * x[1], x],
    lambda x: {"a": np.sum(x * x), "b": x},
]  # fmt: skip


@pytest.mark.parametrize("f", RESULTS)
def test_recorded_and_linearized(f):
    along = np.array([1.0, 0.5])
    found = ad.linearize(ad.recorded(f), A)[1](along)
    expected = ad.jvp(f, (A,), (along,))[1]
    for mine, right in zip(ad.tree.leaves(found), ad.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(mine, right)


def test_recorded_and_linearized_by_a_number():
    assert ad.linearize(ad.recorded(lambda x: x * x), 2.0)[1](1.0) == 4.0
