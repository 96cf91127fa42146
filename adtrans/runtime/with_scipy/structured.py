"""Matrices that are made of fewer numbers: by diagonals, or of blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from adtrans.runtime.factorizations import transposed
from adtrans.runtime.with_scipy.linalg_adjoints import as_columns


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
    found = _summed(kept, np.minimum(place, g.shape[0] - 1), g.shape[0])
    return np.reshape(found, shape)


def hankel_row(g: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of the last row of `scipy.linalg.hankel`, of which the first is not used."""
    place = np.add.outer(np.arange(g.shape[0]), np.arange(g.shape[1])) - g.shape[0] + 1
    kept = np.where(place > 0, g, 0.0)
    return np.reshape(_summed(kept, np.maximum(place, 0), g.shape[1]), shape)


def circulant_pullback(g: Any) -> Any:
    """The adjoint of `scipy.linalg.circulant` of one vector."""
    n = g.shape[0]
    place = np.subtract.outer(np.arange(n), np.arange(n)) % n
    return _summed(g, place, n)


def _summed(g: Any, place: Any, n: int) -> Any:
    """The sums of what lies at each of `n` places; complex numbers, too."""
    found = np.zeros(n, g.dtype)
    np.add.at(found, place, g)
    return found


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


def toeplitz_solve_left(g: Any, given: Any, shape: tuple[int, ...], y: Any, which: int) -> Any:
    """The adjoint of the first column (`which` 0) or row (1) of `scipy.linalg.solve_toeplitz`; of
    a vector that is both, `which` is -1."""
    c, r = (given, given) if which < 0 else given
    column, row = toeplitz_turned(c, r)
    back = as_columns(scipy.linalg.solve_toeplitz((column, row), g), shape)
    matrix = -back @ transposed(as_columns(y, shape))
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
    return np.reshape(scipy.linalg.matmul_toeplitz(changed, as_columns(y, shape)), np.shape(y))
