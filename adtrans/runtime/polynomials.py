"""Adjoints of functions of polynomials, whose coefficients begin with the highest power.

>>> import numpy as np
>>> poly_pullback(np.array([0.0, 1.0, 0.0]), np.array([2.0, 3.0]))
array([-1., -1.])
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError


def poly_pullback(g: Any, roots: Any) -> Any:
    """The adjoint of `np.poly(roots)`: without one factor the coefficients change by the others."""
    roots = np.atleast_1d(roots)
    out = np.zeros(len(roots), np.result_type(g, roots))
    for i in range(len(roots)):
        out[i] = -np.dot(g[1:], np.atleast_1d(np.poly(np.delete(roots, i))))
    return out


def poly_pushforward(t: Any, roots: Any) -> Any:
    """The tangent of `np.poly(roots)`, which is a number where there are none."""
    roots = np.atleast_1d(roots)
    if not len(roots):
        return 0.0
    out = np.zeros(len(roots) + 1, np.result_type(t, roots))
    for i in range(len(roots)):
        out[1:] -= np.ravel(t)[i] * np.poly(np.delete(roots, i))
    return out


def aligned(g: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of one operand of `np.polyadd`: its coefficients are the last ones."""
    n = int(np.prod(shape))
    return np.reshape(np.ravel(g)[np.size(g) - n :], shape)


def _leading(p: Any) -> Any:
    """A polynomial as `np.polymul` takes it: without leading zeros, but never empty."""
    p = np.atleast_1d(p)
    if not np.any(p):
        return np.zeros(1, p.dtype)
    return np.trim_zeros(p, "f")


def polymul_pullback(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of `a` in `np.polymul(a, b)`, which leaves leading zeros of both out."""
    shape, a, b = np.shape(a), np.atleast_1d(a), _leading(b)
    out = np.zeros(a.shape, np.result_type(g))
    if len(a):
        out[len(a) - len(_leading(a)) :] = np.correlate(np.atleast_1d(g), b, "valid")
    return np.reshape(out, shape)


def polymul_pushforward(t: Any, b: Any, shape: tuple[int, ...]) -> Any:
    """The tangent of `np.polymul(a, b)`, of this shape, for one of `a`: zeros in it count.

    >>> polymul_pushforward(np.array([0.0, 1.0]), np.array([2.0, 3.0]), (3,))
    array([0., 2., 3.])
    """
    if not np.size(t):
        return np.zeros(shape)
    found = np.convolve(np.atleast_1d(t), _leading(b))
    return found[len(found) - shape[0] :]


def polyder_pullback(g: Any, shape: tuple[int, ...], m: int) -> Any:
    """The adjoint of the coefficients, of this shape, in `np.polyder(p, m)`."""
    if m == 0:
        return np.reshape(np.array(g), shape)
    n = shape[0]
    out = np.zeros(n, np.result_type(g))
    if n > m:
        factors = np.polyder(np.ones(n), m)
        out[: n - m] = g * factors.astype(out.dtype, copy=False)
    return out


def polyint_pullback(g: Any, shape: tuple[int, ...], m: int) -> Any:
    """The adjoint of the coefficients, of this shape, in `np.polyint(p, m)`."""
    if m == 0:
        return np.reshape(np.array(g), shape)
    n = shape[0]
    factors = np.polyint(np.ones(n), m)[:n]
    return g[:n] * factors.astype(np.result_type(g), copy=False)


def constants_pullback(
    g: Any, integral: Any, shape: tuple[int, ...], sizes: tuple[int, ...], m: int, *options: Any
) -> Any:
    """The adjoint of the constants `k` of `integral(c, m, k, *options)`, which is linear in them:
    of the coefficients and the constants only the shapes count.

    >>> constants_pullback(np.array([1.0, 10.0, 100.0]), np.polyint, (1,), (2,), 2)
    array([ 10., 100.])
    """
    units, ones = np.eye(int(np.prod(sizes))), np.ones(shape)  # a series of a zero does not grow
    nothing = integral(ones, m, 0.0 * units[:1].sum(axis=0), *options)
    found = [np.sum(g * (integral(ones, m, unit, *options) - nothing)) for unit in units]
    return np.reshape(found, sizes)[()]


def _normal(x: Any, deg: int, w: Any) -> tuple[Any, Any]:
    """The weighted Vandermonde matrix of `np.polyfit` and its pseudo-inverse."""
    v = np.vander(np.asarray(x) + 0.0, deg + 1)
    if len(v) <= deg:
        raise DerivativeError("fewer points than coefficients: they do not determine the fit")
    if w is not None:
        v = v * np.asarray(w)[:, None]
    return v, np.linalg.pinv(v)


def warn_of_rank(rank: int, order: int) -> None:
    """Warn of a fit that the data do not determine, as `np.polyfit` does."""
    if rank != order:
        kind = getattr(np, "exceptions", np).RankWarning
        warnings.warn("Polyfit may be poorly conditioned", kind, stacklevel=3)


def polyfit_values(g: Any, x: Any, deg: int, w: Any) -> Any:
    """The adjoint of the data `y` in `np.polyfit(x, y, deg, w=w)`: the fit is linear in them."""
    _, inverse = _normal(x, deg, w)
    back = inverse.T @ g
    return back if w is None else (back.T * np.asarray(w)).T


def polyfit_points(g: Any, x: Any, data: Any, deg: int, w: Any, c: Any) -> Any:
    """The adjoint of the points `x` in `np.polyfit(x, data, deg, w=w)`, where `c` is the result.

    For `c = pinv(V) d`: `V_bar = r (N g)^T - pinv(V)^T g c^T` with `r = d - V c` and
    `N = (V^T V)^-1`.
    """
    v, inverse = _normal(x, deg, w)
    columns = np.reshape(c, (deg + 1, -1))
    seeds = np.reshape(g, (deg + 1, -1))
    d = np.reshape(data, (len(v), -1))
    if w is not None:
        d = d * np.asarray(w)[:, None]
    v_bar = (d - v @ columns) @ (inverse @ inverse.T @ seeds).T - inverse.T @ seeds @ columns.T
    if w is not None:
        v_bar = v_bar * np.asarray(w)[:, None]
    slopes = np.zeros_like(v_bar)
    slopes[:, :-1] = np.vander(x, deg) * np.arange(deg, 0, -1) if deg else 0.0
    return np.sum(v_bar * slopes, axis=1)


def polyfit_points_pushforward(t: Any, x: Any, data: Any, deg: int, w: Any, c: Any) -> Any:
    """The tangent of `np.polyfit` for its points: the transpose of `polyfit_points`."""
    v, inverse = _normal(x, deg, w)
    columns = np.reshape(c, (deg + 1, -1))
    d = np.reshape(data, (len(v), -1))
    v_dot = np.zeros_like(v)
    v_dot[:, :-1] = np.vander(x, deg) * np.arange(deg, 0, -1) * np.asarray(t)[:, None]
    if w is not None:
        d, v_dot = d * np.asarray(w)[:, None], v_dot * np.asarray(w)[:, None]
    found = inverse @ inverse.T @ (v_dot.T @ (d - v @ columns)) - inverse @ (v_dot @ columns)
    return np.reshape(found, np.shape(c))


def _residuals(x: Any, data: Any, deg: int, w: Any, c: Any) -> tuple[Any, Any]:
    """For each observation `2 w r`, with what is left over of it, and its part of `pinv(V)`."""
    v, inverse = _normal(x, deg, w)
    plain = np.vander(x, deg + 1)
    left = np.reshape(data, (len(v), -1)) - plain @ np.reshape(c, (deg + 1, -1))
    return 2 * np.asarray(w)[:, None] * left, plain @ inverse @ inverse.T


def polyfit_weights(g: Any, x: Any, data: Any, deg: int, w: Any, c: Any) -> Any:
    """The adjoint of the weights in `np.polyfit(x, data, deg, w=w)`, where `c` is the result.

    From `V^T W^2 (d - V c) = 0`: `c_dot = N V^T (2 w r) w_dot` with `N = (V^T W^2 V)^-1`.
    """
    left, rows = _residuals(x, data, deg, w, c)
    return np.sum(left * (rows @ np.reshape(g, (deg + 1, -1))), axis=1)


def polyfit_weights_pushforward(t: Any, x: Any, data: Any, deg: int, w: Any, c: Any) -> Any:
    """The tangent of `np.polyfit` for its weights: the transpose of `polyfit_weights`."""
    left, rows = _residuals(x, data, deg, w, c)
    return np.reshape(rows.T @ (left * np.asarray(t)[:, None]), np.shape(c))


def series_coefficients(g: Any, vander: Any, x: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of the coefficients, of this shape, of series that are evaluated at `x`.

    >>> vander = np.polynomial.polynomial.polyvander
    >>> series_coefficients(np.ones(2), vander, np.array([1.0, 2.0]), (3,))
    array([2., 3., 5.])
    """
    points = np.ravel(x)
    basis = vander(points, shape[0] - 1)
    return np.moveaxis(np.reshape(g, (*shape[1:], points.size)) @ basis, -1, 0)


def resized(a: Any, n: int) -> Any:
    """A vector with zeros at its end, or without its end, so that it has `n` elements.

    >>> resized(np.ones(2), 3), resized(np.ones(2), 1)
    (array([1., 1., 0.]), array([1.]))
    """
    a = np.atleast_1d(a)
    return a[:n] if len(a) >= n else np.concatenate((a, np.zeros(n - len(a), a.dtype)))
