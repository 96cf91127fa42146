"""Which variable each of the user's names stands for at each place.

    def f(u):            # u
        u = u.copy()     # u is u@2 from here on: the argument has no name any more
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adtrans.analyses import dataflow
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, operands, statements, surely_read

Names = Mapping[str, frozenset[str]]
_DELETED = frozenset({""})  # what a name stands for after `del`: no variable is called so


@dataclass(frozen=True, slots=True)
class Naming:
    """For each site the variables that a name may stand for, before and after it; `read`: those
    that the statement there reads, whatever else it does."""

    fn: S.Function
    before: Mapping[int, Names]
    after: Mapping[int, Names]
    read: Mapping[int, frozenset[str]]

    def reachable(self, var: str, site: int, *, after: bool) -> bool:
        """Whether the name of `var` certainly stands for `var` (or is not bound yet) there."""
        found = (self.after if after else self.before).get(site, {})
        meant = found.get(self.fn.source_name(var), frozenset({var}))
        read = not after and var in self.read.get(site, ())  # deleted, it raises there anyway
        return (meant - _DELETED if read else meant) <= {var}

    def deleted(self, var: str, site: int) -> bool:
        """Whether the name of `var` may have been deleted before `site`."""
        found = self.before.get(site, {}).get(self.fn.source_name(var), frozenset())
        return not found.isdisjoint(_DELETED)


def naming(fn: S.Function) -> Naming:
    """Follow the names through `fn`."""

    read = {
        s.site: frozenset().union(*map(surely_read, operands(s)))
        for s in statements(fn.body)
        if not isinstance(s, S.Keep | S.Try | S.While | S.For)
    }

    def found(s: S.Stmt, state: Names) -> Names:
        """The names as they are behind what a statement reads."""
        stale = {n for v in read.get(s.site, ()) if (n := fn.source_name(v)) in state}
        return {**state, **{n: state[n] - _DELETED for n in stale if "" in state[n]}}

    def transfer(s: S.Stmt, state: Names) -> Names:
        state = found(s, state)
        bound = binds_of(s)
        deleted = s.unbinds if isinstance(s, S.Keep) else ()
        if not bound and not deleted:
            return state
        gone = {fn.source_name(v): _DELETED for v in deleted}
        return {**state, **gone, **{fn.source_name(v): frozenset({v}) for v in bound}}

    def join(a: Names, b: Names) -> Names:
        if a is b:
            return a
        none: frozenset[str] = frozenset()
        return {n: a.get(n, none) | b.get(n, none) for n in {**a, **b}}

    start: Names = {fn.source_name(p.name): frozenset({p.name}) for p in fn.params}
    flow = dataflow.forward(fn.body, start, transfer, join)
    return Naming(fn, {**flow.before, **flow.test}, flow.after, read)
