"""Calls that write an argument which may share memory with another one.

A callee is analysed as if its arguments were apart. Where they are not, its body stands in the
caller (`lower.inlined`), which knows what its names mean; what cannot stand there is refused.
"""

from __future__ import annotations

from adtrans.analyses.abstract import containers
from adtrans.analyses.facts import Facts
from adtrans.analyses.regions import disjoint
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S


def overlap(s: S.Invoke, facts: Facts) -> tuple[str, str] | None:
    """A parameter that the call writes, and another one that may look into the same memory."""
    unit = facts.units.get(s.site)
    if unit is None or not unit.summary.active:
        return None
    summary = unit.summary
    given = {p: a for p, a in actuals(s, summary).items() if isinstance(a, E.Name)}
    known = facts.places.facts(s.site)
    for p, a in given.items():
        for q, b in given.items():
            if p == q or p not in summary.written() or {(p, q), (q, p)} & summary.one:
                continue
            if not facts.aliasing.together(a.id, b.id, s.site):
                continue
            both = facts.memory.objects(a.id, s.site) & facts.memory.objects(b.id, s.site)
            if not (containers(both) if p in summary.shallow else both):
                continue
            here, there = (facts.places.region(v.id, None, s.site) for v in (a, b))
            if not disjoint(here, there, known):
                return p, q
    return None
