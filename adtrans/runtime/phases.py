"""Adjoints and tangents of eigenvectors and singular vectors of complex matrices.

These vectors are unique up to a factor of absolute value 1. LAPACK picks it so that one component
is real: the first or the last one of an eigenvector of a Hermitian matrix, as the lower or the
upper triangle is read; the largest one of other eigenvectors; the first one of singular vectors, on
the side that is not longer. Where it does not, only what is the same for each factor has a
derivative.

For the formulas see `spectral`.

>>> a = np.array([[2.0, 1j], [-1j, 2.0]])
>>> complex_eigh_pullback((np.array([1.0, 0.0]), None), np.linalg.eigh(a), "L")
array([[0.5+0.j, 0. +0.j],
       [0. +1.j, 0.5+0.j]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.factorizations import adjoint
from adtrans.runtime.failures import DerivativeError
from adtrans.runtime.spectral import (
    diagonal_matrix,
    eigh_pullback,
    eigh_pushforward,
    over_gaps,
    svd_pullback,
    svd_pushforward,
)

_PHASES = (
    "something depends on the phases of complex eigenvectors or singular vectors, which nothing "
    "decides here; use what does not, such as absolute values and projections"
)
_FREE = (
    "singular vectors that belong to no singular value have no derivative; use "
    "`full_matrices=False`"
)


def _component(v: Any, row: Any) -> Any:
    """The one component of each column that LAPACK makes real; `row` is None where it is the
    largest. The components in all other places are 0."""
    if row is None:
        row = np.argmax(np.abs(v), axis=-2)[..., None, :]
    return np.where(np.arange(np.shape(v)[-2])[:, None] == np.mod(row, np.shape(v)[-2]), v, 0.0)


def phase_free(g: Any, v: Any, row: Any, more: Any = 0.0, scale: Any = 0.0) -> Any:
    """A seed of vectors that are made unique by one component that is real, without what depends on
    their phases; `more` is how much the result depends on the phases of other vectors that turn
    with them, and `scale` how much it could.

    Raises:
        DerivativeError: if something depends on phases that no component decides.
    """
    turned = np.sum(v.conj() * g, axis=-2).imag + more
    size = np.sum(np.abs(g), axis=-2) + scale
    turned = np.where(np.abs(turned) > 1e-10 * size, turned, 0.0)[..., None, :]
    if not np.any(turned):
        return g
    one = _component(v, row)
    undecided = (one.real == 0.0).all(-2) & (turned[..., 0, :] != 0)
    if np.any(np.abs(one.imag) > 1e-12) or np.any(undecided):
        raise DerivativeError(_PHASES)
    return g - 1j * turned * np.divide(1.0, one.real, out=np.zeros(one.shape), where=one != 0)


def with_phase(t: Any, v: Any, row: Any) -> Any:
    """The tangent of vectors that are made unique by one component that is real, given that up to
    their phases; nan where that component is not real, or is 0.
    """
    return t - 1j * v * phase_dot(t, v, row)


def phase_dot(t: Any, v: Any, row: Any) -> Any:
    """How fast the phases of vectors turn back, see `with_phase`."""
    one = _component(v, row)
    decided = (np.abs(one.imag) <= 1e-12).all(-2) & (one.real != 0).any(-2)
    moved = np.sum(np.where(one != 0, t.imag, 0.0), axis=-2)
    found = moved / np.where(decided, np.sum(one.real, axis=-2), np.nan)
    return found[..., None, :]


def complex_eigh_pullback(g: Any, y: Any, uplo: str) -> Any:
    """The adjoint of `np.linalg.eigh`; `g` and `y` are pairs."""
    seed = None if g[1] is None else phase_free(g[1], y[1], -1 if uplo in "uU" else 0)
    return eigh_pullback((g[0], seed), y, uplo)


def complex_eigh_pushforward(t: Any, y: Any, uplo: str) -> Any:
    """The tangent of `np.linalg.eigh`: a pair."""
    w_dot, v_dot = eigh_pushforward(t, y, uplo)
    return w_dot, with_phase(v_dot, y[1], -1 if uplo in "uU" else 0)


def complex_eig_pullback(g: Any, y: Any) -> Any:
    """The adjoint of `np.linalg.eig`; `g` and `y` are pairs."""
    w, v = y[0], y[1]
    inner = np.zeros_like(v)
    if g[1] is not None:
        own = adjoint(v) @ phase_free(g[1], v, None)
        length = np.einsum("...ii->...i", own).real
        inner = over_gaps(own - (adjoint(v) @ v) * length[..., None, :], w.conj(), own)
    if g[0] is not None:
        inner = inner + diagonal_matrix(g[0])
    return np.linalg.solve(adjoint(v), inner @ adjoint(v))


def complex_eig_pushforward(t: Any, y: Any) -> Any:
    """The tangent of `np.linalg.eig`: a pair."""
    w, v = y[0], y[1]
    inner = np.linalg.solve(v, t @ v)
    moved = v @ over_gaps(inner, w, inner)
    along = np.sum(v.conj() * moved, axis=-2).real
    moved = with_phase(moved - v * along[..., None, :], v, None)
    return np.einsum("...ii->...i", inner).copy(), moved


def complex_eigvals_pullback(g: Any, a: Any) -> Any:
    """The adjoint of `np.linalg.eigvals`."""
    v = np.linalg.eig(a)[1]
    return np.linalg.solve(adjoint(v), g[..., :, None] * adjoint(v))


def complex_eigvals_pushforward(t: Any, a: Any) -> Any:
    """The tangent of `np.linalg.eigvals`."""
    v = np.linalg.eig(a)[1]
    return np.einsum("...ii->...i", np.linalg.solve(v, t @ v)).copy()


def complex_svd_pullback(g: Any, y: Any) -> Any:
    """The adjoint of `np.linalg.svd`; `g` and `y` are triples `(u, s, vh)`.

    Raises:
        DerivativeError: if something depends on vectors without a singular value.
    """
    n = np.shape(y[1])[-1]
    left = g[0] is not None and np.any(g[0][..., n:] != 0)
    if left or (g[2] is not None and np.any(g[2][..., n:, :] != 0)):
        raise DerivativeError(_FREE)
    u, v = y[0][..., :n], adjoint(y[2][..., :n, :])
    thin = u, y[1], y[2][..., :n, :]
    if g[0] is None and g[2] is None:
        return svd_pullback(g, thin)
    seeds, turn = _svd_seeds(g, u, v)
    return svd_pullback(seeds, thin) + u @ diagonal_matrix(1j * turn / y[1]) @ adjoint(v)


def complex_svd_pushforward(t: Any, y: Any) -> Any:
    """The tangent of `np.linalg.svd`: a triple; nan for vectors without a singular value."""
    n = np.shape(y[1])[-1]
    u, v = y[0][..., :n], adjoint(y[2][..., :n, :])
    u_dot, s_dot, vh_dot = svd_pushforward(t, (u, y[1], y[2][..., :n, :]))
    turn = np.einsum("...ji,...jk,...ki->...i", u.conj(), t, v).imag / y[1]
    u_dot, v_dot = _svd_turned(u_dot, adjoint(vh_dot), u, v, turn)
    u_free, v_free = np.full_like(y[0][..., n:], np.nan), np.full_like(y[2][..., n:, :], np.nan)
    return (
        np.concatenate([u_dot, u_free], axis=-1), s_dot,
        np.concatenate([adjoint(v_dot), v_free], axis=-2),
    )  # fmt: skip


def _svd_seeds(g: Any, u: Any, v: Any) -> tuple[Any, Any]:
    """Seeds of singular vectors without what depends on their common phase, and how much depends on
    that of the left ones alone."""
    n = np.shape(u)[-1]
    u_bar = np.zeros_like(u) if g[0] is None else g[0][..., :n]
    v_bar = np.zeros_like(v) if g[2] is None else adjoint(g[2][..., :n, :])
    left, right = (np.sum(x.conj() * x_bar, axis=-2).imag for x, x_bar in ((u, u_bar), (v, v_bar)))
    if np.shape(u)[-2] >= np.shape(v)[-2]:
        v_bar = phase_free(v_bar, v, 0, left, np.sum(np.abs(u_bar), axis=-2))
    else:
        u_bar = phase_free(u_bar, u, 0, right, np.sum(np.abs(v_bar), axis=-2))
    return (u_bar, g[1], adjoint(v_bar)), np.sum(u.conj() * u_bar, axis=-2).imag


def _svd_turned(u_dot: Any, v_dot: Any, u: Any, v: Any, turn: Any) -> tuple[Any, Any]:
    """The tangents of complex singular vectors, given those up to their phases and by how much more
    the left ones turn."""
    u_dot = u_dot + 1j * u * turn[..., None, :]
    one, one_dot = (v, v_dot) if np.shape(u)[-2] >= np.shape(v)[-2] else (u, u_dot)
    back = 1j * phase_dot(one_dot, one, 0)
    return u_dot - u * back, v_dot - v * back
