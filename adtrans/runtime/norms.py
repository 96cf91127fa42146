"""Derivatives of norms and condition numbers for each element of their operand.

At ties the first of the largest elements counts, as in `np.argmax`; `abs` has slope 0 at 0. Of
complex elements `z = a + ib` the derivative is `dL/da + i dL/db`.

>>> import numpy as np
>>> norm_weights(np.array([3.0, -4.0]), None, None)
array([ 0.6, -0.8])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.fourier import direction
from adtrans.runtime.partial_derivatives import first_of
from adtrans.runtime.spectral import svd_pushforward


def _sign(a: Any) -> Any:
    return direction(a) if np.iscomplexobj(a) else np.sign(a)


def _squares(a: Any) -> Any:
    return np.real(a * np.conj(a)) if np.iscomplexobj(a) else a * a


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
        return _sign(a)
    if order == np.inf:
        return _sign(a) * first_of(np.argmax, np.abs(a), axis)
    if order == -np.inf:
        return _sign(a) * first_of(np.argmin, np.abs(a), axis)
    if order == 2:
        return a / np.sqrt(np.sum(_squares(a), axis=axis, keepdims=True))
    size = np.abs(a)
    norm = np.sum(size**order, axis=axis, keepdims=True) ** (1 / order)
    return _sign(a) * (size / norm) ** (order - 1)


def matrix_norm_weights(a: Any, order: Any, rows: int, columns: int) -> Any:
    """The derivative of a matrix norm over two axes for each element of `a`.

    Singular values: `ds = diag(u.T da v)` (Townsend, "Differentiating the SVD", 2016).
    """
    if order in ("fro", "f"):
        return a / np.sqrt(np.sum(_squares(a), axis=(rows, columns), keepdims=True))
    if not np.size(a):
        return np.zeros(np.shape(a), a.dtype)
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
    return _sign(a) * first_of(np.argmax if order > 0 else np.argmin, sums, outer)


def norm_curvature(t: Any, a: Any, order: Any, axis: Any) -> Any:
    """The derivative of `norm_weights` along `t`; it is symmetric, and so its own adjoint.

    >>> norm_curvature(np.array([1.0, 0.0]), np.array([3.0, -4.0]), 2, None)
    array([0.128, 0.096])
    """
    pair = isinstance(axis, tuple) and len(axis) == 2
    if pair or (axis is None and np.ndim(a) == 2 and order is not None):
        rows, columns = axis if pair else (0, 1)
        return matrix_norm_curvature(t, a, "fro" if order is None else order, rows, columns)
    return vector_norm_curvature(t, a, 2 if order is None else order, axis)


def vector_norm_curvature(t: Any, a: Any, order: Any, axis: Any) -> Any:
    """The derivative of `vector_norm_weights` along `t`."""
    if order in (0, 1, np.inf, -np.inf):
        return np.zeros_like(t)
    size = np.abs(a)
    norm = np.sum(size**order, axis=axis, keepdims=True) ** (1 / order)
    weights = vector_norm_weights(a, order, axis)
    along = np.sum(weights * t, axis=axis, keepdims=True)
    slope = t if order == 2 else (size / norm) ** (order - 2) * t
    back = weights if order == 2 else (size / norm) ** (order - 2) * a / norm
    return (order - 1) / norm * (slope - back * along)


def matrix_norm_curvature(t: Any, a: Any, order: Any, rows: int, columns: int) -> Any:
    """The derivative of `matrix_norm_weights` along `t`; nan at equal singular values."""
    if order in ("fro", "f"):
        return vector_norm_curvature(t, a, 2, (rows, columns))
    if order not in (2, -2, "nuc"):
        return np.zeros_like(t)
    seed, x = (np.moveaxis(v, (rows, columns), (-2, -1)) for v in (t, a))
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    u_dot, _, vh_dot = svd_pushforward(seed, (u, s, vh))
    if order != "nuc":
        part = slice(None, 1) if order == 2 else slice(-1, None)
        u, u_dot = u[..., part], u_dot[..., part]
        vh, vh_dot = vh[..., part, :], vh_dot[..., part, :]
    return np.moveaxis(u_dot @ vh + u @ vh_dot, (-2, -1), (rows, columns))


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
