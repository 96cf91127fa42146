"""Adjoints of putting arrays together whose shapes are known only at run time.

>>> import numpy as np
>>> joined_part(np.arange(5.0), np.hstack, ((2,), (3,)), 1)
array([2., 3., 4.])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.runtime.scatter import gather_pullback


def joined_part(g: Any, join: Callable[[Any], Any], shapes: tuple[tuple[int, ...], ...],
    i: int) -> Any:
    """The part of `g` that belongs to the i-th of the arrays that `join` put together."""
    owner = join([np.full(shape, k) for k, shape in enumerate(shapes)])
    return g[owner == i].reshape(shapes[i])[()]


def joined_pullback(g: Any, join: Callable[[Any], Any], arrays: Any) -> Any:
    """The adjoints of all the arrays that `join` put together, in a list."""
    owner = join([np.full(np.shape(a), k) for k, a in enumerate(arrays)])
    return [g[owner == k].reshape(np.shape(a))[()] for k, a in enumerate(arrays)]


def split_like(g: Any, arrays: Any, axis: int | None) -> Any:
    """The adjoints of all the arrays in `np.concatenate(arrays, axis)`, in a list."""
    if axis is None:
        ends = np.cumsum([np.size(a) for a in arrays])
        return [p.reshape(np.shape(a)) for p, a in zip(np.split(g, ends[:-1]), arrays, strict=True)]
    return np.split(g, np.cumsum([np.shape(a)[axis] for a in arrays])[:-1], axis)


def meshgrid_pullback(g: Any, i: int, indexing: str) -> Any:
    """The adjoint of the i-th vector of `np.meshgrid`."""
    axis = 1 - i if indexing == "xy" and i < 2 and np.ndim(g) > 1 else i
    return np.sum(g, axis=tuple(k for k in range(np.ndim(g)) if k != axis))


def pad_pullback(
    g: Any, shape: tuple[int, ...], pad_width: Any, mode: str, stat_length: Any = None
) -> Any:
    """The adjoint of `np.pad` in the modes that are linear in the array."""
    if mode in ("mean", "linear_ramp"):
        widths = np.broadcast_to(pad_width, (len(shape), 2))
        lengths = np.broadcast_to(np.asarray(stat_length), (len(shape), 2))
        for axis, (pair, over) in enumerate(zip(widths, lengths, strict=True)):
            g = _pad_axis_pullback(g, shape[axis], pair, over, mode, axis)
        return g
    source = np.arange(int(np.prod(shape))).reshape(shape)
    if mode == "constant":
        source = np.pad(source, pad_width, mode="constant", constant_values=-1)
    elif mode in ("edge", "reflect", "symmetric", "wrap"):
        source = np.pad(source, pad_width, mode)  # type: ignore[call-overload]
    else:
        raise NotImplementedError(f"np.pad carries no derivative in mode {mode!r}")
    return gather_pullback(g, source, shape)


def _pad_axis_pullback(g: Any, n: int, widths: Any, lengths: Any, mode: str, axis: int) -> Any:
    """What the borders along one axis were made from gets their adjoints."""
    g = np.moveaxis(g, axis, -1)
    before = int(widths[0])
    out = g[..., before : before + n].copy()
    ends = (g[..., :before], True, lengths[0]), (g[..., before + n :][..., ::-1], False, lengths[1])
    for border, at_start, over in ends:
        size = border.shape[-1]
        if mode == "mean":
            over = n if over is None else min(int(over), n)
            part = slice(over) if at_start else slice(n - over, None)
            out[..., part] += np.sum(border, axis=-1, keepdims=True) / over
        elif size:
            share = np.arange(size, dtype=g.dtype) / g.dtype.type(size)
            out[..., 0 if at_start else -1] += np.sum(border * share, axis=-1)
    return np.moveaxis(out, -1, axis)


def pad_value_pullback(g: Any, shape: tuple[int, ...], pad_width: Any) -> Any:
    """The adjoint of a number that `np.pad` fills the border with."""
    border = np.pad(np.zeros(shape, bool), pad_width, constant_values=True)
    return np.sum(g[border])
