"""How `np.gradient` changes with the places that the values belong to.

With intervals `h` and slopes `s` between neighbours, the derivative in a place inside is
`(h1 * s2 + h2 * s1) / (h1 + h2)`, and of second order at an end `s1 - h1 * (s2 - s1) / (h1 + h2)`:
the slope there of the parabola through three points.

>>> import numpy as np
>>> x, f = np.array([0.0, 1.0, 3.0]), np.array([0.0, 1.0, 9.0])
>>> gradient_moved(f, x, np.array([0.0, 1.0, 0.0]), 0, 1).round(6)
array([-1.,  1.,  2.])
>>> gradient_nodes(np.array([1.0, 0.0, 0.0]), f, x, 0, 1)
array([ 1., -1.,  0.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.cumulative import _gradient, by_probing, diff_pullback, gradient_pullback
from adtrans.runtime.scatter import gather_pullback


def gradient_nodes(g: Any, f: Any, x: Any, axis: Any, edge_order: Any) -> Any:
    """The adjoint of the places `x` in `np.gradient(f, x, axis=axis, edge_order=edge_order)`."""
    along = 0 if axis is None else axis
    n = np.shape(x)[0]
    first, second = _interval_slopes(np.moveaxis(f, along, -1), x, edge_order)
    seeds = np.moveaxis(g, along, -1)
    left = np.sum(np.reshape(seeds * first, (-1, n)), axis=0)
    right = np.sum(np.reshape(seeds * second, (-1, n)), axis=0)
    before, after = _neighbours(n)
    intervals = gather_pullback(left, before, (n - 1,)) + gather_pullback(right, after, (n - 1,))
    return diff_pullback(intervals, 1, 0)


def gradient_moved(f: Any, x: Any, t: Any, axis: Any, edge_order: Any) -> Any:
    """The tangent of the same along `t`."""
    along = 0 if axis is None else axis
    first, second = _interval_slopes(np.moveaxis(f, along, -1), x, edge_order)
    before, after = _neighbours(np.shape(x)[0])
    intervals = np.diff(t)
    return np.moveaxis(first * intervals[before] + second * intervals[after], -1, along)


def gradient_at_nodes(g: Any, shape: tuple[int, ...], x: Any, axis: Any, edge_order: Any) -> Any:
    """The adjoint of the values in `np.gradient(f, x)`."""
    along = 0 if axis is None else axis
    return by_probing(g, shape, along, _gradient, x, edge_order)


def gradient_part(
    g: Any, i: int, shape: tuple[int, ...], h: Any, axis: int, edge_order: Any
) -> Any:
    """The adjoint of one of the derivatives that `np.gradient` takes along several axes; `h` is the
    distance, or the places."""
    part = g[i]
    if part is None:  # nobody uses this part of the result
        return np.zeros(shape)
    if np.ndim(h) == 0:
        return gradient_pullback(part, shape, (), axis, edge_order) / h
    return gradient_at_nodes(part, shape, h, axis, edge_order)


def gradient_places_pullback(
    g: Any, i: int, n: int, x: Any, f: Any, axis: int, edge_order: Any
) -> Any:
    """The adjoint of the places along one of several axes; `g` has None for what nobody uses."""
    return np.zeros(np.shape(x)) if g[i] is None else gradient_nodes(g[i], f, x, axis, edge_order)


def gradient_places_moved(
    t: Any, i: int, n: int, x: Any, f: Any, axis: int, edge_order: Any
) -> Any:
    """The tangent of the same: a derivative along each axis, of which one moves."""
    found = gradient_moved(f, x, t, axis, edge_order)
    return tuple(found if k == i else np.zeros(np.shape(f)) for k in range(n))


def gradient_distance_pullback(g: Any, i: int, n: int, h: Any, y: Any) -> Any:
    """The adjoint of the distance along one of several axes."""
    return 0.0 if g[i] is None else -np.sum(g[i] * y[i]) / h


def gradient_distance_moved(t: Any, i: int, n: int, h: Any, y: Any) -> Any:
    """The tangent of the same."""
    return tuple(-t * y[k] / h if k == i else np.zeros(np.shape(y[k])) for k in range(n))


def gradient_moved_pullback(
    g: Any, shape: tuple[int, ...], x: Any, t: Any, axis: Any, edge_order: Any
) -> Any:
    """The adjoint of the values in `gradient_moved`."""
    along = 0 if axis is None else axis
    return by_probing(g, shape, along, gradient_moved, x, t, 0, edge_order)


def _neighbours(n: int) -> tuple[Any, Any]:
    """The two intervals that the derivative in each place depends on."""
    before = np.clip(np.arange(n) - 1, 0, max(n - 3, 0))
    return before, np.minimum(before + 1, n - 2)


def _interval_slopes(f: Any, x: Any, edge_order: Any) -> tuple[Any, Any]:
    """How the derivative in each place, along the last axis, changes with these two intervals."""
    h = np.diff(x)
    s = np.diff(f) / h
    r = -s / h
    h1, h2, s1, s2, r1, r2 = h[:-1], h[1:], s[..., :-1], s[..., 1:], r[..., :-1], r[..., 1:]
    total = h1 + h2
    mean = (h1 * s2 + h2 * s1) / total
    first = (s2 + h2 * r1 - mean) / total
    second = (s1 + h1 * r2 - mean) / total
    if edge_order == 1:
        none = np.zeros(np.shape(s[..., :1]))
        return (np.concatenate([r[..., :1], first, none], axis=-1),
                np.concatenate([none, second, r[..., -1:]], axis=-1))  # fmt: skip
    share1, share2, bend = h1 / total, h2 / total, (s2 - s1) / total
    left = r1 * (1 + share1) - bend * share2, share1 * (bend - r2)
    right = -share2 * (r1 + bend), r2 * (1 + share2) + bend * share1
    return (
        np.concatenate([left[0][..., :1], first, right[0][..., -1:]], axis=-1),
        np.concatenate([left[1][..., :1], second, right[1][..., -1:]], axis=-1),
    )


def grid_line(start: Any, stop: Any, step: Any, count: int | None = None, alone: bool = False
              ) -> Any:  # fmt: skip
    """The points of one range of a grid of real numbers: `count` of them, if that is given. NumPy
    computes those of `np.mgrid[a:b:c]` otherwise, where the range stands `alone`.

    >>> grid_line(0.5, 2.0, 1), grid_line(0, 1.0, 1, 3)
    (array([0.5, 1.5]), array([0. , 0.5, 1. ]))
    """
    own = slice(start, stop, step if count is None else count * 1j)
    return np.mgrid[own] if alone else np.ravel(np.ogrid[own, 0:1.0][0])


def grid_slope(n: int, count: int | None, which: int) -> Any:
    """How `n` points of a grid vary with the start, the stop or the step (0, 1, 2) of their range,
    of which the number of points is told, or the step.

    >>> grid_slope(3, 3, 0), grid_slope(3, None, 2)
    (array([1. , 0.5, 0. ]), array([0., 1., 2.]))
    """
    places = np.arange(n, dtype=float)
    if count is not None:
        share = places / max(n - 1, 1)
        return (1.0 - share, share, np.zeros(n))[which]
    return (np.ones(n), np.zeros(n), places)[which]
