"""Which variables are still read after each statement.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir.expr import Const, Name
>>> here = Span("f.py", 1, 0, 1, 1)
>>> body = (S.Bind("y", Name("x"), site=1, span=here), S.Return((Name("y"),), site=2, span=here))
>>> live = liveness(S.Function("f", (S.Param("x"),), body, here))
>>> sorted(live.into[1]), sorted(live.out[1])
(['x'], ['y'])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adtrans.analyses import dataflow
from adtrans.ir import stmt as S
from adtrans.ir import walk

__all__ = ["Liveness", "liveness"]

Vars = frozenset[str]
_NOTHING: Vars = frozenset()


@dataclass(frozen=True, slots=True)
class Liveness:
    """The variables that may be read later, before (`into`) and behind (`out`) each site.

    For a loop these belong to the whole statement; `head` is what is live when an iteration starts.
    """

    into: Mapping[int, Vars]
    out: Mapping[int, Vars]
    head: Mapping[int, Vars]


def liveness(fn: S.Function) -> Liveness:
    """Live variables of every statement of `fn`."""

    def transfer(s: S.Stmt, live: Vars) -> Vars:
        if isinstance(s, S.For):  # the loop itself holds on to what it takes elements of
            return (live - {*walk.binds_of(s)}) | _held(s.iter)
        # A `Keep` may bind on one of its paths only.
        killed = () if isinstance(s, S.Keep) else walk.binds_of(s)
        return (live - {*killed}) | walk.reads_of(s)

    def enter(s: S.For | S.While, live: Vars) -> Vars:
        return live | walk.reads_of(s) if isinstance(s, S.For) else live

    flow = dataflow.backward(
        fn.body, _NOTHING, transfer, frozenset.union, bottom=_NOTHING, at_loop_entry=enter
    )
    return Liveness(flow.before, flow.after, flow.head)


def _held(it: S.Iter) -> Vars:
    """The variables whose elements a loop takes, one in each iteration."""
    match it:
        case S.Elements():
            return frozenset({it.source})
        case S.Enumerate() | S.Reversed():
            return _held(it.inner)
        case S.Zip():
            return _NOTHING.union(*(_held(i) for i in it.inners))
        case S.Range():
            return _NOTHING
