"""Takes read-only views again where they are read, after what they look at was written.

    rows = np.broadcast_to(y, (3, 4))       rows = np.broadcast_to(y, (3, 4))
    s = np.sum(rows * rows)                 s = np.sum(rows * rows)
    y[0] = 2.0                         ->   y[0] = 2.0
    return s + np.sum(rows)                 rows = np.broadcast_to(y, (3, 4))
                                            return s + np.sum(rows)

It is the same view as before. But none is in use any more while something is written, so that no
adjoint has to be a window whose elements share memory, as those of a broadcast array would.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.references import read_only
from adtrans.analyses.subscripts import is_basic
from adtrans.analyses.webs import webs
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, is_immutable
from adtrans.ir.walk import binds_of, map_blocks, names_in, operands, reads_of, statements

Way = tuple[S.Stmt, ...]


def retaken(facts: Facts) -> S.Function | None:
    """The function with such views taken again, where one of them has no adjoint otherwise; None
    without any."""
    ways = _ways(facts)
    late: dict[int, list[Way]] = {}
    for v, way in ways.items():
        for site in _late(v, way, facts):
            late.setdefault(site, []).append(way)
    if not late or not all(_always_there(site, found, facts) for site, found in late.items()):
        return None
    split = _split(late, facts)
    writing = {w.site for w in facts.memory.writes}
    number = max(facts.structure.stmts)

    def again(s: S.Stmt) -> S.Stmt:
        nonlocal number
        number += 1
        return replace(s, site=number, origin=0)

    def block(b: S.Block) -> S.Block:
        made: list[S.Stmt] = []
        taken: set[S.Stmt] = set()  # since something was written
        start = 0  # of what the user's statement was lowered into
        for k, s in enumerate(b):
            if k == 0 or not s.origin or s.origin in split or b[k - 1].origin != s.origin:
                start = len(made)
            todo = [d for way in late.get(s.site, ()) for d in way if d not in taken]
            made[start:start] = map(again, dict.fromkeys(todo))
            taken.update(todo)
            inner = map_blocks(s, block)
            made.append(replace(inner, origin=0) if s.origin in split else inner)
            if any(t.site in writing for t in statements((s,))):
                taken.clear()
        return tuple(made)

    return webs(replace(facts.fn, body=block(facts.fn.body)))


def _ways(facts: Facts) -> Mapping[str, Way]:
    """The definitions that lead to each view, from one that cannot be written down to it; of those
    that have to do with a view whose adjoint cannot be told."""
    ways: dict[str, Way] = {}
    for s in statements(facts.fn.body):
        source = _looked_at(s, facts)
        for v in binds_of(s) if source is not None else ():
            if not _stays(v, s, facts):
                continue
            if isinstance(s, S.Bind) and read_only(facts.apps[s.site]):
                ways[v] = (s,)
            elif source in ways:
                ways[v] = (*ways[source], s)
    unclear = {v for v in facts.sharing.ambiguous if facts.activity.active(v)}
    first = {ways[v][0] for v in unclear & ways.keys()}
    return {v: way for v, way in ways.items() if way[0] in first}


def _looked_at(s: S.Stmt, facts: Facts) -> str | None:
    """The array that a statement takes a view of, or gives another name."""
    match s:
        case S.Alias():
            return s.source
        case S.Load() if is_basic(s.items, s.site, facts.kinds):
            return s.base if isinstance(facts.kinds.at(s.site, s.base), Array) else None
        case S.Bind() if (app := facts.apps.get(s.site)) is not None and app.result == "view":
            of = app.source
            return of.id if isinstance(of, E.Name) else None
        case _:
            return None


def _stays(var: str, made: S.Stmt, facts: Facts) -> bool:
    """Whether the names in the definition of a view mean the same for as long as it is in use."""
    if facts.definitions.sites.get(var) != (made.site,) or var in facts.definitions.params:
        return False
    for name in {n for e in operands(made) for n in names_in(e)}:
        kind = facts.kinds.var(name)
        if not isinstance(kind, Array) and not is_immutable(kind):
            return False
        for site in _bindings(name, facts):
            s = facts.structure.stmts[site]
            if site == made.site or (isinstance(s, S.Update) and isinstance(kind, Array)):
                continue
            if var in facts.live.out.get(site, ()) or var in facts.live.head.get(site, ()):
                return False
    return True


def _bindings(name: str, facts: Facts) -> Iterator[int]:
    """The statements that bind a name of the user's, or the same name in another of its lives."""
    same = facts.fn.source_name(name)
    for v, sites in facts.definitions.sites.items():
        if facts.fn.source_name(v) == same:
            yield from sites


def _late(var: str, way: Way, facts: Facts) -> Iterator[int]:
    """The statements that read a view after it may have been written under another name."""
    writes = {
        w.site
        for w in facts.memory.writes
        if var in facts.live.out.get(w.site, ()) and facts.aliasing.together(var, w.var, w.site)
    }
    if writes:
        for s in facts.structure.stmts.values():
            if var in reads_of(s) and not _soon(way[-1].site, s.site, writes, facts):
                yield s.site


def _soon(made: int, read: int, writes: Collection[int], facts: Facts) -> bool:
    """Whether nothing is written between two statements of one block."""
    places = facts.structure
    if places.block[made] != places.block[read] or places.position[made] > places.position[read]:
        return False
    between = places.contents[places.block[made]][places.position[made] : places.position[read]]
    return not any(s.site in writes for s in statements(between))


def _always_there(site: int, ways: Iterable[Way], facts: Facts) -> bool:
    """Whether the views can be taken before a statement: it is run once for each time that it is
    reached, and they have been there before."""
    if isinstance(facts.structure.stmts[site], S.While):
        return False
    return all(facts.structure.dominates(s.site, site) for way in ways for s in way)


def _split(late: Collection[int], facts: Facts) -> frozenset[int]:
    """The user's statements that write before they read one of the views."""
    writing = {w.site for w in facts.memory.writes}
    written: set[int] = set()
    found: set[int] = set()
    for s in facts.structure.stmts.values():
        if s.site in late and s.origin in written:
            found.add(s.origin)
        if s.site in writing:
            written.add(s.origin)
    return frozenset(found - {0})
