"""Adjoints of putting arrays together whose shapes are known only at run time.

>>> import numpy as np
>>> joined_part(np.arange(5.0), np.hstack, ((2,), (3,)), 1)
array([2., 3., 4.])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


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


def pad_pullback(g: Any, shape: tuple[int, ...], pad_width: Any, mode: str) -> Any:
    """The adjoint of `np.pad` in the modes that only repeat elements or zeros."""
    source = np.arange(int(np.prod(shape))).reshape(shape)
    if mode == "constant":
        source = np.pad(source, pad_width, mode="constant", constant_values=-1)
    elif mode in ("edge", "reflect", "symmetric", "wrap"):
        source = np.pad(source, pad_width,
            mode=mode)  # type: ignore[call-overload]  # one of Literals
    else:
        raise NotImplementedError(f"np.pad carries no derivative in mode {mode!r}")
    out = np.zeros(int(np.prod(shape)), g.dtype)
    kept = source >= 0
    np.add.at(out, source[kept], g[kept])
    return out.reshape(shape)
