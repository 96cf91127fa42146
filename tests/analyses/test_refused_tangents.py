"""Calls in a form without a derivative, whose value nobody differentiates: forward mode computes
tangents beside the values, and says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.5, 0.7, 0.9])


def unused(x: Any) -> Any:
    t = (x[0], x[1])
    u = max([t, (-9.0, 1.0)])
    return t[0] * len(u)


def compared(x: Any) -> Any:
    t = (x[0], x[1])
    u = max([t, (-9.0, 1.0)])
    return t[0] if u[0] > 0.0 else 100.0 * t[0]


def wanted(x: Any) -> Any:
    u = max([(x[0], x[1]), (-9.0, 1.0)])
    return u[0]


@pytest.mark.parametrize("fn", [unused, compared, wanted], ids=lambda f: f.__name__)
def test_forward_mode_refuses(fn: Callable[..., Any]) -> None:
    with pytest.raises(ad.CompileError, match=r"AD409.*`max` cannot be differentiated"):
        ad.jvp(fn, (X,), (X,))


def test_reverse_mode_needs_no_derivative_there() -> None:
    np.testing.assert_array_equal(ad.grad(unused)(X), [2.0, 0.0, 0.0])
    np.testing.assert_array_equal(ad.grad(compared)(X), [1.0, 0.0, 0.0])
    with pytest.raises(ad.CompileError, match="AD409"):
        ad.grad(wanted)(X)
