"""Adjoints and tangents of linear systems, inverses and products of matrices.

They work on stacks of matrices; those that must be regular are taken to be so.

>>> import numpy as np
>>> solve_left(np.array([1.0]), np.array([[2.0]]), (1,), np.array([3.0]))
array([[-1.5]])
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast
from adtrans.runtime.cumulative import product_of_others
from adtrans.runtime.factorizations import adjoint, transposed
from adtrans.runtime.failures import DerivativeError


def _is_vector(a: Any, shape: tuple[int, ...]) -> bool:
    """Whether `np.linalg.solve` takes a right side of this shape for vectors."""
    old = int(np.__version__.partition(".")[0]) < 2
    return len(shape) == 1 or (old and len(shape) == np.ndim(a) - 1)


def solve_like(a: Any, b: Any, shape: tuple[int, ...]) -> Any:
    """`np.linalg.solve(a, b)`, where `shape` is that of the original right side (1-d: a vector)."""
    if _is_vector(a, shape):
        return np.linalg.solve(a, np.expand_dims(b, -1))[..., 0]
    return np.linalg.solve(a, b)


def matvec_like(a: Any, y: Any, shape: tuple[int, ...]) -> Any:
    """`a @ y` where `y` solves a system whose right side has this shape (1-d: vectors)."""
    if _is_vector(a, shape):
        return (a @ np.expand_dims(y, -1))[..., 0]
    return a @ y


def solve_right(g: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of the right side `b` of `np.linalg.solve(a, b)`."""
    return unbroadcast(solve_like(transposed(a), g, shape), shape)


def solve_left(g: Any, a: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The adjoint of the matrix of `np.linalg.solve(a, b)`; `shape` is that of `b`."""
    back = solve_like(transposed(a), g, shape)
    if _is_vector(a, shape):
        return unbroadcast(-back[..., :, None] * y[..., None, :], np.shape(a))
    return unbroadcast(-back @ transposed(y), np.shape(a))


def cofactors(a: Any, det: Any) -> Any:
    """The cofactors of each matrix, which are the derivative of its determinant.

    They are `det * inv(a).T`, and come from the singular values where that does not exist.

    >>> cofactors(np.array([[2.0, 0.0], [0.0, 0.0]]), np.float64(0.0))
    array([[0., 0.],
           [0., 2.]])
    """
    if np.all(det != 0):
        return np.asarray(det)[..., None, None] * transposed(np.linalg.inv(a))
    u, s, vh = np.linalg.svd(a)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    others = product_of_others(s, -1) * np.asarray(sign)[..., None]
    return (np.conj(u) * others[..., None, :]) @ np.conj(vh)


def pinv_pullback(g: Any, a: Any, y: Any) -> Any:
    """The adjoint of `np.linalg.pinv` where the rank does not change (Golub and Pereyra, 1973)."""
    left, right = a @ y, y @ a
    g = adjoint(g)
    eye_m, eye_n = np.eye(a.shape[-2], dtype=a.dtype), np.eye(a.shape[-1], dtype=a.dtype)
    total = -adjoint(y) @ adjoint(g) @ adjoint(y) + (eye_m - left) @ g @ y @ adjoint(y)
    return total + adjoint(y) @ y @ g @ (eye_n - right)


def pinv_pushforward(t: Any, a: Any, y: Any) -> Any:
    """The tangent of `np.linalg.pinv` where the rank does not change."""
    eye_m, eye_n = np.eye(a.shape[-2], dtype=a.dtype), np.eye(a.shape[-1], dtype=a.dtype)
    total = -y @ t @ y + y @ adjoint(y) @ adjoint(t) @ (eye_m - a @ y)
    return total + (eye_n - y @ a) @ adjoint(t) @ adjoint(y) @ y


def matrix_power_pullback(g: Any, a: Any, n: int) -> Any:
    """The adjoint of `np.linalg.matrix_power`."""
    if n < 0:
        inverse = np.linalg.inv(a)
        return -transposed(inverse) @ matrix_power_pullback(g, inverse, -n) @ transposed(inverse)
    total = np.zeros_like(a)
    for k in range(n):
        left, right = np.linalg.matrix_power(a, k), np.linalg.matrix_power(a, n - 1 - k)
        total = total + transposed(left) @ g @ transposed(right)
    return total


def matrix_power_pushforward(t: Any, a: Any, n: int) -> Any:
    """The tangent of `np.linalg.matrix_power`."""
    if n < 0:
        inverse = np.linalg.inv(a)
        return matrix_power_pushforward(-inverse @ t @ inverse, inverse, -n)
    total = np.zeros_like(a)
    for k in range(n):
        left, right = np.linalg.matrix_power(a, k), np.linalg.matrix_power(a, n - 1 - k)
        total = total + left @ t @ right
    return total


def multi_dot_pullback(g: Any, i: int, shape: tuple[int, ...], arrays: Any) -> Any:
    """The adjoint of the i-th factor of `np.linalg.multi_dot`; that entry is not looked at.

    A first vector is a row, a last one a column.
    """
    n = len(arrays)
    first = shape if i == 0 else np.shape(arrays[0])
    last = shape if i == n - 1 else np.shape(arrays[n - 1])
    g = np.reshape(g, (first[0] if len(first) == 2 else 1, last[1] if len(last) == 2 else 1))
    for k in range(i):
        factor = np.asarray(arrays[k])
        g = np.reshape(factor, (1, -1)).T @ g if np.ndim(factor) == 1 else factor.T @ g
    for k in range(n - 1, i, -1):
        factor = np.asarray(arrays[k])
        g = g @ np.reshape(factor, (1, -1)) if np.ndim(factor) == 1 else g @ factor.T
    return np.reshape(g, shape)


def tensorsolve_right(g: Any, a: Any, shape: tuple[int, ...], axes: Any) -> Any:
    """The adjoint of the right side of `np.linalg.tensorsolve`, which has this shape."""
    n = math.prod(shape)
    matrix = np.reshape(np.transpose(a, _solved_last(np.ndim(a), axes)), (n, n))
    return np.reshape(np.linalg.solve(transposed(matrix), np.reshape(g, n)), shape)


def tensorsolve_left(g: Any, a: Any, shape: tuple[int, ...], y: Any, axes: Any) -> Any:
    """The adjoint of the tensor of `np.linalg.tensorsolve`; `shape` is that of the right side."""
    order = _solved_last(np.ndim(a), axes)
    back = -np.reshape(tensorsolve_right(g, a, shape, axes), (-1, 1)) * np.reshape(y, -1)
    moved = [np.shape(a)[k] for k in order]
    return np.transpose(np.reshape(back, moved), np.argsort(order))


def tensorsolve_pushforward(t: Any, a: Any, shape: tuple[int, ...], y: Any, axes: Any) -> Any:
    """The tangent of `np.linalg.tensorsolve` for its tensor."""
    order = _solved_last(np.ndim(a), axes)
    moved = np.tensordot(np.transpose(t, order), y, np.ndim(y))
    return -np.linalg.tensorsolve(a, np.reshape(moved, shape), axes)


def _solved_last(ndim: int, axes: Any) -> list[int]:
    """The order of axes in which `np.linalg.tensorsolve` reads its tensor."""
    order = list(range(ndim))
    if axes is not None:
        for axis in axes:
            order.remove(axis)
            order.insert(ndim, axis)
    return order


def tensorinv_pullback(g: Any, shape: tuple[int, ...], y: Any, ind: int) -> Any:
    """The adjoint of `np.linalg.tensorinv`; `shape` is that of the tensor."""
    n = math.prod(shape[ind:])
    inverse = transposed(np.reshape(y, (n, n)))
    return np.reshape(-inverse @ np.reshape(g, (n, n)) @ inverse, shape)


def tensorinv_pushforward(t: Any, y: Any, ind: int) -> Any:
    """The tangent of `np.linalg.tensorinv`."""
    n = math.prod(np.shape(t)[ind:])
    inverse = np.reshape(y, (n, n))
    return np.reshape(-inverse @ np.reshape(t, (n, n)) @ inverse, np.shape(y))


def regular_inverse(a: Any) -> Any:
    """The inverse of matrices of which some may have none: then there is no slope.

    Raises:
        DerivativeError: if one of them is singular.

    >>> regular_inverse(np.diag([2.0, 4.0]))
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        raise DerivativeError(
            "the logarithm of the determinant of a singular matrix has no derivative"
        ) from None


def slogdet_pullback(g: Any, a: Any, sign: Any) -> Any:
    """The adjoint of `np.linalg.slogdet` of complex matrices: the sign turns with the phase of the
    determinant, whose logarithm has the differential `trace(inv(a) da)`."""
    turned = (g[0] * np.conj(sign)).imag
    return np.asarray(g[1] + 1j * turned)[..., None, None] * adjoint(regular_inverse(a))


def slogdet_pushforward(t: Any, a: Any, sign: Any) -> tuple[Any, Any]:
    """The tangent of `np.linalg.slogdet` of complex matrices: a pair."""
    log = np.trace(regular_inverse(a) @ t, axis1=-2, axis2=-1)
    return 1j * sign * log.imag, log.real
