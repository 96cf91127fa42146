"""Calls whose callee has to be seen together with its caller.

A callee is analysed as if its arguments were apart. Where they are not, its body stands in the
caller (`lower.inlined`), which knows what its names mean; what cannot stand there is refused.

    p, q = halves(y)                t = (y[:3], y[3:])        (the body of `halves`)
    p *= q                    =>    p, q = t;  p *= q

So it does where one of the two alone cannot tell which array a name means that is written: one of
a tuple that is passed, or that is returned.
"""

from __future__ import annotations

from adtrans.analyses.abstract import containers
from adtrans.analyses.deposits import Deposit, deposits
from adtrans.analyses.disjoint import disjoint
from adtrans.analyses.facts import Facts
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S


def is_unclear_alone(facts: Facts | None) -> bool:
    """Whether a function writes an array of which it cannot tell which one it is; not if nothing
    is known of it yet."""
    return facts is not None and any(facts.activity.active(v) for v in facts.sharing.ambiguous)


def results_unclear(facts: Facts) -> frozenset[int]:
    """The calls that may have returned an array, by itself or in a tuple, of which the caller
    cannot tell which one it is, while it is written."""
    todo = [v for v in facts.sharing.ambiguous if facts.activity.active(v)]
    seen: set[str] = set()
    found: set[int] = set()
    while todo:
        var = todo.pop()
        if var in seen:
            continue
        seen.add(var)
        for site in facts.definitions.sites.get(var, ()):
            match facts.structure.stmts[site]:
                case S.Invoke():
                    found.add(site)
                case S.Alias(source=source) | S.Unpack(source=source) | S.Load(base=source):
                    todo.append(source)
    return frozenset(found)


def left_and_written(s: S.Invoke, facts: Facts) -> Deposit | None:
    """What the call made and left in two places, or its pullback reads, if it is written here."""
    made = {(o.form, o.key) for o in facts.memory.allocates.get(s.site, ())}
    written = made & {(o.form, o.key) for o in facts.memory.written}
    summaries = {site: u.summary for site, u in facts.units.items()} if written else {}
    result = frozenset({s.target} if s.target is not None else ())
    for d in deposits(s, summaries):
        inside = {(o.form, o.key) for o in facts.memory.objects(d.into)} & written
        if facts.activity.active(d.into) and any(form in d.reread for form, _ in inside):
            return d
        for v in sorted(d.others | (result if d.returned else frozenset())):
            both = facts.memory.objects(d.into) & facts.memory.objects(v)
            active = facts.activity.active(d.into) or facts.activity.active(v)
            if active and any((o.form, o.key) in written for o in both):
                return d
    return None


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
