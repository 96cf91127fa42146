"""Adjoints of gathering: every element of the result hands its adjoint back to where it came from.

>>> import numpy as np
>>> gather_pullback(np.ones(3), np.take(positions((4,)), [1, 1, 3]), (4,))
array([0., 2., 0., 1.])
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError, MutationError
from adtrans.runtime.memory_checks import overlaps


def positions(shape: tuple[int, ...]) -> Any:
    """The flat position of each element of an array of this shape.

    >>> positions((2, 2)).tolist()
    [[0, 1], [2, 3]]
    """
    return np.arange(math.prod(shape)).reshape(shape)


def gather_pullback(g: Any, source: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of `x.ravel()[source]` for `x` of this shape; positions < 0 have no source."""
    if math.prod(shape) == 0:
        return np.zeros(shape, np.result_type(g))
    g = np.broadcast_to(g, source.shape)
    flat, weights = source.ravel(), g.ravel()
    if flat.size and flat.min() < 0:
        flat, weights = flat[flat >= 0], weights[flat >= 0]
    if weights.dtype == np.float64 or weights.dtype == np.float32:
        total = np.bincount(flat, weights, math.prod(shape))
        return total.astype(weights.dtype, copy=False).reshape(shape)
    out = np.zeros(math.prod(shape), weights.dtype)
    np.add.at(out, flat, weights)
    return out.reshape(shape)


def last_writer(index: Any, shape: tuple[int, ...]) -> Any:
    """Which elements of `v` are still there after `a[index] = v`, `a` having this shape: a mask.

    Of elements written to the same place, the one that NumPy wrote last survives.

    >>> last_writer(np.array([0, 0, 2]), (3,))
    array([False,  True,  True])
    """
    owner = np.full(shape, -1)
    written = owner[index]
    order = np.arange(written.size).reshape(written.shape)
    owner[index] = order
    return owner[index] == order


def flat_index(index: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """The index with which `a[...]` means `a.flat[index]`: a number or an array for each axis.

    >>> flat_index(slice(1, 4, 2), (2, 3))
    (array([0, 1]), array([1, 0]))
    >>> [int(k) for k in flat_index(-1, (2, 3))]
    [1, 2]
    """
    size = math.prod(shape)
    if isinstance(index, int | np.integer) and not isinstance(index, bool):
        if not -size <= index < size:
            raise IndexError(f"index {index} is out of bounds for size {size}")
        return np.unravel_index(index % size, shape)
    return np.unravel_index(np.arange(size)[index].ravel(), shape)


def memory_axes(a: Any, order: str) -> tuple[int, ...]:
    """The axes in the order in which `np.ravel(a, order)` goes through them, for "A" and "K".

    >>> memory_axes(np.zeros((2, 3)).T, "K"), memory_axes(np.zeros((2, 3)), "A")
    ((1, 0), (0, 1))

    Raises:
        DerivativeError: if elements share memory, as in what is broadcast.
    """
    axes = range(a.ndim)
    if order == "A":
        turned = a.flags.f_contiguous and not a.flags.c_contiguous
        return tuple(reversed(axes)) if turned else tuple(axes)
    if a.size and any(n > 1 and not step for n, step in zip(a.shape, a.strides, strict=True)):
        raise DerivativeError("elements that share memory have no order there")
    return tuple(sorted(axes, key=lambda k: -abs(a.strides[k])))


def as_it_lies(a: Any, axes: tuple[int, ...]) -> Any:
    """`a` with its axes in the order that `memory_axes` gives. A pullback keeps that order: a copy
    of `a` need not lie as `a` does."""
    return np.transpose(a, axes)


def as_mask(where: Any) -> Any:
    """The mask that `where=` means: lists and numbers are truth values there, and no index.

    >>> as_mask([2, 0]), as_mask(1)
    (array([ True, False]), array(True))
    """
    if isinstance(where, np.ndarray):
        return where.astype(bool, casting="safe")
    return np.array(where, bool)


def put_places(ind: Any, count: int = 1) -> Any:
    """The flat positions in which `np.put(a, ind, v)` stores `count` values: none if there are no
    values. They are whole numbers, also where `ind` is empty or holds truth values.

    >>> put_places([2, 0], 1), put_places([True, False]), put_places([], 2), put_places([1], 0)
    (array([2, 0]), array([1, 0]), array([], dtype=int64), array([], dtype=int64))
    """
    if isinstance(ind, np.ndarray):
        found = ind.astype(np.intp, casting="safe")
    else:
        found = np.array(ind, np.intp)
    return np.ravel(found) if count else np.zeros(0, np.intp)


def flat_slice(start: Any, stop: Any, step: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """The same for `a.flat[start:stop:step]`."""
    return flat_index(slice(start, stop, step), shape)


def repeated_into(values: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """The values that `a.flat[...] = values` stores in places of this shape: as many as needed.

    NumPy stores one after the other, and reads each when its turn comes.

    >>> repeated_into(np.array([1.0, 2.0]), np.zeros(4), (3,))
    array([1., 2., 1.])

    Raises:
        MutationError: if `values` share memory with `a`, so that what is read may be new already,
            or if there are none.
    """
    if not np.size(values) and 0 not in shape:
        raise MutationError("there are no values to store, and NumPy leaves the array as it is")
    if overlaps(values, a):
        raise MutationError(
            "values share memory with the array that they are stored in by flat position, and "
            "NumPy may read there what it has just stored: pass a copy of them"
        )
    return np.resize(values, shape)


def along_axis_index(indices: Any, shape: tuple[int, ...], axis: int) -> Any:
    """The index with which `a[index]` means `np.take_along_axis(a, indices, axis)`."""
    axis = axis % len(shape)
    grid = np.ogrid[tuple(slice(n) for n in indices.shape)]
    # an axis of length 1 in `indices` stretches over the whole of `a`
    full = [np.arange(n).reshape(g.shape[:k] + (n,) + g.shape[k + 1 :]) if g.shape[k] == 1 else g
            for k, (g, n) in enumerate(zip(grid, shape, strict=True))]  # fmt: skip
    return tuple(indices if k == axis else g for k, g in enumerate(full))


def histogram_pullback(g: Any, a: Any, edges: Any, shape: tuple[int, ...]) -> Any:
    """The adjoint of the weights of `np.histogram`: that of the bin, 0 beyond the edges.

    >>> histogram_pullback(np.array([1.0, 2.0]), [0.1, 0.9, 3.0], np.array([0.0, 0.5, 1.0]), (3,))
    array([1., 2., 0.])
    """
    a = np.ravel(a)
    inside = (a >= edges[0]) & (a <= edges[-1])
    bins = np.minimum(np.searchsorted(edges, a, "right") - 1, len(g) - 1)
    return np.where(inside, np.asarray(g)[np.maximum(bins, 0)], 0.0).reshape(shape)
