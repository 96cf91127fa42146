"""Integrals with a weight in second order: by the function, and by the ends."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

import adtrans as ad

X = np.array([0.6, 0.9, 1.3, 0.4])


def turning(x):
    return quad(lambda s: np.exp(-x[0] * s), x[3], x[1] * x[2], weight="cos", wvar=2.0)[0]


def to_infinity(x):
    return quad(lambda s: np.exp(-x[0] * s), 0.0, np.inf, weight="sin", wvar=2.0)[0] * x[1]


def with_a_pole(x):
    return quad(lambda s, k: np.sin(k * s), -x[1], x[2], weight="cauchy", wvar=0.2, args=(x[0],))[0]


def powers(x):
    return quad(lambda s: np.exp(-x[0] * s), x[3], x[1], weight="alg", wvar=(0.5, 0.2))[0]


def logarithms(x):
    first = quad(lambda s: np.exp(-x[0] * s), 0.0, x[1], weight="alg-loga", wvar=(0.5, 0.2))[0]
    both = quad(lambda s: np.sin(x[0] * s), 0.0, x[2], weight="alg-log", wvar=(0.1, 0.3))[0]
    return first * both


SLOW = pytest.param(logarithms, marks=pytest.mark.slow)


@pytest.mark.parametrize("f", [turning, to_infinity, with_a_pole, powers, SLOW])
def test_second_order(f):
    slope, h, along = ad.grad(f), 1e-4, np.array([0.4, -0.7, 0.3, 0.5])
    expected = (slope(X + h * along) - slope(X - h * along)) / (2 * h)
    np.testing.assert_allclose(ad.hvp(f, (X,), (along,)), expected, rtol=1e-5, atol=1e-6)
    twice = ad.vjp(slope, X)[1](along)[0]
    np.testing.assert_allclose(twice, expected, rtol=1e-5, atol=1e-6)
