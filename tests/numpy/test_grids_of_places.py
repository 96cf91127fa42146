"""Grids of integers, as places in an array."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans import vjp
from adtrans.testing import check_grads

G = np.random.default_rng(0).uniform(0.1, 1.0, (4, 5))


def masked(g):
    ny, nx = g.shape
    yy, xx = np.mgrid[:ny, :nx]
    inside = (yy < ny - 1) & (xx > 0)
    out = g * g
    out[~inside] = 0.5 * g[~inside]
    return np.sum(out)


def gathered(g):
    yy, xx = np.mgrid[:3, 1:4]
    return np.sum(g[yy, xx] ** 2)


def moved(g):
    yy, xx = np.mgrid[0:4, 0:5]
    yy -= 1
    yy[0, 0] = 2
    return np.sum(g[yy, xx] ** 2)


def opened(g):
    yy, xx = np.ogrid[:4, 0:5:2]
    w = np.ogrid[0:1:5j]
    return np.sum(g[yy, xx] ** 2) + np.sum(g[0] * g[1] * w)


def of_real_numbers(g):
    yy, xx = np.mgrid[0:4, 0:5].astype(float)
    return np.sum(g * np.exp(-0.1 * (yy - 1.5) ** 2 - 0.2 * xx))


@pytest.mark.parametrize("f", [masked, gathered, moved, opened, of_real_numbers])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    assert vjp(f, G, on_overwrite=mode)[0] == f(G)
    check_grads(f, (G,), on_overwrite=mode)


@pytest.mark.parametrize("n", [-1, 0, 1, 3])
def test_no_more_than_there_are(n):
    def f(g, n):
        k = np.mgrid[:n]
        return g[0, 0] * len(k) + np.sum(g[k, 0] * k)

    check_grads(f, (G, n))
