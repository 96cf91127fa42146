"""Writes what follows a branch in both of its blocks, where one leaves a number and the other an
array, and `+=` is done on it that others may see.

    if far:                     if far:
        s = x                       s = x
    else:                           kept = [s]
        s = 0.0                     s += x          (writes `x`, which is in the list)
    kept = [s]         ->       else:
    s += x                          s = 0.0
                                    kept = [s]
                                    s += x          (makes an array)

In each block it is known then what the statement does, and what the list holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.sunk import jumps, left_behind
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Mixed, Scalar
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import binds_of, map_blocks, reads_of, statements

_LONG = 150
"""Statements of a function, at most, after that: each doubt may double what follows."""


def doubts(facts: Facts) -> Iterator[int]:
    """Where something that carries a derivative is updated, here or by a callee, and may be a
    number or an array."""
    for s in facts.structure.stmts.values():
        match s:
            case S.Update(items=None, base=base) if _is_either(base, s.site, facts):
                yield s.site
            case S.Invoke() if (unit := facts.units.get(s.site)) is not None:
                given = actuals(s, unit.summary)
                written = [given.get(p) for p in sorted(unit.summary.written())]
                if any(isinstance(a, E.Name) and _is_either(a.id, s.site, facts) for a in written):
                    yield s.site
            case _:
                pass


def _is_either(var: str, site: int, facts: Facts) -> bool:
    kind = facts.kinds.at(site, var)
    return isinstance(kind, Mixed) and bool(kind.numbers) and facts.activity.active(var)


def is_in_doubt(facts: Facts, reverse: bool) -> bool:
    """Whether it is not known of some name what it means where that is written; tangents follow the
    names, whatever array these mean."""
    ambiguous = facts.sharing.ambiguous if reverse else ()
    return any(doubts(facts)) or any(map(facts.activity.active, ambiguous))


def told_apart(fn: S.Function, facts: Facts) -> S.Function:
    """`fn`, of which these are the facts, with what follows one such branch in both blocks; itself
    where there is none, or where that would be long."""
    for doubt in doubts(facts):
        at = next((n for n, s in enumerate(fn.body) if _contains(s, doubt)), -1)
        for n in reversed(range(at + 1)):
            s, twice = fn.body[n], _Twice(fn)
            now = facts.structure.stmts.get(s.site)
            if isinstance(s, S.If) and n < at and isinstance(now, S.If) and _divides(now, facts):
                return twice.written((*fn.body[:n],), s, fn.body[n + 1 :])
            if isinstance(s, S.For) and isinstance(now, S.For) and _begins(now, facts):
                first = twice.first_apart(s, facts)
                if first is not None:
                    before, branch = first
                    return twice.written((*fn.body[:n], *before), branch, fn.body[n + 1 :])
    return fn


def _contains(s: S.Stmt, site: int) -> bool:
    return any(inner.site == site for inner in statements((s,)))


def _divides(s: S.If, facts: Facts) -> bool:
    """Whether one block of a branch leaves a number where the other one leaves an array."""
    if jumps(s):
        return False
    for var in sorted({v for inner in statements((s,)) for v in binds_of(inner)}):
        ends = [left_behind(var, b, s, facts.kinds) for b in (s.then, s.orelse)]
        if {type(e) for e in ends} == {Array, Scalar}:
            return True
    return False


def _begins(s: S.For, facts: Facts) -> bool:
    """Whether a variable is a number before the first iteration, and perhaps an array behind it."""
    if any(isinstance(t, S.Break | S.Continue | S.Return) for t in statements(s.body)):
        return False
    for t in statements(s.body):
        for var in binds_of(t):
            now = facts.kinds.bounds(t.site).get(var)
            if isinstance(facts.kinds.at(s.site, var), Scalar) and isinstance(now, Array | Mixed):
                return True
    return False


class _Twice:
    """Writes parts of a function twice."""

    def __init__(self, fn: S.Function) -> None:
        self.fn = fn
        every = list(statements(fn.body))
        self.number = max(s.site for s in every)
        self.names = NameAllocator(
            {v for s in every for v in (*binds_of(s), *reads_of(s))}
            | {p.name for p in fn.params}
            | fn.reserved
        )

    def site(self) -> int:
        self.number += 1
        return self.number

    def again(self, b: S.Block) -> S.Block:
        """The same statements with sites of their own."""
        return tuple(map_blocks(replace(s, site=self.site(), origin=0), self.again) for s in b)

    def first_apart(self, s: S.For, facts: Facts) -> tuple[S.Block, S.If] | None:
        """A loop with its first iteration in front of it, in a branch that asks whether there is
        one, and what is computed before; None where that cannot be."""
        span = s.span
        fresh = self.names.fresh
        match s:
            case S.For(
                target=str() as target, iter=S.Range(start, stop, E.Const(value=int(step)))
            ) if step > 0 and _is_int(start, s, facts) and _is_int(stop, s, facts):
                low, high = fresh("first"), fresh("end")
                before: S.Block = (
                    S.Bind(low, start, site=self.site(), span=span),
                    S.Bind(high, stop, site=self.site(), span=span),
                )
                one: S.Stmt = S.Bind(target, E.Name(low), site=self.site(), span=span)
                further = E.Binary("+", E.Name(low), E.Const(step))
                rest: S.Iter = S.Range(further, E.Name(high), E.Const(step))
                test = E.Compare(E.Name(low), ("<",), (E.Name(high),))
            case S.For(target=str() as target, iter=S.Elements(source)) if (
                isinstance(kind := facts.kinds.at(s.site, source), Array) and kind.least_ndim
            ):
                others = fresh("rest")
                part = E.Slice(E.Const(1), None, None)
                before = (S.Load(others, source, (part,), site=self.site(), span=span),)
                one = S.Load(target, source, (E.Const(0),), site=self.site(), span=span)
                rest = S.Elements(others)
                length = E.Call(E.Ref("len", len), (E.Name(source),))
                test = E.Compare(length, (">",), (E.Const(0),))
            case _:
                return None
        loop = replace(s, iter=rest, body=self.again(s.body), site=self.site(), origin=0)
        then = (one, *_plain(s.body), loop)
        return before, S.If(test, then, (), site=s.site, span=span)

    def written(self, before: S.Block, branch: S.If, behind: S.Block) -> S.Function:
        """The function with all that is behind a branch in both of its blocks."""
        *rest, end = behind
        long = sum(1 for _ in statements((*before, branch, *rest, *rest)))
        returns = any(isinstance(s, S.Return) for s in statements(tuple(rest)))
        if not isinstance(end, S.Return) or returns or long > _LONG:
            return self.fn
        names = {v.id: self.names.fresh("result") for v in end.values if isinstance(v, E.Name)}

        def results() -> Iterator[S.Stmt]:
            for v, name in names.items():
                yield S.Alias(name, v, site=self.site(), span=end.span)

        then = (*_plain(branch.then), *_plain(tuple(rest)), *results())
        orelse = (*_plain(branch.orelse), *self.again(tuple(rest)), *results())
        values = tuple(E.Name(names[v.id]) if isinstance(v, E.Name) else v for v in end.values)
        both = replace(branch, then=then, orelse=orelse, origin=0)
        last = replace(end, values=values, origin=0)
        return replace(self.fn, body=(*_plain(before), both, last))


def _is_int(e: E.Expr, s: S.For, facts: Facts) -> bool:
    """Whether an end of a range is an int of Python, as what the range counts is."""
    kind = facts.kinds.expr(s.site, e)
    return isinstance(kind, Scalar) and kind.type == "int" and kind.dtype is None


def _plain(b: S.Block) -> S.Block:
    """Statements that are written anew, with all in them."""
    return tuple(map_blocks(replace(s, origin=0), _plain) for s in b)
