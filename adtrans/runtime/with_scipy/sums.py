"""Adjoints of integrals of sampled values, and of distances.

>>> simpson_pullback(np.float64(3.0), (3,), None, 1.0, -1)
array([1., 4., 1.])
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import squareform

from adtrans.runtime.broadcasting import unbroadcast
from adtrans.runtime.cumulative import diff_pullback


def _steps(x: Any, dx: Any, axis: int, ndim: int) -> Any:
    """The widths of the intervals, so that they broadcast against the values."""
    if x is None:
        return dx
    widths = np.diff(x, axis=axis if np.ndim(x) > 1 else -1)
    if np.ndim(x) > 1:
        return widths
    return np.reshape(widths, [-1 if k == axis % ndim else 1 for k in range(ndim)])


def _padded(a: Any, axis: int, before: int, after: int) -> Any:
    pad = [(0, 0)] * np.ndim(a)
    pad[axis] = (before, after)
    return np.pad(a, pad)


def remaining(g: Any, axis: int, initial: Any) -> Any:
    """For each interval the sum of the cotangents of all integrals that contain it."""
    if initial is not None:
        g = np.delete(g, 0, axis)
    return np.flip(np.cumsum(np.flip(g, axis), axis), axis)


def cumulative_trapezoid_pullback(
    g: Any, shape: tuple[int, ...], x: Any, dx: Any, axis: int, initial: Any
) -> Any:
    """The adjoint of the values of `scipy.integrate.cumulative_trapezoid`."""
    half = 0.5 * remaining(g, axis, initial) * _steps(x, dx, axis, np.ndim(g))
    return unbroadcast(_padded(half, axis, 0, 1) + _padded(half, axis, 1, 0), shape)


def cumulative_trapezoid_nodes(
    g: Any, f: Any, shape: tuple[int, ...], axis: int, initial: Any
) -> Any:
    """The adjoint of the places of `scipy.integrate.cumulative_trapezoid`."""
    rows = np.moveaxis(np.asarray(f), axis, 0)
    each = 0.5 * (rows[1:] + rows[:-1]) * np.moveaxis(remaining(g, axis, initial), axis, 0)
    found = np.moveaxis(_padded(each, 0, 1, 0) - _padded(each, 0, 0, 1), 0, axis)
    if len(shape) > 1:
        return unbroadcast(found, shape)
    others = tuple(k for k in range(found.ndim) if k != axis % found.ndim)
    return np.sum(found, axis=others)


def _over(a: Any, b: Any) -> Any:
    """`a / b`; 0 where `b` is, as `scipy.integrate.simpson` takes it where places coincide."""
    none = b == 0
    return np.where(none, 0.0, a / np.where(none, 1.0, b))


def simpson_pullback(g: Any, shape: tuple[int, ...], x: Any, dx: Any, axis: int) -> Any:
    """The adjoint of the values of `scipy.integrate.simpson`: its weights.

    With an even number of values the last interval is integrated apart (Cartwright, "Simpson's rule
    cumulative integration with MS Excel and irregularly-spaced data", 2017).
    """
    n = shape[axis]
    if x is None:
        steps = np.full(n - 1, float(dx))
    else:
        steps = np.diff(x) if np.ndim(x) == 1 else np.diff(np.moveaxis(x, axis, -1))
    weights = np.zeros((*steps.shape[:-1], n))
    odd = n if n % 2 else n - 1
    first, second = steps[..., 0 : odd - 1 : 2], steps[..., 1 : odd - 1 : 2]
    both = first + second
    weights[..., 0 : max(odd - 2, 0) : 2] += both / 6 * (2 - _over(second, first))
    weights[..., 1 : odd - 1 : 2] += both / 6 * _over(both * both, first * second)
    weights[..., 2:odd:2] += both / 6 * (2 - _over(first, second))
    if n == 2:
        weights += 0.5 * steps
    elif n % 2 == 0:
        h, before = steps[..., -1], steps[..., -2]
        weights[..., -1] += _over(2 * h * h + 3 * h * before, 6 * (before + h))
        weights[..., -2] += _over(h * h + 3 * h * before, 6 * before)
        weights[..., -3] -= _over(h**3, 6 * before * (before + h))
    if weights.ndim == 1:
        along = [-1 if k == axis % len(shape) else 1 for k in range(len(shape))]
        weights = np.reshape(weights, along)
    else:
        weights = np.moveaxis(weights, -1, axis)
    return np.broadcast_to(np.expand_dims(g, axis) * weights, shape).copy()


def simpson_spread(g: Any, shape: tuple[int, ...], x: Any, axis: int) -> Any:
    """The same with places; no array is written, so that it is differentiated as it is.

    >>> simpson_spread(np.float64(3.0), (3,), np.array([0.0, 1.0, 2.0]), 0)
    array([1., 4., 1.])
    """
    h = np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))
    n, none = shape[axis], np.zeros((*h.shape[:-1], 1))
    if n == 2:
        weights = np.concatenate([0.5 * h, 0.5 * h], axis=-1)
    else:
        odd = n if n % 2 else n - 1
        h0, h1 = h[..., 0 : odd - 1 : 2], h[..., 1 : odd - 1 : 2]
        sixth = (h0 + h1) / 6
        left, right = sixth * (2 - _over(h1, h0)), sixth * (2 - _over(h0, h1))
        middle = sixth * _over((h0 + h1) * (h0 + h1), h0 * h1)
        pairs = np.stack([left, middle], axis=-1)
        later = np.stack([0.0 * right, right], axis=-1)
        weights = np.concatenate([np.reshape(pairs, (*h.shape[:-1], odd - 1)), none], axis=-1)
        weights = weights + np.concatenate(
            [none, np.reshape(later, (*h.shape[:-1], odd - 1))], axis=-1
        )
        if n % 2 == 0:
            k, m = h[..., -1:], h[..., -2:-1]
            ends = np.concatenate([
                np.zeros((*h.shape[:-1], n - 3)), -_over(k * k * k, 6 * m * (m + k)),
                _over(k * k + 3 * k * m, 6 * m), _over(2 * k * k + 3 * k * m, 6 * (m + k)),
            ], axis=-1)  # fmt: skip
            weights = np.concatenate([weights, none], axis=-1) + ends
    if np.ndim(x) > 1:
        weights = np.moveaxis(weights, -1, axis)
    else:
        weights = np.reshape(weights, (n, *(1,) * (len(shape) - 1 - axis % len(shape))))
    return unbroadcast(np.expand_dims(g, axis) * weights, shape)


def simpson_slopes(f: Any, x: Any, axis: int) -> Any:
    """How `scipy.integrate.simpson` changes with the widths of the intervals, along the last axis.

    >>> simpson_slopes(np.ones(4), np.array([0.0, 1.0, 2.0, 4.0]), 0).round(6)
    array([1., 1., 1.])
    """
    f = np.moveaxis(np.asarray(f), axis, -1)
    h = np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))
    n = f.shape[-1]
    if n == 2:
        return 0.5 * (f[..., :-1] + f[..., 1:]) * np.ones_like(h)
    odd = n if n % 2 else n - 1
    h0, h1 = h[..., 0 : odd - 1 : 2], h[..., 1 : odd - 1 : 2]
    a, b, c = f[..., 0 : max(odd - 2, 0) : 2], f[..., 1 : odd - 1 : 2], f[..., 2:odd:2]
    both = h0 + h1
    inner = a * (2 - h1 / h0) + b * both * both / (h0 * h1) + c * (2 - h0 / h1)
    twice = 2 * both / (h0 * h1)
    first = a * h1 / (h0 * h0) + b * (twice - both * both / (h0 * h0 * h1)) - c / h1
    second = b * (twice - both * both / (h0 * h1 * h1)) - a / h0 + c * h0 / (h1 * h1)
    pairs = np.stack([inner + both * first, inner + both * second], axis=-1)
    found = np.reshape(pairs, (*pairs.shape[:-2], odd - 1)) / 6
    if n % 2:
        return found
    k, m = h[..., -1:], h[..., -2:-1]  # the last interval, and the one before it
    total = (m + k) * (m + k)
    p, q, r = f[..., -3:-2], f[..., -2:-1], f[..., -1:]
    last = ((2 * k * k + 4 * m * k + 3 * m * m) / total * r + (2 * k + 3 * m) / m * q
            - k * k * (3 * m + 2 * k) / (m * total) * p) / 6  # fmt: skip
    before = (k * k / total * r - k * k / (m * m) * q
              + k * k * k * (2 * m + k) / (m * m * total) * p) / 6  # fmt: skip
    return np.concatenate([found[..., :-1], found[..., -1:] + before, last], axis=-1)


def simpson_nodes(g: Any, f: Any, x: Any, axis: int) -> Any:
    """The adjoint of the places of `scipy.integrate.simpson`."""
    found = diff_pullback(np.expand_dims(g, -1) * simpson_slopes(f, x, axis), 1, -1)
    if np.ndim(x) > 1:
        found = np.moveaxis(found, -1, axis)
    return unbroadcast(found, np.shape(x))


def simpson_moved(t: Any, f: Any, x: Any, axis: int) -> Any:
    """The tangent of `scipy.integrate.simpson` for that of its places."""
    widths = np.diff(t if np.ndim(t) == 1 else np.moveaxis(t, axis, -1))
    return np.sum(simpson_slopes(f, x, axis) * widths, axis=-1)


def _pull(distance: Any, g: Any, metric: str) -> Any:
    """The weights with which differences of points enter the adjoint."""
    if metric == "sqeuclidean":
        return 2.0 * g
    return np.where(distance == 0, 0.0, g / np.where(distance == 0, 1.0, distance))


def cdist_pullback(g: Any, a: Any, b: Any, y: Any, metric: str) -> Any:
    """The adjoint of the first points of `cdist`; of points that coincide it is 0."""
    if metric == "cityblock":
        return np.sum(g[:, :, None] * np.sign(a[:, None, :] - b[None, :, :]), axis=1)
    w = _pull(y, g, metric)
    return np.sum(w, axis=1)[:, None] * a - w @ b


def cdist_pushforward(a_dot: Any, b_dot: Any, a: Any, b: Any, y: Any, metric: str) -> Any:
    """The tangent of `cdist`; None stands for a tangent that is zero."""
    moved = -b_dot[None, :, :] if a_dot is None else a_dot[:, None, :]
    off = a[:, None, :] - b[None, :, :]
    if metric == "cityblock":
        return np.sum(np.sign(off) * moved, axis=-1)
    return _pull(y, np.sum(off * moved, axis=-1), metric)


def pdist_pullback(g: Any, x: Any, y: Any, metric: str) -> Any:
    """The adjoint of the points of `pdist`."""
    return cdist_pullback(squareform(g), x, x, squareform(y), metric)


def pdist_pushforward(t: Any, x: Any, y: Any, metric: str) -> Any:
    """The tangent of `pdist`."""
    i, j = np.triu_indices(len(x), 1)
    off, moved = x[i] - x[j], t[i] - t[j]
    if metric == "cityblock":
        return np.sum(np.sign(off) * moved, axis=-1)
    return _pull(y, np.sum(off * moved, axis=-1), metric)


def romberg_weights(shape: tuple[int, ...], dx: Any, axis: int) -> Any:
    """The weights of `scipy.integrate.romb`: those of the trapezoidal rule with steps that are
    halved, extrapolated.

    >>> romberg_weights((3,), 3.0, 0)
    array([1., 4., 1.])
    """
    n = shape[axis]
    rows: list[Any] = []
    step = n - 1
    while step >= 1:
        weights = np.zeros(n)
        weights[::step] = step * dx
        weights[[0, -1]] = 0.5 * step * dx
        found = [weights]
        for j, before in enumerate(rows):
            found.append(found[j] + (found[j] - before) / (4.0 ** (j + 1) - 1))
        rows = found
        step //= 2
    along = [-1 if k == axis % len(shape) else 1 for k in range(len(shape))]
    return np.reshape(rows[-1], along)
