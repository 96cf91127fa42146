"""Adjoints of what `scipy.ndimage` does to images by differences and by interpolation.

>>> sampled_pullback(np.array([1.0]), (3,), np.array([[0.25]]), "constant")
array([0.75, 0.25, 0.  ])
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import scipy.ndimage

from adtrans.runtime.with_scipy.filters import image_input
from adtrans.runtime.with_scipy.smoothing import along_line


def _modes(mode: Any, ndim: int) -> list[str]:
    return [mode] * ndim if isinstance(mode, str) else list(mode)


def _line_pullback(g: Any, weights: Any, axis: int, mode: str) -> Any:
    origin = (0,) * np.ndim(g)
    return image_input(g, along_line(np.array(weights), np.ndim(g), axis), mode, origin, False)


def laplace_pullback(g: Any, mode: Any, axes: Any = None) -> Any:
    """The adjoint of `scipy.ndimage.laplace`: second differences along each axis."""
    found = np.zeros_like(g)
    along = range(np.ndim(g)) if axes is None else [int(k) for k in np.atleast_1d(axes)]
    for axis, m in zip(along, _modes(mode, len(along)), strict=True):
        found = found + _line_pullback(g, [1.0, -2.0, 1.0], axis, m)
    return found


def edges_pullback(g: Any, axis: int, mode: Any, middle: float) -> Any:
    """The adjoint of `scipy.ndimage.sobel` (`middle` 2) or `prewitt`: a difference along one axis,
    then sums along the others."""
    axis %= np.ndim(g)
    modes = _modes(mode, np.ndim(g))
    for other in range(np.ndim(g) - 1, -1, -1):
        if other != axis:
            g = _line_pullback(g, [1.0, middle, 1.0], other, modes[other])
    return _line_pullback(g, [-1.0, 0.0, 1.0], axis, modes[axis])


def moved_pullback(
    g: Any, shape: tuple[int, ...], name: str, by: Any, order: int, mode: str, prefilter: bool,
    grid_mode: bool,
) -> Any:  # fmt: skip
    """The adjoint of `scipy.ndimage.shift` and `zoom`: both act on each axis by itself, as a
    matrix, which they show where they are given the columns of the identity."""
    if 0 in shape:
        return np.zeros(shape, np.result_type(g))
    steps = np.broadcast_to(by, len(shape))
    for axis, n in enumerate(shape):
        options: Any = {"order": order, "mode": mode, "prefilter": prefilter}
        if name == "zoom":
            options["grid_mode"] = grid_mode
        if n == 1 and np.shape(g)[axis] == 1 and (name == "zoom" or steps[axis] == 0):
            continue
        plain = scipy.ndimage.zoom if name == "zoom" else scipy.ndimage.shift
        columns = [plain(unit, steps[axis], **options) for unit in np.eye(n)]
        g = np.moveaxis(np.tensordot(np.stack(columns), g, (1, axis)), 0, axis)
    return g


def _corners(shape: tuple[int, ...], at: Any, mode: str) -> Any:
    """The corners around each place: whether they count, their indices, how near they are along
    each axis, and whether a step along it moves there."""
    places = np.asarray(at)
    inside = np.ones(places.shape[1:], bool)
    free = np.ones(places.shape, bool)
    if mode == "nearest":
        for k, n in enumerate(shape):
            free[k] = (places[k] >= 0) & (places[k] <= n - 1)
        ends = np.reshape(np.array(shape) - 1.0, (-1, *[1] * (places.ndim - 1)))
        places = np.minimum(np.maximum(places, 0.0), ends)
    else:
        for k, n in enumerate(shape):
            inside &= (places[k] >= 0) & (places[k] <= n - 1)
    lower = [np.clip(np.floor(p), 0, max(n - 2, 0)).astype(int)
             for p, n in zip(places, shape, strict=True)]  # fmt: skip
    share = [p - low for p, low in zip(places, lower, strict=True)]
    for corner in product((0, 1), repeat=len(shape)):
        index = tuple(
            np.minimum(low + c, n - 1) for low, c, n in zip(lower, corner, shape, strict=True)
        )
        near = [s if c else 1 - s for s, c in zip(share, corner, strict=True)]
        yield inside, index, near, corner, free


def sampled_pullback(g: Any, shape: tuple[int, ...], at: Any, mode: str) -> Any:
    """The adjoint of the image of `map_coordinates` with linear interpolation."""
    found = np.zeros(shape, g.dtype)
    for inside, index, near, _, _ in _corners(shape, at, mode):
        weight = np.where(inside, np.prod(np.stack(near), axis=0), 0.0)
        np.add.at(found, index, g * weight)
    return found


def sampled_slope(x: Any, at: Any, mode: str, cval: float) -> Any:
    """The slopes of `map_coordinates` with respect to the places; 0 outside of the image."""
    found = np.zeros(np.shape(at))
    for inside, index, near, corner, free in _corners(np.shape(x), at, mode):
        for k, c in enumerate(corner):
            others = np.prod(np.stack([*near[:k], np.ones_like(near[k]), *near[k + 1 :]]), axis=0)
            step = others * x[index] * (1.0 if c else -1.0)
            found[k] += np.where(inside & free[k], step, 0.0)
    return found
