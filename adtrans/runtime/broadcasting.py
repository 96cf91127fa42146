"""The reverse of broadcasting and of reductions.

>>> import numpy as np
>>> unbroadcast(np.ones((4, 3)), (3,))
array([4., 4., 4.])
>>> expand_reduced(np.ones(4), 1, False, 2).shape
(4, 1)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def unbroadcast(g: Any, shape: tuple[int, ...]) -> Any:
    """Sum `g` down to `shape`, from which it was broadcast; `g` itself if nothing has to be summed.

    Where `g` has one element for several, because they all have the same derivative, it is spread.

    >>> unbroadcast(np.ones((2, 3)), (2, 1))
    array([[3.],
           [3.]])
    >>> unbroadcast(np.ones((2, 1)), (1, 3))
    array([[2., 2., 2.]])
    """
    have = np.shape(g)
    if have == shape:
        return g
    extra = len(have) - len(shape)
    if extra < 0:  # of what an assignment leaves away the first axes of
        g = np.reshape(g, (1,) * -extra + have)
        have, extra = np.shape(g), 0
    axes = tuple(range(extra))
    axes += tuple(extra + k for k, n in enumerate(shape) if n == 1 and have[extra + k] != 1)
    summed = np.sum(g, axis=axes, keepdims=True)
    summed = summed.reshape(summed.shape[extra:])
    if summed.shape != shape:
        return np.broadcast_to(summed, shape)
    return summed if shape else summed[()]


def expand_reduced(g: Any, axis: Any, keepdims: Any, ndim: int) -> Any:
    """A reduction's result `g`, with the axes put back as length 1 so that it broadcasts."""
    if axis is None or keepdims:
        return g
    return np.expand_dims(g, axis) if ndim else g


def reduced_size(shape: tuple[int, ...], axis: Any) -> int:
    """How many elements a reduction over `axis` puts together.

    >>> reduced_size((2, 3, 4), (0, -1)), reduced_size((2, 3), None)
    (8, 6)
    """
    if axis is None:
        return math.prod(shape)
    return math.prod(shape[k] for k in (axis if isinstance(axis, tuple) else (axis,)))


def spread_over(g: Any, items: Any) -> Any:
    """The adjoint of `sum(items)`: `g` for each item, in a list (an array for an array)."""
    if isinstance(items, np.ndarray):
        return np.broadcast_to(g, items.shape)
    return [unbroadcast(g, np.shape(i)) for i in items]


def as_wide_as(t: Any, y: Any) -> Any:
    """The tangent `t` of `y` in full, where it is that of an operand that `y` was spread from.

    >>> as_wide_as(2.0, np.zeros(3))
    array([2., 2., 2.])
    """
    return t if np.shape(t) == np.shape(y) else t + np.zeros_like(y)


def adjoint_like(g: Any, a: Any) -> Any:
    """The adjoint of `np.array(a)`, with the structure of `a`: nested lists for nested lists.

    >>> [float(g) for g in adjoint_like(np.array([1.0, 2.0]), [5.0, 6.0])]
    [1.0, 2.0]
    """
    if isinstance(a, list | tuple):
        parts = [adjoint_like(part, item) for part, item in zip(g, a, strict=True)]
        return tuple(parts) if isinstance(a, tuple) else parts
    return g if np.ndim(a) == np.ndim(g) else np.reshape(g, np.shape(a))


def add_parts(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    """The sum of the tangents of a tuple, item by item.

    >>> add_parts((1.0, 2.0), (0.5, 0.0))
    (1.5, 2.0)
    """
    return tuple([x + y for x, y in zip(a, b, strict=True)])
