"""Memory for what a loop keeps: one array for all iterations, and used again by later calls."""

from __future__ import annotations

import math
import weakref
from typing import Any

import numpy as np


def pool_for(
    count: int,
    shape: tuple[int, ...],
    dtype: Any = np.float64,
    _unused: dict[int, Any] = {},  # noqa: B006  # one for all calls
) -> Any:
    """An uninitialised array of `count` items of this shape.

    Fresh memory is expensive: the system clears every page of it. So large blocks are kept when
    the last array that looks into one has gone, and handed out again for a pool of the same size.
    At most one block of 256 MB or less is kept for each of four sizes. A block is never handed out
    while an array looks into it, so calls that run at the same time have their own.

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


def _put_away(unused: dict[int, Any], size: int, memory: Any) -> None:
    """Keep a block that nobody looks into any more; for a fifth size, forget the others."""
    if len(unused) >= 4 and size not in unused:
        unused.clear()
    unused[size] = memory
