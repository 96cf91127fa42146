"""Memory for what a loop keeps, used again by later calls: one array for all iterations, or blocks
of growing size where it is not known how many there will be."""

from __future__ import annotations

import math
import weakref
from numbers import Number
from typing import Any

import numpy as np

from adtrans.runtime.failures import MutationError

_KEPT = 1 << 30  # bytes
_SMALL = 4096  # elements: a copy of fewer is cheaper in memory of its own


def pool_for(
    count: int,
    shape: tuple[int, ...],
    dtype: Any = np.float64,
    _unused: dict[int, Any] = {},  # noqa: B006  # one for all calls
) -> Any:
    """An uninitialised array of `count` items of this shape.

    Fresh memory is expensive: the system clears every page of it. So large blocks are kept when
    the last array that looks into one has gone, and handed out again for a pool of the same size.
    At most one block of 256 MB or less is kept for each size, and 1 GB in all. A block is never
    handed out while an array looks into it, so calls that run at the same time have their own.

    >>> pool_for(3, (2, 4)).shape, pool_for(-1, ()).shape
    ((3, 2, 4), (0,))
    """
    shape = (max(int(count), 0), *shape)
    dtype = np.dtype(dtype)
    size = math.prod(shape) * dtype.itemsize
    if not 1 << 20 <= size <= 1 << 28:
        return np.empty(shape, dtype)
    memory = _unused.pop(size, None)
    if memory is None:
        memory = np.empty(size, np.uint8)
    flat = np.frombuffer(memoryview(memory), dtype)
    made = flat.reshape(shape)
    if made[:1].base is flat:  # all views keep `flat` alive, and with it the block in use
        weakref.finalize(flat, _put_away, _unused, size, memory).atexit = False
    return made


def kept_copy(value: Any, stack: list[Any]) -> Any:
    """A copy of the array `value`, to be appended to the list `stack` of such copies.

    Large arrays stand behind one another in blocks, each at least twice as large as the one before,
    so that n copies cost as many allocations as log n. Where the last block ends is seen from the
    last copy: a list has blocks of its own, and what is popped makes room.

    >>> stack = []
    >>> for k in range(5):
    ...     stack.append(kept_copy(np.full(4096, float(k)), stack))
    >>> [float(s[0]) for s in stack], len({id(s.base) for s in stack})
    ([0.0, 1.0, 2.0, 3.0, 4.0], 2)
    """
    size, last = value.size, stack[-1] if stack else None
    if not size or (size < _SMALL and (last is None or last.base is None)):
        return value.copy()  # where an empty array stands in a block, its address does not tell
    dtype, block, start = value.dtype, None, 0
    if last is not None and last.base is not None and last.dtype == dtype:
        block = last.base.reshape(-1)
        offset = last.__array_interface__["data"][0] - block.__array_interface__["data"][0]
        start = offset // dtype.itemsize + last.size
    if block is None or start + size > block.size:
        held = 0 if block is None else block.size
        block, start = pool_for(1, (max(4 * size, 2 * held),), dtype)[0], 0
    copy = block[start : start + size].reshape(value.shape)
    copy[...] = value
    return copy


def copy_of(value: Any) -> Any:
    """A copy of an array; a number as it is. Which of them it is, is known in the run only.

    Raises:
        MutationError: it is neither, and what it holds will be overwritten.

    >>> a = np.ones(2)
    >>> copy_of(a) is a, copy_of(2.0)
    (False, 2.0)
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    own = getattr(type(value), "keeps_its_own", False)  # a sparse matrix, as it was made
    if own or value is None or isinstance(value, Number | np.generic | str):
        return value
    what = type(value).__name__
    raise MutationError(f"a {what} that the gradient needs is overwritten, and cannot be copied")


def _put_away(unused: dict[int, Any], size: int, memory: Any) -> None:
    """Keep a block that nobody looks into any more; where that is too much, forget the others."""
    if size not in unused and sum(list(unused)) + size > _KEPT:
        unused.clear()
    unused[size] = memory
