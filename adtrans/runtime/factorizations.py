"""Adjoints and tangents of the triangular factorizations; they work on stacks of matrices, real or
complex. The diagonal of a triangular factor is real, as LAPACK makes it.

>>> import numpy as np
>>> cholesky_pullback(np.array([[1.0]]), np.array([[2.0]]))
array([[0.25]])
"""

from __future__ import annotations

from typing import Any

import numpy as np


def transposed(a: Any) -> Any:
    """Each matrix of a stack transposed."""
    return np.swapaxes(a, -1, -2)


def adjoint(a: Any) -> Any:
    """Each matrix of a stack transposed and conjugated.

    >>> adjoint(np.array([[1.0, 2j]]))
    array([[1.-0.j],
           [0.-2.j]])
    """
    return np.swapaxes(a.conj(), -1, -2)


def to_triangle(g: Any, uplo: str) -> Any:
    """The adjoint of the one triangle that a function reads, from that of the whole matrix: of
    complex numbers the other triangle has the conjugates, and the diagonal its real part."""
    both = g + adjoint(g)
    half = 0.5 * np.einsum("...ii->...i", both)[..., None] * np.eye(np.shape(g)[-1], dtype=g.dtype)
    return (np.tril(both) if uplo in "lL" else np.triu(both)) - half


def from_triangle(t: Any, uplo: str) -> Any:
    """The symmetric matrix, or Hermitian one, whose given triangle is that of `t`."""
    half = t * (1 - 0.5 * np.eye(np.shape(t)[-1], dtype=t.dtype))
    half = np.tril(half) if uplo in "lL" else np.triu(half)
    return half + adjoint(half)


def _lower_half(a: Any) -> Any:
    """The lower triangle with half of the diagonal."""
    return np.tril(a) * (1 - 0.5 * np.eye(np.shape(a)[-1], dtype=a.dtype))


def cholesky_pullback(g: Any, y: Any) -> Any:
    """The adjoint of `np.linalg.cholesky`, which reads the lower triangle; `y` is the factor.

    Source: Murray, "Differentiation of the Cholesky decomposition" (2016).
    """
    inner = _lower_half(adjoint(y) @ g)
    half = np.linalg.solve(adjoint(y), inner)
    return to_triangle(adjoint(np.linalg.solve(adjoint(y), adjoint(half))), "L")


def cholesky_pushforward(t: Any, y: Any) -> Any:
    """The tangent of `np.linalg.cholesky`; `y` is the factor."""
    inner = np.linalg.solve(y, adjoint(np.linalg.solve(y, from_triangle(t, "L"))))
    return y @ _lower_half(inner)


def qr_pullback(g: Any, y: Any) -> Any:
    """The adjoint of `np.linalg.qr`: `y` is the pair `(q, r)`; `g` has None for an unused one.

    Sources: Walter, Lehmann and Lamour, "On evaluating higher-order derivatives of the QR
    decomposition of tall matrices with full column rank" (2012); for wide matrices Roberts and
    Roberts, "QR and LQ decomposition matrix backpropagation algorithms" (2020).
    """
    q, r = y[0], y[1]
    n = np.shape(q)[-1]
    q_bar = np.zeros_like(q) if g[0] is None else g[0]
    r_bar = np.zeros_like(r) if g[1] is None else g[1]
    wide = np.shape(r)[-1] > n
    if wide:
        q_bar = q_bar + q @ r[..., :, n:] @ adjoint(r_bar[..., :, n:])
    left, left_bar = r[..., :, :n], r_bar[..., :, :n]
    half = _lower_half(left @ adjoint(left_bar) - adjoint(q_bar) @ q)
    found = adjoint(np.linalg.solve(left, adjoint(q_bar + q @ (half + adjoint(half)))))
    if wide:
        return np.concatenate([found, q @ r_bar[..., :, n:]], axis=-1)
    return found


def qr_pushforward(t: Any, y: Any) -> Any:
    """The tangent of `np.linalg.qr`: a pair."""
    q, r = y[0], y[1]
    n = np.shape(q)[-1]
    left = transposed(r[..., :, :n])
    scaled = transposed(np.linalg.solve(left, transposed(t[..., :, :n])))
    inner = adjoint(q) @ scaled
    half = _lower_half(inner)  # the diagonal of `r` is real
    turn = half - adjoint(half)
    q_dot = q @ turn + scaled - q @ inner
    r_dot = (inner - turn) @ r[..., :, :n]
    if np.shape(r)[-1] > n:
        rest = adjoint(q) @ t[..., :, n:] - turn @ r[..., :, n:]
        r_dot = np.concatenate([r_dot, rest], axis=-1)
    return q_dot, r_dot
