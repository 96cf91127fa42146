"""Memory: which abstract objects each variable may refer to, and which statements write them.

An object is an allocation site, a parameter, a global, or the same of an earlier iteration: when a
loop executes an allocation again, the object that it made before goes on as `old`.
Points-to sets are flow-sensitive: binding a name ends what it referred to before.

>>> print(Obj("param", "u"), Obj("site", "7", old=True), sep="; ")
param u; earlier site 7
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from adtrans.analyses import dataflow
from adtrans.analyses.abstract import (
    CACHED,
    GLOBAL,
    NOTHING,
    Obj,
    Objects,
    Points,
    containers,
    has_container,
    held_by,
    holds_no_list,
    item_of,
    objects_of,
)
from adtrans.analyses.apply import Application
from adtrans.analyses.deposits import deposits
from adtrans.analyses.effects import Summary
from adtrans.analyses.kept import keeps
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.new_objects import makes_new
from adtrans.analyses.object_arrays import elements_held
from adtrans.analyses.structure import structure
from adtrans.analyses.subscripts import is_basic, selects_copy, selects_number
from adtrans.analyses.trips import UNKNOWN_RUNS, Runs
from adtrans.analyses.writes import Write, puts, reaching, writes_of
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.effort import spend
from adtrans.ir.kinds import Array, Container, Kind, ListOf, Mixed, Scalar, TupleOf, is_immutable
from adtrans.ir.walk import binds_of, names_in, reads_of, statements
from adtrans.source.cached import remembers


@dataclass(frozen=True, slots=True)
class Memory:
    """Points-to sets `before` and `after` each site, the objects that each site `allocates`, all
    `writes` in textual order. `points_to` joins everything about a variable."""

    before: Mapping[int, Mapping[str, Objects]]
    after: Mapping[int, Mapping[str, Objects]]
    points_to: Mapping[str, Objects]
    allocates: Mapping[int, Objects]
    writes: tuple[Write, ...]
    _at: Mapping[int, tuple[Write, ...]]

    def objects(self, var: str, site: int | None = None, *, after: bool = False) -> Objects:
        """What `var` may refer to (there, or anywhere); nothing for immutable values."""
        if site is None:
            return self.points_to.get(var, NOTHING)
        return (self.after if after else self.before).get(site, {}).get(var, NOTHING)

    def of(self, e: E.Expr) -> Objects:
        """What an expression may refer to, anywhere."""
        return objects_of(e, self.points_to)

    @property
    def written(self) -> Objects:
        """Every object that some statement writes."""
        return frozenset(o for w in self.writes for o in w.objects)

    def at(self, site: int) -> tuple[Write, ...]:
        """The writes of one statement."""
        return self._at.get(site, ())


def _new(form: str, key: str, kinds: Iterable[Kind]) -> Objects:
    """A new object of one of these kinds: where that may be a list, it and what the list holds."""
    forms = {form, "list"} if any(map(has_container, kinds)) else {form}
    return frozenset(Obj(f, key) for f in forms)


def elements_in(it: S.Iter) -> Iterator[str]:
    """The variables whose elements a loop iterates over."""
    match it:
        case S.Elements():
            yield it.source
        case S.Enumerate() | S.Reversed():
            yield from elements_in(it.inner)
        case S.Zip():
            for inner in it.inners:
                yield from elements_in(inner)
        case S.Range():
            return


def origins(target: S.Target, it: S.Iter) -> Iterator[tuple[str, list[str]]]:
    """For each variable of a target the variables whose elements it may get, or a part of them."""
    match target, it:
        case str(), _:
            yield target, list(elements_in(it))
        case (first, second), S.Enumerate(inner=inner):
            yield from ((v, []) for v, _ in origins(first, it))
            yield from origins(second, inner)
        case tuple(), S.Zip(inners=inners) if len(target) == len(inners):
            for t, inner in zip(target, inners, strict=True):
                yield from origins(t, inner)
        case _:
            for t in target:
                yield from origins(t, it)


def memory(
    fn: S.Function,
    kinds: Kinds,
    apps: Mapping[int, Application],
    summaries: Mapping[int, Summary],
    trips: Runs = UNKNOWN_RUNS,
) -> Memory:
    """What every variable may refer to, and what every statement may write."""
    allocates: dict[int, Objects] = {}
    apart = makes_apart(fn, kinds, summaries, apps)

    def fresh(s: S.Stmt, form: str = "site") -> Objects:
        made = _new(form, str(s.site), map(kinds.var, binds_of(s)))
        return allocates.setdefault(s.site, made)

    def left(s: S.Stmt, into: str) -> Objects:
        """What a callee made and left in a container."""
        kind = kinds.var(into)
        held = (kind.item, *(k for _, k in getattr(kind, "fields", ()))) if isinstance(
            kind, Container
        ) else (kind,)
        made = _new("site", f"{s.site}.{into}", held)
        allocates[s.site] = allocates.get(s.site, NOTHING) | made
        return made

    def part(s: S.Unpack, k: int) -> Objects:
        parts = [_new("site", f"{s.site}.{i}", (kinds.var(v),)) for i, v in enumerate(s.targets)]
        allocates.setdefault(s.site, NOTHING.union(*parts))
        return parts[k]

    def bound_objects(s: S.Stmt, points: Points) -> Objects:
        def of(e: E.Expr) -> Objects:
            return objects_of(e, points)

        match s:
            case S.Bind(value=E.Call(fn=E.Ref(value=made))) if makes_new(made):
                return fresh(s)
            case S.Bind(value=E.Attribute(base=E.Name(id=owner), attr=attr)) if keeps(
                kinds.at(s.site, owner), attr
            ):
                return of(s.value) | {Obj("global", E.text(s.value))}
            case S.Bind():
                app = apps.get(s.site)
                if app is None:
                    own = NOTHING if E.is_atom(s.value) else fresh(s)
                    return of(s.value) | own
                inside = NOTHING.union(*map(of, gathered(s, app, kinds, apps)))
                if app.result == "fresh":
                    return fresh(s) | inside
                base = of(app.source or E.NONE) | inside
                if app.result == "view" and isinstance(kinds.var(s.target), Container):
                    return base | fresh(s, "list")  # a list of views
                return base if app.result in ("view", "same") else base | fresh(s)
            case S.Load() if s.base in fn.apart:
                return frozenset({Obj("held", s.base, item=str(s.items[0]))})
            case S.Load() if isinstance(held := kinds.at(s.site, s.base), Container):
                base = points.get(s.base, NOTHING)
                if any(isinstance(i, E.Slice) for i in s.items):
                    return item_of(held, base) | fresh(s, "list")
                return item_of(held, base)
            case S.Load():
                base = points.get(s.base, NOTHING)
                if selects_number(s, kinds):
                    return NOTHING
                if selects_copy(s, kinds):
                    return fresh(s)
                return base if is_basic(s.items, s.site, kinds) else base | fresh(s)
            case S.Alias() | S.Unpack():
                source = points.get(s.source, NOTHING)
                starred = isinstance(s, S.Unpack) and s.star is not None
                return source | fresh(s, "list") if starred else source
            case S.Pack():
                inside = frozenset(o for i in s.items for o in of(i))
                return inside if s.kind == "tuple" else inside | fresh(s, "list")
            case S.Edit():
                base = points.get(s.base, NOTHING)
                listed = kinds.at(s.site, s.base)
                if s.op == "pop":
                    return item_of(listed, base)
                found = NOTHING.union(*(points.get(v, NOTHING) for v in shares(s, kinds)))
                if s.op in S.JOINS:
                    return item_of(listed, found) | fresh(s, "list")
                return found | fresh(s)
            case S.Invoke():
                summary = summaries.get(s.site)
                if summary is None:
                    reach = (of(a) for a in (s.fn, *s.args, *(v for _, v in s.kwargs)))
                    again = isinstance(s.fn, E.Ref) and remembers(s.fn.value)
                    outside = {Obj("global", CACHED)} if again else set()
                    return frozenset(o for objs in reach for o in objs) | fresh(s) | outside
                given = reaching(s, summary)
                single = s.target is not None and isinstance(kinds.var(s.target), Array | Mixed)
                shared = (
                    item_of(kinds.expr(s.site, given[p]), of(given[p])) if single else of(given[p])
                    for p in summary.returns
                    if p in given
                )
                outside = {Obj("global", "?")} if GLOBAL in summary.returns else set()
                outside |= {Obj("global", CACHED)} if summary.remembers else set()
                return frozenset(o for objs in shared for o in objs) | fresh(s) | outside
            case S.Keep():
                return frozenset(o for r in s.reads for o in points.get(r, NOTHING)) | fresh(s)
            case S.With():
                return of(s.context) | fresh(s)
            case S.Try():
                return fresh(s)
            case _:
                return NOTHING

    def elements(sources: Iterable[str], s: S.For, points: Points) -> Objects:
        found = (item_of(kinds.at(s.site, n), points.get(n, NOTHING)) for n in sources)
        return frozenset(o for objs in found for o in objs)

    def transfer(s: S.Stmt, points: Points) -> Points:
        if isinstance(s, S.Invoke) and s.site in allocates:  # what it makes may be in a list, too
            spend(len(points) / 16)
            points = {v: _aged(o, allocates[s.site]) for v, o in points.items()}
        for var, values in puts(s, kinds, summaries):  # whoever refers to the list sees them
            added = frozenset(o for a in values for o in objects_of(a, points))
            if isinstance(s, S.Invoke) and s.site not in summaries:
                added |= fresh(s)
            points = _put(added, var, points)
        for d in deposits(s, summaries):
            added = left(s, d.into).union(*(left(s, v) for v in d.others))
            points = _put(added | fresh(s) if d.returned else added, d.into, points)
        targets = () if isinstance(s, S.Update) else binds_of(s)
        if not targets:
            return points
        if isinstance(s, S.Unpack) and s.source in apart:
            new = {v: part(s, k) for k, v in enumerate(s.targets)}
        elif isinstance(s, S.For):
            new = {v: elements(of, s, points) for v, of in origins(s.target, s.iter)}
        else:
            objs = bound_objects(s, points)
            kept = isinstance(s, S.Keep)
            new = {v: objs | (points.get(v, NOTHING) if kept else NOTHING) for v in targets}
        made = allocates.get(s.site, NOTHING)
        if made and not isinstance(s, S.Invoke):
            spend(len(points) / 16)
            points = {v: _aged(o, made) for v, o in points.items()}
        return {**points, **{v: o for v, o in new.items() if not is_immutable(kinds.var(v))}}

    def join(a: Points, b: Points) -> Points:
        return dataflow.merged(a, b)

    entry: Points = {
        p.name: frozenset({Obj("param", p.name, plain=holds_no_list(kinds.var(p.name)))})
        | held_by(kinds.var(p.name), p.name)
        for p in fn.params
        if not is_immutable(kinds.var(p.name))
    }
    flow = dataflow.forward(fn.body, entry, transfer, join, runs=trips.some, single=trips.single)
    before = {**flow.before, **flow.test}
    everywhere: dict[str, Objects] = {}
    seen: set[tuple[str, int]] = set()  # mostly the same sets as elsewhere; all of them are held
    for points in (*before.values(), *flow.after.values(), *([flow.end] if flow.end else [])):
        new = [(v, o) for v, o in points.items() if (v, id(o)) not in seen]
        spend(sum(len(o) for _, o in new) / 400)
        for v, o in new:
            seen.add((v, id(o)))
            everywhere[v] = everywhere.get(v, NOTHING) | o
    writes = {
        s.site: tuple(writes_of(s, before[s.site], kinds, summaries, apps))
        for s in statements(fn.body)
        if s.site in before
    }
    in_order = tuple(w for found in writes.values() for w in found)
    return Memory(before, flow.after, everywhere, allocates, in_order, writes)


def shares(s: S.Edit, kinds: Kinds) -> frozenset[str]:
    """The variables whose objects the result of an operation of a list may be, or hold."""
    found: set[str] = set()
    if s.op == "pop" or s.op in S.JOINS:  # how often, or in what order, is no part of it
        held = kinds.at(s.site, s.base)
        found = set() if isinstance(held, ListOf) and is_immutable(held.item) else {s.base}
    if s.op == "sum" and s.target is not None:
        total = kinds.var(s.target)  # lists are added one by one; what else it is, may hold theirs
        found = set() if is_immutable(total) or isinstance(total, Array) else {s.base}
    if s.op in ("concat", "sum"):  # of no items, a sum is what it starts with
        found = found.union(*map(names_in, s.args))
    return frozenset(found)


def gathered(
    s: S.Bind, app: Application, kinds: Kinds, apps: Mapping[int, Application]
) -> tuple[E.Expr, ...]:
    """The operands that the result of `+`, `*`, `|` or `sum` holds the items of, where these may be
    lists or tuples: not where one of them is an array, or a number that is no count; and what
    may become an element of an array of objects."""
    if isinstance(kinds.var(s.target), Scalar | Array):
        return ()
    if held := elements_held(s, app, kinds, apps):
        return held
    names = {"+": "ab", "*": "ab", "|": "ab", "sum": ("start", "items")}
    parts = tuple(app.bound[n] for n in names.get(app.rule.spelling, ()) if n in app.bound)
    for k in (kinds.expr(s.site, e) for e in parts):
        times = isinstance(k, Scalar) and k.type == "int" and app.rule.spelling == "*"
        if isinstance(k, Scalar | Array) and not times:
            return ()
    return parts


def _put(added: Objects, var: str, points: Points) -> Points:
    """Everybody who refers to the list `var` sees what is put there."""
    into = containers(points.get(var, NOTHING))
    spend(sum(map(len, points.values())) / 400)
    return {
        v: o if added <= o or (v != var and o.isdisjoint(into)) else o | added
        for v, o in points.items()
    }


def _aged(objs: Objects, made: Objects) -> Objects:
    """`objs` when the allocation of `made` is executed again."""
    if objs.isdisjoint(made):
        return objs
    return frozenset(replace(o, old=True) if o in made else o for o in objs)


def makes_apart(
    fn: S.Function, kinds: Kinds, summaries: Mapping[int, Summary], apps: Mapping[int, Application]
) -> frozenset[str]:
    """The variables that are tuples of new arrays, no two of which share memory, or arguments whose
    items do not. Each item is taken out once, so that it has one name."""
    return fn.apart | _taken_once(fn, new_tuples(fn, kinds, summaries, apps))


def new_tuples(
    fn: S.Function, kinds: Kinds, summaries: Mapping[int, Summary], apps: Mapping[int, Application]
) -> frozenset[str]:
    """The variables that are tuples of new arrays, no two of which share memory."""
    apart: dict[str, bool] = {}
    for s in statements(fn.body):
        for var in binds_of(s):
            match s:
                case S.Invoke():
                    summary = summaries.get(s.site)
                    good = summary is not None and not summary.shares_result and summary.apart
                case S.Bind():
                    app = apps.get(s.site)
                    good = app is not None and app.result == "fresh" and (
                        app.rule.gives_tuple(app.bound)
                        # that it is one may depend on the arguments, as for the axes of a gradient
                        or (bool(app.rule.tuple_result) and isinstance(kinds.var(var), TupleOf))
                    )
                case _:
                    good = False
            apart[var] = apart.get(var, True) and good
    return frozenset(v for v, good in apart.items() if good)


def _taken_once(fn: S.Function, tuples: frozenset[str]) -> frozenset[str]:
    """Those of the tuples of which no item is read twice, as it would be by `p[0]` in a loop."""
    if not tuples:
        return frozenset()
    bound: dict[str, list[int]] = {}
    reads: dict[str, list[S.Stmt]] = {}
    for s in statements(fn.body):
        for var in tuples.intersection(binds_of(s)):
            bound.setdefault(var, []).append(s.site)
        for var in tuples & reads_of(s):
            reads.setdefault(var, []).append(s)
    places = structure(fn)

    def once(var: str) -> bool:
        found, at = reads.get(var, []), bound[var]
        if len(at) > 1 or not all(each_time(at[0], s.site) for s in found):
            return False
        if len(found) == 1 and isinstance(found[0], S.Unpack):
            return True
        numbers = {k for k in map(_number, found) if k is not None}
        return len(numbers) == len(found) and (len(found) < 2 or min(numbers) >= 0)

    def each_time(at: int, site: int) -> bool:
        """Whether there is a new tuple whenever the second statement runs."""
        return places.dominates(at, site) and places.loops(at) == places.loops(site)

    return frozenset(filter(once, tuples))


def _number(s: S.Stmt) -> int | None:
    """The number of the item that a statement takes out, where it is written as a number."""
    match s:
        case S.Load(items=(E.Const(value=int(k)),)) if not isinstance(k, bool):
            return k
        case _:
            return None
