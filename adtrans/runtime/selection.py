"""Where the elements of a result come from, for functions that select by value.

>>> import numpy as np
>>> places_of(np.array([2.0, 5.0]), np.array([5.0, 2.0, 2.0]))
array([1, 0])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast


def places_of(values: Any, a: Any) -> Any:
    """The first flat position in `a` of each of `values`, which are all elements of it."""
    flat = np.ravel(a)
    order = np.argsort(flat, kind="stable")
    found = np.searchsorted(flat[order], np.ravel(values))
    return order[np.minimum(found, len(order) - 1)].reshape(np.shape(values))


def at_places(a: Any, places: Any) -> Any:
    """The elements of `a` at flat positions, 0 where a position is outside."""
    flat = np.ravel(a)
    inside = (places >= 0) & (places < flat.size)
    out = np.zeros(np.shape(places), flat.dtype)
    out[inside] = flat[places[inside]]
    return out


def part_of(places: Any, start: int, size: int) -> Any:
    """Positions in the part of a joined array that begins at `start`; -1 for those outside."""
    return np.where((places >= start) & (places < start + size), places - start, -1)


def rearranged(values: Any, a: Any, axis: Any) -> Any:
    """The index along `axis` in `a` of each of `values`, a rearrangement of it."""
    if axis is None:
        a, axis = np.ravel(a), -1
    index = np.empty(np.shape(values), np.intp)
    np.put_along_axis(index, np.argsort(values, axis), np.argsort(a, axis), axis)
    return index


def chosen_pullback(g: Any, which: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of the array `choices` in `np.choose(which, choices)`.

    >>> chosen_pullback(np.ones(3), np.array([1, 0, 1]), (2, 1))
    array([[1.],
           [2.]])
    """
    out = np.zeros(shape, np.result_type(g))
    for k in range(shape[0]):
        out[k] = unbroadcast(np.where(np.equal(which, k), g, 0.0), shape[1:])
    return out


def trimmed(a: Any, trim: str) -> slice:
    """The slice of `a` that `np.trim_zeros` returns.

    >>> trimmed(np.array([0.0, 1.0, 2.0, 0.0]), "fb")
    slice(1, 3, None)
    """
    used = np.flatnonzero(a)
    if not used.size:
        return slice(0, 0)
    first = int(used[0]) if "f" in trim.lower() else 0
    last = int(used[-1]) + 1 if "b" in trim.lower() else len(a)
    return slice(first, last)


def slice_pullback(g: Any, part: slice, shape: tuple[int, ...]) -> Any:
    """The adjoint of `a[part]` for `a` of this shape."""
    out = np.zeros(shape, np.result_type(g))
    out[part] = g
    return out


def block_part(g: Any, shapes: Any, path: tuple[int, ...]) -> Any:
    """The part of `g` that belongs to one array in `np.block`; `shapes` is nested as they are."""
    mine, shape = _block_place(shapes, path)
    return g[mine].reshape(shape)[()]


def block_whole(g: Any, shapes: Any, path: tuple[int, ...]) -> Any:
    """The adjoint of `block_part`: that part of the whole, and zeros.

    >>> block_whole(np.ones(2), [(1,), (2,)], (1,))
    array([0., 1., 1.])
    """
    mine, _ = _block_place(shapes, path)
    out = np.zeros(mine.shape, np.result_type(g))
    out[mine] = np.ravel(g)
    return out


def block_parts(g: Any, arrays: Any) -> Any:
    """The parts of `g` that belong to the arrays in `np.block(arrays)`, nested as they are."""

    def shapes(nested: Any) -> Any:
        return [shapes(a) for a in nested] if isinstance(nested, list) else np.shape(nested)

    def parts(nested: Any, at: tuple[int, ...]) -> Any:
        if isinstance(nested, list):
            return [parts(a, (*at, i)) for i, a in enumerate(nested)]
        return block_part(g, layout, at)

    layout = shapes(arrays)
    return parts(arrays, ())


def _block_place(shapes: Any, path: tuple[int, ...]) -> tuple[Any, tuple[int, ...]]:
    """Where one array is in `np.block`, as a mask, and its shape."""

    def marked(nested: Any, at: tuple[int, ...]) -> Any:
        if isinstance(nested, list):
            return [marked(n, (*at, i)) for i, n in enumerate(nested)]
        return np.full(nested, at == path)

    shape = shapes
    for i in path:
        shape = shape[i]
    return np.block(marked(shapes, ())), shape


def running_source(extreme: Any, a: Any, axis: int) -> Any:
    """The index along `axis` of the element that is the running maximum or minimum `extreme`.

    Of equal ones it is the first.
    """
    n = np.shape(a)[axis]
    grid = np.arange(n).reshape([-1 if k == axis % np.ndim(a) else 1 for k in range(np.ndim(a))])
    before = np.roll(extreme, 1, axis)
    fresh = (extreme != before) | (grid == 0)
    return np.maximum.accumulate(np.where(fresh, grid, 0), axis)


def reduceat_pullback(g: Any, indices: Any, shape: tuple[int, ...], axis: int) -> Any:
    """The adjoint of `np.add.reduceat`."""
    g = np.moveaxis(g, axis, -1)
    n = shape[axis]
    out = np.zeros((*g.shape[:-1], n), g.dtype)
    ends = [*list(indices)[1:], n]
    for k, (start, end) in enumerate(zip(indices, ends, strict=False)):
        out[..., start : max(end, start + 1)] += g[..., k : k + 1]
    return np.moveaxis(out, -1, axis)


def vander_slopes(x: Any, columns: int, increasing: bool) -> Any:
    """The derivative of each element of `np.vander(x, columns)` for its point."""
    powers = np.arange(columns) if increasing else np.arange(columns - 1, -1, -1)
    x = np.asarray(x)
    return powers.astype(x.dtype) * x[:, None] ** np.maximum(powers - 1, 0)


def vander_columns(x: Any, columns: Any) -> int:
    """The number of columns of `np.vander(x, columns)`."""
    return len(x) if columns is None else int(columns)
