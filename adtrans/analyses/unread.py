"""Writes of which nothing is ever read: other writes cover all of it before anybody looks.

    y[2:4] += x * x        # no influence on anything
    z = w * w
    y[1:5] = 0.5

`influence` follows what variables hold, and what ends that is a write of a whole array. Here parts
of arrays are followed backwards: those that are surely overwritten before they are read. A call
may read anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adtrans.analyses import dataflow
from adtrans.analyses.abstract import Obj
from adtrans.analyses.apply import Application
from adtrans.analyses.disjoint import covers, disjoint
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.places import Places
from adtrans.analyses.points_to import Memory
from adtrans.analyses.regions import ALL, Region
from adtrans.analyses.trips import Runs
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, is_immutable
from adtrans.ir.walk import names_in, reads_of, statements, walk

Parts = frozenset[tuple[Obj, Region]]
NOTHING: Parts = frozenset()
_PLAIN = (S.Bind, S.Load, S.Store, S.Update, S.Alias, S.If, S.For, S.While, S.Break, S.Continue)


def unread_writes(
    fn: S.Function, kinds: Kinds, apps: Mapping[int, Application], mem: Memory, places: Places,
    trips: Runs,
) -> frozenset[int]:  # fmt: skip
    """The sites of stores and updates all of which is overwritten before any of it is read."""
    written = {
        s.site: part
        for s in statements(fn.body)
        if isinstance(s, S.Store | S.Update) and (part := _written(s, kinds, mem, places))
    }
    if len(written) < 2:
        return frozenset()

    def before(s: S.Stmt, unread: Parts | None) -> Parts | None:
        if not unread and not isinstance(s, S.Store):
            return unread
        if unread is None or not is_plain(s, kinds, apps):
            return unread if unread is None else NOTHING
        if isinstance(s, S.For | S.While):  # an index means something else in another iteration
            unread = frozenset(p for p in unread if not any("#" in n for n in p[1].symbols))
        if made := mem.allocates.get(s.site):
            unread = frozenset(p for p in unread if p[0] not in made)
        if isinstance(s, S.Store) and s.site in written:
            unread |= {written[s.site]}
        facts = places.facts(s.site)
        for objects, region in _read(s, kinds, mem, places):
            unread = frozenset(
                (o, part)
                for o, part in unread
                if (o.form, o.key) not in objects or disjoint(part, region, facts)
            )
        return unread

    def join(a: Parts | None, b: Parts | None) -> Parts | None:
        if a is None or b is None:
            return a if b is None else b
        both = ((p, b) for p in a), ((p, a) for p in b)
        return frozenset(p for side in both for p, other in side if _is_inside(p, other))

    start: Parts | None = NOTHING
    flow = dataflow.backward(
        fn.body, start, before, join, bottom=None, runs=trips.some, single=trips.single
    )

    def is_unread(s: S.Store | S.Update) -> bool:
        obj, region = written[s.site]
        known = places.facts(s.site)
        around = region, places.window(s.base, s.site)  # what a view covers, its parts are in
        found = [part for o, part in flow.after.get(s.site) or () if o == obj]
        return any(covers(part, mine, known) for part in found for mine in around)

    return frozenset(
        s.site
        for s in statements(fn.body)
        if isinstance(s, S.Store | S.Update) and s.site in written and is_unread(s)
    )


def _is_inside(mine: tuple[Obj, Region], others: Parts) -> bool:
    """Whether a part is inside of one of the others, whatever is known of indices and sizes."""
    return mine in others or any(o == mine[0] and covers(p, mine[1]) for o, p in others)


def _written(
    s: S.Store | S.Update, kinds: Kinds, mem: Memory, places: Places
) -> tuple[Obj, Region] | None:
    """The one array, and the part of it, that a statement writes."""
    objects = mem.objects(s.base, s.site)
    if len(objects) != 1 or not isinstance(kinds.at(s.site, s.base), Array):
        return None
    (obj,) = objects
    if obj.old or obj.form not in ("site", "param"):
        return None
    return obj, places.region(s.base, s.items, s.site)


def _read(
    s: S.Stmt, kinds: Kinds, mem: Memory, places: Places
) -> Iterator[tuple[set[tuple[str, str]], Region]]:
    """The arrays that a statement looks at, and the part of them."""
    for v in reads_of(s):
        items: tuple[E.Expr, ...] | None = None
        if isinstance(s, S.Load | S.Store | S.Update) and v == s.base:
            more = () if isinstance(s, S.Load) else (s.value,)
            alone = not any(v in names_in(e) for e in (*(s.items or ()), *more))
            if alone and isinstance(s, S.Store):
                continue
            items = s.items if alone else None
        objects = {(o.form, o.key) for o in mem.objects(v, s.site)}
        if objects:
            array = isinstance(kinds.at(s.site, v), Array)
            yield objects, places.region(v, items, s.site) if array else ALL


def is_plain(s: S.Stmt, kinds: Kinds, apps: Mapping[int, Application]) -> bool:
    """Whether it is known what a statement reads: arrays and numbers by their names."""
    if not isinstance(s, _PLAIN):
        return False
    if isinstance(s, S.Bind) and not E.is_atom(s.value):
        if s.site not in apps or not isinstance(s.value, E.Call | E.Binary | E.Unary | E.Compare):
            return False
        given = (*s.value.args, *(v for _, v in s.value.kwargs)) if isinstance(
            s.value, E.Call
        ) else ()  # fmt: skip
        if any(isinstance(e, E.Ref) and callable(e.value) for a in given for e in walk(a)):
            return False
    held = (kinds.at(s.site, v) for v in reads_of(s))
    return all(isinstance(k, Array) or is_immutable(k) for k in held)
