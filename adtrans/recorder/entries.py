"""Entries of a record, and how each is reversed.

`sweep` gives and takes cotangents; see `sweep.Sweep`. A region stands for an array, an int for the
place of a number.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from adtrans.diagnostics.errors import DerivativeError
from adtrans.recorder.memory import REGIONS, Memory, address_of
from adtrans.recorder.tools import RECORDED

if TYPE_CHECKING:
    from adtrans.recorder.formulas import Choice
    from adtrans.recorder.levels import Level
    from adtrans.recorder.memory import AnyRegion
    from adtrans.recorder.recorded_needs import Place
    from adtrans.recorder.sweep import Sweep


class Entry:
    """One operation of the record."""

    __slots__ = ()

    def pull(self, sweep: Sweep, at: int) -> None:
        """Hand the cotangents of the results, the first of them at `at`, on to the operands."""
        raise NotImplementedError


class Read(Entry):
    """`number = array[index]`"""

    __slots__ = ("index", "region")

    def __init__(self, region: AnyRegion, index: Any) -> None:
        self.region, self.index = region, index

    def pull(self, sweep: Sweep, at: int) -> None:
        """The element's adjoint gets the number's."""
        bar = sweep.bars[at]
        if bar is not None:
            sweep.add_at(self.region, self.index, bar)


class Gather(Entry):
    """`result = array[index]`, a copy: with a mask, or arrays of places."""

    __slots__ = ("index", "region", "result")

    def __init__(self, region: AnyRegion, index: Any, result: AnyRegion) -> None:
        self.region, self.index, self.result = region, index, result

    def pull(self, sweep: Sweep, at: int) -> None:
        """Each element's adjoint gets those of all places that it was copied to."""
        bar = sweep.last(self.result)
        if bar is not None:
            sweep.add_at(self.region, self.index, bar)


class Write(Entry):
    """`array[index] = value`; without an index all of the region."""

    __slots__ = ("index", "region", "value")

    def __init__(self, region: AnyRegion, index: Any, value: Any) -> None:
        self.region, self.index, self.value = region, index, value

    def pull(self, sweep: Sweep, at: int) -> None:
        """The value gets the adjoint of what was written, and what stood there before has none."""
        if self.index is None and self.region.is_whole:
            bar = sweep.last(self.region.memory)
            if self.value is not None:
                sweep.add(self.value, bar, True, "shared" if sweep.held else True)
            return
        bar = sweep.seen(self.region)
        if bar is None:
            return
        index = ... if self.index is None else self.index
        if self.value is not None:
            get: Any = sweep.tools.getitem
            part = sweep.tools.copy(get(bar, index))
            if self.index is not None:
                part = sweep.last_writer(part, self.region, index)
        sweep.tools.setitem(bar, index, 0.0)
        if self.value is not None:
            sweep.add(self.value, part, True)


class AddInto(Entry):
    """`array += value`, or `-=`: the adjoint of the array stays."""

    __slots__ = ("region", "sign", "value")

    def __init__(self, region: AnyRegion, value: Any, sign: int) -> None:
        self.region, self.value, self.sign = region, value, sign

    def pull(self, sweep: Sweep, at: int) -> None:
        """The value gets the adjoint of the sum."""
        bar = sweep.read(self.region)
        if bar is None:
            return
        if self.sign < 0:
            sweep.add(self.value, sweep.tools.neg(bar), True, True)
        else:
            sweep.add(self.value, bar, True, type(self.region) is Memory and "shared")


class AddAt(Entry):
    """`np.add.at(array, index, value)`, or `np.subtract.at`."""

    __slots__ = ("index", "region", "sign", "value")

    def __init__(self, region: AnyRegion, index: Any, value: Any, sign: int) -> None:
        self.region, self.index, self.value, self.sign = region, index, value, sign

    def pull(self, sweep: Sweep, at: int) -> None:
        """The value gets the adjoints of the places that it was added to."""
        bar = sweep.seen(self.region)
        if bar is not None:
            bar = sweep.tools.copy(sweep.tools.getitem(bar, self.index))
            sweep.add(self.value, bar if self.sign > 0 else sweep.tools.neg(bar), True)


class Failed(Entry):
    """A number whose slope could not be computed: that is an error only where it is asked for."""

    __slots__ = ("error",)

    def __init__(self, error: ArithmeticError | ValueError) -> None:
        self.error = error

    def pull(self, sweep: Sweep, at: int) -> None:
        """The error, if anything depends on the number."""
        if sweep.bars[at] is not None:
            raise DerivativeError(f"the derivative: {self.error}") from self.error


class Assemble(Entry):
    """`result = np.array([...])`: some places of a new array are numbers or arrays."""

    __slots__ = ("parts", "result")

    def __init__(self, result: AnyRegion, parts: list[tuple[Any, Any]]) -> None:
        self.result, self.parts = result, parts

    def pull(self, sweep: Sweep, at: int) -> None:
        """Each part gets the adjoint of its place."""
        bar = sweep.last(self.result)
        if bar is not None:
            for index, value in self.parts:
                sweep.add(value, sweep.tools.getitem(bar, index), True)


class Apply(Entry):
    """An operation with a rule, with the values that its formulas read.

    `choice`: the formulas. `kept`: the values in the order of the names of the plan; of those that
    `choice` does without, only the shape. `spare`: by their places in it, references to arrays that
    other formulas read, weak ones to those that own their memory. They take the place of what is
    overwritten, if they are still there; an array that has gone has not been overwritten itself, so
    that a copy is no more than holding it would have been. `line`: the instruction of the user's
    function, if arrays are kept.
    """

    line: Place
    __slots__ = ("choice", "kept", "line", "operands", "result", "spare")

    def __init__(
        self, choice: Choice, kept: list[Any], operands: list[Any], result: Any
    ) -> None:
        self.choice, self.kept, self.operands, self.result = choice, kept, operands, result
        self.spare: dict[int, Callable[[], Any]] | None = None

    def pull(self, sweep: Sweep, at: int) -> None:
        """Give each operand what the formulas make of the cotangent of the result."""
        result = self.result
        if type(result) is int:
            bar, alone = sweep.bars[at], False
        else:
            bar = sweep.last(result)
            alone = not sweep.held and type(result) is Memory
        if bar is not None:
            self.hand_on(sweep, bar, alone)

    def hand_on(self, sweep: Sweep, bar: Any, alone: bool) -> None:
        """The same for a cotangent. `alone`: nothing else needs it: the last formula may overwrite
        it."""
        kept, choice, left = self.kept, self.choice, len(self.operands)
        ready = choice.nested if sweep.nested else choice.plain
        for formula, elementwise, within in ready or choice.formulas(sweep.nested):
            operand = self.operands[-left]
            own: bool | str = choice.makes_new
            left -= 1
            if within is not None and alone:
                sweep.add(operand, within(bar, *kept), elementwise, True)
                return
            found = formula(bar, *kept)
            if found is not bar:
                for v in kept:
                    if v is found:
                        own = False
                if type(bar) is tuple and any(v is found for v in bar):
                    own = False
            elif own and (left or not alone):
                own = "shared"
                if alone:
                    alone = False
                    sweep.held.append(bar)
            sweep.add(operand, found, elementwise, own)

    def keep_spare(self, k: int, array: Any) -> None:
        """An array that another formula reads, of which this one keeps the shape at most."""
        if self.spare is None:
            self.spare = {}
        self.spare[k] = weakref.ref(array) if array.base is None else lambda: array

    def array(self, k: int) -> Any:
        """The array that is kept, or spare, at a place; None where it has gone."""
        spare = self.spare
        return self.kept[k] if spare is None or k not in spare else spare[k]()

    def lose(self, level: Level, k: int, copies: dict[Any, Any], saves: bool) -> bool:
        """What it keeps is about to be overwritten: can it do without, or is it saved?"""
        plan, spare = self.choice.plan, self.spare or {}
        if spare.pop(k, None) is not None:
            return True
        gone = {plan.order[k]}
        there = {j: v for j, ref in spare.items() if (v := ref()) is not None}
        choice = plan.choice((self.choice.lost | gone).difference([plan.order[j] for j in there]))
        if choice is not None:
            for j, v in there.items():
                self.kept[j] = v
                del spare[j]
            self.choice, self.kept[k] = choice, stand_in(self.kept[k])
            return True
        without = (self.choice.lost | gone).difference([plan.order[j] for j in spare])
        if not saves and plan.choice(without) is None:
            return False
        self._copy(level, k, self.kept[k], copies)
        return True

    def copy_kept(self, level: Level, k: int, copies: dict[Any, Any]) -> None:
        """What it keeps of an array becomes a copy: code that is not seen may write it."""
        if self.choice.plan.order[k] not in self.choice.lost:
            self._copy(level, k, self.kept[k], copies)

    def _copy(self, level: Level, k: int, array: Any, copies: dict[Any, Any]) -> None:
        key = level.depth, address_of(array), array.shape, array.strides, array.dtype
        if key not in copies:
            copies[key] = RECORDED.copy_below(array, level.depth)
        self.kept[k] = copies[key]


class ApplyTuple(Apply):
    """An operation that gives several values: `result` is a list of their places and regions, `...`
    for what does not vary. `like`: the values."""

    __slots__ = ("like",)

    def __init__(
        self, choice: Choice, kept: list[Any], operands: list[Any], result: Any, like: Any
    ) -> None:
        super().__init__(choice, kept, operands, result)
        self.like = like

    def pull(self, sweep: Sweep, at: int) -> None:
        """The formulas of the rule."""
        bars = [
            sweep.seen(r) if type(r) in REGIONS else None if r is ... else sweep.bars[r]
            for r in self.result
        ]
        if all(b is None for b in bars):
            return
        for r in self.result:
            if type(r) in REGIONS:
                sweep.last(r)
        bar = sweep.tuple_of(bars, self.result, self.like, self.choice.plan.partial)
        self.hand_on(sweep, bar, False)


_BLANK = np.zeros(4, np.complex128)
_STAND_INS: dict[Any, Any] = {}


def stand_in(value: Any) -> Any:
    """An array of the same shape and dtype that holds no memory; numbers as they are."""
    if type(value) is not np.ndarray:
        return value
    key = value.shape, value.dtype
    found = _STAND_INS.get(key)
    if found is None:
        if value.dtype.hasobject or value.dtype.itemsize > _BLANK.nbytes:
            return value
        if len(_STAND_INS) > 1000:
            _STAND_INS.clear()
        found = np.ndarray(value.shape, value.dtype, _BLANK, 0, (0,) * value.ndim)
        found.flags.writeable = False
        _STAND_INS[key] = found
    return found
