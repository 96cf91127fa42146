"""The calls whose callees are written out in the caller, since a summary would say too little.

    def add(a, b): a += b          add(x, x[:])    ->    x += x[:]

What two parameters mean that overlap is known where the call is, and only there.
"""

from __future__ import annotations

from collections.abc import Iterable

from adtrans.analyses.facts import Facts
from adtrans.analyses.overlaps import (
    is_unclear_alone,
    left_and_written,
    overlap,
    results_unclear,
)
from adtrans.analyses.writes import actuals
from adtrans.driver.instances import Member, calls_its_like, calls_itself, may_be_unbound
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind, Mixed, Unknown
from adtrans.ir.walk import statements


def written_out(
    ir: S.Function,
    facts: Facts,
    members: Iterable[Member],
    once: Iterable[Member] = (),
    *,
    clashing: bool = False,
) -> dict[int, Member]:
    """The callees of those calls in `ir` that write an argument which overlaps another one, or
    of which it cannot be told alone which arrays their names, or their results, mean. `clashing`:
    of those, too, whose pullbacks read what is overwritten by then, as far as is known of them.
    `once`: what was written out before. A recursion for the same kinds is not written out again,
    as what is called there would be so for ever."""
    by_name = {m.unit.forward: m for m in members}
    own = {s.site: s for s in statements(ir.body) if isinstance(s, S.Invoke)}
    found: dict[int, Member] = {}
    before = [(m.source.fn, m.question.params) for m in once]
    unclear = results_unclear(facts)
    if clashing:
        unclear |= {c.need.site for c in facts.needs.hard if c.need.role == "callee"}
    for site, unit in facts.units.items():
        s, m = facts.structure.stmts[site], by_name.get(unit.forward)
        if m is None or not isinstance(s, S.Invoke) or calls_itself(m, by_name):
            continue
        shared: tuple[str, ...] | None = overlap(s, facts)
        if shared is None and (site in unclear or is_unclear_alone(m.facts)):
            shared = ()
        if shared is None and left_and_written(s, facts) is not None:
            shared = ()
        if shared is None or site not in own or own[site].span != s.span:
            continue
        given = actuals(s, unit.summary)
        known = all(_is_known(facts.kinds.passed(site, given[p])) for p in shared)
        if not known or may_be_unbound(m):
            continue
        if (m.source.fn, m.question.params) not in before or not calls_its_like(m, by_name):
            found[site] = m
    return found


def _is_known(kind: Kind) -> bool:
    """Whether it is known what something is where it is no None."""
    return not isinstance(kind, Unknown) or (isinstance(kind, Mixed) and not kind.numbers)
