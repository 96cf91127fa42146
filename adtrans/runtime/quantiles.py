"""Adjoints and tangents of quantiles: combinations of one or two sorted elements.

Where a quantile lies between the sorted elements is asked of NumPy itself, by taking the quantile
of `0, 1, ..., n - 1`; so every `method` is covered.

>>> import numpy as np
>>> quantile_pullback(1.0, np.array([3.0, 1.0, 2.0]), 0.25, None, False, "linear")
array([0. , 0.5, 0.5])
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

_SCALE = {
    "linear": -1.0, "weibull": 1.0, "hazen": 0.0, "interpolated_inverted_cdf": 0.0,
    "median_unbiased": 1 / 3, "normal_unbiased": 0.25,
}  # fmt: skip


def _rows(a: Any, axis: Any) -> tuple[Any, tuple[int, ...], tuple[int, ...]]:
    """`a` with the reduced axes as one, last axis of a matrix; the axes; the other lengths."""
    a = np.asarray(a)
    axes = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(k % a.ndim for k in axes)
    last = tuple(range(-len(axes), 0))
    moved = np.moveaxis(a, axes, last)
    rest = moved.shape[: a.ndim - len(axes)]
    return moved.reshape(math.prod(rest), math.prod(a.shape[k] for k in axes)), axes, rest


def _sorted_places(rows: Any, q: Any, method: str, skip_nan: bool) -> tuple[Any, Any, Any, Any]:
    """The order of each row; for each q and row, two places in it and the second's share."""
    order = np.argsort(rows, axis=-1, kind="stable")
    sizes = np.full(len(rows), rows.shape[-1])
    if skip_nan:
        sizes = sizes - np.sum(np.isnan(rows), axis=-1)
    where = np.zeros((np.size(q), len(rows)))
    for n in np.unique(sizes):
        if n:
            at = np.quantile(np.arange(float(n)), np.ravel(q), method=method)  # type: ignore[call-overload,unused-ignore]  # one of Literals
            where[:, sizes == n] = at[:, None]
    low = np.floor(where).astype(np.intp)
    high = np.minimum(low + 1, np.maximum(sizes - 1, 0))
    return order, low, high, (where - low).astype(rows.dtype)


def quantile_pullback(
    g: Any, a: Any, q: Any, axis: Any, keepdims: Any, method: str, skip_nan: bool = False
) -> Any:
    """The adjoint of `a` in `np.quantile`; `keepdims` does not change the order of elements."""
    rows, axes, rest = _rows(a, axis)
    out = np.zeros(rows.shape, rows.dtype)
    if not rows.size:
        return _unrowed(out, axes, rest, np.shape(a))
    order, low, high, share = _sorted_places(rows, q, method, skip_nan)
    seeds = np.reshape(g, low.shape)
    index = np.arange(len(rows))
    for k in range(len(seeds)):  # within one quantile no element is met twice
        out[index, order[index, low[k]]] += seeds[k] * (1 - share[k])
        out[index, order[index, high[k]]] += seeds[k] * share[k]
    return _unrowed(out, axes, rest, np.shape(a))


def quantile_pushforward(
    t: Any, a: Any, q: Any, axis: Any, shape: tuple[int, ...], method: str, skip_nan: bool = False
) -> Any:
    """The tangent of `np.quantile` for a tangent of `a`; `shape` is that of the result."""
    rows, _, _ = _rows(a, axis)
    moved, _, _ = _rows(np.broadcast_to(t, np.shape(a)), axis)
    order, low, high, share = _sorted_places(rows, q, method, skip_nan)
    if not rows.size:
        return np.zeros(shape, rows.dtype)[()]
    index = np.arange(len(rows))
    lower, upper = moved[index, order[index, low]], moved[index, order[index, high]]
    return np.reshape(lower * (1 - share) + upper * share, shape)[()]


def quantile_slope(
    a: Any, q: Any, axis: Any, shape: tuple[int, ...], method: str, skip_nan: bool = False,
    values: Any = None,
) -> Any:  # fmt: skip
    """The derivative of `np.quantile` for `q`, in the shape of the result; 0 where it jumps.

    `values`: what is in the places of `a`, whose order counts; `a` itself if None.
    """
    rows, _, _ = _rows(a, axis)
    if not rows.size:
        return np.zeros(shape, rows.dtype)[()]
    held = rows if values is None else _rows(np.broadcast_to(values, np.shape(a)), axis)[0]
    order, low, high, scale = _scaled_places(rows, q, method, skip_nan)
    index = np.arange(len(rows))
    step = held[index, order[index, high]] - held[index, order[index, low]]
    return np.reshape(np.where(scale == 0, 0.0, step * scale), shape)[()]


def quantile_slope_pullback(
    g: Any, a: Any, q: Any, axis: Any, method: str, skip_nan: bool = False
) -> Any:
    """The adjoint of the values in `quantile_slope`, which is linear in them.

    >>> quantile_slope_pullback(1.0, np.array([3.0, 1.0, 2.0]), 0.25, None, "linear")
    array([ 0., -2.,  2.])
    """
    rows, axes, rest = _rows(a, axis)
    out = np.zeros(rows.shape, rows.dtype)
    if rows.size:
        order, low, high, scale = _scaled_places(rows, q, method, skip_nan)
        seeds, index = np.reshape(g, low.shape) * scale, np.arange(len(rows))
        for k in range(len(seeds)):
            out[index, order[index, high[k]]] += seeds[k]
            out[index, order[index, low[k]]] -= seeds[k]
    return _unrowed(out, axes, rest, np.shape(a))


def _scaled_places(rows: Any, q: Any, method: str, skip_nan: bool) -> tuple[Any, Any, Any, Any]:
    """The order of each row, two places in it, and the slope of the second's share."""
    order, low, high, share = _sorted_places(rows, q, method, skip_nan)
    if method not in _SCALE:
        return order, low, high, np.zeros(low.shape, rows.dtype)
    sizes = np.sum(~np.isnan(rows), axis=-1) if skip_nan else rows.shape[-1]
    flat = (share == 0) & ((low == 0) | (low == sizes - 1)) & (method != "linear")
    scale = np.asarray(sizes + _SCALE[method], rows.dtype)
    return order, low, high, np.where(flat, 0.0, np.broadcast_to(scale, low.shape))


def _unrowed(rows: Any, axes: tuple[int, ...], rest: tuple[int, ...], shape: tuple[int, ...]
             ) -> Any:  # fmt: skip
    """The array that `_rows` has made rows of."""
    last = tuple(range(-len(axes), 0))
    return np.moveaxis(rows.reshape((*rest, *(shape[k] for k in axes))), last, axes)


def weighted_quantile_pullback(g: Any, a: Any, weights: Any, found: Any, axis: Any) -> Any:
    """The adjoint of `a` in `np.quantile` with weights: each result is one of the elements.

    >>> weighted_quantile_pullback(1.0, np.array([3.0, 1.0, 2.0]), np.ones(3), 2.0, None)
    array([0., 0., 1.])
    """
    rows, axes, rest = _rows(a, axis)
    out = np.zeros(rows.shape, rows.dtype)
    if rows.size:
        chosen = _chosen(rows, a, weights, found, axis)
        seeds, index = np.reshape(g, chosen.shape), np.arange(len(rows))
        for k in range(len(seeds)):
            out[index, chosen[k]] += seeds[k]
    return _unrowed(out, axes, rest, np.shape(a))


def weighted_quantile_pushforward(g: Any, a: Any, weights: Any, found: Any, axis: Any) -> Any:
    """The tangent of the same."""
    rows, _, _ = _rows(a, axis)
    if not rows.size:
        return np.zeros(np.shape(found), rows.dtype)[()]
    moved, _, _ = _rows(np.broadcast_to(g, np.shape(a)), axis)
    chosen = _chosen(rows, a, weights, found, axis)
    return np.reshape(moved[np.arange(len(rows)), chosen], np.shape(found))[()]


def _chosen(rows: Any, a: Any, weights: Any, found: Any, axis: Any) -> Any:
    """For each quantile and row the first element that it is; one without weight is none."""
    shape = np.shape(a)
    if np.shape(weights) != shape:
        axes = tuple(k % len(shape) for k in (axis if isinstance(axis, tuple) else (axis,)))
        one = [n if k in axes else 1 for k, n in enumerate(shape)]
        weights = np.reshape(np.transpose(weights, np.argsort(axes)), one)
    heavy = _rows(np.broadcast_to(weights, shape), axis)[0] > 0
    value = np.reshape(found, (-1, len(rows), 1))
    same = (rows == value) | (np.isnan(rows) & np.isnan(value))
    return np.argmax(2 * (same & heavy) + same, axis=-1)


def per_quantile(g: Any, shape: tuple[int, ...]) -> Any:
    """Contributions to each quantile summed over the rest: the adjoint of `q`, of this shape."""
    count = math.prod(shape)
    if not count:
        return np.zeros(shape, np.asarray(g).dtype)
    rows = np.reshape(g, (count, np.size(g) // count))
    return np.sum(rows, axis=-1).reshape(shape)[()]


def per_place(g: Any, q: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """The tangent of each quantile in all of its places: one of `q`'s shape in that of the result.

    >>> per_place(np.array([1.0, 2.0]), (2,), (2, 3)).shape
    (2, 1)
    """
    if 0 in shape or 0 in q:  # NumPy forgets the quantiles where there is nothing to have some of
        return np.zeros(shape, np.asarray(g).dtype)
    return np.reshape(g, q + (1,) * (len(shape) - len(q)))
