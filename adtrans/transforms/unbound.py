"""Names that may be unbound: what is read of them unbound must raise what it raises in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adtrans.analyses import dataflow
from adtrans.analyses.facts import Facts
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, operands, statements, surely_read

__all__ = ["Unbound", "unbound"]

Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class Unbound:
    """`read`: the user's names that may be read, or deleted, while they are unbound, so that no
    value may be given to them; `before` and `after`: those that are surely bound at a
    site."""

    read: Names
    before: Mapping[int, Names]
    after: Mapping[int, Names]

    def is_bound(self, name: str, site: int, *, after: bool = False, read: bool = False) -> bool:
        """Whether the name has a value whenever the place is reached; `read`: behind what the
        statement there reads."""
        states = self.after if after or read else self.before
        return site not in states or name in states[site]


def unbound(facts: Facts) -> Unbound:
    """Which names may be unbound where."""
    fn, name = facts.fn, facts.fn.source_name
    read = {*map(name, facts.live.into[fn.body[0].site])}
    for s in statements(fn.body):
        if isinstance(s, S.Keep):
            read |= {*map(name, s.unbinds)}
    read -= {p.name for p in fn.params}
    if not read:
        return Unbound(frozenset(), {}, {})

    def seen(of: Iterable[E.Expr], bound: Names) -> Names:
        return bound | {name(v) for e in of for v in surely_read(e)}

    def transfer(s: S.Stmt, bound: Names) -> Names:
        if isinstance(s, S.Keep):  # it may bind, and read, on one of its paths only
            return bound - {*map(name, s.unbinds)}
        if isinstance(s, S.Try):  # a handler's name is unbound behind it
            return bound
        return seen(operands(s), bound) | {*map(name, binds_of(s))}

    def enter(s: S.For | S.While, bound: Names) -> Names:
        return seen(operands(s), bound) if isinstance(s, S.For) else bound

    start = frozenset(p.name for p in fn.params)
    flow = dataflow.forward(fn.body, start, transfer, frozenset.intersection, at_loop_entry=enter)
    return Unbound(frozenset(read), flow.before, flow.after)
