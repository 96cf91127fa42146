"""`pullback(y_bar, into=...)`: gradients that are added to buffers of the caller's.

>>> added(np.array([1.0, 2.0]), np.array([10.0, 20.0]))
array([11., 22.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans import tree
from adtrans.runtime.memory_checks import overlaps_itself


def fits(leaf: Any, buffer: Any) -> bool:
    """Whether `buffer` can take the gradient that belongs to `leaf`."""
    if not isinstance(leaf, np.ndarray):
        return buffer is None or not tree.carries(leaf)
    same = type(buffer) is np.ndarray and (buffer.shape, buffer.dtype) == (leaf.shape, leaf.dtype)
    return same and buffer.flags.writeable and not overlaps_itself(buffer)


def without_numbers(buffer: Any) -> Any:
    """A buffer with None in the place of numbers that can be replaced: those in lists and
    dictionaries."""
    if isinstance(buffer, dict):
        return {k: None if _is_real(v) else without_numbers(v) for k, v in buffer.items()}
    if type(buffer) is list:
        return [None if _is_real(v) else without_numbers(v) for v in buffer]
    if type(buffer) is tuple:
        return tuple(map(without_numbers, buffer))
    return buffer


def _is_real(value: Any) -> bool:
    real = isinstance(value, int | float | np.integer | np.floating)
    return real and not isinstance(value, bool)


def added(found: Any, buffer: Any) -> Any:
    """The gradient, added to a buffer where there is one."""
    if buffer is None:
        return found

    def one(g: Any, place: Any) -> Any:
        if g is None or place is None:
            return g
        return np.add(place, g, out=place) if isinstance(g, np.ndarray) else place

    _add_numbers(buffer, found)
    parts = tree.map(one, found, buffer)
    alone = tree.map(_number, parts, buffer)
    return buffer if all(p is None for p in tree.leaves(alone)) else parts


def _add_numbers(buffer: Any, found: Any) -> None:
    """The numbers in the lists and dictionaries of a buffer are replaced by the sums, one after the
    other: the same list may be there twice."""
    if not isinstance(buffer, dict | list | tuple):
        return
    keys = list(buffer) if isinstance(buffer, dict) else range(len(buffer))
    for k in keys:
        if _is_real(buffer[k]) and not isinstance(buffer, tuple):
            g = found[k]
            buffer[k] = buffer[k] if g is None else type(g)(buffer[k] + g)
        else:
            _add_numbers(buffer[k], found[k])


def _number(part: Any, place: Any) -> Any:
    """The gradient of a number without a buffer, None for what was added to one."""
    return part if place is None else None
