"""Integrals in second order whose function is given arrays, or captures them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

import adtrans as ad
from adtrans.testing import check_grads

P = np.array([0.7, 1.3, -0.4])


def captured(p, b):
    return quad(lambda x: p[0] * np.exp(-p[1] * x) + np.sin(p[2] * x * x), 0.0, b)[0]


def passed(p, b):
    def f(x, q, s):
        return np.sum(q * q) * x + s * np.exp(q[1] * x)

    return quad(f, p[2], b * b, args=(p, b))[0] ** 2


def computed(p, b):
    m = np.outer(p, p) * b
    return quad(lambda x: np.sum(np.sin(m * x)), 0.0, 1.0)[0] * b


def with_ints(p, b):
    places, total = np.arange(3), 0.0
    for k in range(2):
        at = k + 1

        def f(x):
            return p[at] * x * b + np.sum(places * x) * p[2]  # noqa: B023  # called at once

        total += quad(f, 0.0, b)[0] ** 2
    return total


@pytest.mark.parametrize("f", [captured, passed, computed, with_ints])
def test_second_order(f) -> None:
    check_grads(f, (P, 0.8), wrt=(0, 1), order=2)


def test_the_hessian() -> None:
    found = ad.hessian(captured, wrt=0)(P, 0.8)
    np.testing.assert_allclose(found, found.T, rtol=1e-8, atol=1e-10)
    slope, h = ad.grad(captured, wrt=0), 1e-5
    rows = [(slope(P + h * e, 0.8) - slope(P - h * e, 0.8)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(found, np.array(rows), rtol=1e-6, atol=1e-8)
