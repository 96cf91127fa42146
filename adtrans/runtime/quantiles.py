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
    order, low, high, share = _sorted_places(rows, q, method, skip_nan)
    seeds = np.reshape(g, low.shape)
    out = np.zeros(rows.shape, rows.dtype)
    index = np.arange(len(rows))
    for k in range(len(seeds) if rows.size else 0):  # within one quantile no element is met twice
        out[index, order[index, low[k]]] += seeds[k] * (1 - share[k])
        out[index, order[index, high[k]]] += seeds[k] * share[k]
    last = tuple(range(-len(axes), 0))
    shape = np.shape(a)
    return np.moveaxis(out.reshape((*rest, *(shape[k] for k in axes))), last, axes)


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
    a: Any, q: Any, axis: Any, shape: tuple[int, ...], method: str, skip_nan: bool = False
) -> Any:
    """The derivative of `np.quantile` for `q`, in the shape of the result; 0 where it jumps."""
    rows, _, _ = _rows(a, axis)
    order, low, high, share = _sorted_places(rows, q, method, skip_nan)
    if not rows.size:
        return np.zeros(shape, rows.dtype)[()]
    index = np.arange(len(rows))
    step = rows[index, order[index, high]] - rows[index, order[index, low]]
    if method not in _SCALE:
        return np.reshape(0.0 * step, shape)[()]
    sizes = np.sum(~np.isnan(rows), axis=-1) if skip_nan else rows.shape[-1]
    flat = (share == 0) & ((low == 0) | (low == sizes - 1)) & (method != "linear")
    scale = np.asarray(sizes + _SCALE[method], rows.dtype)
    return np.reshape(np.where(flat, 0.0, step * scale), shape)[()]


def per_quantile(g: Any, shape: tuple[int, ...]) -> Any:
    """Contributions to each quantile summed over the rest: the adjoint of `q`, of this shape."""
    return np.sum(np.reshape(g, (math.prod(shape), -1)), axis=-1).reshape(shape)[()]
