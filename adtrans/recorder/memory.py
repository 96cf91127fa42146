"""Memory met while recording: which buffer an array looks into, and what is noted of it.

Arrays stay plain. Each is known by the owner of its buffer, so that views need no bookkeeping and
no alias can be missed. Adjoints and tangents of a buffer are bytes in the same layout, so that the
adjoint of a view is the same view of the adjoint.

>>> import numpy as np
>>> a = np.arange(6.0).reshape(2, 3)
>>> owner_of(a[:, 1]) is owner_of(a.T)
True
"""

from __future__ import annotations

import mmap
import threading
import weakref
from array import array
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from adtrans.runtime.errors import AdtransError

if TYPE_CHECKING:
    from adtrans.recorder.levels import Level
    from adtrans.recorder.needs import Need
    from adtrans.recorder.run import Run

_Error = TypeVar("_Error", bound=AdtransError)
ndarray = np.ndarray
_EXPORTERS = (bytearray, bytes, array, mmap.mmap)


_STRIDED: Any = type(np.lib.stride_tricks.as_strided(np.zeros(1)).base)
"""What `as_strided` puts between a view and its array."""


class Memory:
    """One buffer: the levels in which it is active, and the needs that writes must not destroy.

    `owner`: a weak reference to what owns it. `made`: the run that an operation of made it in; None
    for what was there before. `given`: it is that of an argument that is differentiated. `recent`:
    the view that a region was made for last.
    """

    __slots__ = ("__weakref__", "given", "levels", "made", "nbytes", "needs", "owner", "recent",
                 "whole", "written")  # fmt: skip

    def __init__(self, owner: Any, nbytes: int) -> None:
        self.owner, self.nbytes = owner, nbytes
        self.levels: tuple[Level, ...] = ()
        self.needs: list[Need] = []
        self.made: Run | None = None
        self.whole: Region | None = None
        self.written = self.given = False
        self.recent: tuple[Any, Region] | None = None

    @property
    def address(self) -> int:
        """Where the buffer begins."""
        owner = self.owner()
        return address_of(owner if isinstance(owner, ndarray) else np.frombuffer(owner, np.uint8))


class _Owner(weakref.ref):  # type: ignore[type-arg]  # of an array
    """A weak reference to an array that takes its memory out of a table when it goes."""

    __slots__ = ("key", "table")
    key: int
    table: dict[int, Any]


def _gone(ref: Any) -> None:
    ref.table.pop(ref.key, None)


def fresh(table: dict[int, Memory], owner: Any, key: int) -> Memory:
    """The memory of an array that was not met before, put into the table."""
    ref = _Owner(owner, _gone)
    ref.key, ref.table = key, table
    found = table[key] = Memory(ref, owner.nbytes)
    return found


class State(threading.local):
    """What the operations of one thread have to know."""

    def __init__(self) -> None:
        self.memory: dict[int, Memory] = {}
        self.runs: list[Run] = []
        self.refused: list[AdtransError] = []  # what was raised in the runs of this thread
        self.texts: set[str] = set()  # what active numbers were written into (see `texts`)
        self.ceiling = 1 << 30  # levels from here on are not recorded: a formula of theirs runs

    def find(self, a: Any) -> Memory | None:
        """What is noted of the memory of an array, if anything."""
        return self.memory.get(id(a if a.base is None else owner_of(a)))

    def note(self, a: Any) -> Memory:
        """What is noted of the memory of an array, from now on."""
        owner = a if a.base is None else owner_of(a)
        key = id(owner)
        found = self.memory.get(key)
        if found is None:
            if isinstance(owner, ndarray):
                return fresh(self.memory, owner, key)
            size = np.frombuffer(owner, np.uint8).nbytes  # bytes and the like: they are held
            found = self.memory[key] = Memory(lambda: owner, size)
        return found

    def levels_of(self, a: Any) -> tuple[Level, ...]:
        """The levels in which an array is active now, outermost first."""
        found = self.memory.get(id(a if a.base is None else owner_of(a)))
        if found is None or not found.levels:
            return ()
        return live(found.levels, self.ceiling)


def live(levels: tuple[Level, ...], ceiling: int) -> tuple[Level, ...]:
    """Those that record now."""
    if len(levels) == 1:
        level = levels[0]
        return levels if level.alive and level.depth < ceiling else ()
    return tuple([n for n in levels if n.alive and n.depth < ceiling])


STATE = State()


def noted(error: _Error) -> _Error:
    """An error that is about to be raised while recording: the run ends in it, whoever catches it.

    A handler of the user's that caught it would go where the plain run does not.
    """
    if STATE.runs:
        STATE.refused.append(error)
    return error


def owner_of(a: Any) -> Any:
    """The object that owns the buffer that an array looks into."""
    while True:
        base = a.base
        if base is None:
            return a
        while isinstance(base, memoryview):
            base = base.obj
        if isinstance(base, ndarray):
            a = base
        elif isinstance(base, _EXPORTERS):
            return base
        elif type(base) is _STRIDED and isinstance(held := getattr(base, "base", None), ndarray):
            a = held
        else:
            return a  # memory of a library


def address_of(a: Any) -> int:
    """Where the first element of an array lies."""
    return int(a.__array_interface__["data"][0])


class Region:
    """The place of an array in its buffer, without holding the buffer."""

    __slots__ = ("dtype", "memory", "offset", "overlaps", "shape", "strides")

    def __init__(self, a: Any, memory: Memory) -> None:
        self.memory = memory
        self.shape, self.strides, self.dtype = a.shape, a.strides, a.dtype
        owner = memory.owner()
        if a is owner:
            self.offset, self.overlaps = 0, False
            return
        self.offset = address_of(a) - memory.address
        self.overlaps = overlaps_itself(a)

    def of(self, raw: Any) -> Any:
        """The same view of bytes in the layout of the buffer."""
        return ndarray(self.shape, self.dtype, raw, self.offset, self.strides)


def region(a: Any, memory: Memory) -> Region:
    """The place of an array in its buffer; made once for the array that owns it."""
    if a.base is not None:
        recent = memory.recent
        if recent is not None and recent[0]() is a:
            return recent[1]
        found = Region(a, memory)
        memory.recent = weakref.ref(a), found
        return found
    whole = memory.whole
    if whole is None or whole.shape != a.shape or whole.dtype != a.dtype:
        whole = memory.whole = Region(a, memory)
    return whole


def overlaps_itself(a: Any) -> bool:
    """May two elements of an array be one place in memory? (Sliding windows, broadcast views.)

    >>> import numpy as np
    >>> overlaps_itself(np.zeros((2, 3)).T), overlaps_itself(np.broadcast_to(1.0, (2,)))
    (False, True)
    """
    extent = a.itemsize
    if a.ndim <= 1 or a.flags.forc:
        return bool(a.ndim == 1 and a.size > 1 and abs(a.strides[0]) < extent)
    for stride, size in sorted((abs(t), n) for t, n in zip(a.strides, a.shape, strict=True)):
        if size == 1:
            continue
        if size == 0:
            return False
        if stride < extent:
            return True
        extent += stride * (size - 1)
    return False


def multiplicity(region: Region) -> Any:
    """How many elements of an array lie at the place of each."""
    counts = np.zeros(region.memory.nbytes, np.intp)
    places = np.zeros(region.shape, np.intp) + region.offset
    for k, (n, stride) in enumerate(zip(region.shape, region.strides, strict=True)):
        places += (np.arange(n) * stride).reshape((n, *[1] * (len(region.shape) - k - 1)))
    np.add.at(counts, places, 1)
    return counts[places]


def touched(region: Region, index: Any) -> Any:
    """Which bytes of a buffer the elements at an index of an array lie in, as an array of bools."""
    raw = np.zeros(region.memory.nbytes, np.bool_)
    width = region.dtype.itemsize
    view = np.lib.stride_tricks.as_strided(
        raw[region.offset :], (*region.shape, width), (*region.strides, 1)
    ) if all(s >= 0 for s in region.strides) else ndarray(
        (*region.shape, width), np.bool_, raw, region.offset, (*region.strides, 1)
    )
    chosen = np.zeros(region.shape, np.bool_)
    chosen[index] = True
    view[chosen] = True
    return raw
