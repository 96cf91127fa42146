"""Adjoints and tangents of systems with bands."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from adtrans.runtime.with_scipy.linalg_adjoints import as_columns


def banded_right(g: Any, bands: Any, ab: Any) -> Any:
    """The adjoint of the right side of `scipy.linalg.solve_banded(bands, ab, b)`."""
    low, up = bands
    n = np.shape(ab)[1]
    turned = np.zeros((low + up + 1, n), ab.dtype)
    for k in range(max(-low, 1 - n), min(up, n - 1) + 1):
        columns = slice(max(k, 0), n + min(k, 0))
        turned[low + k, max(-k, 0) : n - max(k, 0)] = ab[up - k, columns]
    return scipy.linalg.solve_banded((up, low), turned, g, check_finite=False)


def banded_left(g: Any, bands: Any, ab: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The adjoint of the diagonals of `scipy.linalg.solve_banded(bands, ab, b)`."""
    low, up = bands
    n = np.shape(ab)[1]
    back, x = as_columns(banded_right(g, bands, ab), shape), as_columns(y, shape)
    found = np.zeros_like(ab)
    for k in range(max(-low, 1 - n), min(up, n - 1) + 1):
        columns, rows = slice(max(k, 0), n + min(k, 0)), slice(max(-k, 0), n - max(k, 0))
        found[up - k, columns] = -np.sum(back[rows] * x[columns], axis=1)
    return found


def banded_pushforward(t: Any, bands: Any, ab: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The tangent of `scipy.linalg.solve_banded(bands, ab, b)` for the diagonals."""
    low, up = bands
    n = np.shape(ab)[1]
    x = as_columns(y, shape)
    moved = np.zeros_like(x)
    for k in range(max(-low, 1 - n), min(up, n - 1) + 1):
        columns, rows = slice(max(k, 0), n + min(k, 0)), slice(max(-k, 0), n - max(k, 0))
        moved[rows] += t[up - k, columns][:, None] * x[columns]
    moved = np.reshape(moved, np.shape(y))
    return -scipy.linalg.solve_banded(bands, ab, moved, check_finite=False)


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
    back = scipy.linalg.solveh_banded(ab, g, lower=lower, check_finite=False)
    back = as_columns(back, shape)
    x = as_columns(y, shape)
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
    x, n = as_columns(y, shape), full.shape[1]
    out = np.zeros_like(x)
    for k in range(-min(u, n - 1), min(u, n - 1) + 1):
        columns, rows = slice(max(k, 0), n + min(k, 0)), slice(max(-k, 0), n - max(k, 0))
        out[rows] += full[u - k, columns][:, None] * x[columns]
    return np.reshape(out, np.shape(y))
