"""Entries of a record, and how each is reversed.

`sweep` gives and takes cotangents; see `sweep.Sweep`. A region stands for an array, an int for the
place of a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adtrans.diagnostics.errors import DerivativeError
from adtrans.recorder.memory import Region
from adtrans.recorder.needs import Need
from adtrans.recorder.tools import RECORDED

if TYPE_CHECKING:
    from adtrans.recorder.formulas import Plan
    from adtrans.recorder.sweep import Sweep


class Entry:
    """One operation of the record."""

    __slots__ = ()

    def pull(self, sweep: Sweep, at: int) -> None:
        """Hand the cotangents of the results, the first of them at `at`, on to the operands."""
        raise NotImplementedError

    def lose(self, need: Need, saves: bool) -> bool:
        """What the entry reads is about to be overwritten: can it do without, or is it saved?"""
        raise NotImplementedError


    def copy_kept(self, need: Need) -> None:
        """What the entry reads may be written by code that is not seen: it is copied."""
        raise NotImplementedError


class Read(Entry):
    """`number = array[index]`"""

    __slots__ = ("index", "region")

    def __init__(self, region: Region, index: Any) -> None:
        self.region, self.index = region, index

    def pull(self, sweep: Sweep, at: int) -> None:
        """The element's adjoint gets the number's."""
        bar = sweep.bars[at]
        if bar is not None:
            sweep.add_at(self.region, self.index, bar)


class Gather(Entry):
    """`result = array[index]`, a copy: with a mask, or arrays of places."""

    __slots__ = ("index", "region", "result")

    def __init__(self, region: Region, index: Any, result: Region) -> None:
        self.region, self.index, self.result = region, index, result

    def pull(self, sweep: Sweep, at: int) -> None:
        """Each element's adjoint gets those of all places that it was copied to."""
        bar = sweep.last(self.result)
        if bar is not None:
            sweep.add_at(self.region, self.index, bar)


class Write(Entry):
    """`array[index] = value`; without an index all of the region."""

    __slots__ = ("index", "region", "value")

    def __init__(self, region: Region, index: Any, value: Any) -> None:
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

    def __init__(self, region: Region, value: Any, sign: int) -> None:
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

    def __init__(self, region: Region, index: Any, value: Any, sign: int) -> None:
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

    def __init__(self, result: Region, parts: list[tuple[Any, Any]]) -> None:
        self.result, self.parts = result, parts

    def pull(self, sweep: Sweep, at: int) -> None:
        """Each part gets the adjoint of its place."""
        bar = sweep.last(self.result)
        if bar is not None:
            for index, value in self.parts:
                sweep.add(value, sweep.tools.getitem(bar, index), True)


class Apply(Entry):
    """An operation with a rule, with the values that its formulas read."""

    __slots__ = ("kept", "like", "lost", "operands", "plan", "results", "tupled")

    def __init__(
        self, plan: Plan, kept: dict[str, Any], operands: list[Any], results: list[Any],
        tupled: bool, like: Any,
    ) -> None:  # fmt: skip
        self.plan, self.kept, self.operands, self.results = plan, kept, operands, results
        self.tupled, self.like = tupled, like
        self.lost: frozenset[str] = frozenset()

    def pull(self, sweep: Sweep, at: int) -> None:
        """The formulas of the rule."""
        if self.tupled or len(self.results) > 1:
            self._pull_several(sweep)
            return
        result = self.results[0]
        bar = sweep.last(result) if type(result) is Region else sweep.bars[at]
        if bar is not None:
            self._hand_on(sweep, bar)

    def _pull_several(self, sweep: Sweep) -> None:
        bars = [
            sweep.seen(r) if type(r) is Region else None if r is ... else sweep.bars[r]
            for r in self.results
        ]
        if all(b is None for b in bars):
            return
        for r in self.results:
            if type(r) is Region:
                sweep.last(r)
        bar: Any = bars[0]
        if self.tupled:
            bar = sweep.tuple_of(bars, self.results, self.like, self.plan.partial)
        self._hand_on(sweep, bar)

    def _hand_on(self, sweep: Sweep, bar: Any) -> None:
        for k, operand in enumerate(self.operands):
            way = self.plan.way(k, self.lost)
            found = way.pulled(bar, self.kept, sweep.tools.nested)
            own: bool | str = "shared"
            if found is not bar:
                own = all(found is not v for v in self.kept.values())
            sweep.add(operand, found, way.elementwise, own)

    def lose(self, need: Need, saves: bool) -> bool:
        """Is there another formula that does without it? Otherwise it is copied where it may be."""
        lost = self.lost | {need.name} | {n for n in self.plan.needed if n not in self.kept}
        if self.plan.survives(lost):
            self.lost = lost
            self.kept.pop(need.name, None)
            return True
        if not saves:
            return False
        self.kept[need.name] = RECORDED.copy_below(need.array, need.level.depth)
        return True

    def copy_kept(self, need: Need) -> None:
        """What it keeps of an array becomes a copy."""
        if self.kept.get(need.name) is need.array:
            self.kept[need.name] = RECORDED.copy_below(need.array, need.level.depth)
