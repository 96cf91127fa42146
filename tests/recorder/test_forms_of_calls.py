"""Calls of NumPy in forms that are seldom written, and tangents that lie otherwise in memory."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4])


def lists_of_axes(x):
    m = np.outer(x, x + 1.0)
    letters = [0, 1]
    return (np.einsum(m, letters, x, [1], [0]) @ x + np.einsum(m, [0, 0])
            + np.einsum(m, [..., 1], x, [1])[2])  # fmt: skip


def lists_at(x):
    y = x * 2.0
    np.multiply.at(y, [1, 1], [2.0, x[0]])
    np.maximum.at(y, [2, 0], [x[1], 0.1])
    np.copyto(y[:2], [x[2], y[1]])
    return np.sum(y * y)


def flags(x):
    y = x * x
    y.setflags(write=False)
    try:
        y[0] = 0.0
    except ValueError:
        return np.sum(y * x)
    return y[0]


def absolute(x):
    y = x - 1.0
    return float(y[0]).__abs__() * y.__abs__()[1] + y[2].__abs__() * x[0]


@pytest.mark.parametrize("f", [lists_of_axes, lists_at, flags, absolute])
@pytest.mark.parametrize("how", ["record", "always"])
def test_forms(f, how):
    check_grads(f, (X,), on_unfollowed=how, on_overwrite="save")


def test_the_axes_of_einsum_have_to_be_axes():
    with pytest.raises((TypeError, ValueError)):
        ad.grad(ad.recorded(lambda x: np.einsum(x, ["i"])))(X)


def joined(a):
    g = a.reshape(-1, order="F")
    g[0] *= 2
    a[::-1, ::-2][0] = a[0, :2]
    return np.sum(a * a)


def as_it_lies(a):
    flat = a.ravel(order="K")
    flat[1] = 3 * flat[2]
    return np.sum(a * a)


LAYOUTS = {
    "F": lambda v: np.asfortranarray(v), "reversed": lambda v: np.asfortranarray(v[::-1])[::-1],
    "gaps": lambda v: np.repeat(np.repeat(v, 2, 0), 3, 1)[::2, ::3], "C": np.array,
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("f", [joined, as_it_lies])
@pytest.mark.parametrize("way", ["refuse", "always"])
def test_a_tangent_may_lie_otherwise_in_memory(f, layout, way):
    values = np.arange(12.0).reshape(3, 4) / 7 + 0.3
    options = {"on_unfollowed": way, "on_overwrite": "save"}
    found = [ad.jvp(f, (LAYOUTS[layout](values),), (dot(np.cos(values)),), **options)
             for dot in LAYOUTS.values()]  # fmt: skip
    step = [f(LAYOUTS[layout](values + h * np.cos(values))) for h in (1e-6, -1e-6)]
    for y, y_dot in found:
        assert y == f(LAYOUTS[layout](values))
        assert y_dot == pytest.approx((step[0] - step[1]) / 2e-6, rel=1e-6)
