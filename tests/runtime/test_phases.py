"""Complex eigenvectors and singular vectors are unique up to a phase, which LAPACK picks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.runtime import DerivativeError
from adtrans.runtime.phases import complex_svd_pullback, complex_svd_pushforward, phase_free
from adtrans.testing import check_grads

RNG = np.random.default_rng(4)
A, B = RNG.normal(size=(2, 3, 3))
W, C = RNG.normal(size=(2, 4, 3))


def hermitian_vectors(a: Any, b: Any) -> Any:
    w, v = np.linalg.eigh(a + 1j * b)
    return np.sum(v.real * b) + np.sum(v.imag * a) + np.sum(w**3)


def upper_triangle(a: Any, b: Any) -> Any:
    w, v = np.linalg.eigh(a + 1j * b, UPLO="u")
    return np.sum(v.real * b) + np.sum(v.imag * a) + np.sum(w**3)


def same_for_each_phase(a: Any, b: Any) -> Any:
    w, v = np.linalg.eigh(a + 1j * b)
    return np.sum(np.abs(v @ np.diag(np.exp(w)) @ v.conj().T)) + np.sum(np.abs(v) ** 2 * a)


def any_vectors(a: Any, b: Any) -> Any:
    w, v = np.linalg.eig(a + 1j * b)
    return np.sum(np.abs(w)) + np.sum(v.real * a + v.imag * b)


def singular_vectors(a: Any, b: Any) -> Any:
    u, s, vh = np.linalg.svd(a + 1j * b, full_matrices=False)
    return np.sum(u.real) + np.sum(u.imag * a[:, :1]) + np.sum(s**3) + np.sum(vh.imag * b[:1])


def singular_values(a: Any, b: Any) -> Any:
    return np.sum(np.linalg.svd(a + 1j * b, compute_uv=False) ** 3)


def left_of_whole(a: Any, b: Any) -> Any:
    u, s, _ = np.linalg.svd((a + 1j * b).T)
    return np.sum(np.abs(u)) + np.sum(s**3)


@pytest.mark.parametrize("f", [hermitian_vectors, upper_triangle, same_for_each_phase, any_vectors])
def test_vectors_of_square_matrices(f: Any) -> None:
    check_grads(f, (A, B), wrt=(0, 1))


@pytest.mark.parametrize("f", [singular_vectors, singular_values, left_of_whole])
@pytest.mark.parametrize("turned", [False, True])
def test_singular_vectors(f: Any, turned: bool) -> None:
    if turned and f is not left_of_whole:
        check_grads(f, (W.T.copy(), C.T.copy()), wrt=(0, 1))
    else:
        check_grads(f, (W, C), wrt=(0, 1))


def test_triangles_are_called_by_small_letters_too() -> None:
    """They were taken for the other triangle."""
    for which in "lLuU":
        check_grads(lambda a, which=which: np.linalg.eigvalsh(a, which) ** 2, (A,))


def test_phases_that_nothing_decides() -> None:
    def f(x: Any) -> Any:
        v = np.linalg.eigh(np.diag(x + 0j))[1]
        return np.sum(v.imag)

    with pytest.raises(DerivativeError, match="phases"):
        ad.grad(f)(np.array([1.0, 2.0, 3.0]))


def test_what_does_not_depend_on_undecided_phases() -> None:
    def f(x: Any) -> Any:
        w, v = np.linalg.eigh(np.diag(x + 0j))
        return np.sum(np.abs(v) ** 2 * x) + np.sum(w**2)

    check_grads(f, (np.array([1.0, 2.0, 3.0]),), modes=("reverse",))


def test_a_component_that_is_not_real() -> None:
    v = np.linalg.eigh(A + 1j * B)[1] * 1j
    with pytest.raises(DerivativeError, match="phases"):
        phase_free(np.ones((3, 3)), v, 0)


def test_vectors_without_a_singular_value() -> None:
    y = np.linalg.svd(W + 1j * C)
    with pytest.raises(DerivativeError, match="full_matrices"):
        complex_svd_pullback((np.ones((4, 4)), None, None), y)
    assert np.isnan(complex_svd_pushforward(W + 0j, y)[0][:, 3]).all()
