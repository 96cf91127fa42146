"""Where activity ends and begins within a function: statements without influence on the result, and
operands that are constants where they are used.

    y = x * x          # no influence: `y` is overwritten before anything reads it
    y[:] = 0.5
    z = y * w          # `y` does not depend on the inputs here

`activity` tells whether a variable carries a derivative anywhere. Here the same question is
followed through the statements, with what ends it: binding a name, making an array again,
overwriting the whole of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from adtrans.analyses import dataflow
from adtrans.analyses.abstract import Obj
from adtrans.analyses.activity import Activity, constant_items, flows, header_flows
from adtrans.analyses.aliasing import Aliasing
from adtrans.analyses.apply import Application
from adtrans.analyses.disjoint import covers
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.places import Places
from adtrans.analyses.points_to import Memory
from adtrans.analyses.regions import ALL
from adtrans.analyses.subscripts import is_basic
from adtrans.analyses.trips import UNKNOWN_RUNS, Runs
from adtrans.analyses.unread import unread_writes
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array
from adtrans.ir.walk import binds_of, statements

State = frozenset["str | Obj"]
NOTHING: State = frozenset()
_SIMPLE = S.Bind | S.Load | S.Store | S.Update | S.Alias | S.Pack | S.Unpack | S.Invoke


@dataclass(frozen=True, slots=True)
class Influence:
    """`idle`: statements whose results have no influence, so that their adjoints are zero.
    `constant`: (site, variable) that is read there and does not depend on the inputs."""

    activity: Activity
    idle: frozenset[int] = frozenset()
    constant: frozenset[tuple[int, str]] = frozenset()

    def carries(self, e: E.Expr | str, site: int) -> bool:
        """Whether an operand of the statement `site` carries a derivative that is asked for."""
        name = e if isinstance(e, str) else e.id if isinstance(e, E.Name) else None
        return (
            name is not None
            and self.activity.active(name)
            and site not in self.idle
            and (site, name) not in self.constant
        )


def influence(
    fn: S.Function,
    act: Activity,
    wrt: tuple[str, ...],
    finals: tuple[str, ...],
    kinds: Kinds,
    apps: Mapping[int, Application],
    mem: Memory,
    places: Places,
    summaries: Mapping[int, Summary],
    alias: Aliasing,
    trips: Runs = UNKNOWN_RUNS,
) -> Influence:
    """Follow what the result depends on backwards, and what depends on the inputs forwards.

    A variable stands for what it holds; what is written through one is seen by those that look
    into the same memory then. The final contents of arguments are objects.
    """
    written = {s.site: frozenset(w.var for w in mem.at(s.site)) for s in statements(fn.body)}
    stmts = {s.site: s for s in statements(fn.body)}
    apart = constant_items(fn, summaries)
    unread = unread_writes(fn, kinds, apps, mem, places, trips)

    def read(sources: Iterable[E.Expr]) -> frozenset[str]:
        return frozenset(e.id for e in sources if isinstance(e, E.Name))

    @cache
    def moves(site: int) -> tuple[tuple[frozenset[str], State], ...]:
        """What a statement reads, and what receives it."""
        s = stmts[site]
        pairs = header_flows(s, kinds) if isinstance(s, S.For) else [
            flows(s, apps, summaries, apart)
        ]
        return tuple((read(sources), received(targets, s)) for sources, targets in pairs)

    @cache
    def changed(var: str, site: int) -> State:
        """What sees that the contents of a variable change at a site."""
        names = alias.follow(alias.partners(frozenset({var}), site), site)
        return names | {o for o in mem.objects(var, site) if o.form == "param"}

    def received(targets: list[str], s: S.Stmt) -> State:
        found: State = frozenset(targets)
        for t in targets:
            if t in written[s.site] or t not in binds_of(s):
                found |= changed(t, s.site)
        return found

    def shared(site: int) -> tuple[tuple[State, State], ...]:
        """The variables into whose memory a statement makes others look, and these."""
        link = alias.links.get(site)
        return () if link is None or not link.sources else link.flows

    @cache
    def ended(site: int) -> State:
        """What a statement puts an end to: values of names, the contents of a whole array."""
        s = stmts[site]
        if isinstance(s, S.Store):
            return replaced(s, kinds, mem, places, alias)
        names = () if isinstance(s, S.Keep | S.Update) else binds_of(s)
        return frozenset(names)

    def backwards(s: S.Stmt, useful: State) -> State:
        if isinstance(s, S.Return):
            return useful | read(s.values)
        if s.site in unread:
            return useful - ended(s.site)
        pairs = (*moves(s.site), *shared(s.site))
        more = [sources for sources, targets in pairs if targets & useful]
        return (useful - ended(s.site)).union(*more)

    def forwards(s: S.Stmt, varied: State) -> State:
        pairs = (*moves(s.site), *shared(s.site))
        more = [targets for sources, targets in pairs if sources & varied]
        return (varied - ended(s.site)).union(*more)

    end: State = frozenset(Obj("param", p) for p in finals) | frozenset(finals)
    useful = dataflow.backward(
        fn.body,
        end,
        backwards,
        frozenset.union,
        bottom=NOTHING,
        runs=trips.some,
        single=trips.single,
    )
    start: State = frozenset(wrt)
    varied = dataflow.forward(
        fn.body,
        start,
        forwards,
        frozenset.union,
        runs=trips.some,
        single=trips.single,
    )
    simple = [s for s in statements(fn.body) if isinstance(s, _SIMPLE)]
    idle = frozenset(
        s.site
        for s in simple
        if s.site in useful.after
        and not any(targets & useful.after[s.site] for _, targets in moves(s.site))
        and not any((of | into) & useful.after[s.site] for of, into in shared(s.site))
    )
    idle |= unread
    constant = frozenset(
        (s.site, n)
        for s in simple
        if s.site in varied.before
        for sources, _ in moves(s.site)
        for n in sources - varied.before[s.site]
    )
    return Influence(act, idle, constant)


def replaced(s: S.Store, kinds: Kinds, mem: Memory, places: Places, alias: Aliasing) -> State:
    """What cannot be seen any more after a store, because it is overwritten: the contents of the
    array, of the variables that look at a part of what is filled, and of arguments."""
    if not isinstance(kinds.at(s.site, s.base), Array):
        return NOTHING
    known = places.facts(s.site)
    found: set[str | Obj] = set()
    if covers(places.subscript(s.base, s.items, s.site), ALL, known):
        found.add(s.base)
        partners = alias.partners(frozenset({s.base}), s.site)
        found |= {v for v in partners if looks_into(v, s.base, places, kinds)}
    objects = mem.objects(s.base, s.site)
    region = places.region(s.base, s.items, s.site)
    if len(objects) != 1 or any(o.old or o.form not in ("site", "param") for o in objects):
        return frozenset(found)
    for v in alias.partners(frozenset({s.base}), s.site):
        same = isinstance(kinds.at(s.site, v), Array) and mem.objects(v, s.site) == objects
        if same and covers(region, places.window(v, s.site), known):
            found.add(v)
    if covers(region, ALL, known):
        found |= objects
    return frozenset(found)


def looks_into(var: str, base: str, places: Places, kinds: Kinds) -> bool:
    """Whether a variable is a part of what another one means, whatever that is: it was taken from
    there, and the other one has not been bound since."""
    defs, seen = places.definitions, set[str]()
    while var not in seen and var not in defs.params and len(defs.sites.get(var, ())) == 1:
        seen.add(var)
        (d,) = defs.sites[var]
        s = defs.statements[d]
        if (
            isinstance(s, S.Load)
            and is_basic(s.items, d, kinds)
            and isinstance(kinds.at(d, s.base), Array)
        ):
            source = s.base
        elif isinstance(s, S.Alias):
            source = s.source
        else:
            return False
        if source in defs.redefined_after(d):
            return False
        if source == base:
            return True
        var = source
    return False
