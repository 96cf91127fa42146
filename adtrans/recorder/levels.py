"""Levels: one for each derivative that is taken, with a record (reverse) or tangents (forward).

Levels nest: `grad` inside of a function, a gradient of a gradient. A number or an array may be
active in several of them. What the formulas of a level compute is recorded in the levels outside
of it, and in no other, so that perturbations are never confused.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from adtrans.diagnostics.errors import DerivativeError
from adtrans.recorder import entries, snapshots
from adtrans.recorder.memory import REGIONS, STATE, AnyRegion, Memory, noted
from adtrans.recorder.numbers import PLAIN, below
from adtrans.recorder.recorded_needs import here
from adtrans.recorder.snapshots import Snapshot
from adtrans.recorder.tools import RECORDED

if TYPE_CHECKING:
    from adtrans.recorder.formulas import Plan
    from adtrans.recorder.tools import Tools

_ndarray = np.ndarray
_ATOMS = (int, float, complex, str, bytes, type(None), np.generic, np.dtype, slice, type)


class Level:
    """What is common to both directions.

    `alive`: the run is going on, so that operations are recorded. `closed`: nothing of it is needed
    any more. `saves`: whether what is needed and overwritten is copied. `own`: from which item of
    the record on it is in any case, as one statement reads it and overwrites it. `alone`: the
    levels of memory that is active in no other.
    """

    __slots__ = ("__weakref__", "alive", "alone", "closed", "depth", "own", "saves", "seen")
    forward = False

    def __init__(self, depth: int, saves: bool) -> None:
        self.depth, self.saves = depth, saves
        self.alive, self.closed = True, False
        self.own = sys.maxsize
        self.alone: tuple[Level, ...] = (self,)
        self.seen: list[Memory] = []

    def activate(self, memory: Memory) -> None:
        """From now on the memory holds what varies."""
        if not memory.levels:
            memory.levels = self.alone
        elif self in memory.levels:
            return
        else:
            memory.levels = tuple(sorted([*memory.levels, self], key=lambda n: n.depth))
        self.seen.append(memory)

    def end(self) -> None:
        """The run is over."""
        self.alive, self.alone = False, ()

    def close(self) -> None:
        """Nothing of the record is needed any more."""
        self.end()
        self.closed = True
        for memory in self.seen:
            memory.forget(self)
        self.seen.clear()


class Reverse(Level):
    """A record, to be walked backwards.

    An item of `tape` is a tuple of places and partial derivatives, for a number made of numbers; or
    an entry, for everything else. The place of a number is that of the item that made it.
    """

    __slots__ = ("snapshots", "tape")

    def __init__(self, depth: int, saves: bool) -> None:
        super().__init__(depth, saves)
        self.tape: list[Any] = []
        self.snapshots: dict[int, Snapshot] = {}

    def end(self) -> None:
        """The run is over, and what was kept is not written any more."""
        super().end()
        self.snapshots.clear()

    def one(self, place: int, partial: Any) -> int:
        """A number made of one active number."""
        tape = self.tape
        tape.append((place, partial))
        return len(tape) - 1

    def two(self, p: int, dp: Any, q: int, dq: Any) -> int:
        """A number made of two active numbers."""
        tape = self.tape
        tape.append((p, dp, q, dq))
        return len(tape) - 1

    def many(self, places: list[int], partials: list[Any]) -> int:
        """A number made of any number of active numbers."""
        tape = self.tape
        tape.append(tuple([x for pair in zip(places, partials, strict=True) for x in pair]))
        return len(tape) - 1

    def start(self) -> int:
        """The place of a number that is given."""
        self.tape.append(())
        return len(self.tape) - 1

    def read(self, region: AnyRegion, index: Any) -> int:
        """A number read from an array."""
        self.tape.append(entries.Read(region, index))
        return len(self.tape) - 1

    def gather(self, region: AnyRegion, index: Any, result: AnyRegion) -> None:
        """An array of elements of another one, in memory of its own."""
        self.tape.append(entries.Gather(region, index, result))

    def write(self, region: AnyRegion, index: Any, value: Any) -> None:
        """A write into an array: `region`, or its elements at `index` where that is not None.

        `value`: the place of a number, the region of an array, None for a constant.
        """
        self.tape.append(entries.Write(region, index, value))

    def add_into(self, region: AnyRegion, value: Any, sign: int) -> None:
        """`region += value`, or `-=`."""
        self.tape.append(entries.AddInto(region, value, sign))

    def add_at(self, region: AnyRegion, index: Any, value: Any, sign: int) -> None:
        """`np.add.at(region, index, value)`, or `np.subtract.at`."""
        self.tape.append(entries.AddAt(region, index, value, sign))

    def failed(self, error: ArithmeticError | ValueError) -> int:
        """A number whose slope could not be computed."""
        self.tape.append(entries.Failed(error))
        return len(self.tape) - 1

    def assemble(self, result: AnyRegion, parts: list[tuple[Any, Any]]) -> None:
        """A new array, some places of which are given numbers or arrays."""
        self.tape.append(entries.Assemble(result, parts))

    def apply(
        self, plan: Plan, leaves: Mapping[str, Any], operands: list[Any], results: list[Any],
        tupled: bool, like: Any,
    ) -> list[Any]:  # fmt: skip
        """An operation with a rule.

        `leaves`: the values of all its names. `operands`: the place or region of what is active.
        `results`: a region for each array, None for each number that varies. Places of numbers.
        """
        tape = self.tape
        if len(results) == 1 and results[0] is None and not tupled and plan.at_once:
            try:
                slopes = plan.partials(self, leaves)
            except (ArithmeticError, ValueError) as error:
                return [self.failed(error)]
            pairs = zip(operands, slopes, strict=True)
            tape.append(tuple([x for pair in pairs for x in pair]))
            return [len(tape) - 1]
        places: list[Any] = []
        for r in results:
            if r is None:
                if len(results) > 1:
                    tape.append(())
                    places.append(len(tape) - 1)
                else:
                    places.append(len(tape))
            else:
                places.append(r)
        choice = plan.preferred
        entry = entries.ApplyTuple(choice, [], operands, places, like) if tupled else (
            entries.Apply(choice, [], operands, places[0])
        )
        entry.line = here()
        for name in plan.order:
            value = leaves[name]
            if name in plan.others and not self.saves and type(value) is _ndarray and value.ndim:
                self.need(STATE.note(value), entry)
                entry.keep_spare(len(entry.kept), value)
                value = entries.stand_in(value)
            elif name not in plan.needed or name in plan.others:
                value = entries.stand_in(value)
            elif type(value) is _ndarray and value.ndim == 0:
                value = RECORDED.copy_below(value, self.depth)  # no more than a need of it takes
            elif type(value) is _ndarray:
                self.need(STATE.note(value), entry)
            elif type(value) in PLAIN:
                value = below(value, self.depth)
            elif isinstance(value, list | tuple):
                value = self._kept_items(entry, name, value)
            elif not isinstance(value, _ATOMS):
                value = snapshots.kept(value, self)
            entry.kept.append(value)
        tape.append(entry)
        return places

    def need(
        self, memory: Memory, entry: entries.Apply | Snapshot, at: int | None = None
    ) -> None:
        """What an entry keeps next, or at a place, lies in that memory."""
        need = self, entry, len(entry.kept) if at is None else at, len(self.tape)
        if memory.needs:
            memory.needs.append(need)
        else:
            memory.needs = [need]
        if self not in memory.levels:
            self.seen.append(memory)

    def _kept_items(self, entry: Any, name: str, value: Any) -> Any:
        """A list or tuple of operands, as it is now: arrays in it are copied."""
        items = [
            RECORDED.copy_below(v, self.depth) if type(v) is _ndarray
            else self._kept_items(entry, name, v) if isinstance(v, list | tuple)
            else below(v, self.depth) for v in value
        ]  # fmt: skip
        return items if isinstance(value, list) else tuple(items)


class Forward(Level):
    """Tangents, computed beside the values. The place of a number is its tangent.

    `tangents`: for each buffer the tangents of its elements, as bytes in its layout.
    """

    __slots__ = ("tangents", "tools")
    forward = True

    def __init__(self, depth: int, saves: bool, tools: Tools) -> None:
        super().__init__(depth, saves)
        self.tangents: dict[Memory, Any] = {}
        self.tools = tools

    def _within(self, f: Callable[..., Any], *args: Any) -> Any:
        """Run something of this level, to be recorded in the outer ones alone."""
        before = STATE.set_ceiling(min(STATE.ceiling, self.depth))
        try:
            return f(*args)
        finally:
            STATE.set_ceiling(before)

    def tangent(self, region: AnyRegion) -> Any:
        """The tangent of an array, to be read and written."""
        raw = self.tangents.get(region.memory)
        if raw is None:
            raw = self.tangents[region.memory] = np.zeros(region.memory.nbytes, np.uint8)
        return region.of(raw)

    def dot(self, operand: Any) -> Any:
        """The tangent of an operand: of a number it is its place."""
        return self.tangent(operand) if type(operand) in REGIONS else operand

    def one(self, place: Any, partial: Any) -> Any:
        """A number made of one active number."""
        return self.tools.mul(partial, place) if self.tools.nested else partial * place

    def two(self, p: Any, dp: Any, q: Any, dq: Any) -> Any:
        """A number made of two active numbers."""
        if self.tools.nested:
            return self.many([p, q], [dp, dq])
        return p * dp + q * dq

    def many(self, places: list[Any], partials: list[Any]) -> Any:
        """A number made of any number of active numbers."""
        mul, plus = self.tools.mul, self.tools.plus
        return functools.reduce(plus, map(mul, places, partials), 0.0)

    def read(self, region: AnyRegion, index: Any) -> Any:
        """A number read from an array."""
        return self._within(self.tools.getitem, self.tangent(region), index)

    def gather(self, region: AnyRegion, index: Any, result: AnyRegion) -> None:
        """An array of elements of another one, in memory of its own."""
        def run() -> None:
            found = self.tools.getitem(self.tangent(region), index)
            self.tools.setitem(self.tangent(result), ..., found)

        self._within(run)

    def write(self, region: AnyRegion, index: Any, value: Any) -> None:
        """A write into an array."""
        dot = 0.0 if value is None else self.dot(value)
        at = ... if index is None else index
        self._within(self.tools.setitem, self.tangent(region), at, dot)

    def add_into(self, region: AnyRegion, value: Any, sign: int) -> None:
        """`region += value`, or `-=`."""
        self._within(self.tools.add_into, self.tangent(region), self.dot(value), sign)

    def add_at(self, region: AnyRegion, index: Any, value: Any, sign: int) -> None:
        """`np.add.at(region, index, value)`, or `np.subtract.at`."""
        def run() -> None:
            dot = self.dot(value)
            dot = dot if sign > 0 else self.tools.neg(dot)
            self.tools.add_at(self.tangent(region), index, dot)

        self._within(run)

    def failed(self, error: ArithmeticError | ValueError) -> Any:
        """A number whose slope could not be computed."""
        raise noted(DerivativeError(f"the tangent: {error}")) from error

    def assemble(self, result: AnyRegion, parts: list[tuple[Any, Any]]) -> None:
        """A new array, some places of which are given numbers or arrays."""
        def run() -> None:
            whole = self.tangent(result)
            for index, value in parts:
                self.tools.setitem(whole, index, self.dot(value))

        self._within(run)

    def apply(
        self, plan: Plan, leaves: Mapping[str, Any], operands: list[Any], results: list[Any],
        tupled: bool, like: Any,
    ) -> list[Any]:  # fmt: skip
        """An operation with a rule; the tangents of the numbers that it gives."""
        def run() -> list[Any]:
            dots = [self.dot(o) for o in operands]
            get: Any = self.tools.getitem
            found = plan.pushed(self, leaves, dots, self.tools.nested)
            parts = found if tupled else (found,)
            places = []
            for r, dot in zip(results, parts, strict=True):
                if r is None:
                    dot = 0.0 if dot is None else dot
                    if isinstance(dot, _ndarray):
                        dot = get(dot, ()) if dot.ndim == 0 else dot
                    places.append(dot)
                else:
                    if type(r) in REGIONS and dot is not None:
                        self.tools.setitem(self.tangent(r), ..., dot)
                    places.append(r)
            return places

        found: list[Any] = self._within(run)
        return found
