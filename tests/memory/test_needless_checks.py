"""Copies inside one line need no check where both parts have one step, wherever they begin."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.arange(9.0) + 1.0


def fill_ghosts(q, n):
    q[:n] = q[-2 * n : -n]
    q[-n:] = q[n : 2 * n]


def ghosts(x, n):
    y = x * 1.0
    fill_ghosts(y, n)
    return np.sum(y * y)


def moved(x, n):
    y = x * 1.0
    y[n : n + 3] = y[:3]
    y[1 : 2 * n : 2] = y[n : 3 * n - 1 : 2]
    return np.sum(y * y)


def of_another_step(x, n):
    y = x * 1.0
    y[:n] = y[9 - 2 * n :: 2][:n]
    return np.sum(y * y)


def of_what_was_bound_before(x, n):
    y, z = x * 1.0, x * 2.0
    for _ in range(2):
        y, y[:n] = z, y[n : 2 * n]
        z = y[::2]
    return np.sum(y * y)


@pytest.mark.parametrize("f", [ghosts, moved])
def test_one_step(f) -> None:
    g = ad.differentiable(f)
    g.vjp(X, 3)
    assert not g.report().checks
    for n in (1, 2, 3):
        check_grads(f, (X, n))


@pytest.mark.parametrize("f", [of_another_step, of_what_was_bound_before])
def test_two_steps(f) -> None:
    g = ad.differentiable(f)
    g.vjp(X, 3)
    assert [c.kind for c in g.report().checks] == ["order"]
    check_grads(f, (X, 3))
