"""What is stored over all of an array is all that counts: earlier contents have no adjoint."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad


def never_read(a, w):
    b = a * 1.0
    b[...] = w * np.nan
    b[:] = a
    return np.sum(b) * w


def infinite(a, w):
    b = a * w
    b *= np.inf
    b[...] = a * a
    return np.sum(b * b) * w


def handed_to_two(a, w):
    b = a * w
    c = b + a
    d = b * 2.0
    b[:] = c
    b *= 3.0
    return np.sum(b + c * d)


def spread(a, w):
    b = a * a
    s = np.sum(b)
    b[:] = w
    b += a
    return np.sum(b * b) * s


def of_a_view(a, w):
    b = np.outer(a, a)
    c = b.T
    c[...] = b * w
    return np.sum(b * b)


@pytest.mark.parametrize("mode", ["save", "refuse"])
@pytest.mark.parametrize("f", [never_read, infinite, handed_to_two, spread, of_a_view])
def test_both_ways_and_differences(f: Any, mode: str) -> None:
    a, w = np.array([1.0, 2.0, 3.0]), 2.0
    try:
        found = ad.grad(ad.recorded(f, on_overwrite=mode), wrt=("a", "w"))(a, w)
    except ad.MutationError:
        assert mode == "refuse"
        return
    compiled = ad.differentiable(f, on_overwrite="save", wrt=("a", "w"), on_unfollowed="refuse")
    steps = 1e-6 * np.eye(3)
    slopes = np.array([(f(a + s, w) - f(a - s, w)) / 2e-6 for s in steps])
    slope = (f(a, w + 1e-6) - f(a, w - 1e-6)) / 2e-6
    for gradients in (found, compiled.grad(a, w)):
        np.testing.assert_allclose(gradients[0], slopes, rtol=1e-6)
        np.testing.assert_allclose(gradients[1], slope, rtol=1e-6)
