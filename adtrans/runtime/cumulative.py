"""Adjoints and tangents of products, cumulative functions, differences and integrals along an axis.

>>> import numpy as np
>>> product_of_others(np.array([2.0, 0.0, 5.0]))
array([ 0., 10.,  0.])
>>> diff_pullback(np.array([1.0, 10.0]), 1, -1)
array([-1., -9., 10.])
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast


def product_of_others(a: Any, axis: Any = None) -> Any:
    """For each element the product of the others along `axis`; right with zeros too."""
    a = np.asarray(a)
    axes = tuple(range(a.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = axes if a.ndim else ()
    last = tuple(range(-len(axes), 0))
    moved = np.moveaxis(a, axes, last)
    rest = moved.shape[: a.ndim - len(axes)]
    flat = moved.reshape(*rest, math.prod(moved.shape[len(rest) :]))
    before, after = np.ones_like(flat), np.ones_like(flat)
    np.cumprod(flat[..., :-1], axis=-1, out=before[..., 1:])
    np.cumprod(flat[..., :0:-1], axis=-1, out=after[..., -2::-1])
    return np.moveaxis((before * after).reshape(moved.shape), last, axes)


def others_slope(g: Any, a: Any, axis: Any = None) -> Any:
    """The derivative of `product_of_others` along `g`: for each element the sum, over the others,
    of `g` times the product of all but these two.

    >>> others_slope(np.array([1.0, 0.0, 0.0]), np.array([2.0, 3.0, 5.0]))
    array([0., 5., 3.])
    """
    a = np.asarray(a)
    if axis is None:
        along = others_slope(np.ravel(np.broadcast_to(g, a.shape)), np.ravel(a), 0)
        return along.reshape(a.shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    last = tuple(range(-len(axes), 0))
    moved, seeds = np.moveaxis(a, axes, last), np.moveaxis(np.broadcast_to(g, a.shape), axes, last)
    kept = a.ndim - len(axes)
    count, size = math.prod(moved.shape[:kept]), math.prod(moved.shape[kept:])
    rows, seeds = moved.reshape(count, size), seeds.reshape(count, size)
    out = np.zeros((count, size), a.dtype)  # in the order of C, for its `reshape` below
    for k in range(size):
        without = rows.copy()
        without[:, k] = 1.0
        others = product_of_others(without, -1)
        others[:, k] = 0.0
        out[:, k] = np.sum(seeds * others, axis=-1)
    return np.moveaxis(out.reshape(moved.shape), last, axes)


def cumprod_pullback(g: Any, a: Any, axis: Any) -> Any:
    """The adjoint of `np.cumprod`; right with zeros too."""
    a = np.asarray(a)
    axis = axis if a.ndim else None
    rows = np.moveaxis(a, axis, -1) if axis is not None else a.reshape(-1)
    seeds = np.moveaxis(g, axis, -1) if axis is not None else g
    out = np.empty_like(rows)
    tail = np.zeros(rows.shape[:-1], rows.dtype)
    before = np.ones_like(rows)
    np.cumprod(rows[..., :-1], axis=-1, out=before[..., 1:])
    for k in range(rows.shape[-1] - 1, -1,
        -1):  # tail: what the result from k on is worth, per unit
        tail = seeds[..., k] + (tail * rows[..., k + 1] if k + 1 < rows.shape[-1] else 0.0)
        out[..., k] = before[..., k] * tail
    return np.moveaxis(out, -1, axis) if axis is not None else out.reshape(a.shape)


def cumprod_pushforward(t: Any, a: Any, axis: Any) -> Any:
    """The tangent of `np.cumprod`; right with zeros too."""
    a = np.asarray(a)
    axis = axis if a.ndim else None
    rows = np.moveaxis(a, axis, -1) if axis is not None else a.reshape(-1)
    tangents = np.moveaxis(t, axis, -1) if axis is not None else np.reshape(t, -1)
    out = np.empty_like(rows)
    product, slope = np.ones(rows.shape[:-1], rows.dtype), np.zeros(rows.shape[:-1], rows.dtype)
    for k in range(rows.shape[-1]):
        slope = slope * rows[..., k] + product * tangents[..., k]
        product = product * rows[..., k]
        out[..., k] = slope
    return np.moveaxis(out, -1, axis) if axis is not None else out


def cumprod_slope(t: Any, g: Any, a: Any, axis: Any) -> Any:
    """The change of `cumprod_pullback(g, a, axis)` along a tangent of `a`; right with zeros too.

    >>> cumprod_slope(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([2.0, 0.0]), 0)
    array([1., 0.])
    """
    shape = np.shape(a)
    a, t, g = (np.moveaxis(v, axis, 0) if axis is not None else np.ravel(v) for v in (a, t, g))
    out, n = np.empty_like(a), len(a)
    before, before_dot = np.ones_like(a), np.zeros_like(a)
    for k in range(1, n):
        before[k] = before[k - 1] * a[k - 1]
        before_dot[k] = before_dot[k - 1] * a[k - 1] + before[k - 1] * t[k - 1]
    tail = tail_dot = np.zeros_like(a[0]) if n else 0.0
    for k in range(n - 1, -1, -1):
        if k + 1 < n:
            tail_dot = tail_dot * a[k + 1] + tail * t[k + 1]
            tail = tail * a[k + 1]
        tail = tail + g[k]
        out[k] = before_dot[k] * tail + before[k] * tail_dot
    return np.moveaxis(out, 0, axis) if axis is not None else out.reshape(shape)


def diff_pullback(g: Any, n: int, axis: int, size: int | None = None) -> Any:
    """The adjoint of `np.diff`; `size` is the length of the operand, which may be less than `n`."""
    last = axis in (-1, g.ndim - 1)  # moving an axis costs as much as a thousand differences
    g = g if last else np.moveaxis(g, axis, -1)
    if n == 0:
        g = g.copy()
    for _ in range(n):
        wider = np.zeros((*g.shape[:-1], g.shape[-1] + 1), g.dtype)
        wider[..., 1:] = g
        wider[..., :-1] -= g
        g = wider
    g = g[..., :size]
    return g if last else np.moveaxis(g, -1, axis)


def trapezoid_pullback(g: Any, shape: tuple[int, ...], x: Any, dx: Any, axis: int) -> Any:
    """The adjoint of `np.trapezoid` for its integrand."""
    steps = dx
    if x is not None:
        steps = np.diff(x, axis=-1 if np.ndim(x) == 1 else axis)
        if np.ndim(x) == 1:
            steps = np.moveaxis(steps.reshape((1,) * (len(shape) - 1) + (-1,)), -1, axis)
    last = axis % len(shape)
    intervals = tuple([max(n - (k == last), 0) for k, n in enumerate(shape)])
    whole = np.broadcast_shapes(np.shape(steps), intervals)
    each = np.broadcast_to(np.expand_dims(g, axis) * steps / 2, whole)
    half = np.moveaxis(unbroadcast(each, intervals), axis, -1)
    out = np.zeros((*np.shape(half)[:-1], shape[axis]), np.result_type(g))
    out[..., 1:] += half
    out[..., :-1] += half
    return np.moveaxis(out, -1, axis)


def trapezoid_nodes(g: Any, f: Any, x: Any, axis: int) -> Any:
    """The adjoint of `np.trapezoid` for its nodes `x`."""
    if not np.size(x):
        return np.zeros(np.shape(x))
    f = np.moveaxis(np.asarray(f), axis, -1)
    pairs = np.moveaxis(f[..., 1:] + f[..., :-1], -1, axis)
    last, moved = axis % np.ndim(pairs), np.shape(x)
    if np.ndim(x) == 1:
        moved = tuple([np.shape(x)[0] if k == last else 1 for k in range(np.ndim(pairs))])
    along = axis % len(moved)
    intervals = tuple([max(n - (k == along), 0) for k, n in enumerate(moved)])
    whole = np.broadcast_shapes(intervals, np.shape(pairs))
    each = np.broadcast_to(np.expand_dims(g, axis) * pairs / 2, whole)
    steps = np.moveaxis(unbroadcast(each, intervals), axis, -1)
    return np.moveaxis(diff_pullback(steps, 1, -1), -1, axis).reshape(np.shape(x))


def trapezoid_steps(g: Any, f: Any, shape: tuple[int, ...], axis: int) -> Any:
    """The adjoint of the distances, an array of this shape, of `np.trapezoid(f, dx=...)`."""
    rows = np.moveaxis(np.asarray(f), axis, -1)
    pairs = np.moveaxis(rows[..., 1:] + rows[..., :-1], -1, axis)
    whole = np.broadcast_shapes(shape, np.shape(pairs))
    each = np.broadcast_to(np.expand_dims(g, axis) * pairs / 2, whole)
    return unbroadcast(each, shape)


def gradient_pullback(
    g: Any, shape: tuple[int, ...], spacing: tuple[Any, ...], axis: Any, edge_order: Any
) -> Any:
    """The adjoint of `np.gradient`; its matrix, three entries to a row, is found by probing."""
    if axis is None:
        axes = tuple(range(len(shape)))
    else:
        axes = axis if isinstance(axis, tuple) else (axis,)
    parts = (g,) if len(axes) == 1 else g
    steps = spacing * len(axes) if len(spacing) == 1 else spacing or (1.0,) * len(axes)
    total: Any = 0.0
    for part, k, h in zip(parts, axes, steps, strict=True):
        if part is None:  # nobody uses this part of the result
            continue
        total = total + by_probing(part, shape, k, _gradient, h, edge_order)
    return total


def _gradient(f: Any, h: Any, edge_order: Any) -> Any:
    return np.gradient(f, h, edge_order=edge_order)


def by_probing(
    g: Any, shape: tuple[int, ...], axis: int, function: Callable[..., Any], *held: Any
) -> Any:
    """The adjoint of a linear function of vectors along one axis, each element of whose result
    depends on the three around it (or at the end); `held`: further arguments of it."""
    n = shape[axis]
    rows = np.arange(n)
    start = np.clip(rows - 1, 0, max(n - 3, 0))
    seeds = np.moveaxis(np.broadcast_to(g, shape), axis, -1)
    out = np.zeros(seeds.shape, seeds.dtype)
    for c in range(min(3, n)):
        comb: Any = (rows % 3 == c).astype(np.float64)
        columns = np.minimum(start + (c - start) % 3, n - 1)
        place: Any = (..., columns)
        np.add.at(out, place, seeds * function(comb, *held))
    return np.moveaxis(out, -1, axis)


def gradient_again(
    x: Any, shape: tuple[int, ...], spacing: tuple[Any, ...], axis: Any, edge_order: Any
) -> Any:
    """`np.gradient` of an array of this shape."""
    return np.gradient(np.reshape(x, shape), *spacing, axis=axis, edge_order=edge_order)


def average_pullback(g: Any, shape: tuple[int, ...], weights: Any, axis: Any,
    keepdims: bool) -> Any:
    """The adjoint of `np.average` with weights."""
    w, total = _weights(shape, weights, axis)
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return g * w / total


def average_weights_pullback(g: Any, a: Any, weights: Any, axis: Any, keepdims: bool) -> Any:
    """The adjoint of `np.average` for its weights."""
    shape = np.shape(a)
    w, total = _weights(shape, weights, axis)
    mean = np.sum(a * w, axis=axis, keepdims=True) / total
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    share = g * (a - mean) / total
    if np.shape(weights) == shape:
        return share
    return _onto_weights(share, axis)


def average_weights_pushforward(t: Any, a: Any, weights: Any, axis: Any, keepdims: bool) -> Any:
    """The tangent of `np.average` for its weights."""
    shape = np.shape(a)
    w, total = _weights(shape, weights, axis)
    w_dot, _ = _weights(shape, t, axis)
    mean = np.sum(a * w, axis=axis, keepdims=True) / total
    return np.sum(w_dot * (a - mean) / total, axis=axis, keepdims=keepdims)


def average_share(
    t: Any, g: Any, shape: tuple[int, ...], weights: Any, axis: Any, keepdims: bool
) -> Any:
    """How `average_pullback` changes with its weights: along `t`, which is shaped like these."""
    w, total = _weights(shape, weights, axis)
    t, whole = _weights(shape, t, axis)
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return g * (t - w * (whole / total)) / total


def average_weights_slope(
    t: Any, g: Any, a: Any, weights: Any, axis: Any, keepdims: bool
) -> Any:
    """How `average_weights_pullback` changes with its weights: along `t`; it is symmetric."""
    shape = np.shape(a)
    w, total = _weights(shape, weights, axis)
    t, whole = _weights(shape, t, axis)
    mean = np.sum(a * w, axis=axis, keepdims=True) / total
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    share = g * (a - mean) / total
    slope = -(share * whole + np.sum(t * share, axis=axis, keepdims=True)) / total
    return slope if np.shape(weights) == shape else _onto_weights(slope, axis)


def average_total_pullback(
    g: Any, shape: tuple[int, ...], own: tuple[int, ...], axis: Any, keepdims: bool
) -> Any:
    """The adjoint of the sum of the weights that `np.average(..., returned=True)` returns."""
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    share = np.broadcast_to(g, shape)
    if own == shape:
        return share
    return _onto_weights(share, axis)


def average_total_pushforward(t: Any, shape: tuple[int, ...], axis: Any, keepdims: bool) -> Any:
    """The tangent of the same."""
    w, _ = _weights(shape, t, axis)
    return np.sum(np.broadcast_to(w, shape), axis=axis, keepdims=keepdims)


def _onto_weights(share: Any, axis: Any) -> Any:
    """The sum over the axes that the weights do not have; theirs are in the order of `axis`."""
    axes = tuple(k % share.ndim for k in (axis if isinstance(axis, tuple) else (axis,)))
    summed = share.sum(axis=tuple(k for k in range(share.ndim) if k not in axes))
    return np.transpose(summed, np.argsort(np.argsort(axes)))


def _weights(shape: tuple[int, ...], weights: Any, axis: Any) -> tuple[Any, Any]:
    if np.shape(weights) != shape:
        axes = tuple(k % len(shape) for k in (axis if isinstance(axis, tuple) else (axis,)))
        one = [n if k in axes else 1 for k, n in enumerate(shape)]
        weights = np.reshape(np.transpose(weights, np.argsort(axes)), one)
    return weights, np.sum(np.broadcast_to(weights, shape), axis=axis, keepdims=True)


def linspace_pullback(g: Any, shape: tuple[int, ...], num: int, endpoint: bool, which: int) -> Any:
    """The adjoint of `np.linspace` for its start (`which` 0) or its stop (1)."""
    share = np.linspace(0.0, 1.0, num, endpoint).astype(g.dtype, copy=False)
    weight = (share if which else 1 - share).reshape((-1,) + (1,) * (g.ndim - 1))
    summed = np.sum(weight * g, axis=0)
    extra = np.ndim(summed) - len(shape)
    axes = tuple(range(extra)) + tuple(extra + k for k, n in enumerate(shape) if n == 1)
    return np.sum(summed, axis=axes).reshape(shape)[()]


def linspace_share(
    t: Any, shape: tuple[int, ...], num: int, endpoint: bool, which: int
) -> Any:
    """What a change of the start (`which` 0) or the stop (1) changes of `np.linspace`."""
    share = np.linspace(0.0, 1.0, num, endpoint)
    weight = (share if which else 1 - share).reshape((-1,) + (1,) * (len(shape) - 1))
    return np.broadcast_to(weight * t, shape)


def logaddexp_scan_pullback(g: Any, a: Any, y: Any, axis: int, base: float) -> Any:
    """The adjoint of `np.logaddexp.accumulate`: a scan backwards; no exponent is positive.

    >>> a = np.log([1.0, 1.0, 2.0])
    >>> y = np.logaddexp.accumulate(a)
    >>> logaddexp_scan_pullback(np.array([0.0, 0.0, 1.0]), a, y, 0, np.e)
    array([0.25, 0.25, 0.5 ])
    """
    g, a, y = (np.moveaxis(v, axis, 0) for v in (g, a, y))
    out = np.empty_like(g)
    tail = np.zeros_like(g[0]) if len(g) else 0.0
    for k in range(len(g) - 1, -1, -1):
        tail = g[k] + (tail * base ** (y[k] - y[k + 1]) if k + 1 < len(g) else 0.0)
        out[k] = tail * base ** (a[k] - y[k])
    return np.moveaxis(out, 0, axis)


def logaddexp_scan_pushforward(t: Any, a: Any, y: Any, axis: int, base: float) -> Any:
    """The tangent of `np.logaddexp.accumulate`."""
    t, a, y = (np.moveaxis(v, axis, 0) for v in (t, a, y))
    out = np.empty_like(t)
    for k in range(len(t)):
        carried = out[k - 1] * base ** (y[k - 1] - y[k]) if k else 0.0
        out[k] = carried + t[k] * base ** (a[k] - y[k])
    return np.moveaxis(out, 0, axis)


def joined_diff_pullback(g: Any, n: int, axis: int, start: int, size: Any) -> Any:
    """The part of the adjoint of `np.diff` that belongs to one of the arrays it puts together."""
    whole = np.moveaxis(diff_pullback(g, n, axis), axis, -1)
    stop = None if size is None else start + size
    return np.moveaxis(whole[..., start:stop], -1, axis)
