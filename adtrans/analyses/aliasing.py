"""Which variables may look into the same memory at the same time.

Points-to sets alone cannot tell `a, b = b, a` from two names for one array: after the loop has gone
round, both may refer to either buffer, but never both to the same. So pairs are followed directly.

    a = u.copy(); b = u.copy()      {}
    t = a                           {(a, t)}
    a = b                           {(a, b)}
    b = t                           {(b, t)}

A name may have hundreds of others, as what a tuple of residuals holds has. So names are numbered
while they are followed, and a set of them is an integer, with a bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from adtrans.analyses import dataflow
from adtrans.analyses.apply import Application
from adtrans.analyses.deposits import deposits
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.points_to import Memory, elements_in, gathered, makes_apart, origins, shares
from adtrans.analyses.subscripts import selects_copy, selects_number
from adtrans.analyses.trips import UNKNOWN_RUNS, Runs
from adtrans.analyses.writes import actuals, puts
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import is_immutable
from adtrans.ir.walk import binds_of, names_in

Names = frozenset[str]
NOBODY: Names = frozenset()
Near = Mapping[int, int]  # by name, the other names of what it means, where there are any


@dataclass(frozen=True, slots=True)
class Link:
    """A statement after which `targets` may look into the memory of the variables `sources`; the
    names `ends` do not mean any more what they did. `puts`: what is put into which list. `apart`:
    the same for the targets of a loop, each of which looks into something else."""

    sources: Names
    targets: Names
    ends: Names
    puts: tuple[tuple[str, Names], ...] = ()
    apart: tuple[tuple[Names, Names], ...] = ()

    @property
    def flows(self) -> tuple[tuple[Names, Names], ...]:
        """Sources and targets, those that belong together."""
        return self.apart or ((self.sources, self.targets),)

    def reached(self, names: Names) -> Names:
        """The targets that may look into the memory of one of `names`."""
        return NOBODY.union(*(targets for sources, targets in self.flows if names & sources))


@dataclass(frozen=True, slots=True)
class Aliasing:
    """The names that may alias before each site; `links`: what each binding may share; `numbers`:
    the bits that stand for names."""

    before: Mapping[int, Near]
    links: Mapping[int, Link] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    def together(self, a: str, b: str, site: int) -> bool:
        """Whether two variables may look into the same memory before `site`."""
        if a == b:
            return True
        at, other = self.numbers.get(a, -1), self.numbers.get(b, -1)
        return other >= 0 and bool(self.before.get(site, {}).get(at, 0) >> other & 1)

    def partners(self, names: Names, site: int) -> Names:
        """The variables that may look into the memory of one of `names` before `site`."""
        near = self.before.get(site)
        if not near:
            return names
        found = 0
        for n in names:
            found |= near.get(self.numbers.get(n, -1), 0)
        return names.union([self.names[k] for k in _members(found)]) if found else names

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
        return (names - link.ends) | link.reached(names)


def _members(names: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while names:
        last = names & -names
        yield last.bit_length() - 1
        names ^= last


def _partners(near: Near, names: int) -> int:
    found = names
    for v in _members(names) if near else ():
        found |= near.get(v, 0)
    return found


def _connected(near: Near, these: int, those: int) -> Near:
    """Each of `these` may look into the memory of each of `those`."""
    new = dict(near)
    for some, others in ((these, those), (those, these)):
        for v in _members(some):
            if more := others & ~(1 << v):
                new[v] = new.get(v, 0) | more
    return new


def _without(near: Near, ends: int) -> Near:
    """What is left when some names do not mean any more what they did."""
    others = 0
    for v in _members(ends):
        others |= near.get(v, 0)
    if not others:  # names without any are not in there
        return near
    new = {v: found for v, found in near.items() if not ends >> v & 1}
    for other in _members(others & ~ends):
        if left := near[other] & ~ends:
            new[other] = left
        else:
            del new[other]
    return new


def aliasing(
    fn: S.Function,
    kinds: Kinds,
    apps: Mapping[int, Application],
    mem: Memory,
    summaries: Mapping[int, Summary],
    trips: Runs = UNKNOWN_RUNS,
) -> Aliasing:
    """Follow the pairs through `fn`. Parameters are taken to be apart."""
    apart = makes_apart(fn, kinds, summaries, apps)
    links: dict[int, Link] = {}
    numbers: dict[str, int] = {}

    def bits(names: Iterable[str]) -> int:
        found = 0
        for n in names:
            found |= 1 << numbers.setdefault(n, len(numbers))
        return found

    def transfer(s: S.Stmt, state: Near) -> Near:
        if isinstance(s, S.Update):
            return state
        put: list[tuple[str, Names]] = []
        for into, values in puts(s, kinds, summaries):
            held = frozenset(
                n for a in values for n in names_in(a) if not is_immutable(kinds.var(n))
            )
            put.append((into, held))
        left = deposits(s, summaries)
        put += ((d.into, d.others) for d in left if d.others)
        for into, held in put:
            state = _connected(state, _partners(state, bits(held)), _partners(state, bits((into,))))
        if put:
            links[s.site] = Link(NOBODY, NOBODY, NOBODY, tuple(put))
        bound = frozenset(binds_of(s))
        if not bound:
            return state
        targets = frozenset(v for v in bound if not is_immutable(kinds.var(v)))
        found = sources(s, kinds, apps, summaries) | {d.into for d in left if d.returned}
        if isinstance(s, S.Unpack) and s.source in apart:
            found = NOBODY
        if isinstance(s, S.Load) and s.base in fn.apart:
            found = NOBODY
        for var in targets:
            objects = mem.objects(var, s.site, after=True)
            beyond = {o for o in objects if o.form == "global"}
            for v, o in mem.before.get(s.site, {}).items() if beyond else ():
                if o & beyond:
                    found = found | {v}
        flows: tuple[tuple[Names, Names], ...] = ((found, targets),)
        if isinstance(s, S.For):
            flows = tuple(
                (frozenset(of) & found | (found - frozenset(elements_in(s.iter))), frozenset({v}))
                for v, of in origins(s.target, s.iter)
                if v in targets
            )
        linked = [_partners(state, bits(of)) for of, _ in flows]
        receiving = [bits(into) for _, into in flows]
        ends = NOBODY if isinstance(s, S.Keep) else bound
        links[s.site] = Link(found, targets, ends, tuple(put), flows if len(flows) > 1 else ())
        state = _without(state, bits(ends))
        for k, mine in enumerate(receiving):
            near = linked[k]
            for i in range(k):
                near |= receiving[i] if linked[k] & linked[i] else 0
            if mine and near:
                state = _connected(state, mine, near | mine)
        return state

    start: Near = {}
    flow = dataflow.forward(
        fn.body, start, transfer, dataflow.merged, runs=trips.some, single=trips.single
    )
    return Aliasing({**flow.before, **flow.test}, links, numbers, tuple(numbers))


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
                of = () if app.result == "fresh" else (app.source or E.NONE,)
                found = {n for e in (*of, *gathered(s, app, kinds, apps)) for n in names_in(e)}
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
