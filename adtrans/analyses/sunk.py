"""Moves `s += e` into the branches before it, where one leaves a number and another an array.

    if far:                     if far:
        s = x                       s = x
    else:               ->          s += x          (writes `x`)
        s = 0.0                 else:
    s += x                          s = 0.0
                                    s += x          (makes an array)

In each branch it is known then what the statement does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.webs import webs
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Mixed, Scalar
from adtrans.ir.walk import binds_of, map_blocks, statements

_BETWEEN = 4  # statements that compute what is added, at most


def sunk(facts: Facts) -> S.Function | None:
    """The function with such updates in the branches, as far as they carry a derivative; None where
    there are none."""
    run = _Sunk(facts)
    body = run.block(facts.fn.body)
    return webs(replace(facts.fn, body=body)) if run.found else None


class _Sunk:
    def __init__(self, facts: Facts) -> None:
        self.facts, self.found = facts, False
        self.number = max(facts.structure.stmts, default=0)

    def block(self, b: S.Block) -> S.Block:
        done: list[S.Stmt] = []
        rest = list(b)
        while rest:
            s = rest.pop(0)
            count = self.moved(s, rest) if isinstance(s, S.If) else 0
            if isinstance(s, S.If) and count:
                self.found = True
                tail, rest = tuple(rest[:count]), rest[count:]
                then, orelse = (*s.then, *tail), (*s.orelse, *self.again(tail))
                s = _plain(replace(s, then=then, orelse=orelse))
            else:
                s = map_blocks(s, self.block)
            done.append(s)
        return tuple(done)

    def moved(self, s: S.If, rest: list[S.Stmt]) -> int:
        """How many of the statements after a branch belong into it."""
        for k, u in enumerate(rest[: _BETWEEN + 1]):
            match u:
                case S.Update(items=None, base=var) if self.is_either(var, u):
                    ends = [left_behind(var, b, s, self.facts.kinds) for b in (s.then, s.orelse)]
                    known = any(isinstance(e, Array | Scalar) for e in ends)
                    return k + 1 if known and not jumps(s) else 0
                case S.Bind() | S.Load() | S.Alias():
                    continue
                case _:
                    return 0
        return 0

    def is_either(self, var: str, u: S.Update) -> bool:
        """Whether a variable that carries a derivative is a number or an array, and an array in any
        case after the update."""
        kinds = self.facts.kinds
        either = isinstance(kinds.at(u.site, var), Mixed) and self.facts.activity.active(var)
        return either and isinstance(kinds.expr(u.site, u.value), Array)

    def again(self, b: S.Block) -> Iterator[S.Stmt]:
        """The same statements with sites of their own."""
        for s in b:
            self.number += 1
            yield replace(s, site=self.number)


def left_behind(var: str, b: S.Block, s: S.If, kinds: Kinds) -> Kind | None:
    """The kind of a variable at the end of a block of `s`; None where that is not plain."""
    for last in reversed(b):
        inside = [t for t in statements((last,)) if var in binds_of(t)]
        if inside == [last]:
            return kinds.bounds(last.site).get(var)
        if inside and isinstance(last, S.If):
            ends = [left_behind(var, inner, last, kinds) for inner in (last.then, last.orelse)]
            return ends[0] if type(ends[0]) is type(ends[1]) else None
        if inside:
            return None
    return kinds.at(s.site, var)


def _plain(s: S.Stmt) -> S.Stmt:
    """A statement that is written anew, with all in it."""
    return map_blocks(replace(s, origin=0), lambda b: tuple(map(_plain, b)))


def jumps(s: S.If) -> bool:
    """Whether a branch may not reach its end."""
    return any(
        isinstance(t, S.Break | S.Continue | S.Onward | S.Return)
        or (isinstance(t, S.Keep) and t.form == "raise")
        for t in statements((s,))
    )
