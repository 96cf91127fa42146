"""How often a loop runs, as far as it is known before: at least once, at most once.

A loop that surely runs ends what was there before; one that runs once has no later iteration.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir.expr import Const
>>> here = Span("f.py", 1, 0, 1, 1)
>>> once = S.For("i", S.Range(Const(2), Const(3), Const(1)), (), site=7, span=here)
>>> trips_of(once, {})
Trips(some=True, single=True)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adtrans.analyses.iterations import LoopFacts
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.prove import proves_nonneg
from adtrans.ir import stmt as S
from adtrans.ir.expr import Const, Expr
from adtrans.ir.walk import statements

Loop = S.For | S.While


@dataclass(frozen=True, slots=True)
class Trips:
    """`some`: there is an iteration (unless an exception leaves before). `single`: not two."""

    some: bool = False
    single: bool = False


UNKNOWN = Trips()


@dataclass(frozen=True, slots=True)
class Runs:
    """The trips of all loops of a function, as `dataflow` asks for them."""

    of: Mapping[int, Trips]

    def some(self, loop: Loop) -> bool:
        """Whether the loop certainly has an iteration."""
        return self.of.get(loop.site, UNKNOWN).some

    def single(self, loop: Loop) -> bool:
        """Whether the loop certainly has no second iteration."""
        return self.of.get(loop.site, UNKNOWN).single


UNKNOWN_RUNS = Runs({})


def runs(fn: S.Function, kinds: Kinds) -> Runs:
    """What headers, and the kinds where the loops are entered, tell about the loops of `fn`."""
    loops = (s for s in statements(fn.body) if isinstance(s, S.For | S.While))
    return Runs({s.site: _known(s, kinds) for s in loops})


def _known(s: Loop, kinds: Kinds) -> Trips:
    loop = kinds.loops.get(s.site)
    if isinstance(s, S.While) or loop is None:
        return Trips(some=loop is not None and loop.entered)
    found = trips_of(s, kinds.loops)
    if found.some and found.single:
        return found
    step = None if loop.step is None else loop.step.value
    if not step or loop.start is None or loop.stop is None:
        return found
    length = (loop.stop - loop.start) if step > 0 else (loop.start - loop.stop)
    facts = kinds.facts(s.site)
    some = proves_nonneg(length - 1, facts)
    single = proves_nonneg(abs(step) - length, facts)
    return Trips(found.some or some, found.single or single)


def trips_of(loop: S.For, known: Mapping[int, LoopFacts]) -> Trips:
    """What the constants in a header tell."""
    del known
    it = loop.iter.inner if isinstance(loop.iter, S.Reversed) else loop.iter
    if not isinstance(it, S.Range):
        return UNKNOWN
    start, stop, step = (_constant(e) for e in (it.start, it.stop, it.step))
    if start is None or stop is None or not step:
        return UNKNOWN
    count = len(range(start, stop, step))
    return Trips(count > 0, count < 2)


def _constant(e: Expr) -> int | None:
    return e.value if isinstance(e, Const) and isinstance(e.value, int) else None
