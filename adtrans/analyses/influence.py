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

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from adtrans.analyses import dataflow
from adtrans.analyses.abstract import Obj
from adtrans.analyses.activity import Activity, flows, header_flows
from adtrans.analyses.aliasing import Aliasing
from adtrans.analyses.apply import Application
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.liveness import Liveness
from adtrans.analyses.memory import Memory
from adtrans.analyses.places import Places
from adtrans.analyses.regions import ALL, covers
from adtrans.analyses.trips import UNKNOWN_RUNS, Runs
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
    live: Liveness,
    alias: Aliasing,
    trips: Runs = UNKNOWN_RUNS,
) -> Influence:
    """Follow what the result depends on backwards, and what depends on the inputs forwards.

    A variable stands for what it holds; what is written through one is seen by those that look
    into the same memory then. The final contents of arguments are objects.
    """
    written = {s.site: frozenset(w.var for w in mem.at(s.site)) for s in statements(fn.body)}

    def pairs(s: S.Stmt) -> list[tuple[list[E.Expr], list[str]]]:
        return list(header_flows(s, kinds)) if isinstance(s, S.For) else [flows(s, apps, summaries)]

    def read(sources: list[E.Expr]) -> State:
        return frozenset(e.id for e in sources if isinstance(e, E.Name))

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

    def shared(s: S.Stmt) -> tuple[State, State]:
        """The variables that a statement makes look into the memory of others, and these."""
        link = alias.links.get(s.site)
        if link is None or not link.sources:
            return NOTHING, NOTHING
        return link.targets, link.sources

    def ended(s: S.Stmt) -> State:
        """What a statement puts an end to: values of names, the contents of a whole array."""
        if isinstance(s, S.Store):
            return replaced(s, kinds, mem, places, live, alias)
        names = () if isinstance(s, S.Keep | S.Update) else binds_of(s)
        return frozenset(names)

    def backwards(s: S.Stmt, useful: State) -> State:
        if isinstance(s, S.Return):
            return useful | read(list(s.values))
        more = [read(sources) for sources, targets in pairs(s) if received(targets, s) & useful]
        targets, sources = shared(s)
        if targets & useful:
            more.append(sources)
        return (useful - ended(s)).union(*more)

    def forwards(s: S.Stmt, varied: State) -> State:
        more = [received(targets, s) for sources, targets in pairs(s) if read(sources) & varied]
        targets, sources = shared(s)
        if sources & varied:
            more.append(targets)
        return (varied - ended(s)).union(*more)

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
        and not any(received(t, s) & useful.after[s.site] for _, t in pairs(s))
        and not frozenset().union(*shared(s)) & useful.after[s.site]
    )
    constant = frozenset(
        (s.site, n)
        for s in simple
        if s.site in varied.before
        for n in operands_of(pairs(s))
        if n not in varied.before[s.site]
    )
    return Influence(act, idle, constant)


def operands_of(pairs: list[tuple[list[E.Expr], list[str]]]) -> Iterator[str]:
    """The variables that carry a derivative into a statement."""
    for sources, _ in pairs:
        yield from (e.id for e in sources if isinstance(e, E.Name))


def replaced(
    s: S.Store, kinds: Kinds, mem: Memory, places: Places, live: Liveness, alias: Aliasing
) -> State:
    """What cannot be seen any more after a store, because it is overwritten: the contents of the
    array, of the variables that look at a part of what is filled, and of arguments."""
    if not isinstance(kinds.at(s.site, s.base), Array):
        return NOTHING
    known = places.facts(s.site)
    found: set[str | Obj] = set()
    if covers(places.subscript(s.base, s.items, s.site), ALL, known):
        found.add(s.base)
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
