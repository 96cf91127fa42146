"""Adjoints and tangents of linear algebra; all of it works on stacks of matrices.

>>> import numpy as np
>>> cholesky_pullback(np.array([[1.0]]), np.array([[2.0]]))
array([[0.25]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast


def _t(a: Any) -> Any:
    return np.swapaxes(a, -1, -2)


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
    return unbroadcast(solve_like(_t(a), g, shape), shape)


def solve_left(g: Any, a: Any, shape: tuple[int, ...], y: Any) -> Any:
    """The adjoint of the matrix of `np.linalg.solve(a, b)`; `shape` is that of `b`."""
    back = solve_like(_t(a), g, shape)
    if _is_vector(a, shape):
        return unbroadcast(-back[..., :, None] * y[..., None, :], np.shape(a))
    return unbroadcast(-back @ _t(y), np.shape(a))


def _to_triangle(g: Any, uplo: str) -> Any:
    """The adjoint of the one triangle that a function reads, from that of the whole matrix."""
    both = g + _t(g)
    half = 0.5 * np.einsum("...ii->...i", both)[..., None] * np.eye(g.shape[-1], dtype=g.dtype)
    return (np.tril(both) if uplo == "L" else np.triu(both)) - half


def _from_triangle(t: Any, uplo: str) -> Any:
    """The symmetric matrix whose given triangle is that of `t`."""
    return np.tril(t) + _t(np.tril(t, -1)) if uplo == "L" else np.triu(t) + _t(np.triu(t, 1))


def cholesky_pullback(g: Any, y: Any) -> Any:
    """The adjoint of `np.linalg.cholesky`, which reads the lower triangle; `y` is the factor."""
    inner = np.tril(_t(y) @ g)
    inner = inner - 0.5 * np.einsum("...ii->...i", inner)[..., None] * np.eye(y.shape[-1],
        dtype=y.dtype)
    half = np.linalg.solve(_t(y), inner)
    return _to_triangle(_t(np.linalg.solve(_t(y), _t(half))), "L")


def cholesky_pushforward(t: Any, y: Any) -> Any:
    """The tangent of `np.linalg.cholesky`; `y` is the factor."""
    t = _from_triangle(t, "L")
    inner = np.linalg.solve(y, _t(np.linalg.solve(y, t)))
    lower = np.tril(inner)
    return y @ (lower - 0.5 * np.einsum("...ii->...i", inner)[..., None] * np.eye(y.shape[-1],
        dtype=y.dtype))


def _gaps(w: Any) -> Any:
    """`1 / (w_j - w_i)`, and 0 on the diagonal."""
    eye = np.eye(w.shape[-1], dtype=w.dtype)
    return (1 - eye) / (w[..., None, :] - w[..., :, None] + eye)


def eigh_pullback(g: Any, y: Any, uplo: str) -> Any:
    """The adjoint of `np.linalg.eigh`, which reads one triangle; `g` and `y` are pairs."""
    (w, v), (w_bar, v_bar) = y, g
    inner = w_bar[..., :, None] * np.eye(w.shape[-1], dtype=w.dtype) + _gaps(w) * (_t(v) @ v_bar)
    return _to_triangle(v @ inner @ _t(v), uplo)


def eigh_pushforward(t: Any, y: Any, uplo: str) -> Any:
    """The tangent of `np.linalg.eigh`: a pair."""
    w, v = y
    inner = _t(v) @ _from_triangle(t, uplo) @ v
    return np.einsum("...ii->...i", inner).copy(), v @ (_gaps(w) * inner)


def eigvalsh_pullback(g: Any, a: Any, uplo: Any) -> Any:
    """The adjoint of `np.linalg.eigvalsh`."""
    v = np.linalg.eigh(a, uplo)[1]
    return _to_triangle((v * np.expand_dims(g, -2)) @ _t(v), uplo)


def eigvalsh_pushforward(t: Any, a: Any, uplo: Any) -> Any:
    """The tangent of `np.linalg.eigvalsh`."""
    v = np.linalg.eigh(a, uplo)[1]
    return np.einsum("...ji,...jk,...ki->...i", v, _from_triangle(t, uplo), v)


def pinv_pullback(g: Any, a: Any, y: Any) -> Any:
    """The adjoint of `np.linalg.pinv` where the rank does not change."""
    left, right = a @ y, y @ a
    g = _t(g)
    eye_m, eye_n = np.eye(a.shape[-2], dtype=a.dtype), np.eye(a.shape[-1], dtype=a.dtype)
    total = -_t(y) @ _t(g) @ _t(y) + (eye_m - left) @ g @ y @ _t(y)
    return total + _t(y) @ y @ g @ (eye_n - right)


def pinv_pushforward(t: Any, a: Any, y: Any) -> Any:
    """The tangent of `np.linalg.pinv` where the rank does not change."""
    eye_m, eye_n = np.eye(a.shape[-2], dtype=a.dtype), np.eye(a.shape[-1], dtype=a.dtype)
    total = -y @ t @ y + y @ _t(y) @ _t(t) @ (eye_m - a @ y)
    return total + (eye_n - y @ a) @ _t(t) @ _t(y) @ y


def matrix_power_pullback(g: Any, a: Any, n: int) -> Any:
    """The adjoint of `np.linalg.matrix_power`."""
    if n < 0:
        inverse = np.linalg.inv(a)
        return -_t(inverse) @ matrix_power_pullback(g, inverse, -n) @ _t(inverse)
    total = np.zeros_like(a)
    for k in range(n):
        left, right = np.linalg.matrix_power(a, k), np.linalg.matrix_power(a, n - 1 - k)
        total = total + _t(left) @ g @ _t(right)
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
