"""Adjoints of arrays that do not lie row by row, and are handed on without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.linspace(0.1, 1.0, 24)
W = np.arange(1.0, 25.0)


def columns_of_a_sum(x: Any) -> Any:
    y = np.sin(np.asfortranarray(x.reshape(4, 6)))
    z = np.cos(np.asfortranarray(x.reshape(4, 6)))
    s = np.sum(y[:, 0] ** 2 * W[:4])
    both = y + z
    return np.sum(both * both * W.reshape(4, 6)) + s


def permuted_axes(x: Any) -> Any:
    y = np.sin(x.reshape(2, 3, 4).transpose(1, 0, 2))
    z = np.exp(x.reshape(2, 3, 4).transpose(1, 0, 2))
    s = np.sum(y[1] * y[1] * W[:8].reshape(2, 4))
    both = y - z
    return np.sum(both * both * W.reshape(3, 2, 4)) + s


def one_part_after_all(x: Any) -> Any:
    y = np.tanh(x.reshape(4, 6).T)
    s = y[2, 1] * y[0, 3]
    t = np.sum(y[::2] * W[:12].reshape(3, 4))
    return np.sum((y + y) * W.reshape(6, 4)) + s + t


def shape_assigned(x: Any) -> Any:
    y = x * 2.0
    s = np.sum(y * W)
    y.shape = (4, 6)
    t = np.sum(y.T @ y)
    y.shape = (6, 4)
    return s + t + np.sum(y[:, 1] ** 3) + np.sum(np.sin(y))


@pytest.mark.parametrize("f", [columns_of_a_sum, permuted_axes, one_part_after_all, shape_assigned])
def test_layouts(f: Any) -> None:
    h = 1e-6
    expected = [(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(24)]
    value, gradient = ad.recorded(f).value_and_grad(X)
    assert value == f(X)
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-6)
