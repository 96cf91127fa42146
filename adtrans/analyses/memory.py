"""Memory: which abstract objects each variable may refer to, and which statements write them.

An object is an allocation site, a parameter, a global, or the same of an earlier iteration: when a
loop executes an allocation again, the object that it made before goes on as `old`.
Points-to sets are flow-sensitive: binding a name ends what it referred to before.

>>> print(Obj("param", "u"), Obj("site", "7", old=True), sep="; ")
param u; earlier site 7
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType

from adtrans.analyses import dataflow
from adtrans.analyses.apply import Application
from adtrans.analyses.effects import Summary
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.trips import UNKNOWN_RUNS, Runs
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    Container,
    Instance,
    Kind,
    Scalar,
    TupleOf,
    Unknown,
    is_immutable,
)
from adtrans.ir.walk import binds_of, names_in, statements

Objects = frozenset["Obj"]
Points = Mapping[str, Objects]
NOTHING: Objects = frozenset()
GLOBAL = "<global>"  # among the parameters that a result shares memory with: it may be global data


@dataclass(frozen=True, slots=True, order=True)
class Obj:
    """An abstract object. `form`: "param", "site", "global", or "list" and "held" for a list that
    is made here and for what a list that comes from outside holds; `key`: its name or site. `item`:
    which of the arrays that such a list holds, where these are told apart."""

    form: str
    key: str
    old: bool = False
    item: str = ""
    plain: bool = field(default=False, compare=False)  # an argument without a list in it

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
    """Points-to sets `before` and `after` each site, the objects that each site `allocates`, all
    `writes` in textual order. `points_to` joins everything about a variable."""

    before: Mapping[int, Mapping[str, Objects]]
    after: Mapping[int, Mapping[str, Objects]]
    points_to: Mapping[str, Objects]
    allocates: Mapping[int, Objects]
    writes: tuple[Write, ...]

    def objects(self, var: str, site: int | None = None, *, after: bool = False) -> Objects:
        """What `var` may refer to (there, or anywhere); nothing for immutable values."""
        if site is None:
            return self.points_to.get(var, NOTHING)
        return (self.after if after else self.before).get(site, {}).get(var, NOTHING)

    def of(self, e: E.Expr) -> Objects:
        """What an expression may refer to, anywhere."""
        return _objects_of(e, self.points_to)

    @property
    def written(self) -> Objects:
        """Every object that some statement writes."""
        return frozenset(o for w in self.writes for o in w.objects)

    def at(self, site: int) -> tuple[Write, ...]:
        """The writes of one statement."""
        return tuple(w for w in self.writes if w.site == site)


def is_plain_attribute(e: E.Attribute, site: int, kinds: Kinds) -> bool:
    """Whether reading an attribute only reads: it is stored data of an object."""
    base = kinds.expr(site, e.base)
    return isinstance(base, Instance) and base.attribute(e.attr) is not None


def is_basic(items: tuple[E.Expr, ...], site: int, kinds: Kinds) -> bool:
    """Whether a subscript surely selects a view or one element: integers, slices, `...`, None."""
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
        if isinstance(kind, TupleOf) and any(isinstance(k, Array | Container) for k in kind.items):
            return True
        boolean = isinstance(kind, Scalar) and kind.type == "bool"
        if isinstance(kind, Array | Container) or boolean:
            return True
    return False


def selects_copy(s: S.Load, kinds: Kinds) -> bool:
    """Whether what a statement reads is certainly a copy: elements of an array. `True` as the index
    of a list or of a tuple is a number."""
    return isinstance(kinds.at(s.site, s.base), Array) and is_advanced(s.items, s.site, kinds)


def selects_number(s: S.Load, kinds: Kinds) -> bool:
    """Whether a statement reads a number, even if its target may be an array elsewhere."""
    return isinstance(kinds.expr(s.site, E.Index(E.Name(s.base), s.items)), Scalar)


def _new(form: str, key: str, kinds: Iterable[Kind]) -> Objects:
    """A new object of one of these kinds: where that may be a list, it and what the list holds."""
    forms = {form, "list"} if any(map(has_container, kinds)) else {form}
    return frozenset(Obj(f, key) for f in forms)


def has_container(kind: Kind) -> bool:
    """Whether a value may be a list or have one among its items."""
    if isinstance(kind, TupleOf):
        return any(map(has_container, kind.items))
    return isinstance(kind, Container | Unknown)


def is_container(o: Obj) -> bool:
    """Whether an object may be a list, and not only something that one holds."""
    return o.form not in ("site", "held") and not o.plain


def containers(objs: Objects) -> Objects:
    """The lists among the objects that a list refers to: itself and what it holds."""
    return frozenset(o for o in objs if is_container(o))


def _objects_of(e: E.Expr, points: Mapping[str, Objects]) -> Objects:
    match e:
        case E.Name():
            return points.get(e.id, NOTHING)
        case E.Ref(value=FunctionType()):
            return NOTHING  # a function as it is: what it holds is read as an attribute
        case E.Ref():
            return frozenset({Obj("global", e.text)})
        case E.Attribute(base=E.Ref() as base):
            return frozenset({Obj("global", base.text)})
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
    summaries: Mapping[int, Summary],
    trips: Runs = UNKNOWN_RUNS,
) -> Memory:
    """What every variable may refer to, and what every statement may write."""
    allocates: dict[int, Objects] = {}
    apart = makes_apart(fn, summaries, apps)

    def fresh(s: S.Stmt, form: str = "site") -> Objects:
        made = _new(form, str(s.site), map(kinds.var, binds_of(s)))
        return allocates.setdefault(s.site, made)

    def part(s: S.Unpack, k: int) -> Objects:
        parts = [_new("site", f"{s.site}.{i}", (kinds.var(v),)) for i, v in enumerate(s.targets)]
        allocates.setdefault(s.site, NOTHING.union(*parts))
        return parts[k]

    def bound_objects(s: S.Stmt, points: Points) -> Objects:
        def of(e: E.Expr) -> Objects:
            return _objects_of(e, points)

        match s:
            case S.Bind(value=E.Call(fn=E.Ref(value=made))) if made is object.__new__:
                return fresh(s)
            case S.Bind():
                app = apps.get(s.site)
                if app is None:
                    own = NOTHING if E.is_atom(s.value) else fresh(s)
                    return of(s.value) | own
                inside = NOTHING.union(*map(of, gathered(s, app, kinds)))
                if app.result == "fresh":
                    return fresh(s) | inside
                base = of(app.bound.get(app.rule.of or "", E.NONE)) | inside
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
                    return frozenset(o for objs in reach for o in objs) | fresh(s)
                given = actuals(s, summary)
                single = s.target is not None and isinstance(kinds.var(s.target), Array)
                shared = (
                    item_of(kinds.expr(s.site, given[p]), of(given[p])) if single else of(given[p])
                    for p in summary.returns
                    if p in given
                )
                outside = {Obj("global", "?")} if GLOBAL in summary.returns else set()
                return frozenset(o for objs in shared for o in objs) | fresh(s) | outside
            case S.For():
                sources = (
                    item_of(kinds.at(s.site, n), points.get(n, NOTHING))
                    for n in elements_in(s.iter)
                )
                return frozenset(o for objs in sources for o in objs)
            case S.Keep():
                return frozenset(o for r in s.reads for o in points.get(r, NOTHING)) | fresh(s)
            case S.With():
                return of(s.context) | fresh(s)
            case S.Try():
                return fresh(s)
            case _:
                return NOTHING

    def transfer(s: S.Stmt, points: Points) -> Points:
        for var, values in puts(s, kinds, summaries):  # whoever refers to the list sees them
            into = containers(points.get(var, NOTHING))
            added = frozenset(o for a in values for o in _objects_of(a, points))
            if isinstance(s, S.Invoke):
                added |= fresh(s)  # an array that the callee made
            points = {v: o | added if o & into or v == var else o for v, o in points.items()}
        targets = () if isinstance(s, S.Update) else binds_of(s)
        if not targets:
            return points
        if isinstance(s, S.Unpack) and s.source in apart:
            new = {v: part(s, k) for k, v in enumerate(s.targets)}
        else:
            objs = bound_objects(s, points)
            kept = isinstance(s, S.Keep)
            new = {v: objs | (points.get(v, NOTHING) if kept else NOTHING) for v in targets}
        made = allocates.get(s.site, NOTHING)
        if made:
            points = {v: _aged(o, made) for v, o in points.items()}
        return {**points, **{v: o for v, o in new.items() if not is_immutable(kinds.var(v))}}

    def join(a: Points, b: Points) -> Points:
        if a is b:
            return a
        return {v: a.get(v, NOTHING) | b.get(v, NOTHING) for v in {**a, **b}}

    entry: Points = {
        p.name: frozenset({Obj("param", p.name, plain=holds_no_list(kinds.var(p.name)))})
        | held_by(kinds.var(p.name), p.name)
        for p in fn.params
        if not is_immutable(kinds.var(p.name))
    }
    flow = dataflow.forward(fn.body, entry, transfer, join, runs=trips.some, single=trips.single)
    before = {**flow.before, **flow.test}
    everywhere: dict[str, Objects] = {}
    for points in (*before.values(), *flow.after.values(), *([flow.end] if flow.end else [])):
        for v, o in points.items():
            everywhere[v] = everywhere.get(v, NOTHING) | o
    writes = tuple(
        w
        for s in statements(fn.body)
        if s.site in before
        for w in _writes(s, before[s.site], kinds, summaries, apps)
    )
    return Memory(before, flow.after, everywhere, allocates, writes)


def held_by(kind: Kind, name: str) -> Objects:
    """What a list that comes from outside holds."""
    tuple_of_lists = isinstance(kind, TupleOf) and has_container(kind)
    return frozenset({Obj("held", name)}) if tuple_of_lists or holds_mutable(kind) else NOTHING


def holds_no_list(kind: Kind) -> bool:
    """Whether an argument is an array, or a tuple without a list in it."""
    return isinstance(kind, Array | TupleOf) and not has_container(kind)


def nested(kind: Kind, objs: Objects) -> Objects:
    """The lists that may be items of a list."""
    flat = isinstance(kind, Container) and isinstance(kind.item, Scalar | Array)
    return NOTHING if flat else containers(objs)


def item_of(kind: Kind, objs: Objects) -> Objects:
    """What an item of a value may refer to."""
    if not isinstance(kind, Container):
        return objs
    lists = frozenset(o for o in containers(objs) if o.form != "global")  # that may be anything
    return objs - lists | nested(kind, objs)


def puts(
    s: S.Stmt, kinds: Kinds, summaries: Mapping[int, Summary]
) -> Iterator[tuple[str, tuple[E.Expr, ...]]]:
    """The lists that a statement may put something into, and what that is."""
    match s:
        case S.Edit(op="append" | "insert" | "extend" | "splice"):
            yield s.base, s.args
        case S.Store() if isinstance(kinds.at(s.site, s.base), Container | Unknown):
            yield s.base, (s.value,)
        case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=base))) as call) if isinstance(
            kinds.at(s.site, base), Container | Unknown
        ):  # a method that is no operation of lists: `rows.__setitem__(0, v)`
            yield base, (*call.args, *(v for _, v in call.kwargs))
        case S.Invoke():
            args = (*s.args, *(v for _, v in s.kwargs))
            summary = summaries.get(s.site)
            given = {} if summary is None else actuals(s, summary)
            for p, a in given.items() or enumerate(args):
                if not (isinstance(a, E.Name) and holds_mutable(kinds.at(s.site, a.id))):
                    continue
                held = None if summary is None else dict(summary.held).get(str(p), frozenset())
                if held is None or GLOBAL in held:
                    yield a.id, tuple(b for b in args if b != a)
                elif summary is not None and p in summary.written():
                    yield a.id, tuple(given[q] for q in sorted(held) if q in given)
        case _:
            return


def shares(s: S.Edit, kinds: Kinds) -> frozenset[str]:
    """The variables whose objects the result of an operation of a list may be, or hold."""
    found: set[str] = set()
    if s.op == "pop" or s.op in S.JOINS:  # how often, or in what order, is no part of it
        found = {s.base}
    if s.op == "sum" and s.target is not None:
        total = kinds.var(s.target)  # the sum of lists holds what these do
        found = set() if is_immutable(total) or isinstance(total, Array) else {s.base}
    if s.op in ("concat", "sum"):  # of no items, a sum is what it starts with
        found = found.union(*map(names_in, s.args))
    return frozenset(found)


def gathered(s: S.Bind, app: Application, kinds: Kinds) -> tuple[E.Expr, ...]:
    """The operands that the result of `+`, `*`, `|` or `sum` holds the items of, where these may be
    lists or tuples: not where one of them is an array, or a number that is no count."""
    if isinstance(kinds.var(s.target), Scalar | Array):
        return ()
    names = {"+": "ab", "*": "ab", "|": "ab", "sum": ("start", "items")}
    parts = tuple(app.bound[n] for n in names.get(app.rule.spelling, ()) if n in app.bound)
    for k in (kinds.expr(s.site, e) for e in parts):
        times = isinstance(k, Scalar) and k.type == "int" and app.rule.spelling == "*"
        if isinstance(k, Scalar | Array) and not times:
            return ()
    return parts


def holds_mutable(kind: Kind) -> bool:
    """Whether a value is a list of something that can be written."""
    return isinstance(kind, Container) and not is_immutable(kind.item)


def _aged(objs: Objects, made: Objects) -> Objects:
    """`objs` when the allocation of `made` is executed again."""
    if not objs & made:
        return objs
    return frozenset(replace(o, old=True) if o in made else o for o in objs)


def makes_apart(
    fn: S.Function, summaries: Mapping[int, Summary], apps: Mapping[int, Application]
) -> frozenset[str]:
    """The variables that are tuples of new arrays, no two of which share memory, or arguments whose
    items do not."""
    apart: dict[str, bool] = {}
    for s in statements(fn.body):
        for var in binds_of(s):
            match s:
                case S.Invoke():
                    summary = summaries.get(s.site)
                    good = summary is not None and not summary.returns and summary.apart
                case S.Bind():
                    app = apps.get(s.site)
                    good = (
                        app is not None
                        and app.rule.gives_tuple(app.bound)
                        and app.result == "fresh"
                    )
                case _:
                    good = False
            apart[var] = apart.get(var, True) and good
    return fn.apart | {v for v, good in apart.items() if good}


def _writes(
    s: S.Stmt,
    points: Points,
    kinds: Kinds,
    summaries: Mapping[int, Summary],
    apps: Mapping[int, Application],
) -> Iterator[Write]:
    def of(e: E.Expr) -> Objects:
        return _objects_of(e, points)

    match s:
        case S.Store() if isinstance(kinds.at(s.site, s.base), Container):
            yield Write(s.site, s.base, s.items, containers(of(E.Name(s.base))))
        case S.Store():
            yield Write(s.site, s.base, s.items, of(E.Name(s.base)))
        case S.Edit() if s.op in S.CHANGES:
            yield Write(s.site, s.base, None, containers(of(E.Name(s.base))))
        case S.Update() if not is_immutable(kinds.at(s.site, s.base)):
            yield Write(s.site, s.base, s.items, of(E.Name(s.base)))
        case S.Invoke():
            summary = summaries.get(s.site)
            if summary is None:
                reached = (*s.args, *(v for _, v in s.kwargs), *map(E.Name, names_in(s.fn)))
                for a in reached:  # a function may write what it has captured
                    if isinstance(a, E.Name) and of(a):
                        yield Write(s.site, a.id, None, of(a), unknown=True)
            else:
                for p, a in actuals(s, summary).items():
                    if p in summary.written() and isinstance(a, E.Name):
                        objs = of(a)
                        if p in summary.shallow and isinstance(kinds.at(s.site, a.id), Container):
                            objs = containers(objs)
                        yield Write(s.site, a.id, None, objs)
        case S.Keep(form="unsupported"):
            for r in s.reads:
                if of(E.Name(r)):
                    yield Write(s.site, r, None, of(E.Name(r)), unknown=True)
        case S.Bind(value=E.Attribute() as e) if is_plain_attribute(e, s.site, kinds):
            return
        case S.Bind() if s.site in apps and apps[s.site].rule.writes:
            for p in apps[s.site].rule.writes:  # one that is not spelled out
                into = apps[s.site].bound.get(p, E.NONE)
                if isinstance(into, E.Name) and of(into):
                    yield Write(s.site, into.id, None, of(into))
        case S.Bind(value=E.Call() | E.Attribute()) if s.site not in apps:
            # a method or attribute without a rule may do anything
            for r in sorted(names_in(s.value)):
                if of(E.Name(r)):
                    yield Write(s.site, r, None, of(E.Name(r)), unknown=True)
        case _:
            return
