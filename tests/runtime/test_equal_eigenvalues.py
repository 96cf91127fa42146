"""Eigenvalues and singular values that are equal, but for rounding.

Their vectors have no derivative; what does not depend on how these are turned has one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import adtrans as ad
from adtrans.testing import check_grads

RING = np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1)
"""The eigenvalues of a ring are -2, -1, -1, 1, 1, 2."""
TURN = np.linalg.qr(np.random.default_rng(4).normal(size=(6, 6)))[0]
C = np.cos(np.arange(36.0)).reshape(6, 6)


def bonds(h):
    w, v = np.linalg.eigh(h)
    density = v[:, :3] @ v[:, :3].T
    return np.sum(C * density) + np.sum(w[:3])


def bonds_of_scipy(h):
    v = scipy.linalg.eigh(h)[1]
    return np.sum(C * (v[:, :3] @ v[:, :3].T))


def projected(h):
    u, s, vt = np.linalg.svd(h)
    return np.sum(C * (u @ vt)) + np.sum(C * (u[:, :1] @ u[:, :1].T)) + s[0]


def of_one(h):
    return np.sum(C[0] * np.linalg.eigh(h)[1][:, 0] ** 4)


@pytest.mark.parametrize("f", [bonds, bonds_of_scipy, of_one])
@pytest.mark.parametrize("of", [RING, TURN @ np.diag([-2.0, -1, -1, 1, 1, 2]) @ TURN.T])
def test_what_does_not_depend_on_the_vectors_of_equal_ones(f: Callable[..., Any], of: Any) -> None:
    of = (of + of.T) / 2
    check_slope(f, of)


@pytest.mark.parametrize("values", [[3.0, 2, 2, 1, 1, 1], [5.0, 4, 3, 2, 2, 1e-3]])
def test_singular_values(values: list[float]) -> None:
    check_slope(projected, TURN @ np.diag(values) @ TURN[::-1].T)
    check_slope(projected, np.diag(values))


def check_slope(f: Callable[..., Any], of: Any) -> None:
    d = np.sin(np.arange(36.0)).reshape(6, 6)
    d = d + d.T if f is not projected else d
    h = 1e-4
    near = (f(of + h * d) - f(of - h * d)) / (2 * h)
    half = (f(of + h / 2 * d) - f(of - h / 2 * d)) / h
    found = np.sum(ad.grad(f)(of) * d)
    assert found == pytest.approx((4 * half - near) / 3, rel=1e-5)


def of_a_vector(h):
    return np.sum(C[0] * np.linalg.eigh(h)[1][:, 1])


def test_what_depends_on_them_is_nan() -> None:
    for of in (RING, (TURN @ RING @ TURN.T + TURN @ RING.T @ TURN.T) / 2):
        assert np.isnan(ad.grad(of_a_vector)(of)).any()
        assert np.isnan(ad.jvp(of_a_vector, (of,), (C + C.T,))[1])


def test_the_second_derivative_of_their_values_is_nan() -> None:
    def f(h):
        return np.sum(np.linalg.svd(h)[1])

    def g(h):
        return np.sum(np.linalg.eigvalsh(h) ** 3)

    of = TURN @ np.diag([3.0, 2, 2, 1, 1, 0.5]) @ TURN.T
    for function in (f, g):
        assert np.isfinite(ad.grad(function)(of)).all()
        assert np.isnan(ad.hvp(function, (of,), (C,))).any()


def test_zeros_beside_what_is_asked_for() -> None:
    """Principal components of few samples: all other eigenvalues are 0."""
    def f(x):
        v = np.linalg.eigh(x.T @ x)[1][:, -2:]
        return np.sum((x @ v @ v.T) ** 3) + np.sum(v[:, 1] ** 4)

    x = np.sin(np.arange(18.0) ** 1.5).reshape(3, 6)
    check_grads(f, (x,))
    check_grads(f, (x,), order=2)


D = C[:4, :4]


def of_a_hermitian_matrix(a):
    h = a[:4] + 1j * a[4:]
    w, v = np.linalg.eigh(h + h.conj().T)
    p = v[:, :2] @ v[:, :2].conj().T
    return np.sum(D * p.real) + np.sum(D * p.imag**2) + np.sum(w[:2])


def of_complex_singular_vectors(a):
    u, _, vh = np.linalg.svd(a[:4] + 1j * a[4:])
    return np.sum(D * (u @ vh).real)


def of_two_matrices(a):
    right = a[4:] + a[4:].T
    v = scipy.linalg.eigh(a[:4] + a[:4].T, right)[1]
    return np.sum(D * (v[:, :2] @ v[:, :2].T))


@pytest.mark.parametrize("f", [of_a_hermitian_matrix, of_complex_singular_vectors, of_two_matrices])
def test_other_matrices(f: Callable[..., Any]) -> None:
    rng = np.random.default_rng(1)
    q = np.linalg.qr(rng.normal(size=(4, 4)) + 1j * rng.normal(size=(4, 4)))[0]
    h = q @ np.diag([1.0, 1, 2, 2]) @ q.conj().T / 2
    a = np.concatenate((h.real, h.imag))
    if f is of_two_matrices:
        low = np.tril(rng.normal(size=(4, 4))) + 3 * np.eye(4)
        o = np.linalg.qr(rng.normal(size=(4, 4)))[0]
        left = low @ o @ np.diag([1.0, 1, 2, 3]) @ o.T @ low.T
        a = np.concatenate((left, low @ low.T)) / 2
    d = rng.normal(size=a.shape)
    coarse, fine = ((f(a + h * d) - f(a - h * d)) / (2 * h) for h in (1e-4, 5e-5))
    assert np.sum(ad.grad(f)(a) * d) == pytest.approx((4 * fine - coarse) / 3, rel=1e-6)
