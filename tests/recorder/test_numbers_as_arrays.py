"""Numbers of NumPy that are used as arrays without axes, and functions that are said constant."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError

X = np.array([0.3, 0.5, 0.7])


def stacked(x):
    return np.sum(np.concatenate([(v * v)[..., np.newaxis] for v in x], axis=-1))


def of_no_axes(x):
    return np.sin(x[0])[()] * x[1][...]


def new_axes(x):
    return np.sum((x[0] * x[1])[None, None] * np.ones((2, 3)))


def twice(x):
    return np.sum(np.exp(x[0])[np.newaxis, ...][[0, 0]])


def by_flat(x):
    return (x[0] * x[2]).flat[0]


def by_mask(x):
    return np.sum(x[1][np.array(True)] ** 3)


@pytest.mark.parametrize("f", [stacked, of_no_axes, new_axes, twice, by_flat, by_mask])
def test_items_of_a_number_carry_its_derivative(f):
    steps = 1e-6 * np.eye(3)
    slopes = np.array([(f(X + d) - f(X - d)) / 2e-6 for d in steps])
    np.testing.assert_allclose(ad.recorded(f).grad(X), slopes, rtol=1e-6)
    tangent = ad.recorded(f).jvp((X,), (np.ones(3),))[1]
    np.testing.assert_allclose(tangent, np.sum(slopes), rtol=1e-6)


@ad.constant
def doubled(a):
    a *= 2.0


@ad.constant
def same(a):
    return a


@ad.constant
def size_of(d):
    return np.linalg.norm(d["a"]) + d["b"][0][0]


def writes(x):
    y = x * 1.0
    doubled(y)
    return np.sum(y * y)


def writes_inside(x):
    d = {"a": x * 2.0}
    doubled(d["a"])
    return np.sum(d["a"] * x)


def hands_on(x):
    return np.sum(same(x * 1.0) * x)


@pytest.mark.parametrize("f", [writes, writes_inside, hands_on])
def test_what_is_constant_neither_writes_nor_hands_on_what_varies(f):
    with pytest.raises(CompileError, match=r"AD412.*"):
        ad.recorded(f).grad(X)


def test_what_is_constant_may_look():
    def f(x):
        d = {"a": x * 2.0, "b": [x]}
        return np.sum(d["a"] * x) * size_of(d)

    scale = np.linalg.norm(2 * X) + X[0]
    np.testing.assert_allclose(ad.recorded(f).grad(X), 4 * X * scale)
    np.testing.assert_allclose(ad.grad(f)(X), 4 * X * scale)
