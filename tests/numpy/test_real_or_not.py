"""Whether eigenvalues of constant real matrices are real: only the run tells, not their type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.linalg

import adtrans as ad
from adtrans.runtime.failures import DerivativeError
from adtrans.testing import check_grads

X = np.array([0.7, 1.3])
TURN = np.array([[0.0, -1.0], [1.0, 0.0]])
SHRINK = np.array([[-1.0, 0.0], [0.3, -2.0]])


def eigenvalues(x: Any, m: Any) -> Any:
    return np.sum(np.abs(np.linalg.eigvals(m) * x[0]))


def eigenvectors(x: Any, m: Any) -> Any:
    _, v = np.linalg.eig(m)
    return np.sum(np.abs(v * x[0]))


def those_of_scipy(x: Any, m: Any) -> Any:
    _, v = scipy.linalg.eig(m)
    return np.sum(np.abs(v * x[0]))


def computed_further(x: Any, m: Any) -> Any:
    w = np.sort(np.linalg.eigvals(m) * 2.0)
    return np.sum(np.abs(w * x[0]))


def scaled(w: Any, x: Any) -> Any:
    return np.sum(np.abs(w * x[1]))


def in_a_callee(x: Any, m: Any) -> Any:
    return scaled(np.linalg.eigvals(m), x)


def from_a_list(x: Any, m: Any) -> Any:
    ws = []
    for w in np.linalg.eigvals(m):
        ws.append(w)
    return np.sum(np.abs(np.array(ws) * x[0]))


def a_power(x: Any, m: Any) -> Any:
    k = float(m[1, 1]) - 1.0 + float(m[1, 0])
    w = np.array([abs(k) ** 0.5 if m[1, 0] < 1.0 else (k - 1.0) ** 0.5, 1.0])
    return np.sum(np.abs(w * x[0]))


def close_to_real(x: Any, m: Any) -> Any:
    w = np.real_if_close(np.array([1.0 + 1e-20j, 2.0]) + 1j * (m[1, 0] > 0.9))
    return np.sum(np.abs(w * x[0]))


EVERY = [
    eigenvalues, eigenvectors, those_of_scipy, computed_further, in_a_callee, from_a_list,
    a_power, close_to_real,
]  # fmt: skip


@pytest.mark.parametrize("f", EVERY)
def test_real_ones_have_a_derivative(f: Any) -> None:
    check_grads(lambda x: f(x, SHRINK), (X,))
    check_grads(f, (X, SHRINK), wrt=0)


@pytest.mark.parametrize("f", EVERY)
def test_complex_ones_raise(f: Any) -> None:
    with pytest.raises(DerivativeError, match="AD602"):
        ad.vjp(ad.differentiable(f), X, TURN, wrt=0)[1](1.0)
    with pytest.raises(DerivativeError, match="AD602"):
        ad.jvp(ad.differentiable(f), (X, TURN), (X, None))


def made_real(x: Any) -> Any:
    w = np.linalg.eigvals(TURN)
    z = np.zeros(2)
    z[:] = w.real
    return np.sum((np.abs(w) + w.imag**2 + z) * x)


def test_what_is_real_of_them_is_not_looked_at() -> None:
    check_grads(made_real, (X,))
    assert "check_plain" not in ad.differentiable(made_real).source_for(X)
