"""Whole-array writes that would destroy what is needed make a new array instead."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads
from tests.transforms.made import derivative, forward

X = np.array([1.0, 2.0, 3.0])


def multiplied(x):
    y = np.sin(x)
    s = np.sum(y * y)
    y *= x
    return s + np.sum(y)


def filled(x):
    y = np.sin(x)
    s = np.sum(y * y)
    y[:] = x * x
    return s + np.sum(y)


def repeated(x, n):
    y = np.sin(x)
    s = 0.0
    for _ in range(n):
        s += np.sum(y * y)
        y[:] = np.cos(y) * x
    return s


def narrow(x):
    y = np.sin(x).astype(np.float32)
    s = np.sum(y * y)
    y *= 2.5
    return s + np.sum(y)


@pytest.mark.parametrize(("f", "more"), [(multiplied, ()), (filled, ()), (repeated, (3,))])
def test_derivative(f, more) -> None:
    check_grads(f, (X, *more))


def test_rebinding_needs_no_copy() -> None:
    text = forward(derivative(multiplied, X))
    assert "y = y * x" in text and "copy" not in text


def test_a_write_that_casts_keeps_its_dtype() -> None:
    c = derivative(narrow, X)
    value, _ = c.function(0)(X)
    assert value == narrow(X) and value.dtype == narrow(X).dtype
    assert "y *= 2.5" in forward(c) or "y = y * 2.5" in forward(c)


def kept_by_the_caller(x):
    y = np.sin(x)
    other = [1.0, y]
    s = np.sum(y * y)
    y *= x
    return s + np.sum(other[1])


def test_what_others_see_is_not_renamed() -> None:
    with pytest.raises(CompileError):
        derivative(kept_by_the_caller, X)
