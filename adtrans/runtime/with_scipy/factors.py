"""Adjoints and tangents of factorizations of `scipy.linalg`, and of what is solved with them.

The matrices may be complex: what is transposed is conjugated, too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from adtrans.runtime.broadcasting import unbroadcast
from adtrans.runtime.factorizations import (
    adjoint,
    cholesky_pullback,
    cholesky_pushforward,
    from_triangle,
    qr_pullback,
    qr_pushforward,
    to_triangle,
    transposed,
)
from adtrans.runtime.failures import DerivativeError
from adtrans.runtime.phases import complex_eigvals_pullback, complex_eigvals_pushforward
from adtrans.runtime.spectral import diagonal_matrix, over_gaps
from adtrans.runtime.with_scipy.linalg_adjoints import as_columns


def cho_factor_pullback(g: Any, y: Any, lower: bool) -> Any:
    """The adjoint of `scipy.linalg.cho_factor`; what is beyond the factor is that of the matrix."""
    if lower:
        return cholesky_pullback(np.tril(g), np.tril(y)) + np.triu(g, 1)
    turned = cholesky_pullback(adjoint(np.triu(g)), adjoint(np.triu(y)))
    return adjoint(turned) + np.tril(g, -1)


def cho_factor_pushforward(t: Any, y: Any, lower: bool) -> Any:
    """The tangent of the matrix that `scipy.linalg.cho_factor` gives."""
    if lower:
        return cholesky_pushforward(t, np.tril(y)) + np.triu(t, 1)
    turned = cholesky_pushforward(adjoint(t), adjoint(np.triu(y)))
    return adjoint(turned) + np.tril(t, -1)


def cho_solve_factor(g: Any, factor: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The adjoint of the factor in `scipy.linalg.cho_solve(factor, b)`."""
    c, lower = factor
    back = as_columns(scipy.linalg.cho_solve(factor, g, check_finite=False), shape)
    x = as_columns(y, shape)
    both = -back @ adjoint(x) - x @ adjoint(back)
    return np.tril(both @ np.tril(c)) if lower else np.triu(np.triu(c) @ both)


def cho_solve_pushforward(t: Any, factor: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The tangent of `scipy.linalg.cho_solve(factor, b)` for the factor."""
    c, lower = factor
    root, root_dot = (np.tril(c), np.tril(t)) if lower else (adjoint(np.triu(c)),
                                                             adjoint(np.triu(t)))  # fmt: skip
    moved = root_dot @ adjoint(root)
    moved = (moved + adjoint(moved)) @ as_columns(y, shape)
    moved = np.reshape(moved, np.shape(y))
    return -scipy.linalg.cho_solve(factor, moved, check_finite=False)


def _rows(piv: Any) -> Any:
    """The order of rows that the interchanges `piv` make."""
    order = np.broadcast_to(np.arange(np.shape(piv)[-1]), np.shape(piv)).copy()
    for at in np.ndindex(*np.shape(piv)[:-1]):
        for i, k in enumerate(piv[at]):
            here, there = (*at, i), (*at, k)
            order[here], order[there] = order[there], order[here]
    return order


def _interchanged(a: Any, piv: Any) -> Any:
    """The rows of `a` in that order."""
    return np.take_along_axis(a, np.expand_dims(_rows(piv), -1), -2)


def _put_back(a: Any, piv: Any) -> Any:
    """The rows of `a` in the order before."""
    return np.take_along_axis(a, np.expand_dims(np.argsort(_rows(piv), -1), -1), -2)


def _halves(lu: Any) -> tuple[Any, Any]:
    if np.shape(lu)[-1] != np.shape(lu)[-2]:
        raise DerivativeError("only LU factors of square matrices have a rule", code="AD601")
    return np.tril(lu, -1) + np.eye(np.shape(lu)[-1], dtype=lu.dtype), np.triu(lu)


def lu_factor_pullback(g: Any, y: Any) -> Any:
    """The adjoint of `scipy.linalg.lu_factor`; `g` is that of the matrix of both factors."""
    lower, upper = _halves(y[0])
    inner = np.tril(adjoint(lower) @ np.tril(g, -1), -1) + np.triu(np.triu(g) @ adjoint(upper))
    right = adjoint(np.linalg.solve(upper, adjoint(inner)))
    return _put_back(np.linalg.solve(adjoint(lower), right), y[1])


def lu_factor_pushforward(t: Any, y: Any) -> Any:
    """The tangent of the matrix that `scipy.linalg.lu_factor` gives."""
    lower, upper = _halves(y[0])
    inner = np.linalg.solve(lower, _interchanged(t, y[1]))
    inner = transposed(np.linalg.solve(transposed(upper), transposed(inner)))
    return lower @ np.tril(inner, -1) + np.triu(inner) @ upper


def lu_pullback(g: Any, y: Any) -> Any:
    """The adjoint of the matrix of `p, l, u = scipy.linalg.lu(a)`; None in `g` stands for zero.

    With `a = p l u` and `F = l^-1 p^T da u^-1`, `dl` is `l` times the part of `F` below its
    diagonal, and `du` the rest times `u`.
    """
    p, lower, upper = y
    if np.shape(lower)[-1] != np.shape(upper)[-2] or np.shape(p)[-1] != np.shape(upper)[-1]:
        raise DerivativeError("only LU factors of square matrices have a rule", code="AD601")
    inner = np.zeros(np.shape(upper), upper.dtype)
    if g[1] is not None:
        inner = inner + np.tril(adjoint(lower) @ g[1], -1)
    if g[2] is not None:
        inner = inner + np.triu(g[2] @ adjoint(upper))
    right = adjoint(np.linalg.solve(upper, adjoint(inner)))
    return p @ np.linalg.solve(adjoint(lower), right)


def lu_pushforward(t: Any, y: Any) -> Any:
    """The tangents of `p, l, u = scipy.linalg.lu(a)`."""
    p, lower, upper = y
    if np.shape(lower)[-1] != np.shape(upper)[-2] or np.shape(p)[-1] != np.shape(upper)[-1]:
        raise DerivativeError("only LU factors of square matrices have a rule", code="AD601")
    inner = np.linalg.solve(lower, transposed(p) @ t)
    inner = transposed(np.linalg.solve(transposed(upper), transposed(inner)))
    return np.zeros_like(p), lower @ np.tril(inner, -1), np.triu(inner) @ upper


def lu_turned_pullback(g: Any, y: Any) -> Any:
    """The adjoint of the matrix of `scipy.linalg.lu(a, permute_l=True)`, which gives `p l` and `u`;
    `y` has all three."""
    left = None if g[0] is None else transposed(y[0]) @ g[0]
    return lu_pullback((None, left, g[1]), y)


def lu_turned_pushforward(t: Any, y: Any) -> Any:
    """The tangents of `p l` and `u`."""
    _, left, right = lu_pushforward(t, y)
    return y[0] @ left, right


def pivoted_qr_pullback(g: Any, y: Any) -> Any:
    """The adjoint of the matrix of `q, r, p = scipy.linalg.qr(a, pivoting=True)`: that of
    `a[:, p] = q r`, with the columns back in their places."""
    return qr_pullback((g[0], g[1]), (y[0], y[1]))[:, np.argsort(y[2])]


def pivoted_qr_pushforward(t: Any, y: Any) -> Any:
    """The tangents of `q`, `r` and `p`."""
    q_dot, r_dot = qr_pushforward(t[:, y[2]], (y[0], y[1]))
    return q_dot, r_dot, np.zeros_like(y[2])


def full_qr_pullback(g: Any, y: Any) -> Any:
    """The adjoint of the matrix of `q, r = scipy.linalg.qr(a)`, where `q` is square.

    Raises:
        DerivativeError: if something depends on columns of `q` beyond those of the matrix.
    """
    k = min(np.shape(y[1])[-2:])
    if g[0] is not None and np.any(g[0][..., k:]):
        raise DerivativeError(
            "further columns of `q` are not unique: use `mode='economic'`", code="AD602"
        )
    q_bar = None if g[0] is None else g[0][..., :k]
    r_bar = None if g[1] is None else g[1][..., :k, :]
    return qr_pullback((q_bar, r_bar), (y[0][..., :k], y[1][..., :k, :]))


def full_qr_pushforward(t: Any, y: Any) -> Any:
    """The tangents of `q` and `r`: nan for what is not unique."""
    k = min(np.shape(y[1])[-2:])
    q_dot, r_dot = qr_pushforward(t, (y[0][..., :k], y[1][..., :k, :]))
    more = np.full_like(y[0][..., k:], np.nan)
    below = np.zeros_like(y[1][..., k:, :])
    return np.concatenate([q_dot, more], axis=-1), np.concatenate([r_dot, below], axis=-2)


def lu_solve_factor(g: Any, factor: Any, shape: tuple[int, ...], y: Any, trans: int) -> Any:
    """The adjoint of the factor in `scipy.linalg.lu_solve(factor, b, trans)`.

    Of `a x = b` it is that of `a`, `-back x^H`, of `a^T x = b` the conjugates of `-x back^H`.
    """
    lower, upper = _halves(factor[0])
    back = as_columns(lu_solve_right(g, factor, trans), shape)
    x = as_columns(y, shape)
    outer = -back @ adjoint(x) if trans == 0 else -x @ adjoint(back)
    outer = unbroadcast(outer.conj() if trans == 1 else outer, np.shape(factor[0]))
    outer = _interchanged(outer, factor[1])
    return np.tril(outer @ adjoint(upper), -1) + np.triu(adjoint(lower) @ outer)


def lu_solve_right(g: Any, factor: Any, trans: int) -> Any:
    """The adjoint of the right side in `scipy.linalg.lu_solve(factor, b, trans)`.

    >>> lu_solve_right(np.array([4.0]), (np.array([[2.0]]), np.array([0])), 0)
    array([2.])
    """
    if trans == 1:  # with the conjugates of the matrix
        return scipy.linalg.lu_solve(factor, g.conj(), check_finite=False).conj()
    return scipy.linalg.lu_solve(factor, g, trans=0 if trans else 2, check_finite=False)


def lu_solve_pushforward(t: Any, factor: Any, shape: tuple[int, ...], y: Any, trans: int) -> Any:
    """The tangent of `scipy.linalg.lu_solve(factor, b, trans)` for the factor."""
    lower, upper = _halves(factor[0])
    moved = _put_back(np.tril(t, -1) @ upper + lower @ np.triu(t), factor[1])
    if trans:
        moved = transposed(moved) if trans == 1 else adjoint(moved)
    moved = moved @ as_columns(y, shape)
    moved = np.reshape(moved, np.shape(y))
    return -scipy.linalg.lu_solve(factor, moved, trans=trans, check_finite=False)


def eigh_pair_left(g: Any, y: Any, lower: bool) -> Any:
    """The adjoint of `a` in `scipy.linalg.eigh(a, b)`, whose vectors have `v^H b v = 1`."""
    return to_triangle(_pair_left(g, y), "L" if lower else "U")


def _pair_left(g: Any, y: Any) -> Any:
    w, v = y
    inner = np.zeros_like(v)
    if g[0] is not None:
        inner = inner + diagonal_matrix(g[0])
    if g[1] is not None:
        own = adjoint(v) @ g[1]
        inner = inner + over_gaps(0.5 * (own - adjoint(own)), w, own)
    return v @ inner @ adjoint(v)


def eigh_pair_right(g: Any, y: Any, lower: bool) -> Any:
    """The adjoint of `b` in `scipy.linalg.eigh(a, b)`."""
    return to_triangle(_pair_right(g, y), "L" if lower else "U")


def _pair_right(g: Any, y: Any) -> Any:
    w, v = y
    inner = np.zeros_like(v)
    if g[0] is not None:
        inner = inner + diagonal_matrix(g[0] * w)
    if g[1] is not None:
        own = adjoint(v) @ g[1]
        # `w_j` is half of the sum of both, and half of their difference
        turns = over_gaps(0.25 * (own - adjoint(own)) * (w + w[:, None]), w, own * w)
        inner = inner + turns + 0.25 * (own + adjoint(own))
    return -v @ inner @ adjoint(v)


def eigh_pair_pushforward(a_dot: Any, b_dot: Any, y: Any, lower: bool) -> Any:
    """The tangent of `scipy.linalg.eigh(a, b)`; None stands for a tangent that is zero."""
    uplo = "L" if lower else "U"
    moved = None if a_dot is None else from_triangle(a_dot, uplo)
    turned = None if b_dot is None else from_triangle(b_dot, uplo)
    return _pair_forwards(moved, turned, y)


def _pair_forwards(a_dot: Any, b_dot: Any, y: Any) -> Any:
    w, v = y
    inner = np.zeros_like(v) if a_dot is None else adjoint(v) @ a_dot @ v
    own = np.zeros_like(v) if b_dot is None else adjoint(v) @ b_dot @ v
    inner = inner - own * w
    turn = over_gaps(inner, w, inner) - 0.5 * diagonal_matrix(np.diagonal(own))
    return np.diagonal(inner).real.copy(), v @ turn


# of `a b v = w v` (type 2) they are those of the pair `b a b` and `b`; of `b a v = w v` (type 3)
# those of `a` and the inverse of `b`


def eigh_product_left(g: Any, a: Any, b: Any, y: Any, lower: bool, kind: int) -> Any:
    """The adjoint of `a` in `scipy.linalg.eigh(a, b, type=kind)`."""
    uplo = "L" if lower else "U"
    b, found = from_triangle(b, uplo), _pair_left(g, y)
    return to_triangle(b @ found @ b if kind == 2 else found, uplo)


def eigh_product_right(g: Any, a: Any, b: Any, y: Any, lower: bool, kind: int) -> Any:
    """The adjoint of `b` in `scipy.linalg.eigh(a, b, type=kind)`."""
    uplo = "L" if lower else "U"
    a, b = from_triangle(a, uplo), from_triangle(b, uplo)
    found = _pair_right(g, y)
    if kind == 2:
        left = _pair_left(g, y)
        return to_triangle(found + a @ b @ left + left @ b @ a, uplo)
    inverse = np.linalg.inv(b)
    return to_triangle(-inverse @ found @ inverse, uplo)


def eigh_product_pushforward(
    a_dot: Any, b_dot: Any, a: Any, b: Any, y: Any, lower: bool, kind: int
) -> Any:
    """The tangent of `scipy.linalg.eigh(a, b, type=kind)`; None stands for one that is zero."""
    uplo = "L" if lower else "U"
    a, b = from_triangle(a, uplo), from_triangle(b, uplo)
    moved = None if a_dot is None else from_triangle(a_dot, uplo)
    turned = None if b_dot is None else from_triangle(b_dot, uplo)
    if kind == 2:
        whole = np.zeros_like(y[1]) if moved is None else b @ moved @ b
        if turned is not None:
            whole = whole + turned @ a @ b + b @ a @ turned
        return _pair_forwards(whole, turned, y)
    if turned is not None:
        inverse = np.linalg.inv(b)
        turned = -inverse @ turned @ inverse
    return _pair_forwards(moved, turned, y)


def real_eig_pullback(g: Any, a: Any) -> Any:
    """The adjoint of the real matrix of `scipy.linalg.eig`, whose eigenvalues are complex numbers.

    Raises:
        DerivativeError: if something depends on its vectors, which are real or complex.
    """
    if g[1] is not None and np.any(g[1] != 0):
        raise DerivativeError(
            "eigenvectors may be complex: pass the matrix `.astype(complex)`", code="AD602"
        )
    return complex_eigvals_pullback(g[0], a)


def real_eig_pushforward(t: Any, a: Any) -> Any:
    """The tangents of `scipy.linalg.eig` of a real matrix; nan for its vectors."""
    return complex_eigvals_pushforward(t, a) + 0j, np.full(np.shape(t), np.nan)
