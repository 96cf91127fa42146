"""Entries of a record, and how each is reversed.

`sweep` gives and takes cotangents; see `sweep.Sweep`. A region stands for an array, an int for the
place of a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from adtrans.diagnostics.errors import DerivativeError
from adtrans.recorder.memory import REGIONS, address_of
from adtrans.recorder.tools import RECORDED

if TYPE_CHECKING:
    from adtrans.recorder.formulas import Plan
    from adtrans.recorder.levels import Level
    from adtrans.recorder.memory import AnyRegion
    from adtrans.recorder.recorded_needs import Place
    from adtrans.recorder.sweep import Sweep


NOTHING: frozenset[str] = frozenset()


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
        bar = sweep.seen(self.region)
        if bar is not None:
            if self.sign < 0:
                bar = sweep.tools.neg(bar)
            sweep.add(self.value, bar, True)


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

    `kept`: those in the order of the names of the plan. `lost`: the names of which only the shape
    is kept. `line`: the instruction of the user's function, if arrays are kept.
    """

    line: Place
    __slots__ = ("kept", "like", "line", "lost", "operands", "plan", "results", "tupled")

    def __init__(
        self, plan: Plan, kept: list[Any], operands: list[Any], results: list[Any],
        lost: frozenset[str], tupled: bool = False, like: Any = None,
    ) -> None:  # fmt: skip
        self.plan, self.kept, self.operands, self.results = plan, kept, operands, results
        self.lost, self.tupled, self.like = lost, tupled, like

    def pull(self, sweep: Sweep, at: int) -> None:
        """The formulas of the rule."""
        if self.tupled or len(self.results) > 1:
            self._pull_several(sweep)
            return
        result = self.results[0]
        bar = sweep.last(result) if type(result) in REGIONS else sweep.bars[at]
        if bar is not None:
            self._hand_on(sweep, bar)

    def _pull_several(self, sweep: Sweep) -> None:
        bars = [
            sweep.seen(r) if type(r) in REGIONS else None if r is ... else sweep.bars[r]
            for r in self.results
        ]
        if all(b is None for b in bars):
            return
        for r in self.results:
            if type(r) in REGIONS:
                sweep.last(r)
        bar: Any = bars[0]
        if self.tupled:
            bar = sweep.tuple_of(bars, self.results, self.like, self.plan.partial)
        self._hand_on(sweep, bar)

    def _hand_on(self, sweep: Sweep, bar: Any) -> None:
        plan, kept, nested = self.plan, self.kept, sweep.tools.nested
        first = self.lost is NOTHING or self.lost is plan.others
        for k, operand in enumerate(self.operands):
            way = plan.ways[k][0] if first else plan.way(k, self.lost)
            found = way.function(nested)(bar, *kept)
            own: bool | str = "shared"
            if found is not bar:
                own = True
                for v in kept:
                    if v is found:
                        own = False
            sweep.add(operand, found, way.elementwise, own)

    def lose(self, level: Level, k: int, copies: dict[Any, Any], saves: bool) -> bool:
        """What it keeps is about to be overwritten: can it do without, or is it saved?"""
        plan, array = self.plan, self.kept[k]
        lost = self.lost | {plan.order[k]}
        if plan.survives(lost):
            self.lost, self.kept[k] = lost, stand_in(array)
            return True
        if not saves:
            return False
        self._copy(level, k, array, copies)
        return True

    def copy_kept(self, level: Level, k: int, copies: dict[Any, Any]) -> None:
        """What it keeps of an array becomes a copy: code that is not seen may write it."""
        if self.plan.order[k] not in self.lost:
            self._copy(level, k, self.kept[k], copies)

    def _copy(self, level: Level, k: int, array: Any, copies: dict[Any, Any]) -> None:
        key = level.depth, address_of(array), array.shape, array.strides, array.dtype
        if key not in copies:
            copies[key] = RECORDED.copy_below(array, level.depth)
        self.kept[k] = copies[key]


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
