"""Random generators that objects hold beside values that carry a derivative."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans import vjp
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 0.3])


class Filter:
    def __init__(self, n, q, seed=0):
        self.rng = np.random.default_rng(seed)
        self.n, self.q = n, q
        self.particles = self.rng.standard_normal(n)

    def predict(self, phi):
        noise = self.rng.standard_normal(self.n)
        self.particles = phi * self.particles + np.sqrt(self.q) * noise

    def resample(self):
        self.particles = self.particles[::-1] * self.rng.random()


class Draws:
    def __init__(self, scale, made):
        self.made, self.scale = made, scale

    def next(self):
        return self.scale * self.made.random()


def filtered(x):
    pf = Filter(4, x[0] * x[1], seed=3)
    for obs in x:
        pf.predict(0.5 * obs)
        if obs > 0.5:
            pf.resample()
    return np.sum(pf.particles)


def of_before(x):
    d = Draws(x[0] * x[1], np.random.RandomState(3))
    return d.next() + (d.next() * x[2] if x[2] > 0.0 else 0.0)


@pytest.mark.parametrize("f", [filtered, of_before])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    assert vjp(f, X, on_overwrite=mode)[0] == f(X)
    check_grads(f, (X,), on_overwrite=mode)
