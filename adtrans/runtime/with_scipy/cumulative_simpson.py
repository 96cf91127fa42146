"""Derivatives of `scipy.integrate.cumulative_simpson`.

The integral over an interval of width `h` is that of the parabola through its ends, at which the
values are `a` and `b`, and the next place, at a distance `o`, where the value is `c`; of every
second interval and of the last one `c` is at the place before it:

    h / 6 * ((3 - r) * a + (3 + s + r) * b - s * c),   r = h / (h + o),   s = r * h / o

>>> cumulative_simpson_spread(np.array([0.0, 3.0]), (3,), np.arange(3.0), -1, None)
array([1., 4., 1.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast
from adtrans.runtime.cumulative import diff_pullback
from adtrans.runtime.with_scipy.sums import (
    cumulative_trapezoid_nodes,
    cumulative_trapezoid_pullback,
    remaining,
)


def cumulative_simpson_pullback(
    g: Any, shape: tuple[int, ...], x: Any, dx: Any, axis: int, initial: Any
) -> Any:
    """The adjoint of the values of `scipy.integrate.cumulative_simpson`.

    The integral over an interval is that of the parabola through its ends and the next place, of
    every second interval and of the last one the place before it.
    """
    n = shape[axis]
    if n < 3:
        return cumulative_trapezoid_pullback(g, shape, x, dx, axis, initial)
    seeds = np.moveaxis(remaining(g, axis, initial), axis, -1)
    if x is None:
        h = np.full(n - 1, dx, float)
    else:
        h = np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))
    i = np.arange(n - 1)
    forwards = (i % 2 == 0) & (i < n - 2)
    other = h[..., np.where(forwards, i + 1, i - 1)]
    ratio = h / (h + other)
    bend = ratio * h / other
    out = np.zeros((*seeds.shape[:-1], n), seeds.dtype)
    for share, place in (
        (3 - ratio, np.where(forwards, i, i + 1)),
        (3 + bend + ratio, np.where(forwards, i + 1, i)),
        (-bend, np.where(forwards, i + 2, i - 1)),
    ):
        at: Any = (..., place)
        np.add.at(out, at, seeds * h / 6 * share)
    return np.moveaxis(out, -1, axis)


def _places(n: int) -> tuple[Any, Any, Any, Any]:
    """For each of `n - 1` intervals where `a`, `b` and `c` are, and which interval is beside it."""
    i = np.arange(n - 1)
    forwards = (i % 2 == 0) & (i < n - 2)
    at_a, at_b = np.where(forwards, i, i + 1), np.where(forwards, i + 1, i)
    return at_a, at_b, np.where(forwards, i + 2, i - 1), np.where(forwards, i + 1, i - 1)


def _widths(x: Any, axis: int) -> Any:
    return np.diff(x if np.ndim(x) == 1 else np.moveaxis(x, axis, -1))


def _scattered(values: Any, at: Any, n: int) -> Any:
    """Values added up at places along the last axis, of which there are `n`."""
    return values @ (at[:, None] == np.arange(n)).astype(float)


def cumulative_simpson_spread(
    g: Any, shape: tuple[int, ...], x: Any, axis: int, initial: Any
) -> Any:
    """The adjoint of the values with places; no array is written, so that it is differentiated as
    it is."""
    n = shape[axis]
    if n < 3:
        return cumulative_trapezoid_pullback(g, shape, x, 1.0, axis, initial)
    at_a, at_b, at_c, beside = _places(n)
    h = _widths(x, axis)
    o = h[..., beside]
    r = h / (h + o)
    s = r * h / o
    each = np.moveaxis(remaining(g, axis, initial), axis, -1) * h / 6
    total = (_scattered(each * (3 - r), at_a, n) + _scattered(each * (3 + s + r), at_b, n)
             - _scattered(each * s, at_c, n))  # fmt: skip
    return np.moveaxis(total, -1, axis)


def cumulative_simpson_slopes(f: Any, x: Any, axis: int) -> tuple[Any, Any]:
    """How the integral over each interval changes with its width, and with that beside it."""
    rows, h = np.moveaxis(np.asarray(f), axis, -1), _widths(x, axis)
    at_a, at_b, at_c, beside = _places(rows.shape[-1])
    a, b, c, o = rows[..., at_a], rows[..., at_b], rows[..., at_c], h[..., beside]
    both = (h + o) * (h + o)
    r, s = h / (h + o), h * h / (o * (h + o))
    r_h, r_o = o / both, -h / both
    s_h, s_o = (h * h + 2 * h * o) / (o * both), -h * h * (h + 2 * o) / (o * o * both)
    inner = (3 - r) * a + (3 + s + r) * b - s * c
    own = (inner + h * (-r_h * a + (s_h + r_h) * b - s_h * c)) / 6
    return own, h * (-r_o * a + (s_o + r_o) * b - s_o * c) / 6


def cumulative_simpson_nodes(g: Any, f: Any, x: Any, axis: int, initial: Any) -> Any:
    """The adjoint of the places."""
    n = np.shape(f)[axis]
    if n < 3:
        return cumulative_trapezoid_nodes(g, f, np.shape(x), axis, initial)
    seeds = np.moveaxis(remaining(g, axis, initial), axis, -1)
    own, other = cumulative_simpson_slopes(f, x, axis)
    total = seeds * own + _scattered(seeds * other, _places(n)[3], n - 1)
    found = diff_pullback(total, 1, -1)
    if np.ndim(x) > 1:
        found = np.moveaxis(found, -1, axis)
    return unbroadcast(found, np.shape(x))


def cumulative_simpson_moved(t: Any, f: Any, x: Any, axis: int, initial: Any) -> Any:
    """The tangent for that of the places."""
    rows, widths = np.moveaxis(np.asarray(f), axis, -1), _widths(t, axis)
    n = rows.shape[-1]
    if n < 3:
        each = 0.5 * (rows[..., 1:] + rows[..., :-1]) * widths
    else:
        own, other = cumulative_simpson_slopes(f, x, axis)
        each = own * widths + other * widths[..., _places(n)[3]]
    total = np.cumsum(each, axis=-1)
    if initial is not None:
        total = np.concatenate((np.zeros((*total.shape[:-1], 1)), total), axis=-1)
    return np.moveaxis(total, -1, axis)
