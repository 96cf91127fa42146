"""Adjoints and tangents of `scipy.linalg`.

>>> x = matrix_function_slope(scipy.linalg.expm, np.zeros((2, 2)), np.ones((2, 2)))
>>> bool(np.allclose(x, 1.0))
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg

from adtrans.runtime.broadcasting import unbroadcast
from adtrans.runtime.errors import DerivativeError
from adtrans.runtime.factorizations import (
    cholesky_pullback,
    cholesky_pushforward,
    from_triangle,
    to_triangle,
    transposed,
)
from adtrans.runtime.spectral import diagonal_matrix, inverse_gaps
from adtrans.runtime.systems import solve_left, solve_like


def _columns(v: Any, b: Any) -> Any:
    """`v` as columns, also where the right side `b` (or its shape) is that of one vector."""
    one = len(b) == 1 if isinstance(b, tuple) else np.ndim(b) == 1
    return np.expand_dims(v, -1) if one else v


def can_be_written(a: Any) -> bool:
    """Whether SciPy may use an operand as scratch memory; others it has to leave as they are."""
    return isinstance(a, np.ndarray) and a.flags.writeable


def scratch_of(a: Any) -> Any:
    """A copy with the strides and flags of an operand: on them it depends whether SciPy writes to
    it."""
    made = _with_strides(a)
    if isinstance(a, np.ndarray):
        made.flags.writeable = a.flags.writeable
    return made


def _with_strides(a: Any) -> Any:
    if not isinstance(a, np.ndarray) or a.size == 0 or a.flags.forc:
        return np.copy(a)
    reach = [(n - 1) * s for n, s in zip(a.shape, a.strides, strict=True)]
    low, high = sum(min(r, 0) for r in reach), sum(max(r, 0) for r in reach)
    memory = np.empty(high - low + a.itemsize, np.uint8)
    made: Any = np.ndarray(a.shape, a.dtype, memory, -low, a.strides)
    made[...] = a
    return made


def lies_in(found: Any, work: Any, a: Any) -> bool:
    """Whether SciPy returned the scratch memory that stands for the operand `a`.

    Raises:
        DerivativeError: if it returned a part of it.
    """
    if not can_be_written(a) or not isinstance(found, np.ndarray):
        return False
    if not np.may_share_memory(found, work):
        return False
    if _place(found) != _place(work):
        raise DerivativeError(
            "SciPy returns a part of the memory of an operand, which is overwritten: leave the "
            "`overwrite_...` flag out, or pass a copy"
        )
    return True


def held_in(a: Any, found: Any) -> Any:
    """The operand `a` as SciPy returns it: of some functions the result cannot be written."""
    view = a[...]
    view.flags.writeable = found.flags.writeable
    return view


def _place(a: Any) -> tuple[object, ...]:
    return a.__array_interface__["data"][0], a.shape, a.strides, a.dtype


def left_over(work: Any) -> Any:
    """What a primitive left in its scratch memory: nothing that its documentation says."""
    return work


def left_over_pullback(g: Any) -> Any:
    """The adjoint of what was left: none, because it is not known what that is.

    Raises:
        DerivativeError: if the result depends on it.
    """
    if np.any(g):
        raise DerivativeError(
            "an array is read after a call with `overwrite_a=True` or the like, which may have "
            "left anything in it: leave the flag out"
        )
    return np.zeros(np.shape(g))


# systems with structure


def symmetric_solve(a: Any, b: Any, shape: tuple[int, ...], lower: bool) -> Any:
    """`scipy.linalg.solve` with symmetric matrices of which one triangle is read.

    `shape` is that of the original right side (1-d: a vector, also for several matrices).
    """
    return solve_like(from_triangle(a, "L" if lower else "U"), b, shape)


def symmetric_solve_right(g: Any, a: Any, shape: tuple[int, ...], lower: bool) -> Any:
    """The adjoint of the right side of `symmetric_solve`."""
    return unbroadcast(symmetric_solve(a, g, shape, lower), shape)


def symmetric_solve_left(g: Any, a: Any, shape: tuple[int, ...], y: Any, lower: bool) -> Any:
    """The adjoint of the matrix of `symmetric_solve`."""
    uplo = "L" if lower else "U"
    return to_triangle(solve_left(g, from_triangle(a, uplo), shape, y), uplo)


def _is_plain(trans: Any) -> bool:
    return trans in (0, "N")


def _part(a: Any, lower: bool, unit: bool) -> Any:
    """The triangle that `solve_triangular` reads."""
    k = 1 if unit else 0
    return np.tril(a, -k) if lower else np.triu(a, k)


def triangular_right(g: Any, a: Any, trans: Any, lower: bool, unit: bool) -> Any:
    """The adjoint of the right side of `scipy.linalg.solve_triangular`."""
    back = 1 if _is_plain(trans) else 0
    return scipy.linalg.solve_triangular(a, g, trans=back, lower=lower, unit_diagonal=unit)


def triangular_left(
    g: Any, a: Any, shape: tuple[int, ...], y: Any, trans: Any, lower: bool, unit: bool
) -> Any:
    """The adjoint of the matrix of `scipy.linalg.solve_triangular`."""
    back = _columns(triangular_right(g, a, trans, lower, unit), shape)
    x = _columns(y, shape)
    outer = back @ transposed(x) if _is_plain(trans) else x @ transposed(back)
    return _part(-outer, lower, unit)


def triangular_pushforward(
    t: Any, a: Any, shape: tuple[int, ...], y: Any, trans: Any, lower: bool, unit: bool
) -> Any:
    """The tangent of `scipy.linalg.solve_triangular` for its matrix."""
    part = _part(t, lower, unit)
    moved = (part if _is_plain(trans) else transposed(part)) @ _columns(y, shape)
    moved = np.reshape(moved, np.shape(y))
    return -scipy.linalg.solve_triangular(a, moved, trans=trans, lower=lower, unit_diagonal=unit)


# factors


def cho_factor_pullback(g: Any, y: Any, lower: bool) -> Any:
    """The adjoint of `scipy.linalg.cho_factor`; what is beyond the factor is that of the matrix."""
    if lower:
        return cholesky_pullback(np.tril(g), np.tril(y)) + np.triu(g, 1)
    turned = cholesky_pullback(transposed(np.triu(g)), transposed(np.triu(y)))
    return transposed(turned) + np.tril(g, -1)


def cho_factor_pushforward(t: Any, y: Any, lower: bool) -> Any:
    """The tangent of the matrix that `scipy.linalg.cho_factor` gives."""
    if lower:
        return cholesky_pushforward(t, np.tril(y)) + np.triu(t, 1)
    turned = cholesky_pushforward(transposed(t), transposed(np.triu(y)))
    return transposed(turned) + np.tril(t, -1)


def cho_solve_factor(g: Any, factor: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The adjoint of the factor in `scipy.linalg.cho_solve(factor, b)`."""
    c, lower = factor
    back = _columns(scipy.linalg.cho_solve(factor, g), shape)
    x = _columns(y, shape)
    both = -back @ transposed(x) - x @ transposed(back)
    return np.tril(both @ np.tril(c)) if lower else np.triu(np.triu(c) @ both)


def cho_solve_pushforward(t: Any, factor: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The tangent of `scipy.linalg.cho_solve(factor, b)` for the factor."""
    c, lower = factor
    root, root_dot = (np.tril(c), np.tril(t)) if lower else (transposed(np.triu(c)),
                                                             transposed(np.triu(t)))  # fmt: skip
    moved = root_dot @ transposed(root)
    moved = (moved + transposed(moved)) @ _columns(y, shape)
    return -scipy.linalg.cho_solve(factor, np.reshape(moved, np.shape(y)))


def _rows(piv: Any) -> Any:
    """The order of rows that the interchanges `piv` make."""
    order = np.arange(len(piv))
    for i, k in enumerate(piv):
        order[i], order[k] = order[k], order[i]
    return order


def _halves(lu: Any) -> tuple[Any, Any]:
    if np.shape(lu)[-1] != np.shape(lu)[-2]:
        raise DerivativeError("only LU factors of square matrices have a rule")
    return np.tril(lu, -1) + np.eye(np.shape(lu)[-1], dtype=lu.dtype), np.triu(lu)


def lu_factor_pullback(g: Any, y: Any) -> Any:
    """The adjoint of `scipy.linalg.lu_factor`; `g` is that of the matrix of both factors."""
    lower, upper = _halves(y[0])
    inner = np.tril(lower.T @ np.tril(g, -1), -1) + np.triu(np.triu(g) @ upper.T)
    found = np.zeros_like(g)
    found[_rows(y[1])] = np.linalg.solve(lower.T, np.linalg.solve(upper, inner.T).T)
    return found


def lu_factor_pushforward(t: Any, y: Any) -> Any:
    """The tangent of the matrix that `scipy.linalg.lu_factor` gives."""
    lower, upper = _halves(y[0])
    inner = np.linalg.solve(lower, t[_rows(y[1])])
    inner = np.linalg.solve(upper.T, inner.T).T
    return lower @ np.tril(inner, -1) + np.triu(inner) @ upper


def lu_pullback(g: Any, y: Any) -> Any:
    """The adjoint of the matrix of `p, l, u = scipy.linalg.lu(a)`; None in `g` stands for zero.

    With `a = p l u` and `F = l^-1 p^T da u^-1`, `dl` is `l` times the part of `F` below its
    diagonal, and `du` the rest times `u`.
    """
    p, lower, upper = y
    if np.shape(lower)[-1] != np.shape(upper)[-2] or np.shape(p)[-1] != np.shape(upper)[-1]:
        raise DerivativeError("only LU factors of square matrices have a rule")
    inner = np.zeros(np.shape(upper), upper.dtype)
    if g[1] is not None:
        inner = inner + np.tril(transposed(lower) @ g[1], -1)
    if g[2] is not None:
        inner = inner + np.triu(g[2] @ transposed(upper))
    right = transposed(np.linalg.solve(upper, transposed(inner)))
    return p @ np.linalg.solve(transposed(lower), right)


def lu_pushforward(t: Any, y: Any) -> Any:
    """The tangents of `p, l, u = scipy.linalg.lu(a)`."""
    p, lower, upper = y
    if np.shape(lower)[-1] != np.shape(upper)[-2] or np.shape(p)[-1] != np.shape(upper)[-1]:
        raise DerivativeError("only LU factors of square matrices have a rule")
    inner = np.linalg.solve(lower, transposed(p) @ t)
    inner = transposed(np.linalg.solve(transposed(upper), transposed(inner)))
    return np.zeros_like(p), lower @ np.tril(inner, -1), np.triu(inner) @ upper


def lu_solve_factor(g: Any, factor: Any, shape: tuple[int, ...], y: Any, trans: int) -> Any:
    """The adjoint of the factor in `scipy.linalg.lu_solve(factor, b, trans)`."""
    lower, upper = _halves(factor[0])
    back = _columns(scipy.linalg.lu_solve(factor, g, trans=0 if trans else 1), shape)
    x = _columns(y, shape)
    outer = (-x @ transposed(back) if trans else -back @ transposed(x))[_rows(factor[1])]
    return np.tril(outer @ upper.T, -1) + np.triu(lower.T @ outer)


def lu_solve_pushforward(t: Any, factor: Any, shape: tuple[int, ...], y: Any, trans: int) -> Any:
    """The tangent of `scipy.linalg.lu_solve(factor, b, trans)` for the factor."""
    lower, upper = _halves(factor[0])
    moved = np.zeros_like(lower)
    moved[_rows(factor[1])] = np.tril(t, -1) @ upper + lower @ np.triu(t)
    moved = (moved.T if trans else moved) @ _columns(y, shape)
    return -scipy.linalg.lu_solve(factor, np.reshape(moved, np.shape(y)), trans=trans)


# eigenvalues of a pair


def eigh_pair_left(g: Any, y: Any, lower: bool) -> Any:
    """The adjoint of `a` in `scipy.linalg.eigh(a, b)`, whose vectors have `v.T @ b @ v = 1`."""
    w, v = y
    inner = np.zeros_like(v)
    if g[0] is not None:
        inner = inner + diagonal_matrix(g[0])
    if g[1] is not None:
        inner = inner + inverse_gaps(w) * (v.T @ g[1])
    return to_triangle(v @ inner @ v.T, "L" if lower else "U")


def eigh_pair_right(g: Any, y: Any, lower: bool) -> Any:
    """The adjoint of `b` in `scipy.linalg.eigh(a, b)`."""
    w, v = y
    inner = np.zeros_like(v)
    if g[0] is not None:
        inner = inner + diagonal_matrix(g[0] * w)
    if g[1] is not None:
        own = v.T @ g[1]
        inner = inner + inverse_gaps(w) * own * w + 0.5 * diagonal_matrix(np.diagonal(own))
    return to_triangle(-v @ inner @ v.T, "L" if lower else "U")


def eigh_pair_pushforward(a_dot: Any, b_dot: Any, y: Any, lower: bool) -> Any:
    """The tangent of `scipy.linalg.eigh(a, b)`; None stands for a tangent that is zero."""
    w, v = y
    uplo = "L" if lower else "U"
    inner = np.zeros_like(v) if a_dot is None else v.T @ from_triangle(a_dot, uplo) @ v
    own = np.zeros_like(v) if b_dot is None else v.T @ from_triangle(b_dot, uplo) @ v
    inner = inner - own * w
    turn = inverse_gaps(w) * inner - 0.5 * diagonal_matrix(np.diagonal(own))
    return np.diagonal(inner).copy(), v @ turn


# functions of matrices


def matrix_function_slope(function: Callable[..., Any], a: Any, e: Any) -> Any:
    """The derivative of a function of matrices at `a` in the direction `e`.

    It is a block of the function of a matrix of twice the size (Mathias, "A chain rule for matrix
    functions and applications", SIAM J. Matrix Anal. Appl. 17, 1996). With the transposes of `a`
    and of a cotangent it is the adjoint.
    """
    n = np.shape(a)[-1]
    above = np.concatenate([a, e], axis=-1)
    below = np.concatenate([np.zeros_like(a), a], axis=-1)
    found = function(np.concatenate([above, below], axis=-2))[..., :n, n:]
    if np.iscomplexobj(found):
        raise DerivativeError("the function of this matrix is complex")
    return found


def sqrtm_slope(y: Any, e: Any) -> Any:
    """The derivative of `scipy.linalg.sqrtm`, whose value is `y`, in the direction `e`."""
    if np.iscomplexobj(y):
        raise DerivativeError("the square root of this matrix is complex")
    return scipy.linalg.solve_sylvester(y, y, e)


# matrices with equal elements, and bands


def toeplitz_column(g: Any, shape: tuple[int, ...], alone: bool) -> Any:
    """The adjoint of the first column of `scipy.linalg.toeplitz`; `alone`: it is the row, too."""
    offset = np.subtract.outer(np.arange(g.shape[0]), np.arange(g.shape[1]))
    kept = g if alone else np.where(offset >= 0, g, 0.0)
    where = np.abs(offset) if alone else np.maximum(offset, 0)
    found = np.bincount(np.ravel(where), np.ravel(kept), g.shape[0])
    return np.reshape(found.astype(g.dtype), shape)


def toeplitz_row(g: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of the first row of `scipy.linalg.toeplitz`, of which the first is not used."""
    offset = np.subtract.outer(np.arange(g.shape[1]), np.arange(g.shape[0])).T
    kept = np.where(offset > 0, g, 0.0)
    found = np.bincount(np.ravel(np.maximum(offset, 0)), np.ravel(kept), g.shape[1])
    return np.reshape(found.astype(g.dtype), shape)


def hankel_column(g: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of the first column of `scipy.linalg.hankel`."""
    place = np.add.outer(np.arange(g.shape[0]), np.arange(g.shape[1]))
    kept = np.where(place < g.shape[0], g, 0.0)
    found = np.bincount(np.ravel(np.minimum(place, g.shape[0] - 1)), np.ravel(kept), g.shape[0])
    return np.reshape(found.astype(g.dtype), shape)


def hankel_row(g: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of the last row of `scipy.linalg.hankel`, of which the first is not used."""
    place = np.add.outer(np.arange(g.shape[0]), np.arange(g.shape[1])) - g.shape[0] + 1
    kept = np.where(place > 0, g, 0.0)
    found = np.bincount(np.ravel(np.maximum(place, 0)), np.ravel(kept), g.shape[1])
    return np.reshape(found.astype(g.dtype), shape)


def circulant_pullback(g: Any) -> Any:
    """The adjoint of `scipy.linalg.circulant` of one vector."""
    n = g.shape[0]
    place = np.subtract.outer(np.arange(n), np.arange(n)) % n
    return np.bincount(np.ravel(place), np.ravel(g), n).astype(g.dtype)


def block_diag_part(g: Any, i: int, shapes: tuple[tuple[int, ...], ...]) -> Any:
    """The adjoint of the i-th block of `scipy.linalg.block_diag`."""
    rows, columns, _ = _block_place(i, shapes)
    return np.reshape(g[rows, columns], shapes[i]).copy()


def block_diag_whole(b: Any, i: int, shapes: tuple[tuple[int, ...], ...]) -> Any:
    """The i-th block of `scipy.linalg.block_diag` where it belongs, among zeros.

    >>> block_diag_whole(np.array([2.0]), 1, ((), (1,)))
    array([[0., 0.],
           [0., 2.]])
    """
    rows, columns, size = _block_place(i, shapes)
    whole = np.zeros(size, np.asarray(b).dtype)
    whole[rows, columns] = b
    return whole


def _block_place(i: int, shapes: tuple[tuple[int, ...], ...]) -> tuple[slice, slice, Any]:
    full = [(1, 1) if len(s) == 0 else (1, s[0]) if len(s) == 1 else s for s in shapes]
    row, column = sum(s[0] for s in full[:i]), sum(s[1] for s in full[:i])
    size = (sum(s[0] for s in full), sum(s[1] for s in full))
    return slice(row, row + full[i][0]), slice(column, column + full[i][1]), size


def banded_right(g: Any, bands: Any, ab: Any) -> Any:
    """The adjoint of the right side of `scipy.linalg.solve_banded(bands, ab, b)`."""
    low, up = bands
    n = np.shape(ab)[1]
    turned = np.zeros((low + up + 1, n), ab.dtype)
    for k in range(max(-low, 1 - n), min(up, n - 1) + 1):
        columns = slice(max(k, 0), n + min(k, 0))
        turned[low + k, max(-k, 0) : n - max(k, 0)] = ab[up - k, columns]
    return scipy.linalg.solve_banded((up, low), turned, g)


def banded_left(g: Any, bands: Any, ab: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The adjoint of the diagonals of `scipy.linalg.solve_banded(bands, ab, b)`."""
    low, up = bands
    n = np.shape(ab)[1]
    back, x = _columns(banded_right(g, bands, ab), shape), _columns(y, shape)
    found = np.zeros_like(ab)
    for k in range(max(-low, 1 - n), min(up, n - 1) + 1):
        columns, rows = slice(max(k, 0), n + min(k, 0)), slice(max(-k, 0), n - max(k, 0))
        found[up - k, columns] = -np.sum(back[rows] * x[columns], axis=1)
    return found


def banded_pushforward(t: Any, bands: Any, ab: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The tangent of `scipy.linalg.solve_banded(bands, ab, b)` for the diagonals."""
    low, up = bands
    n = np.shape(ab)[1]
    x = _columns(y, shape)
    moved = np.zeros_like(x)
    for k in range(max(-low, 1 - n), min(up, n - 1) + 1):
        columns, rows = slice(max(k, 0), n + min(k, 0)), slice(max(-k, 0), n - max(k, 0))
        moved[rows] += t[up - k, columns][:, None] * x[columns]
    return -scipy.linalg.solve_banded(bands, ab, np.reshape(moved, np.shape(y)))


def toeplitz_solve_left(g: Any, given: Any, shape: tuple[int, ...], y: Any, which: int) -> Any:
    """The adjoint of the first column (`which` 0) or row (1) of `scipy.linalg.solve_toeplitz`; of
    a vector that is both, `which` is -1."""
    c, r = (given, given) if which < 0 else given
    column, row = toeplitz_turned(c, r)
    back = _columns(scipy.linalg.solve_toeplitz((column, row), g), shape)
    matrix = -back @ transposed(_columns(y, shape))
    if which == 1:
        return toeplitz_row(matrix, np.shape(r))
    return toeplitz_column(matrix, np.shape(c), which < 0)


def toeplitz_turned(c: Any, r: Any) -> tuple[Any, Any]:
    """The first column and row of the transpose; the first number of `r` is not looked at.

    >>> [v.tolist() for v in toeplitz_turned(np.array([1.0, 2.0]), np.array([9.0, 3.0]))]
    [[1.0, 3.0], [1.0, 2.0]]
    """
    c, r = np.ravel(c), np.ravel(r)
    return np.concatenate((c[:1], r[1:])), c


def toeplitz_moved(t: Any, y: Any, shape: tuple[int, ...], which: int) -> Any:
    """The change of the matrix, for a tangent of its column or row, times `y`."""
    t, zeros = np.ravel(t), np.zeros(np.size(t))
    changed = {-1: (t, t), 0: (t, zeros), 1: (zeros, np.concatenate(([0.0], t[1:])))}[which]
    return np.reshape(scipy.linalg.matmul_toeplitz(changed, _columns(y, shape)), np.shape(y))


def upper_bands(ab: Any, lower: bool) -> tuple[Any, tuple[int, int]]:
    """All bands of the matrix of `scipy.linalg.solveh_banded`, as `solve_banded` has them.

    >>> upper_bands(np.array([[0.0, 1.0], [2.0, 3.0]]), False)[0].tolist()
    [[0.0, 1.0], [2.0, 3.0], [1.0, 0.0]]
    """
    ab = np.asarray(ab)
    u, n = len(ab) - 1, ab.shape[1]
    full = np.zeros((2 * u + 1, n), ab.dtype)
    for k in range(min(u, n - 1) + 1):
        band = ab[k, : n - k] if lower else ab[u - k, k:]
        full[u - k, k:], full[u + k, : n - k] = band, band
    return full, (u, u)


def symmetric_bands_left(g: Any, ab: Any, shape: tuple[int, ...], y: Any, lower: bool) -> Any:
    """The adjoint of the bands of `scipy.linalg.solveh_banded`."""
    ab = np.asarray(ab)
    back, x = _columns(scipy.linalg.solveh_banded(ab, g, lower=lower), shape), _columns(y, shape)
    u, n = len(ab) - 1, ab.shape[1]
    out = np.zeros_like(ab)
    for k in range(min(u, n - 1) + 1):
        band = np.sum(back[: n - k] * x[k:], axis=1)
        if k:
            band = band + np.sum(back[k:] * x[: n - k], axis=1)
        if lower:
            out[k, : n - k] = -band
        else:
            out[u - k, k:] = -band
    return out


def symmetric_bands_times(t: Any, y: Any, shape: tuple[int, ...], lower: bool) -> Any:
    """The change of the matrix, for a tangent of its bands, times `y`."""
    full, (u, _) = upper_bands(t, lower)
    x, n = _columns(y, shape), full.shape[1]
    out = np.zeros_like(x)
    for k in range(-min(u, n - 1), min(u, n - 1) + 1):
        columns, rows = slice(max(k, 0), n + min(k, 0)), slice(max(-k, 0), n - max(k, 0))
        out[rows] += full[u - k, columns][:, None] * x[columns]
    return np.reshape(out, np.shape(y))
