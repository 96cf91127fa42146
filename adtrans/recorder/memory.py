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

import ctypes
import math
import mmap
import sys
import threading
import weakref
from array import array
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from adtrans.runtime.failures import AdtransError

if TYPE_CHECKING:
    from adtrans.recorder.entries import Apply
    from adtrans.recorder.levels import Level
    from adtrans.recorder.run import Run
    from adtrans.recorder.snapshots import Snapshot

_Error = TypeVar("_Error", bound=AdtransError)
ndarray = np.ndarray
_EXPORTERS = (bytearray, bytes, array, mmap.mmap)


_STRIDED: Any = type(np.lib.stride_tricks.as_strided(np.zeros(1)).base)
"""What `as_strided` puts between a view and its array."""


class Form:
    """The dtype and the rank of arrays: one object for all that have them."""

    __slots__ = ("dtype", "ndim")

    def __init__(self, dtype: Any, ndim: int) -> None:
        self.dtype, self.ndim = dtype, ndim


_FORMS: dict[tuple[Any, int], Form] = {}


def form_of(a: Any) -> Form:
    """The form of an array."""
    key = a.dtype, a.ndim
    found = _FORMS.get(key)
    if found is None or found.dtype is not key[0]:
        found = _FORMS[key] = Form(*key)
    return found


class Memory(weakref.ref):  # type: ignore[type-arg]  # of the array that owns it
    """One buffer: the levels in which it is active, and the needs that writes must not destroy.

    It is a weak reference to its owner that goes out of its table with it; and it is the region of
    all of it (see `Region`), so that most arrays need no other. `made`: the mark of the run that an
    operation of made it in; None for what was there before. `recent`: the view that a region was
    made for last. `written`: whether it was, where somebody asks (see `twins`).
    """

    __slots__ = ("dtype", "form", "key", "levels", "made", "needs", "recent", "shape", "strides",
                 "table", "written")  # fmt: skip
    __hash__ = object.__hash__
    __eq__ = object.__eq__
    offset, overlaps, is_whole = 0, False, True
    key: int
    table: dict[int, Memory]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: Any
    form: Form
    levels: tuple[Level, ...]
    needs: list[tuple[Level, Apply | Snapshot, int, int]]
    """What reads it: a level, an entry of its record, which of the values that this keeps, and the
    place of the entry in the record."""
    made: object
    written: bool
    recent: tuple[Any, Region] | None

    def forget(self, level: Level) -> None:
        """A level records no more, and nothing that it reads is to be watched.

        The table holds what is noted here, and a record what it reads: they would hold each other.
        """
        if self.levels:
            self.levels = tuple([n for n in self.levels if n is not level])
        if self.needs:
            self.needs = [n for n in self.needs if n[0] is not level]

    def owner(self) -> Any:
        """What owns the buffer; None when it has gone."""
        return self()

    @property
    def nbytes(self) -> int:
        """The size of the buffer."""
        return math.prod(self.shape) * int(self.dtype.itemsize)

    @property
    def address(self) -> int:
        """Where the buffer begins."""
        return address_of(self())

    @property
    def memory(self) -> Memory:
        """Itself, as that of a region."""
        return self

    def of(self, raw: Any) -> Any:
        """The same array over other bytes in its layout."""
        return ndarray(self.shape, self.dtype, raw, 0, self.strides)


def _gone(memory: Memory) -> None:
    memory.table.pop(memory.key, None)


class _Held(Memory):
    """The memory of `bytes` and the like, which cannot be referred to weakly, and are held."""

    __slots__ = ("whole",)
    whole: Any

    def owner(self) -> Any:
        """What owns the buffer."""
        return owner_of(self.whole)


def fresh(
    table: dict[int, Memory], owner: Any, key: int, levels: tuple[Level, ...] = (),
    made: object = None, form: Form | None = None, cls: type[Memory] = Memory,
) -> Memory:  # fmt: skip
    """The memory of an array that was not met before, put into the table."""
    found = table[key] = cls(owner, _gone)
    found.key, found.table, found.levels, found.made = key, table, levels, made
    found.shape, found.strides = owner.shape, owner.strides
    found.form = form = form or form_of(owner)
    found.dtype, found.needs, found.recent = form.dtype, _NO_NEEDS, None
    return found


_NO_NEEDS: Any = ()
"""The needs of most buffers; a list is made for the first."""


class State(threading.local):
    """What the operations of one thread have to know."""

    def __init__(self) -> None:
        self.memory: dict[int, Memory] = {}
        self.runs: list[Run] = []
        self.refused: list[AdtransError] = []  # what was raised in the runs of this thread
        self.half_done: list[AdtransError] = []  # what is raised if a run comes to its end
        self.texts: set[str | bytes] = set()  # what active numbers were written into (see `texts`)
        self.ceiling = 1 << 30  # levels from here on are not recorded: a formula of theirs runs
        self.single: Run | None = None  # the only run, where it records backwards (see `quick`)

    def settle(self) -> None:
        """The runs have changed."""
        only = len(self.runs) == 1 and self.ceiling > 0 and not self.runs[0].level.forward
        self.single = self.runs[0] if only else None

    def set_ceiling(self, ceiling: int) -> int:
        """Record the levels below alone; what it was before."""
        before, self.ceiling = self.ceiling, ceiling
        self.settle()
        return before

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
            whole = np.frombuffer(owner, np.uint8)  # bytes and the like: they are held
            found = fresh(self.memory, whole, key, cls=_Held)
            found.whole = whole  # type: ignore[attr-defined]
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


def _address_asked(a: Any) -> int:
    return int(a.__array_interface__["data"][0])


def _address_read(a: Any) -> int:
    return _POINTER(id(a) + _HEAD).value


_HEAD = object.__basicsize__
_POINTER = ctypes.c_size_t.from_address
_reads = sys.implementation.name == "cpython" and all(
    _address_read(a) == _address_asked(a) for a in (np.zeros(3), np.zeros((2, 3))[1:, ::-1])
)
address_of = _address_read if _reads else _address_asked
"""Where the first element of an array lies: the pointer is the first thing in an array object of
NumPy's, and asking for it builds a dictionary."""


class Region:
    """The place of an array in its buffer, without holding the buffer."""

    __slots__ = ("dtype", "memory", "offset", "overlaps", "shape", "strides")

    def __init__(self, a: Any, memory: Memory) -> None:
        self.memory = memory
        self.shape, self.strides, self.dtype = a.shape, a.strides, a.dtype
        self.offset = address_of(a) - memory.address
        if 0 in a.shape:  # a view of nothing may point anywhere
            self.offset, self.strides = 0, (0,) * a.ndim
        self.overlaps = overlaps_itself(a)

    @property
    def is_whole(self) -> bool:
        """Is it all of the buffer, as the array that owns it?"""
        memory = self.memory
        return (
            self.shape == memory.shape and self.strides == memory.strides
            and self.offset == 0 and self.dtype == memory.dtype
        )  # fmt: skip

    def of(self, raw: Any) -> Any:
        """The same view of bytes in the layout of the buffer."""
        return ndarray(self.shape, self.dtype, raw, self.offset, self.strides)


REGIONS = frozenset({Region, Memory, _Held})
"""Classes of regions."""
AnyRegion = Region | Memory


def region(a: Any, memory: Memory) -> Any:
    """The place of an array in its buffer: the memory itself for the array that owns it."""
    if a.base is None and a.shape == memory.shape and a.dtype is memory.dtype:
        return memory
    recent = memory.recent
    if recent is not None and recent[0]() is a and recent[1].shape == a.shape:
        return recent[1]
    found = Region(a, memory)
    memory.recent = weakref.ref(a), found
    return found


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


def multiplicity(region: AnyRegion) -> Any:
    """How many elements of an array lie at the place of each."""
    counts = np.zeros(region.memory.nbytes, np.intp)
    places = np.zeros(region.shape, np.intp) + region.offset
    for k, (n, stride) in enumerate(zip(region.shape, region.strides, strict=True)):
        places += (np.arange(n) * stride).reshape((n, *[1] * (len(region.shape) - k - 1)))
    np.add.at(counts, places, 1)
    return counts[places]


def touched(region: AnyRegion, index: Any) -> Any:
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
