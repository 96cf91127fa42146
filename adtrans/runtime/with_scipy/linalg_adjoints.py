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
from adtrans.runtime.factorizations import from_triangle, to_triangle, transposed
from adtrans.runtime.failures import DerivativeError
from adtrans.runtime.systems import solve_left, solve_like


def as_columns(v: Any, b: Any) -> Any:
    """`v` as columns, also where the right side `b` (or its shape) is that of one vector."""
    one = len(b) == 1 if isinstance(b, tuple) else np.ndim(b) == 1
    return np.expand_dims(v, -1) if one else v


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
    return scipy.linalg.solve_triangular(
        a, g, trans=back, lower=lower, unit_diagonal=unit, check_finite=False
    )


def triangular_left(
    g: Any, a: Any, shape: tuple[int, ...], y: Any, trans: Any, lower: bool, unit: bool
) -> Any:
    """The adjoint of the matrix of `scipy.linalg.solve_triangular`."""
    back = as_columns(triangular_right(g, a, trans, lower, unit), shape)
    x = as_columns(y, shape)
    outer = back @ transposed(x) if _is_plain(trans) else x @ transposed(back)
    return _part(-outer, lower, unit)


def triangular_pushforward(
    t: Any, a: Any, shape: tuple[int, ...], y: Any, trans: Any, lower: bool, unit: bool
) -> Any:
    """The tangent of `scipy.linalg.solve_triangular` for its matrix."""
    part = _part(t, lower, unit)
    moved = (part if _is_plain(trans) else transposed(part)) @ as_columns(y, shape)
    moved = np.reshape(moved, np.shape(y))
    return -scipy.linalg.solve_triangular(
        a, moved, trans=trans, lower=lower, unit_diagonal=unit, check_finite=False
    )


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
    if np.iscomplexobj(found) and not np.iscomplexobj(e):
        raise DerivativeError("the function of this matrix is complex", code="AD602")
    return found


def sqrtm_slope(y: Any, e: Any) -> Any:
    """The derivative of `scipy.linalg.sqrtm`, whose value is `y`, in the direction `e`."""
    if np.iscomplexobj(y) and not np.iscomplexobj(e):
        raise DerivativeError("the square root of this matrix is complex", code="AD602")
    return scipy.linalg.solve_sylvester(y, y, e)
