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
from dataclasses import dataclass, replace

from adtrans.analyses import dataflow
from adtrans.analyses.activity import Activity, flows, header_flows
from adtrans.analyses.apply import Application
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.liveness import Liveness
from adtrans.analyses.memory import Memory, Obj
from adtrans.analyses.places import Places
from adtrans.analyses.regions import ALL, covers
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, is_immutable
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
) -> Influence:
    """Follow what the result depends on backwards, and what depends on the inputs forwards."""

    def marks(var: str, site: int, *, after: bool = False) -> State:
        """What stands for the value of a variable: arrays for what they hold, wherever it is."""
        kind = kinds.var(var)
        if is_immutable(kind):
            return frozenset({var})
        objects: State = frozenset(mem.objects(var, site, after=after))
        return objects if objects and isinstance(kind, Array) else objects | {var}

    def pairs(s: S.Stmt) -> list[tuple[list[E.Expr], list[str]]]:
        return list(header_flows(s, kinds)) if isinstance(s, S.For) else [flows(s, apps, summaries)]

    def read(sources: list[E.Expr], site: int) -> State:
        names = (e.id for e in sources if isinstance(e, E.Name))
        return NOTHING.union(*(marks(n, site) for n in names))

    def received(targets: list[str], site: int) -> State:
        return NOTHING.union(*(marks(t, site, after=True) for t in targets))

    def ended(s: S.Stmt) -> State:
        """What a statement puts an end to: values of names, the contents of a whole array."""
        if isinstance(s, S.Store):
            return frozenset(overwritten(s, kinds, mem, places, live))
        names = () if isinstance(s, S.Keep | S.Update) else binds_of(s)
        return frozenset(names)

    def backwards(s: S.Stmt, useful: State) -> State:
        if isinstance(s, S.Return):
            return useful | read(list(s.values), s.site)
        more = [
            read(sources, s.site)
            for sources, targets in pairs(s)
            if received(targets, s.site) & useful
        ]
        made = mem.allocates.get(s.site, frozenset())
        again = {o for o in made if replace(o, old=True) in useful}
        return (useful - ended(s) - made).union(again, *more)

    def forwards(s: S.Stmt, varied: State) -> State:
        more = [
            received(targets, s.site)
            for sources, targets in pairs(s)
            if read(sources, s.site) & varied
        ]
        made = mem.allocates.get(s.site, frozenset())
        again = {replace(o, old=True) for o in made if o in varied}
        return (varied - ended(s) - made).union(again, *more)

    end: State = frozenset(Obj("param", p) for p in finals) | frozenset(finals)
    useful = dataflow.backward(
        fn.body, end, backwards, frozenset.union, bottom=NOTHING, runs=surely_runs
    )
    start: State = frozenset(Obj("param", p) for p in wrt) | frozenset(wrt)
    varied = dataflow.forward(fn.body, start, forwards, frozenset.union, runs=surely_runs)
    simple = [s for s in statements(fn.body) if isinstance(s, _SIMPLE)]
    idle = frozenset(
        s.site
        for s in simple
        if s.site in useful.after
        and not any(received(t, s.site) & useful.after[s.site] for _, t in pairs(s))
    )
    constant = frozenset(
        (s.site, n)
        for s in simple
        if s.site in varied.before
        for n in operands_of(pairs(s))
        if not marks(n, s.site) & varied.before[s.site]
    )
    return Influence(act, idle, constant)


def operands_of(pairs: list[tuple[list[E.Expr], list[str]]]) -> Iterator[str]:
    """The variables that carry a derivative into a statement."""
    for sources, _ in pairs:
        yield from (e.id for e in sources if isinstance(e, E.Name))


def overwritten(
    s: S.Store, kinds: Kinds, mem: Memory, places: Places, live: Liveness
) -> Iterator[Obj]:
    """The arrays of which nobody can see the earlier contents after a store: the one that it fills,
    and those that were known under this name only."""
    objects = mem.objects(s.base, s.site)
    if not isinstance(kinds.at(s.site, s.base), Array):
        return
    if not covers(places.region(s.base, s.items, s.site), ALL, places.facts(s.site)):
        return
    others = live.out.get(s.site, frozenset()) - {s.base}
    seen = frozenset(o for v in others for o in mem.objects(v, s.site))
    for obj in objects:
        alone = len(objects) == 1 and not obj.old and obj.form in ("site", "param")
        if alone or (obj.form == "site" and obj not in seen):
            yield obj


def surely_runs(loop: S.For) -> bool:
    """Whether the header alone tells that there is an iteration."""
    it = loop.iter.inner if isinstance(loop.iter, S.Reversed) else loop.iter
    if not isinstance(it, S.Range):
        return False
    bounds = [e.value if isinstance(e, E.Const) else None for e in (it.start, it.stop, it.step)]
    start, stop, step = bounds
    if not (isinstance(start, int) and isinstance(stop, int) and isinstance(step, int) and step):
        return False
    return len(range(start, stop, step)) > 0
