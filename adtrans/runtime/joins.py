"""Adjoints of putting arrays together whose shapes are known only at run time.

>>> import numpy as np
>>> joined_part(np.arange(5.0), np.hstack, ((2,), (3,)), 1)
array([2., 3., 4.])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast
from adtrans.runtime.partial_derivatives import first_of, median_weights
from adtrans.runtime.scatter import gather_pullback


def joined_part(g: Any, join: Callable[[Any], Any], shapes: tuple[tuple[int, ...], ...],
    i: int) -> Any:
    """The part of `g` that belongs to the i-th of the arrays that `join` put together."""
    owner = join([np.full(shape, k) for k, shape in enumerate(shapes)])
    return g[owner == i].reshape(shapes[i])[()]


def joined_place(g: Any, join: Callable[[Any], Any], shapes: tuple[tuple[int, ...], ...],
    i: int) -> Any:
    """The adjoint of `joined_part`: that part of the whole, and zeros.

    >>> joined_place(np.ones(2), np.hstack, ((2,), (3,)), 0)
    array([1., 1., 0., 0., 0.])
    """
    owner = join([np.full(shape, k) for k, shape in enumerate(shapes)])
    out = np.zeros(owner.shape, np.result_type(g))
    out[owner == i] = np.ravel(g)
    return out


def joined_rows(arrays: Any) -> Any:
    """`np.r_` of several arrays."""
    return np.r_[tuple(arrays)]


def joined_columns(arrays: Any) -> Any:
    """`np.c_` of several arrays.

    >>> joined_columns([np.zeros(2), np.ones(2)]).tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    return np.c_[tuple(arrays)]


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


def joined_pieces(pieces: Any, shape: tuple[int, ...], at: Any, axis: int) -> Any:
    """The adjoint of an array that `np.split` has cut at these places, or into so many pieces;
    where places do not ascend, pieces share elements.

    >>> joined_pieces([np.ones(3), np.ones(0), np.ones(5)], (6,), [3, 1], 0)
    array([1., 2., 2., 1., 1., 1.])
    """
    if np.ndim(at) == 0:
        return np.concatenate(pieces, axis)
    out = np.zeros(shape, np.result_type(*pieces))
    rows = np.moveaxis(out, axis, 0)
    ends = [0, *at, shape[axis]]
    for k, piece in enumerate(pieces):
        rows[ends[k] : ends[k + 1]] += np.moveaxis(piece, axis, 0)
    return out


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
    if mode in ("constant", "empty"):
        source = np.pad(source, pad_width, mode="constant", constant_values=-1)
    elif mode in ("edge", "reflect", "symmetric", "wrap"):
        source = np.pad(source, pad_width, mode)  # type: ignore[call-overload]  # one of its modes
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


def pad_odd_pullback(
    g: Any, shape: tuple[int, ...], pad_width: Any, mode: Any, reflect_type: Any
) -> Any:
    """The adjoint of `np.pad` with `reflect_type="odd"`: what is padded is a matrix times each row.

    >>> pad_odd_pullback(np.ones(4), (3,), (1, 0), "reflect", "odd")
    array([3., 0., 1.])
    """
    widths = np.broadcast_to(pad_width, (len(shape), 2))
    for axis in reversed(range(len(shape))):
        both = ((int(widths[axis, 0]), int(widths[axis, 1])), (0, 0))
        one = np.eye(shape[axis], dtype=g.dtype)
        rows = np.pad(one, both, mode=mode, reflect_type=reflect_type)
        g = np.moveaxis(np.moveaxis(g, axis, -1) @ rows, -1, axis)
    return g


def pad_choice_pullback(
    g: Any, a: Any, pad_width: Any, mode: str, stat_length: Any = None
) -> Any:
    """The adjoint of `np.pad` where the border is the largest, smallest or middle element.

    >>> pad_choice_pullback(np.ones(5), np.array([1.0, 5.0, 2.0]), 1, "maximum")
    array([1., 3., 1.])
    """
    steps = list(_padded_in_turn(a, pad_width, mode, stat_length))
    for axis, widths, over, before in reversed(steps):
        n, rows = before.shape[axis], np.moveaxis(g, axis, -1)
        out = rows[..., widths[0] : widths[0] + n].copy()
        borders = rows[..., : widths[0]], rows[..., widths[0] + n :]
        for part, weights, border in zip(*_chosen(before, axis, over, mode), borders, strict=True):
            out[..., part] += weights * np.sum(border, axis=-1, keepdims=True)
        g = np.moveaxis(out, -1, axis)
    return g


def pad_choice_pushforward(
    dot: Any, a: Any, pad_width: Any, mode: str, stat_length: Any = None
) -> Any:
    """The tangent of the same."""
    for axis, widths, over, before in _padded_in_turn(a, pad_width, mode, stat_length):
        rows = np.moveaxis(dot, axis, -1)
        parts, weights = _chosen(before, axis, over, mode)
        ends = [
            np.repeat(np.sum(rows[..., p] * w, axis=-1, keepdims=True), width, axis=-1)
            for p, w, width in zip(parts, weights, widths, strict=True)
        ]
        dot = np.moveaxis(np.concatenate([ends[0], rows, ends[1]], axis=-1), -1, axis)
    return dot


def _padded_in_turn(
    a: Any, pad_width: Any, mode: Any, stat_length: Any
) -> Iterator[tuple[int, tuple[int, int], Any, Any]]:
    """Axis by axis: the widths, the lengths that are looked at, and the array before it."""
    widths = np.broadcast_to(pad_width, (np.ndim(a), 2))
    lengths = np.broadcast_to(np.asarray(stat_length), (np.ndim(a), 2))
    for axis in range(np.ndim(a)):
        own = (int(widths[axis, 0]), int(widths[axis, 1]))
        yield axis, own, lengths[axis], a
        both = [own if k == axis else (0, 0) for k in range(np.ndim(a))]
        over = None if lengths[axis][0] is None else tuple(int(n) for n in lengths[axis])
        full = None if over is None else [over if k == axis else (1, 1) for k in range(np.ndim(a))]
        a = np.pad(a, both, mode=mode, stat_length=full)


def _chosen(a: Any, axis: int, over: Any, mode: str) -> tuple[list[slice], list[Any]]:
    """For both ends: the part that is looked at, and the weight of each of its elements."""
    rows = np.moveaxis(a, axis, -1)
    n = rows.shape[-1]
    counts = [n if length is None else min(int(length), n) for length in over]
    parts = [slice(counts[0]), slice(n - counts[1], None)]
    if mode == "median":
        return parts, [median_weights(rows[..., p], -1) for p in parts]
    arg = np.argmax if mode == "maximum" else np.argmin
    return parts, [first_of(arg, rows[..., p], -1) * 1.0 for p in parts]


def pad_value_pullback(
    g: Any, shape: tuple[int, ...], pad_width: Any, mode: str, whole: tuple[int, ...],
    path: tuple[int, ...],
) -> Any:  # fmt: skip
    """The adjoint of what `np.pad` fills the border with, or lets it run to: of the item at `path`
    of values that have the shape `whole`.

    >>> pad_value_pullback(np.arange(4.0), (2,), 1, "constant", (2,), (1,))
    np.float64(3.0)
    """
    pairs = np.zeros((len(shape), 2))
    for place in np.ndindex(*pairs.shape):
        unit = np.zeros(pairs.shape)
        unit[place] = 1.0
        pairs[place] = np.sum(g * _filled(shape, pad_width, mode, unit))
    return unbroadcast(pairs, whole)[path]


def pad_value_pushforward(
    t: Any, shape: tuple[int, ...], pad_width: Any, mode: str, whole: tuple[int, ...],
    path: tuple[int, ...],
) -> Any:  # fmt: skip
    """The tangent of `np.pad` for what it fills the border with: see `pad_value_pullback`."""
    values = np.zeros(whole)
    values[path] = np.asarray(t)
    return _filled(shape, pad_width, mode, values)


def _filled(shape: tuple[int, ...], pad_width: Any, mode: str, values: Any) -> Any:
    words = {"constant_values" if mode == "constant" else "end_values": values}
    return np.pad(np.zeros(shape), pad_width, mode, **words)  # type: ignore[call-overload]  # by name
