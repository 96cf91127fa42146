"""Twins: differentiated arrays run as copies, so that other names of the same memory stay constant.

    grad(lambda q: np.sum(q * x))(x)        # by q alone; x is read as it is

A copy lies as its original does. What is written into it is written back when the run ends; where
the program also meets the original meanwhile, the two ought to have been one, and that is an error.

>>> import numpy as np
>>> a = np.arange(6.0)[::-2]
>>> lying_alike(a).strides == a.strides
True
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import MutationError
from adtrans.diagnostics.render import render_all
from adtrans.driver.options import caller_span
from adtrans.recorder.memory import STATE, Memory, address_of, overlaps_itself, owner_of
from adtrans.recorder.tools import RECORDED

_ndarray = np.ndarray


class Watch:
    """Stands among the levels of an original, and notes that it was met."""

    depth = -1
    forward = False

    def __init__(self) -> None:
        self.met = False

    @property
    def alive(self) -> bool:
        """No operation is recorded for it."""
        self.met = True
        return False


class Twin:
    """A differentiated array and the copy that runs in its place."""

    def __init__(self, original: Any) -> None:
        self.spread = overlaps_itself(original)  # each element is an unknown by itself
        self.original = original
        self.copy = np.empty(original.shape, original.dtype) if self.spread else (
            lying_alike(original)
        )
        outer = bool(STATE.levels_of(original))
        fill(self.copy, original, outer)
        self.copy.flags.writeable = original.flags.writeable and not self.spread
        self.memory: Memory = STATE.note(self.copy)
        self.watch = Watch()
        self.behind = STATE.note(original)
        self.behind.levels = (*self.behind.levels, self.watch)  # type: ignore[arg-type]
        self.memory.written = self.behind.written = False

    def end(self, others: list[Twin]) -> None:
        """Write back what was written.

        Raises:
            MutationError: AD308 where the original was met as well.
        """
        watch: Any = self.watch
        levels = tuple([n for n in self.behind.levels if n is not watch])
        self.behind.levels = levels
        if not self.memory.written and not self.behind.written:
            return
        shared = any(o is not self and o.behind is self.behind for o in others)
        if self.watch.met or self.behind.written or shared:
            found = Diagnostic(
                "AD308",
                "an argument that is written is also reached under another name",
                caller_span(),
                why="it is differentiated under one name, and under the other it is a constant, "
                "so that what is written would be both",
                fixes=[Fix("pass a copy under one of the names")],
            )
            error = MutationError(render_all([found]), code=found.code)
            error.diagnostics = (found,)
            raise error
        fill(self.original, self.copy, bool(STATE.runs))

    def seen_as(self, a: Any) -> Any:
        """The view of the original that an array is of the copy."""
        if a is self.copy:
            return self.original
        if self.spread:
            return a
        offset = address_of(a) - address_of(self.copy)
        own = owner_of(self.original)
        start = address_of(self.original) - (address_of(own) if isinstance(own, _ndarray) else 0)
        flat = own.reshape(-1, order="A").view(np.uint8) if isinstance(own, _ndarray) else own
        return _ndarray(a.shape, a.dtype, flat, start + offset, a.strides)


def fill(a: Any, value: Any, recorded: bool) -> None:
    """`a[...] = value`, recorded in the levels outside where there are any."""
    if recorded:
        RECORDED.setitem(a, ..., value)
    else:
        a[...] = value


def lying_alike(a: Any) -> Any:
    """An array of the same shape, dtype and strides in memory of its own; nothing is copied yet."""
    reach = [(n - 1) * s for n, s in zip(a.shape, a.strides, strict=True)]
    if a.size == 0:
        return np.empty_like(a)
    low = sum(r for r in reach if r < 0)
    high = sum(r for r in reach if r > 0)
    if a.base is None or a.flags.forc:
        return np.empty_like(a)
    raw = np.zeros(high - low + a.itemsize, np.uint8)
    return _ndarray(a.shape, a.dtype, raw, -low, a.strides)
