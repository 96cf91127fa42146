"""Lists of numbers in the place of arrays: handed functions that capture them, and primitives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.integrate import odeint, quad
from scipy.optimize import brentq, newton
from scipy.signal import lfilter

import adtrans as ad
from adtrans.testing import check_grads

VALUES = [0.3, 0.9, 0.5, 0.2]


def of_root(k):
    return newton(lambda z: z**3 + z - k[0], 0.5, tol=1e-13) * brentq(
        lambda z: z**3 + z - k[1], 0.0, 5.0, xtol=1e-14)  # fmt: skip


def of_integral(k):
    return quad(lambda t: np.exp(-t) * k[0], 0.0, k[1])[0]


def of_flow(k):
    flow = odeint(lambda y, t: -k[0] * y, np.array([1.0]), [0.0, 0.5, 1.0], rtol=1e-10, atol=1e-10)
    return np.sum(flow**2) * k[1]


def of_elements(k):
    return np.sum(np.vectorize(lambda v: v**3)(k))


def in_blocks(k):
    rows = np.block([[k, [1.0, 2.0, 3.0, 4.0]], [k, k]])
    return np.sum(rows**2 * np.arange(4.0)) + np.sum(np.block([k, k]) ** 2 * np.arange(4.0))


@pytest.mark.recorded
@pytest.mark.parametrize("f", [of_root, of_integral, of_flow, of_elements, in_blocks])
def test_a_list(f: Callable[..., Any]) -> None:
    found = ad.grad(f)(VALUES)
    assert type(found) is list and all(type(v) is float for v in found)
    for k in range(4):
        sides = [f([v + h * (i == k) for i, v in enumerate(VALUES)]) for h in (1e-6, -1e-6)]
        assert found[k] == pytest.approx((sides[0] - sides[1]) / 2e-6, rel=1e-5, abs=1e-7)


def test_right_sides_that_are_written_out() -> None:
    def vector(a):
        return np.sum(np.linalg.lstsq(a, [1.0, 2.0, 3.0], rcond=None)[0] ** 2)

    def matrix(a):
        x, _, _, s = np.linalg.lstsq(a, [[1.0, 2.0], [3.0, 1.0], [2.0, 0.5]], None)
        return np.sum(x**2) + np.sum(s)

    def state(x):
        y, z = lfilter([1.0, 0.5], [1.0, -0.3], x, zi=[0.3])
        return np.sum(y**2) + z[0]

    for f in (vector, matrix):
        check_grads(f, (np.eye(3) + np.arange(9.0).reshape(3, 3) ** 0.5,))
    check_grads(state, (np.array(VALUES),), order=2)


def test_open_meshes_of_numbers_that_vary_are_refused() -> None:
    with pytest.raises(ad.CompileError, match="AD409"):
        ad.grad(lambda x: np.sum(np.ix_(x)[0] ** 2))(np.array(VALUES))
