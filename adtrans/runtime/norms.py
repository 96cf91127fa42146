"""Derivatives of norms and condition numbers for each element of their operand.

At ties the first of the largest elements counts, as in `np.argmax`; `abs` has slope 0 at 0.

>>> import numpy as np
>>> norm_weights(np.array([3.0, -4.0]), None, None)
array([ 0.6, -0.8])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.partials import first_of


def norm_weights(a: Any, order: Any, axis: Any) -> Any:
    """The derivative of `np.linalg.norm(a, order, axis)` for each element of `a`."""
    if order is None and axis is None:
        return a / np.linalg.norm(a)
    if isinstance(axis, tuple) and len(axis) == 2:
        return matrix_norm_weights(a, "fro" if order is None else order, axis[0], axis[1])
    if axis is None and np.ndim(a) == 2:
        return matrix_norm_weights(a, order, 0, 1)
    return vector_norm_weights(a, 2 if order is None else order, axis)


def vector_norm_weights(a: Any, order: Any, axis: Any) -> Any:
    """The derivative of `np.linalg.vector_norm` for each element; `axis` may be None or a tuple."""
    if order == 0:
        return 0.0 * a
    if order == 1:
        return np.sign(a)
    if order == np.inf:
        return np.sign(a) * first_of(np.argmax, np.abs(a), axis)
    if order == -np.inf:
        return np.sign(a) * first_of(np.argmin, np.abs(a), axis)
    if order == 2:
        return a / np.sqrt(np.sum(a * a, axis=axis, keepdims=True))
    size = np.abs(a)
    norm = np.sum(size**order, axis=axis, keepdims=True) ** (1 / order)
    return np.sign(a) * (size / norm) ** (order - 1)


def matrix_norm_weights(a: Any, order: Any, rows: int, columns: int) -> Any:
    """The derivative of a matrix norm over two axes for each element of `a`.

    Singular values: `ds = diag(u.T da v)` (Townsend, "Differentiating the SVD", 2016).
    """
    if order == "fro":
        return a / np.sqrt(np.sum(a * a, axis=(rows, columns), keepdims=True))
    if order in (2, -2, "nuc"):
        u, s, vh = np.linalg.svd(np.moveaxis(a, (rows, columns), (-2, -1)), full_matrices=False)
        if order == "nuc":
            found = (u * np.sign(s)[..., None, :]) @ vh
        elif order == 2:
            found = u[..., :, :1] * vh[..., :1, :]
        else:
            found = u[..., :, -1:] * vh[..., -1:, :]
        return np.moveaxis(found, (-2, -1), (rows, columns))
    inner, outer = (rows, columns) if order in (1, -1) else (columns, rows)
    sums = np.sum(np.abs(a), axis=inner, keepdims=True)
    return np.sign(a) * first_of(np.argmax if order > 0 else np.argmin, sums, outer)


def cond_weights(x: Any, p: Any) -> Any:
    """The derivative of `np.linalg.cond(x, p)` for each element of `x`."""
    if p is None or p == 2 or p == -2:
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        large, small = s[..., :1, None], s[..., -1:, None]
        first, last = u[..., :, :1] * vh[..., :1, :], u[..., :, -1:] * vh[..., -1:, :]
        if p == -2:
            return last / large - small / large**2 * first
        return first / small - large / small**2 * last
    inverse = np.linalg.inv(x)
    turned = np.swapaxes(inverse, -1, -2)
    norm = np.linalg.norm(x, p, axis=(-2, -1), keepdims=True)
    other = np.linalg.norm(inverse, p, axis=(-2, -1), keepdims=True)
    back = turned @ matrix_norm_weights(inverse, p, -2, -1) @ turned
    return other * matrix_norm_weights(x, p, -2, -1) - norm * back
