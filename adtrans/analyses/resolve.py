"""Makes explicit what only the kinds tell: rebinding or in place, writers as plain stores.

s += x          ->   s = s + x                (a number)
y += x          ->   y[...] += x              (an array)
y[i] *= e       ->   t = y[i]; t = t * e; y[i] = t
y.fill(0)       ->   y[...] = 0
pair += (c,)    ->   t = pair[0]; t_2 = pair[1]; pair = (t, t_2, c)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.apply import Application, application
from adtrans.analyses.bound_methods import bound_methods
from adtrans.analyses.cuts import cut
from adtrans.analyses.in_arrays import in_arrays
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.kinds.expressions import method_of
from adtrans.analyses.listing import Listing
from adtrans.analyses.memory import elements_in
from adtrans.analyses.resizing import Resizing, watched
from adtrans.analyses.spread import listed
from adtrans.analyses.subscripts import is_basic
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    SLICE,
    Array,
    DictOf,
    Instance,
    Kind,
    ListOf,
    Scalar,
    TupleOf,
    is_differentiable,
    is_immutable,
)
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import (
    binds_of,
    iter_map,
    map_blocks,
    reads_of,
    rename,
    statements,
    without_origins,
)
from adtrans.rules.scipy_splines import is_real_spline

Expander = Callable[[str, Mapping[str, E.Expr], str | None, S.Bind, NameAllocator], S.Block]


def applications(fn: S.Function, kinds: Kinds) -> dict[int, Application]:
    """The rule of each primitive in `fn`."""
    found: dict[int, Application] = {}
    for s in statements(fn.body):
        if isinstance(s, S.Bind):
            app = application(s.value, lambda e, site=s.site: kinds.expr(site, e))  # type: ignore[misc]  # the default binds early
            if app is not None:
                found[s.site] = app
    return found


def array_in_tuple(call: E.Expr, given: Mapping[str, Kind]) -> str | None:
    """The variable that is a tuple of the one array that a call writes: `out=(a,)`."""
    out = dict(call.kwargs).get("out") if isinstance(call, E.Call) else None
    match out, given.get("out"):
        case E.Name(id=name), TupleOf(items=(Array(),)):
            return name
        case _:
            return None


def _first(kind: Kind) -> Kind:
    return kind.items[0] if isinstance(kind, TupleOf) else kind


def grows_tuple(s: S.Stmt, kinds: Kinds) -> bool:
    """Whether a statement is `pair += ...`, which makes a tuple of another length."""
    update = isinstance(s, S.Update) and s.items is None
    return update and isinstance(kinds.at(s.site, binds_of(s)[0]), TupleOf)


def resolve(fn: S.Function, kinds: Kinds, expand: Expander) -> S.Function:
    """`fn` with scalar updates rebinding, compound element updates and writers spelled out; the
    same object where there is nothing of the kind."""
    taken = fn.reserved | {v for s in statements(fn.body) for v in binds_of(s)}
    names = NameAllocator(taken | {p.name for p in fn.params})
    number = max((s.site for s in statements(fn.body)), default=0)

    def fresh_site() -> int:
        nonlocal number
        number += 1
        return number

    read = frozenset(v for s in statements(fn.body) for v in reads_of(s))
    used = Counter(v for s in statements(fn.body) for v in reads_of(s))
    for s in statements(fn.body):
        if isinstance(s, S.Unpack):
            used.subtract((s.source,))
        if isinstance(s, S.For) and not _changes_entries(s, kinds):
            used.subtract(elements_in(s.iter))
        elif isinstance(s, S.For) and isinstance(s.iter, S.Elements):
            used.subtract((s.iter.source,))
    views = {
        s.target: (s.value.fn.base.id, s.value.fn.attr)
        for s in statements(fn.body)
        if isinstance(s, S.Bind)
        and isinstance(s.value, E.Call)
        and isinstance(s.value.fn, E.Attribute)
        and isinstance(s.value.fn.base, E.Name)
        and s.value.fn.attr in ("items", "values", "keys")
        and isinstance(kinds.at(s.site, s.value.fn.base.id), DictOf)
        and not used[s.target]
    }
    resizing, methods = Resizing.of(fn, kinds), bound_methods(fn)
    for s in statements(fn.body):
        for h in methods.keys() & {*reads_of(s), *binds_of(s)}:
            owner = kinds.expr(s.site, methods[h].base)
            if isinstance(owner, Instance):
                known = method_of(owner, methods[h].attr) is not None
            else:
                known = isinstance(owner, ListOf | DictOf)
            if not known:
                del methods[h]
    listing = Listing(kinds, names, fresh_site, read, resizing)

    def block(b: S.Block) -> S.Block:
        return tuple(r for s in b for t in listing.lengths(s) for u in apart(t) for r in one(u))

    def apart(s: S.Stmt) -> Iterator[S.Stmt]:
        """Tuples of integers and slices, and slices, are taken apart: `a[k]` to `a[k_0, k_1]`, and
        `a[s]` to `a[s.start:s.stop:s.step]`."""
        if isinstance(s, S.Load | S.Store | S.Update) and s.items is not None and len(s.items) == 1:
            item, kind = s.items[0], kinds.expr(s.site, s.items[0])
            sizes = kind.items if isinstance(kind, TupleOf) else ()
            whole = bool(sizes) and all(_is_int(k) or k == SLICE for k in sizes)
            if whole and isinstance(kinds.at(s.site, s.base), Array) and isinstance(item, E.Name):
                parts = [names.fresh(item.id) for _ in sizes]
                for k, name in enumerate(parts):
                    yield S.Load(name, item.id, (E.Const(k),), **S.place(s, fresh_site()))
                s = replace(s, items=tuple(E.Name(name) for name in parts))
        if isinstance(s, S.Load | S.Store | S.Update) and s.items is not None:
            if isinstance(kinds.at(s.site, s.base), Array | ListOf):
                given: list[E.Expr] = []
                for item in s.items:
                    if isinstance(item, E.Name) and kinds.expr(s.site, item) == SLICE:
                        bounds = [names.fresh(b) for b in ("start", "stop", "step")]
                        for name, bound in zip(bounds, ("start", "stop", "step"), strict=True):
                            read = E.Attribute(item, bound)
                            yield S.Bind(name, read, **S.place(s, fresh_site()))
                        item = E.Slice(*map(E.Name, bounds))
                    given.append(item)
                s = replace(s, items=tuple(given))
        yield s

    def one(s: S.Stmt) -> Iterator[S.Stmt]:
        match s:
            case S.Bind(target=name) if name in methods:
                return
            case S.Store(value=E.Name(id=value)) | S.Update(value=E.Name(id=value)) if (
                isinstance(kinds.at(s.site, s.base), Array)
                and isinstance(kinds.at(s.site, value), ListOf)
                and listing.carries(value, s.site)
            ):  # NumPy makes an array of a list first
                made_of_it = names.fresh(value)
                yield S.Edit(made_of_it, "array", value, (), **S.place(s, fresh_site()))
                yield replace(s, value=E.Name(made_of_it))
            case S.Update(items=None) if isinstance(kinds.at(s.site, s.base), Scalar | TupleOf):
                new = E.Binary(s.op, E.Name(s.base), s.value)
                yield from one(S.Bind(s.base, new, **S.place(s, s.site)))
            case S.Update(items=None, op="+") if isinstance(kinds.at(s.site, s.base), ListOf):
                yield S.Edit(None, "extend", s.base, (s.value,), **S.place(s, s.site))
            case S.Update(items=None, op="|", value=E.Name(id=other)) if isinstance(
                kinds.at(s.site, s.base), DictOf
            ) and isinstance(kinds.at(s.site, other), DictOf):
                at_once = S.Bind("", E.NONE, **S.place(s, s.site))
                yield from listing.put_in(at_once, s.base, other, ())
            case S.Store(
                items=(E.Slice(lower, upper, None),), value=E.Name() as value
            ) if isinstance(kinds.at(s.site, s.base), ListOf):
                yield from spliced_in(s, lower, upper, value)
            case S.Update(items=None) if isinstance(kinds.at(s.site, s.base), Array):
                yield from one(replace(s, items=(E.ELLIPSIS,)))
            case S.Update(items=items) if items is not None and not s.op.endswith("at"):
                base = kinds.at(s.site, s.base)
                element = kinds.expr(s.site, E.Index(E.Name(s.base), items))
                simple = isinstance(element, Array) and is_basic(items, s.site, kinds)
                linear = s.op in ("+", "-") and is_basic(items, s.site, kinds)
                if items == (E.ELLIPSIS,):
                    simple = linear = True
                if isinstance(base, Array) and (
                    (linear and s.op in "+-") or (simple and s.op in ("*", "/"))
                ):
                    yield s
                else:
                    yield from spelled_out(s, items)
            case S.Bind(value=E.Binary(op="+" | "*") as both) if isinstance(
                made := kinds.expr(s.site, both), TupleOf
            ):
                yield from joined(s, both, made)
            case S.Bind() if s.target in views:
                return  # the loop goes over the keys
            case S.Bind() if (edit := listing.edit(s)) is not None:
                yield from edit
            case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name() as owner) as fn) as e) if (
                isinstance(kind := kinds.at(s.site, owner.id), Instance)
                and method_of(kind, fn.attr) is not None
                and all(E.is_atom(a) for a in (*e.args, *(v for _, v in e.kwargs)))
            ):
                atom = E.Name | E.Const | E.Ref
                args = (owner, *(a for a in e.args if isinstance(a, atom)))
                kwargs = tuple((k, v) for k, v in e.kwargs if isinstance(v, atom))
                yield S.Invoke(
                    s.target, fn, args, kwargs, site=s.site, span=s.span, origin=s.origin
                )
            case S.Invoke(target=str() as target) if is_real_spline(kinds.expr(s.site, s.fn)):
                read = E.Call(s.fn, s.args, s.kwargs)
                yield S.Bind(target, read, **S.place(s, s.site))
            case S.Bind(value=E.Attribute(base=E.Name() as owner, attr=attr)) if (
                isinstance(kind := kinds.at(s.site, owner.id), TupleOf)
                and (at := kind.position(attr)) is not None
            ):
                yield S.Load(s.target, owner.id, (E.Const(at),), **S.place(s, s.site))
            case S.Bind(
                value=E.Call(
                    fn=E.Attribute(base=E.Name() as owner, attr="_replace"), args=(), kwargs=words
                )
            ) if isinstance(kind := kinds.at(s.site, owner.id), TupleOf) and kind.cls is not None:
                yield from _replaced(s, owner, kind.cls, dict(words), names, fresh_site)
            case S.Load() if (told := cut(s, kinds, names, fresh_site)) is not None:
                yield from told
            case S.Bind() if (shown := in_arrays(s, kinds, names.fresh)) is not None:
                for name, display in shown[0]:
                    array = E.Call(E.Ref("np.array", np.array), (display,))
                    yield S.Bind(name, array, site=fresh_site(), span=s.span, origin=s.origin)
                yield replace(s, value=shown[1])
            case S.Bind():
                app = application(s.value, lambda e: kinds.expr(s.site, e))
                given = {} if app is None else app.kinds(lambda e: kinds.expr(s.site, e))
                if app is not None and (into := array_in_tuple(s.value, given)) is not None:
                    out = names.fresh("out")
                    yield S.Load(out, into, (E.Const(0),), **S.place(s, fresh_site()))
                    app = replace(app, bound={**app.bound, "out": E.Name(out)})
                    given["out"] = _first(given["out"])
                expansion = None if app is None else app.rule.expand(app.bound, given)
                if app is not None and app.rule.scatter and isinstance(app.bound.get("a"), E.Name):
                    yield from scatter(s, app)
                elif app is None or expansion is None:
                    yield s
                else:
                    yield from expand_writer(s, expansion.source, app.bound, expansion.result)
            case S.Invoke(fn=E.Ref()) if (edit := listing.invoked(s)) is not None:
                yield from edit
            case S.Invoke(fn=E.Name(id=name), args=args, kwargs=kwargs) if (
                method := methods.get(name)
            ) is not None:
                target = s.target or names.fresh("t")
                yield from one(S.Bind(target, E.Call(method, args, kwargs), **S.place(s, s.site)))
            case S.Invoke(fn=E.Name()) if s.target is not None:
                call = S.Bind(
                    s.target,
                    E.Call(s.fn, s.args, s.kwargs),
                    site=s.site,
                    span=s.span,
                    origin=s.origin,
                )
                known = application(call.value, lambda e: kinds.expr(s.site, e)) is not None
                yield from one(call) if known else (s,)
            case S.Unpack() if s.source in views:
                name = names.fresh("t")
                yield from listing.entries(s, *views[s.source], name)
                yield replace(s, source=name)
            case S.Unpack(star=None) if isinstance(kinds.at(s.site, s.source), Array | ListOf):
                yield from counted(s, kinds.at(s.site, s.source))
                for k, target in enumerate(s.targets):
                    yield S.Load(
                        target,
                        s.source,
                        (E.Const(k),),
                        site=fresh_site(),
                        span=s.span,
                        origin=s.origin,
                    )
            case S.For() if (taking := whole_rows(s)) is not None:
                yield taking
            case S.For() if (loop := listing.over_entries(s, views)) is not None:
                for t in loop:
                    yield from (one(t) if isinstance(t, S.For) else (t,))
            case S.For() if not views.keys().isdisjoint(seen := set(elements_in(s.iter))):
                lists = {v: names.fresh("t") for v in sorted(seen & views.keys())}
                for v, name in lists.items():
                    yield from listing.entries(s, *views[v], name)
                    if resizing.possible(s, views[v][0], ()):
                        walk, s = watched(s, views[v][0], names.fresh, fresh_site, alone=False)
                        yield walk
                yield from one(replace(s, iter=iter_map(s.iter, lambda e: rename(e, lists))))
            case S.For():
                bound = {v for inner in statements(s.body) for v in binds_of(inner)}
                tuples = {v: k for v in elements_in(s.iter) if (k := parts(s, v))}
                kept = {v: names.fresh("t") for v in elements_in(s.iter) if v in {*bound, *tuples}}
                for v, name in kept.items():  # the loop goes on with what the name was
                    if v in tuples:
                        yield from in_a_list(s, name, v, tuples[v])
                    else:
                        yield S.Alias(name, v, site=fresh_site(), span=s.span)
                held = iter_map(s.iter, lambda e: rename(e, kept))
                yield map_blocks(replace(s, iter=held), block)
            case _:
                yield map_blocks(s, block)

    def joined(s: S.Bind, e: E.Binary, kind: TupleOf) -> Iterator[S.Stmt]:
        """A sum of tuples, or a multiple of one, item by item; one to which nothing is added is
        the same one."""
        for side in (e.left, e.right):
            held = kinds.expr(s.site, side)
            if isinstance(side, E.Name) and held == kind and kind.items and kind.cls is None:
                if side.id != s.target:
                    yield S.Alias(s.target, side.id, **S.place(s, s.site))
                return
        atoms: list[E.Atom] = []
        loads: list[S.Stmt] = []
        for side in (e.left, e.right):
            held = kinds.expr(s.site, side)
            if isinstance(side, E.Sequence):
                atoms += [i for i in side.items if isinstance(i, E.Name | E.Const | E.Ref)]
            elif isinstance(side, E.Name) and isinstance(held, TupleOf):
                for k in range(len(held.items)):
                    part, item = names.fresh("t"), (E.Const(k),)
                    atoms.append(E.Name(part))
                    loads.append(S.Load(part, side.id, item, **S.place(s, fresh_site())))
        times = len(kind.items) // len(atoms) if e.op == "*" and atoms else 1
        if times * len(atoms) != len(kind.items):  # an item of a display that is no atom
            yield s
            return
        yield from loads
        yield S.Pack(s.target, "tuple", tuple(atoms * times), **S.place(s, s.site))

    def whole_rows(s: S.For) -> S.For | None:
        """`for a, b in rows` of lists of lists as a loop over `rows` that takes each apart."""
        start: list[S.Stmt] = []

        def visit(target: S.Target, it: S.Iter) -> S.Target:
            if isinstance(target, str):
                return target
            match it:
                case S.Enumerate() if len(target) == 2:
                    return target[0], visit(target[1], it.inner)
                case S.Zip() if len(target) == len(it.inners):
                    return tuple(visit(t, i) for t, i in zip(target, it.inners, strict=True))
                case S.Reversed():
                    return visit(target, it.inner)
                case S.Elements():
                    held = kinds.at(s.site, it.source)
                    if isinstance(held, ListOf) and isinstance(held.item, ListOf):
                        name = names.fresh("t")
                        start.extend(listing.taken_apart(s, target, name))
                        return name
                case _:
                    pass
            return target

        target = visit(s.target, s.iter)
        return replace(s, target=target, body=(*start, *block(s.body))) if start else None

    def spliced_in(
        s: S.Store, lower: E.Expr | None, upper: E.Expr | None, value: E.Name
    ) -> Iterator[S.Stmt]:
        """`items[i:j] = values`."""
        atoms: list[E.Atom] = []
        for bound in (lower, upper):
            if isinstance(bound, E.Name | E.Const | E.Ref | None):
                atoms.append(bound or E.NONE)
                continue
            t = names.fresh("t")
            atoms.append(E.Name(t))
            yield S.Bind(t, bound, **S.place(s, fresh_site()))
        kind, items = kinds.at(s.site, value.id), value.id
        if isinstance(kind, Array):
            items = names.fresh("t")
            made = replace(s, site=fresh_site())
            yield from listed(made, items, value.id, lambda: names.fresh("t"), fresh_site)
        yield S.Edit(None, "splice", s.base, (*atoms, E.Name(items)), **S.place(s, s.site))

    def counted(s: S.Unpack, kind: Kind) -> Iterator[S.Stmt]:
        """The check that there are as many items as targets, where that is not known."""
        known = kind.dims[0] if isinstance(kind, Array) and kind.dims else None
        if known is not None and known.value == len(s.targets):
            return
        size, checked = names.fresh("t"), names.fresh("t")
        length = E.Call(E.Ref("len", len), (E.Name(s.source),))
        yield S.Bind(size, length, site=fresh_site(), span=s.span, origin=s.origin)
        check = E.Ref("check_count", runtime.check_count)
        call = E.Call(check, (E.Name(size), E.Const(len(s.targets))))
        yield S.Bind(checked, call, site=fresh_site(), span=s.span, origin=s.origin)

    def parts(s: S.For, v: str) -> int:
        """The number of items of a tuple with a derivative that a loop runs over."""
        kind = kinds.at(s.site, v)
        return len(kind.items) if isinstance(kind, TupleOf) and is_differentiable(kind) else 0

    def in_a_list(s: S.For, name: str, v: str, count: int) -> Iterator[S.Stmt]:
        items = [names.fresh("t") for _ in range(count)]
        for k, item in enumerate(items):
            yield S.Load(item, v, (E.Const(k),), site=fresh_site(), span=s.span)
        atoms = tuple(E.Name(item) for item in items)
        yield S.Pack(name, "list", atoms, site=fresh_site(), span=s.span)

    def spelled_out(s: S.Update, items: tuple[E.Expr, ...]) -> Iterator[S.Stmt]:
        old, new = names.fresh("t"), names.fresh("t")

        def place() -> S.Place:
            return S.place(s, fresh_site())

        yield S.Load(old, s.base, items, **place())
        item = kinds.expr(s.site, E.Index(E.Name(s.base), items))
        held = not isinstance(kinds.at(s.site, s.base), Array)
        if held and not is_immutable(item):  # the item changes in place, if it is an array
            whole = (E.ELLIPSIS,) if isinstance(item, Array) else None
            yield S.Update(old, whole, s.op, s.value, **place())
            yield S.Store(s.base, items, E.Name(old), site=s.site, span=s.span, origin=s.origin)
            return
        yield S.Bind(new, E.Binary(s.op, E.Name(old), s.value), **place())
        yield S.Store(s.base, items, E.Name(new), site=s.site, span=s.span, origin=s.origin)

    def scatter(s: S.Bind, app: Application) -> Iterator[S.Stmt]:
        a, index, value = app.bound["a"], app.bound["indices"], app.bound["b"]
        items = index.items if isinstance(index, E.Sequence) and index.kind == "tuple" else (index,)
        if isinstance(a, E.Name) and isinstance(value, E.Name | E.Const | E.Ref):
            yield S.Update(
                a.id,
                items,
                app.rule.scatter + "at",
                value,
                site=fresh_site(),
                span=s.span,
                origin=s.origin,
            )
            yield S.Bind(s.target, E.NONE, site=s.site, span=s.span, origin=s.origin)
        else:
            yield s

    def expand_writer(
        s: S.Bind, source: str, bound: Mapping[str, E.Expr], result: str | None
    ) -> Iterator[S.Stmt]:
        for inner in expand(source, bound, result, s, names):
            yield replace(inner, site=fresh_site())

    renamed = {s.origin for s in statements(fn.body)
               if not methods.keys().isdisjoint({*reads_of(s), *binds_of(s)})}  # fmt: skip
    body = without_origins(block(fn.body), renamed)
    return fn if body == fn.body else replace(fn, body=body)


def _changes_entries(loop: S.For, kinds: Kinds) -> bool:
    """Whether a loop may change a dictionary, so that a view of one has to be looked at late."""
    for s in statements(loop.body):
        if isinstance(s, S.Store | S.Update | S.Edit):
            if isinstance(s, S.Update) and s.items is None and s.op != "|":
                continue  # no dictionary
            if not isinstance(kinds.at(s.site, s.base), Array | ListOf | Scalar):
                return True
        elif isinstance(s, S.Invoke | S.Keep):
            if any(not isinstance(kinds.at(s.site, v), Array | Scalar) for v in reads_of(s)):
                return True
    return False


def _is_int(kind: Kind) -> bool:
    return isinstance(kind, Scalar) and kind.type == "int"


def unpackable(kind: object) -> bool:
    """Whether a value of this kind is unpacked item by item as a tuple."""
    return isinstance(kind, TupleOf)


def _replaced(
    s: S.Bind,
    owner: E.Name,
    cls: type,
    words: dict[str, E.Expr],
    names: NameAllocator,
    fresh_site: Callable[[], int],
) -> Iterator[S.Stmt]:
    """`p._replace(a=v)` of a named tuple, item by item."""
    fields: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]  # a named tuple
    atoms = {k: v for k, v in words.items() if isinstance(v, E.Name | E.Const | E.Ref)}
    if len(atoms) < len(words) or words.keys() - set(fields):
        yield s
        return
    items: list[E.Atom] = []
    for k, field in enumerate(fields):
        if field not in atoms:
            t = names.fresh(field)
            yield S.Load(t, owner.id, (E.Const(k),), **S.place(s, fresh_site()))
            atoms[field] = E.Name(t)
        items.append(atoms[field])
    made = E.Ref(cls.__name__, cls)
    yield S.Pack(s.target, "tuple", tuple(items), made, **S.place(s, s.site))
