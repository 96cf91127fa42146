"""Tests of loops through which a derivative goes, in the body of the loop.

What stands in the head of a `while` only tells whether to go on, and the pullback passes it over.
Where a test changes what others read, it is part of the body:

    while step(u) > 0.1:                  while True:
        s += u[0]                             if step(u) > 0.1: s += u[0]
                                              else: break
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import binds_of, statements


def without_active_heads(facts: Facts) -> S.Function | None:
    """The function with such tests in the bodies; None where there are none."""
    active = {
        s.site
        for s in statements(facts.fn.body)
        if isinstance(s, S.While) and any(_matters(t, facts) for t in statements(s.head))
    }
    if not active:
        return None
    rewriter = _Bodies(facts.fn, active)
    return replace(facts.fn, body=rewriter.block(facts.fn.body))


def _matters(s: S.Stmt, facts: Facts) -> bool:
    """Whether a derivative goes through what a statement binds or writes."""
    objects = facts.activity.varied_objects
    return any(map(facts.activity.active, binds_of(s))) or any(
        w.objects & objects for w in facts.memory.at(s.site)
    )


class _Bodies(Rewriter):
    def __init__(self, fn: S.Function, loops: set[int]) -> None:
        super().__init__(fn)
        self.loops = loops

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        if not isinstance(s, S.While) or s.site not in self.loops:
            yield s
            return
        leave = S.Break(**self.place(s))
        branch = S.If(s.test, s.body, (leave,), **self.place(s))
        yield replace(s, head=(), test=E.Const(True), body=(*s.head, branch))
