"""Which variables may look into the same memory at the same time.

Points-to sets alone cannot tell `a, b = b, a` from two names for one array: after the loop has gone
round, both may refer to either buffer, but never both to the same. So pairs are followed directly.

    a = u.copy(); b = u.copy()      {}
    t = a                           {(a, t)}
    a = b                           {(a, b)}
    b = t                           {(b, t)}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adtrans.analyses import dataflow
from adtrans.analyses.apply import Application
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.memory import Memory, elements_in, gathered, makes_apart, shares
from adtrans.analyses.subscripts import selects_copy, selects_number
from adtrans.analyses.trips import UNKNOWN_RUNS, Runs
from adtrans.analyses.writes import actuals, puts
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import is_immutable
from adtrans.ir.walk import binds_of, names_in

Names = frozenset[str]
Pair = frozenset[str]
Pairs = frozenset[Pair]


@dataclass(frozen=True, slots=True)
class Link:
    """A statement after which `targets` may look into the memory of the variables `sources`; the
    names `ends` do not mean any more what they did. `puts`: what is put into which list."""

    sources: Names
    targets: Names
    ends: Names
    puts: tuple[tuple[str, Names], ...] = ()


@dataclass(frozen=True, slots=True)
class Aliasing:
    """The pairs that may alias before each site; `links`: what each binding may share."""

    before: Mapping[int, Pairs]
    links: Mapping[int, Link] = field(default_factory=dict)

    def together(self, a: str, b: str, site: int) -> bool:
        """Whether two variables may look into the same memory before `site`."""
        return a == b or frozenset((a, b)) in self.before.get(site, frozenset())

    def partners(self, names: Names, site: int) -> Names:
        """The variables that may look into the memory of one of `names` before `site`."""
        return names | {v for p in self.before.get(site, frozenset()) if p & names for v in p}

    def follow(self, names: Names, site: int) -> Names:
        """The variables that may look into a piece of memory after the statement, `names` being
        those that may before it."""
        link = self.links.get(site)
        if link is None:
            return names
        for into, held in link.puts * 2:
            if names & held:
                names |= self.partners(frozenset({into}), site)
            if into in names:
                names |= self.partners(held, site)
        kept = names - link.ends
        return kept | link.targets if names & link.sources else kept


def aliasing(
    fn: S.Function,
    kinds: Kinds,
    apps: Mapping[int, Application],
    mem: Memory,
    summaries: Mapping[int, Summary],
    trips: Runs = UNKNOWN_RUNS,
) -> Aliasing:
    """Follow the pairs through `fn`. Parameters are taken to be apart."""
    apart = makes_apart(fn, summaries, apps)
    links: dict[int, Link] = {}

    def transfer(s: S.Stmt, state: Pairs) -> Pairs:
        if isinstance(s, S.Update):
            return state
        put: list[tuple[str, Names]] = []
        for into, values in puts(s, kinds, summaries):
            held = frozenset(
                n for a in values for n in names_in(a) if not is_immutable(kinds.var(n))
            )
            put.append((into, held))
            inside = held | {v for p in state if p & held for v in p}
            outside = {into} | {v for p in state if into in p for v in p}
            state = state | {frozenset((x, y)) for x in inside for y in outside if x != y}
        targets = [v for v in binds_of(s) if not is_immutable(kinds.var(v))]
        if put:
            links[s.site] = Link(frozenset(), frozenset(), frozenset(), tuple(put))
        if not binds_of(s):
            return state
        found = sources(s, kinds, apps, summaries)
        if isinstance(s, S.Unpack) and s.source in apart:
            found = frozenset()
        if isinstance(s, S.Load) and s.base in fn.apart:
            found = frozenset()
        for var in targets:
            objects = mem.objects(var, s.site, after=True)
            beyond = {o for o in objects if o.form == "global"}
            for v, o in mem.before.get(s.site, {}).items():
                if o & beyond:
                    found = found | {v}
        linked = found | {v for p in state if p & found for v in p}
        keep = isinstance(s, S.Keep)
        ends = frozenset[str]() if keep else frozenset(binds_of(s))
        links[s.site] = Link(found, frozenset(targets), ends, tuple(put))
        state = frozenset(p for p in state if keep or not p & {*binds_of(s)})
        new = {frozenset((x, v)) for x in targets for v in linked if v != x}
        among = {frozenset((x, y)) for x in targets for y in targets if x != y} if found else set()
        return state | new | among

    start: Pairs = frozenset()
    flow = dataflow.forward(
        fn.body, start, transfer, frozenset.union, runs=trips.some, single=trips.single
    )
    return Aliasing({**flow.before, **flow.test}, links)


def sources(
    s: S.Stmt, kinds: Kinds, apps: Mapping[int, Application], summaries: Mapping[int, Summary]
) -> frozenset[str]:
    """The variables whose memory the value that `s` binds may share."""
    match s:
        case S.Alias() | S.Unpack():
            found = {s.source}
        case S.Edit():
            found = set(shares(s, kinds))
        case S.Load():
            apart = selects_copy(s, kinds) or selects_number(s, kinds)
            found = set() if apart else {s.base}
        case S.Bind():
            app = apps.get(s.site)
            if app is None:
                found = names_in(s.value)
            else:
                of = () if app.result == "fresh" else (app.bound.get(app.rule.of or "", E.NONE),)
                found = {n for e in (*of, *gathered(s, app, kinds)) for n in names_in(e)}
        case S.Pack():
            found = {n for i in s.items for n in names_in(i)}
        case S.Invoke():
            summary = summaries.get(s.site)
            if summary is None:
                args = (s.fn, *s.args, *(v for _, v in s.kwargs))
                found = {n for a in args for n in names_in(a)}
            else:
                given = actuals(s, summary)
                found = {n for p in summary.returns if p in given for n in names_in(given[p])}
        case S.For():
            found = set(elements_in(s.iter))
        case S.Keep():
            found = set(s.reads)
        case S.With():
            found = names_in(s.context)
        case _:
            found = set()
    return frozenset(v for v in found if not is_immutable(kinds.var(v)))
