"""Memory: which abstract objects each variable may refer to, and which statements write them.

An object is an allocation site, a parameter, a global, or the same of an earlier iteration: when a
loop executes an allocation again, the object that it made before goes on as `old`.
Points-to sets are per web and flow-insensitive; webs make that precise enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from adtrans.analyses.apply import Application
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.liveness import Liveness
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, ListOf, Scalar, is_immutable
from adtrans.ir.walk import binds_of, statements

Objects = frozenset["Obj"]
NOTHING: Objects = frozenset()


@dataclass(frozen=True, slots=True, order=True)
class Obj:
    """An abstract object. `form`: "param", "site", "global"; `key`: its name or site."""

    form: str
    key: str
    old: bool = False

    def __str__(self) -> str:
        return f"{'earlier ' if self.old else ''}{self.form} {self.key}"


@dataclass(frozen=True, slots=True)
class Write:
    """A statement that may write into `objects`: through `var`, at `items` (None: anywhere in it).

    `unknown`: the writer is a function about which nothing is known.
    """

    site: int
    var: str
    items: tuple[E.Expr, ...] | None
    objects: Objects
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """`points_to` by variable, the object that each site `allocates`, all `writes` in textual order."""

    points_to: Mapping[str, Objects]
    allocates: Mapping[int, Obj]
    writes: tuple[Write, ...]

    def objects(self, var: str) -> Objects:
        """What `var` may refer to (nothing for immutable values)."""
        return self.points_to.get(var, NOTHING)

    def of(self, e: E.Expr) -> Objects:
        """What an expression may refer to."""
        return _objects_of(e, self.points_to)

    @property
    def written(self) -> Objects:
        """Every object that some statement writes."""
        return frozenset(o for w in self.writes for o in w.objects)

    def at(self, site: int) -> tuple[Write, ...]:
        """The writes of one statement."""
        return tuple(w for w in self.writes if w.site == site)


def is_basic(items: tuple[E.Expr, ...], site: int, kinds: Kinds) -> bool:
    """Whether a subscript certainly selects a view or one element: integers, slices, `...`, None."""
    for item in items:
        if isinstance(item, E.Slice) or (isinstance(item, E.Const) and item.value in (None, ...)):
            continue
        kind = kinds.expr(site, item)
        if not (isinstance(kind, Scalar) and kind.type == "int"):
            return False
    return True


def is_advanced(items: tuple[E.Expr, ...], site: int, kinds: Kinds) -> bool:
    """Whether a subscript certainly selects a copy: an index array, a mask or a list takes part."""
    for item in items:
        if isinstance(item, E.Sequence) and item.kind == "list":
            return True
        if isinstance(item, E.Slice | E.Const):
            continue
        kind = kinds.expr(site, item)
        if isinstance(kind, Array | ListOf) or (isinstance(kind, Scalar) and kind.type == "bool"):
            return True
    return False


def _objects_of(e: E.Expr, points: Mapping[str, Objects]) -> Objects:
    match e:
        case E.Name():
            return points.get(e.id, NOTHING)
        case E.Ref():
            return frozenset({Obj("global", e.text)})
        case E.Verbatim():
            return frozenset(o for r in e.reads for o in points.get(r, NOTHING))
        case E.Const():
            return NOTHING
        case _:
            return frozenset(o for c in E.children(e) for o in _objects_of(c, points))


def actuals(s: S.Invoke, summary: Summary) -> dict[str, E.Atom]:
    """The arguments of a call by the callee's parameter names."""
    named = dict(zip(summary.params, s.args, strict=False))
    named.update(s.kwargs)
    return named


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


def memory(
    fn: S.Function,
    kinds: Kinds,
    apps: Mapping[int, Application],
    live: Liveness,
    summaries: Mapping[int, Summary],
) -> Memory:
    """Solve the points-to constraints of `fn` by iterating them until nothing changes."""
    stmts = list(statements(fn.body))
    allocates: dict[int, Obj] = {}
    points: dict[str, Objects] = {}

    def fresh(site: int) -> Objects:
        return frozenset({allocates.setdefault(site, Obj("site", str(site)))})

    def of(e: E.Expr) -> Objects:
        return _objects_of(e, points)

    def bound_objects(s: S.Stmt) -> Objects:
        match s:
            case S.Bind():
                app = apps.get(s.site)
                if app is None:
                    own = NOTHING if E.is_atom(s.value) else fresh(s.site)
                    return of(s.value) | own
                if app.result == "fresh":
                    return fresh(s.site)
                base = of(app.bound[app.rule.of]) if app.rule.of in app.bound else NOTHING
                return base if app.result in ("view", "same") else base | fresh(s.site)
            case S.Load():
                base = points.get(s.base, NOTHING)
                if is_advanced(s.items, s.site, kinds):
                    return fresh(s.site)
                return base if is_basic(s.items, s.site, kinds) else base | fresh(s.site)
            case S.Alias() | S.Unpack():
                return points.get(s.source, NOTHING)
            case S.Pack():
                return frozenset(o for i in s.items for o in of(i))
            case S.Invoke():
                summary = summaries.get(s.site)
                if summary is None:
                    reach = (of(a) for a in (s.fn, *s.args, *(v for _, v in s.kwargs)))
                    return frozenset(o for objs in reach for o in objs) | fresh(s.site)
                given = actuals(s, summary)
                shared = (of(given[p]) for p in summary.returns if p in given)
                return frozenset(o for objs in shared for o in objs) | fresh(s.site)
            case S.For():
                sources = (points.get(n, NOTHING) for n in elements_in(s.iter))
                return frozenset(o for objs in sources for o in objs)
            case S.Keep():
                return frozenset(o for r in s.reads for o in points.get(r, NOTHING)) | fresh(s.site)
            case _:
                return NOTHING

    def put(var: str, objs: Objects) -> bool:
        before = points.get(var, NOTHING)
        if is_immutable(kinds.var(var)) or objs <= before:
            return False
        points[var] = before | objs
        return True

    for p in fn.params:
        put(p.name, frozenset({Obj("param", p.name)}))
    in_loop = {
        s.site: s
        for loop in stmts
        if isinstance(loop, S.For | S.While)
        for s in statements(loop.body if isinstance(loop, S.For) else loop.head + loop.body)
    }
    changed = True
    while changed:
        changed = False
        for s in stmts:
            if not isinstance(s, S.Update):
                objs = bound_objects(s)
                for var in binds_of(s):
                    changed |= put(var, objs)
        for site, obj in list(allocates.items()):
            if site in in_loop:
                for var in live.out.get(site, frozenset()) - set(binds_of(in_loop[site])):
                    if obj in points.get(var, NOTHING):
                        changed |= put(var, frozenset({replace(obj, old=True)}))
    writes = tuple(w for s in stmts for w in _writes(s, of, kinds, summaries))
    return Memory(points, allocates, writes)


def _writes(
    s: S.Stmt,
    of: Callable[[E.Expr], Objects],
    kinds: Kinds,
    summaries: Mapping[int, Summary],
) -> Iterator[Write]:
    match s:
        case S.Store():
            yield Write(s.site, s.base, s.items, of(E.Name(s.base)))
        case S.Update() if not is_immutable(kinds.at(s.site, s.base)):
            yield Write(s.site, s.base, s.items, of(E.Name(s.base)))
        case S.Invoke():
            summary = summaries.get(s.site)
            if summary is None:
                for a in (*s.args, *(v for _, v in s.kwargs)):
                    if isinstance(a, E.Name) and of(a):
                        yield Write(s.site, a.id, None, of(a), unknown=True)
            else:
                for p, a in actuals(s, summary).items():
                    if p in summary.written() and isinstance(a, E.Name):
                        yield Write(s.site, a.id, None, of(a))
        case S.Keep(form="unsupported"):
            for r in s.reads:
                if of(E.Name(r)):
                    yield Write(s.site, r, None, of(E.Name(r)), unknown=True)
        case _:
            return
