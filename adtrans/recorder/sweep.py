"""The reverse sweep: a record walked backwards, cotangents in, cotangents out.

It consumes nothing: a pullback can be called again, and by several threads. Each buffer has one
shadow, in its layout, made when it is first touched; each number has a slot.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder.entries import Read
from adtrans.recorder.levels import Reverse
from adtrans.recorder.memory import REGIONS, STATE, AnyRegion, Memory, multiplicity
from adtrans.recorder.tools import PLAIN_TOOLS, RECORDED

_ndarray = np.ndarray
_add: Any = np.add


class Sweep:
    """Adjoints while a record is walked backwards."""

    def __init__(self, level: Reverse) -> None:
        self.level = level
        self.bars: list[Any] = [None] * len(level.tape)
        self.shadows: dict[Memory, Any] = {}  # bytes in the layout of the buffer
        self.wholes: dict[Memory, Any] = {}  # the same as the array that owns the buffer
        self.holders: dict[int, int] = {}  # of arrays that are several adjoints: of how many
        self.held: list[Any] = []  # those that the entry of which it is the turn hands on
        self.tools = RECORDED if STATE.runs else PLAIN_TOOLS
        self.nested = self.tools.nested

    def run(self) -> None:
        """From the last entry to the first."""
        if self.nested:
            self._run_recorded()
            return
        bars, tape, wholes = self.bars, self.level.tape, self.wholes
        holders, held = self.holders, self.held
        for at in range(len(tape) - 1, -1, -1):
            item = tape[at]
            if type(item) is not tuple:
                if type(item) is Read and item.region.memory in wholes:
                    bar, memory = bars[at], item.region.memory
                    if item.region is memory and id(whole := wholes[memory]) not in holders:
                        if bar is not None:
                            whole[item.index] += bar
                        continue
                item.pull(self, at)
                if held:
                    self._let_go()
                continue
            bar = bars[at]
            if bar is None:
                continue
            if len(item) == 2:
                p, d = item
                old = bars[p]
                bars[p] = bar * d if old is None else old + bar * d
            elif len(item) == 4:
                p, d, q, e = item
                old = bars[p]
                bars[p] = bar * d if old is None else old + bar * d
                old = bars[q]
                bars[q] = bar * e if old is None else old + bar * e
            else:
                for k in range(0, len(item), 2):
                    p, d = item[k], item[k + 1]
                    old = bars[p]
                    bars[p] = bar * d if old is None else old + bar * d

    def _run_recorded(self) -> None:
        """The same where an outer level records what is done to cotangents."""
        mul, tape = self.tools.mul, self.level.tape
        for at in range(len(tape) - 1, -1, -1):
            item, bar = tape[at], self.bars[at]
            if type(item) is not tuple:
                item.pull(self, at)
                self._let_go()
            elif bar is not None:
                for k in range(0, len(item), 2):
                    self.add(item[k], mul(bar, item[k + 1]), False)

    def seen(self, region: AnyRegion) -> Any:
        """The adjoint of an array, a view of its shadow; None where nothing has touched it."""
        memory = region.memory
        whole = self.wholes.get(memory)
        if whole is not None:
            if id(whole) in self.holders:  # it may be written
                self._release(whole)
                self.shadows.pop(memory, None)
                whole = self.wholes[memory] = self.tools.copy(whole)
            return whole if region is memory else region.of(self._bytes(memory, whole))
        raw = self.shadows.get(memory)
        return None if raw is None else region.of(raw)

    def read(self, region: AnyRegion) -> Any:
        """The same, not to be written; another array may share it."""
        found = self.wholes.get(region) if type(region) is Memory else None
        return self.seen(region) if found is None else found

    def last(self, region: AnyRegion) -> Any:
        """The adjoint of an array at the operation that made its memory, which ends there.

        It is not to be written where it is `held`, as it is another adjoint as well. Of elements
        that are one place, each has a part of its adjoint.
        """
        memory: Any = region if type(region) is Memory else region.memory
        raw = self.shadows.pop(memory, None) if self.shadows else None
        whole = self.wholes.pop(memory, None)
        if self.holders and id(whole) in self.holders:
            self.held.append(whole)
        if region is memory:
            return memory.of(raw) if whole is None and raw is not None else whole
        if raw is None and whole is not None:
            raw = _bytes_of(memory, whole)
        found = None if raw is None else region.of(raw)
        if found is not None and region.overlaps:
            found = self.tools.mul(found, 1.0 / multiplicity(region))
        return found

    def _release(self, whole: Any) -> None:
        """One adjoint fewer that an array is."""
        left = self.holders.pop(id(whole), 1) - 1
        if left > 1:
            self.holders[id(whole)] = left

    def _share(self, whole: Any) -> None:
        """One more."""
        self.holders[id(whole)] = self.holders.get(id(whole), 1) + 1

    def _let_go(self) -> None:
        """What an entry has handed on is held by its operands alone."""
        while self.held:
            self._release(self.held.pop())

    def given_away(self, region: AnyRegion) -> Any:
        """The adjoint of an array when all is done, for the user to do with as he likes."""
        found = self.read(region)
        if found is None or self.nested or found.base is not None or id(found) in self.holders:
            return None if found is None else self.tools.copy(found)
        self.holders[id(found)] = 2
        return found

    def shadow(self, region: AnyRegion) -> Any:
        """The adjoint of an array, to be added to."""
        found = self.seen(region)
        if found is None:
            memory = region.memory
            if region is memory:
                return self._new(memory, np.zeros)
            raw = self.shadows[memory] = np.zeros(memory.nbytes, np.uint8)
            found = region.of(raw)
        return found

    def _new(self, memory: Memory, make: Callable[..., Any]) -> Any:
        """An adjoint where there was none, of `np.zeros` or `np.empty`."""
        whole = make(memory.shape, memory.dtype)
        if whole.strides != memory.strides:
            raw = self.shadows[memory] = make(memory.nbytes, np.uint8)
            whole = memory.of(raw)
        self.wholes[memory] = whole
        return whole

    def _bytes(self, memory: Memory, whole: Any) -> Any:
        """The bytes of a shadow that is an array so far."""
        raw = self.shadows.get(memory)
        if raw is None:
            raw = self.shadows[memory] = _bytes_of(memory, whole)
        return raw

    def add(self, operand: Any, bar: Any, elementwise: bool, own: bool | str = False) -> None:
        """Add a contribution to the adjoint of an operand; summed where the operand was spread.

        `own`: the contribution is a new array that nobody else uses; "shared": or other adjoints
        alone do.
        """
        t = type(operand)
        if t is int:
            if bar is None:
                return
            if type(bar) is _ndarray:
                bar = self.tools.total(bar)
            old = self.bars[operand]
            if old is not None:
                bar = self.tools.plus(old, bar) if self.nested else old + bar
            self.bars[operand] = bar
            return
        if t is Memory and type(bar) is _ndarray and not self.nested:
            if bar.dtype is operand.dtype and bar.shape == operand.shape:
                old = self.wholes.get(operand)
                if old is not None:
                    if self.holders and id(old) in self.holders:
                        self._add_to_shared(operand, old, bar, own)
                    else:
                        _add(old, bar, old)
                elif self.shadows and operand in self.shadows:
                    old = operand.of(self.shadows[operand])
                    _add(old, bar, old)
                elif own and bar.base is None and bar.strides == operand.strides and (
                    bar.flags.writeable
                ):  # fmt: skip
                    self.wholes[operand] = bar
                    if own == "shared":
                        self._share(bar)
                else:
                    self._new(operand, np.empty)[...] = bar
                return
        if bar is None:
            return
        if operand.dtype.kind not in "fc":
            return
        if elementwise and np.shape(bar) != operand.shape:
            own = False
            bar = self.tools.unbroadcast(bar, operand.shape)
        memory = operand.memory
        if operand.overlaps:
            self.tools.add_overlapping(self.shadow(operand), bar)
        elif operand is memory and memory not in self.wholes and memory not in self.shadows:
            self._first(operand, bar, own)
        else:
            self.tools.add_into(self.shadow(operand), bar, 1)

    def _first(self, memory: Memory, bar: Any, own: bool | str) -> None:
        """The first contribution to all of a buffer: it is taken, or copied."""
        if own and _could_be(memory, bar):
            self.wholes[memory] = bar
            if own == "shared":
                self._share(bar)
        else:
            self.tools.setitem(self._new(memory, np.empty), ..., bar)

    def _add_to_shared(self, memory: Memory, old: Any, bar: Any, own: bool | str) -> None:
        """A contribution to an adjoint that is that of another array as well."""
        self._release(old)
        self.shadows.pop(memory, None)
        if own is True and id(bar) not in self.holders and _could_be(memory, bar):
            self.wholes[memory] = _add(old, bar, bar)
        else:
            _add(old, bar, self._new(memory, np.empty))

    def add_at(self, region: AnyRegion, index: Any, bar: Any) -> None:
        """Add to the adjoints of the elements at an index, each as often as it occurs."""
        if region.dtype.kind in "fc":
            self.tools.add_at(self.shadow(region), index, bar)

    def last_writer(self, part: Any, region: AnyRegion, index: Any) -> Any:
        """Of a cotangent of what was written at places that may repeat, only the last of each."""
        if not _repeats(index):
            return part
        order = np.full(region.shape, -1)
        count = np.arange(np.size(part)).reshape(np.shape(part))
        order[index] = count
        return self.tools.mul(part, order[index] == count)

    def tuple_of(self, bars: list[Any], results: list[Any], like: Any, partial: bool) -> Any:
        """The cotangent of a tuple; zeros for items on which nothing depends."""
        if partial:
            return tuple(bars)
        return tuple([
            (np.zeros(r.shape, r.dtype) if type(r) in REGIONS else _zero(v)) if b is None else b
            for b, r, v in zip(bars, results, like, strict=True)
        ])  # fmt: skip


def _could_be(memory: Memory, bar: Any) -> bool:
    """Could a new array be the adjoint of the array that owns a buffer?"""
    return (
        type(bar) is _ndarray and bar.base is None and bar.strides == memory.strides
        and bar.shape == memory.shape and bar.dtype == memory.dtype and bar.flags.writeable
    )  # fmt: skip


def _bytes_of(memory: Memory, whole: Any) -> Any:
    if not whole.flags.c_contiguous:
        axes = sorted(range(whole.ndim), key=lambda k: -whole.strides[k])
        whole = whole.transpose(axes)
    return _ndarray(memory.nbytes, np.uint8, whole)


def _zero(like: Any) -> Any:
    return np.zeros_like(like) if like is not None else None


def _repeats(index: Any) -> bool:
    parts = index if isinstance(index, tuple) else (index,)
    return any(
        isinstance(p, list) or (isinstance(p, _ndarray) and p.dtype.kind in "iu") for p in parts
    )
