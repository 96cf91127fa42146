"""The names of generated functions: clear of every name that one of them may read or bind."""

from __future__ import annotations

from dataclasses import replace

from adtrans import runtime
from adtrans.analyses.facts import Unit
from adtrans.driver.free_names import names_of_code
from adtrans.driver.instances import Member
from adtrans.driver.reporting import facts_of
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.names import NameAllocator, plain_name
from adtrans.ir.walk import rebuild
from adtrans.source import SourceFunction
from adtrans.transforms.fold import all_code, bound_by
from adtrans.transforms.map_expressions import map_code

_KINDS = ("forward", "pullback", "pushforward")


def names_of(m: Member) -> tuple[str, str, str]:
    """The names of the generated functions."""
    return m.unit.forward, m.unit.pullback, m.unit.pushforward


def sources_of(m: Member) -> tuple[SourceFunction, ...]:
    """The source of a function, and those of the generators that are written out in it."""
    inner = m.facts.fn.inlined if m.facts is not None else ()
    return (m.source, *(s for s in inner if isinstance(s, SourceFunction)))


def without_gaps(members: list[Member]) -> list[Member]:
    """The members under names without gaps: the analysis asked for more than what is generated."""
    names = NameAllocator()
    to: dict[str, tuple[str, str, str]] = {}
    for m in reversed(members):
        forward, pullback, pushforward = (
            names.fresh(f"{plain_name(facts_of(m).fn.name)}_{what}") for what in _KINDS
        )
        to[m.unit.forward] = (forward, pullback, pushforward)

    def named(u: Unit) -> Unit:
        if u.forward not in to:
            return u
        forward, pullback, pushforward = to[u.forward]
        return replace(u, forward=forward, pullback=pullback, pushforward=pushforward)

    def renamed(m: Member) -> Member:
        units = {site: named(u) for site, u in facts_of(m).units.items()}
        return replace(m, unit=named(m.unit), facts=replace(facts_of(m), units=units))

    return [renamed(m) for m in members]


def plain_names(defs: list[C.Def], members: list[Member]) -> tuple[list[C.Def], dict[str, str]]:
    """The generated functions under names without needless numbers: versions of a callee that were
    looked at on the way but are not used have taken the plain ones."""
    outside = (names_of_code(source.fn.__code__) for m in members for source in sources_of(m))
    taken = {m.source.name for m in members}.union(*(_variables(d) for d in defs))
    names = NameAllocator(taken.union(runtime.names(), added_names(members), *outside))
    to: dict[str, str] = {}
    for m in members:
        for name, what in zip(names_of(m), _KINDS, strict=True):
            to[name] = names.fresh(f"{plain_name(facts_of(m).fn.name)}_{what}")

    def renamed(e: E.Expr) -> E.Expr:
        if isinstance(e, E.Ref) and e.value is None and e.text in to:
            return E.Ref(to[e.text], None)
        return rebuild(e, renamed)

    made = [
        replace(d, name=to[d.name], body=tuple(map_code(c, renamed) for c in d.body)) for d in defs
    ]
    return made, to


def added_names(members: list[Member]) -> frozenset[str]:
    """The names that formulas of users' rules have, in these functions."""
    rules = (app.rule for m in members for app in facts_of(m).apps.values())
    return frozenset(n for r in rules if r.custom is not None for n in r.custom.names)


def _variables(d: C.Def) -> set[str]:
    """The parameters and variables of a generated function."""
    bound = {n for c in all_code(d.body) for n in bound_by(c)}
    return bound | {p.name for p in d.params}
