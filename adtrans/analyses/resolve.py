"""Makes explicit what only the kinds tell: rebinding or in place, writers as plain stores.

s += x          ->   s = s + x                (a number)
y += x          ->   y[...] += x              (an array)
y[i] *= e       ->   t = y[i]; t = t * e; y[i] = t
y.fill(0)       ->   y[...] = 0
pair += (c,)    ->   t = pair[0]; t_2 = pair[1]; pair = (t, t_2, c)
a, b = x        ->   a = x[0]; b = x[1]       (an array or a list)

What one kind of statement becomes is told beside this file: `updates`, `writers`, `item_by_item`,
`index_parts`, `listing`, `entries`, `cuts`, `in_arrays`, `nested_rows`.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from adtrans import runtime
from adtrans.analyses.apply import application
from adtrans.analyses.bound_methods import bound_methods
from adtrans.analyses.dict_views import dict_views, losing_names, named, sets_in
from adtrans.analyses.grid_operations import with_lines
from adtrans.analyses.in_arrays import in_arrays
from adtrans.analyses.index_parts import index_parts
from adtrans.analyses.item_by_item import (
    as_dict,
    in_a_list,
    joined,
    replaced,
)
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.kinds.expression_kinds import call_of, method_of
from adtrans.analyses.kinds.named import operation_of_named, property_of_named
from adtrans.analyses.kinds.special_methods import as_operation
from adtrans.analyses.list_operations import Listing
from adtrans.analyses.nested_rows import has_lists, nested_rows, rows_written, written_rows
from adtrans.analyses.points_to import elements_in
from adtrans.analyses.resizing import Resizing, watched
from adtrans.analyses.steady_targets import with_steady_targets
from adtrans.analyses.tuple_slices import cut
from adtrans.analyses.updates import is_written, scattered, spliced, updated
from adtrans.analyses.write_calls import Expander, written
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    DictOf,
    Known,
    ListOf,
    Scalar,
    TupleOf,
    is_differentiable,
    present,
)
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import (
    binds_of,
    iter_map,
    map_blocks,
    reads_of,
    rename,
    statements,
    without_origins,
)
from adtrans.rules.scipy_splines import interpolant


def resolve(fn: S.Function, kinds: Kinds, expand: Expander) -> S.Function:
    """`fn` with scalar updates rebinding, compound element updates and writers spelled out; the
    same object where there is nothing of the kind."""
    work = _Resolver(fn, kinds, expand)
    renamed = {s.origin for s in statements(fn.body)
               if not work.methods.keys().isdisjoint({*reads_of(s), *binds_of(s)})}  # fmt: skip
    body = without_origins(work.block(fn.body), renamed)
    return fn if body == fn.body else replace(fn, body=body)


class _Resolver(Rewriter):
    """`methods`: variables that only mean a method; `views`: those that hold a view of a dictionary
    to loop over. Their bindings are left out."""

    def __init__(self, fn: S.Function, kinds: Kinds, expand: Expander) -> None:
        super().__init__(fn)
        self.kinds, self.expand = kinds, expand
        views = dict_views(fn, kinds)
        self.named = named(statements(fn.body)) if views else frozenset()
        self.losing = losing_names(fn, views)
        self.views = {v: of for v, of in views.items() if v not in self.losing}
        self.methods = bound_methods(fn)
        for s in statements(fn.body):
            for h in self.methods.keys() & {*reads_of(s), *binds_of(s)}:
                if not self._is_method(s.site, self.methods[h]):
                    del self.methods[h]
        self.resizing = Resizing.of(fn, kinds)
        self.rows_written = rows_written(fn, kinds)
        self.everything = tuple(statements(fn.body))
        read = frozenset(v for s in self.everything for v in reads_of(s))
        self.listing = Listing(
            kinds, self.names, self.fresh_site, read, self.resizing, fn.source_name,
            sets_in(self.everything),
        )

    def _is_method(self, site: int, called: E.Attribute) -> bool:
        owner = self.kinds.expr(site, called.base)
        return method_of(owner, called.attr) is not None or isinstance(owner, ListOf | DictOf)

    def block(self, body: S.Block) -> S.Block:
        """The outer statements first: what a loop runs over is spelled out before its body."""
        return tuple(
            r
            for s in body
            for t in self.listing.lengths(s)
            for u in index_parts(t, self.kinds, self)
            for r in self.one(u)
        )

    def one(self, s: S.Stmt) -> Iterator[S.Stmt]:
        """What stands in the place of a statement, with its blocks."""
        match s:
            case S.Update():
                yield from self.update(s)
            case S.Store():
                yield from self.store(s)
            case S.Load() if (grid := with_lines(s, self.kinds, self)) is not None:
                yield from grid
            case S.Load():
                yield from cut(s, self.kinds, self.names, self.fresh_site) or (s,)
            case S.Bind():
                yield from self.bind(s)
            case S.Invoke():
                yield from self.invoke(s)
            case S.Unpack():
                yield from self.unpack(s)
            case S.For():
                yield from self.loop(s)
            case _:
                yield map_blocks(s, self.block)

    # -- writes ------------------------------------------------------------------------------------

    def update(self, s: S.Update) -> Iterable[S.Stmt]:
        """`base op= value` and `base[items] op= value`."""
        if (value := self.list_for_array(s)) is not None:
            return self.with_array(s, value)
        if s.items is not None:
            at = s.op.endswith("at")  # made here in a round before
            return (s,) if at else updated(s, s.items, self.kinds, self)
        base = self.kinds.at(s.site, s.base)
        if isinstance(base, Scalar | TupleOf):
            new = E.Binary(s.op, E.Name(s.base), s.value)
            return self.one(S.Bind(s.base, new, **S.place(s, s.site)))
        if isinstance(base, ListOf) and s.op == "+":
            return (S.Edit(None, "extend", s.base, (s.value,), **S.place(s, s.site)),)
        if isinstance(base, ListOf) and s.op == "*":
            times = self.kinds.expr(s.site, s.value)
            if isinstance(times, Scalar) and times.type in ("int", "bool") and times.dtype is None:
                return self.repeated(s)
        if isinstance(base, DictOf) and s.op == "|" and isinstance(s.value, E.Name):
            other = self.kinds.at(s.site, s.value.id)
            if isinstance(other, DictOf):
                at_once = S.Bind("", E.NONE, **S.place(s, s.site))
                return self.listing.put_in(at_once, s.base, s.value.id, ())
        written = is_written(base, self.kinds.expr(s.site, s.value))
        return self.one(replace(s, items=(E.ELLIPSIS,))) if written else (s,)

    def repeated(self, s: S.Update) -> Iterator[S.Stmt]:
        """`items *= n` of a list: all of them at once, in the list that others may see."""
        t = self.fresh("t")
        yield S.Edit(t, "repeat", s.base, (s.value,), **self.place(s))
        all_of_it = (E.NONE, E.NONE, E.Name(t))
        yield S.Edit(None, "splice", s.base, all_of_it, **S.place(s, s.site))

    def store(self, s: S.Store) -> Iterable[S.Stmt]:
        """`base[items] = value`."""
        if (value := self.list_for_array(s)) is not None:
            return self.with_array(s, value)
        match s:
            case S.Store(items=(E.Slice(step=None) as bounds,), value=E.Name() as values) if (
                isinstance(self.kinds.at(s.site, s.base), ListOf)
            ):
                return spliced(s, bounds, values, self.kinds, self)
            case S.Store(items=(E.Slice() as bounds,), value=E.Name() as values) if (
                isinstance(self.kinds.at(s.site, s.base), ListOf)
                and isinstance(self.kinds.at(s.site, values.id), ListOf | Array)
            ):
                parts = (bounds.lower, bounds.upper, bounds.step)
                return scattered(s, parts, values, self.kinds, self)
            case _:
                return (s,)

    def list_for_array(self, s: S.Store | S.Update) -> str | None:
        """The list, if it may carry a derivative, that is written into an array."""
        if isinstance(s.value, E.Name) and isinstance(self.kinds.at(s.site, s.base), Array):
            if isinstance(self.kinds.at(s.site, s.value.id), ListOf):
                carries = self.listing.carries(s.value.id, s.site)
                return s.value.id if carries or self.is_nested(s.value, s.site) else None
        return None

    def with_array(self, s: S.Store | S.Update, value: str) -> Iterator[S.Stmt]:
        """NumPy makes an array of a list first."""
        made_of_it = self.fresh(value)
        if self.is_nested(E.Name(value), s.site):
            array = E.Call(E.Ref("np.array", np.array), (E.Name(value),))
            yield S.Bind(made_of_it, array, **self.place(s))
        else:
            yield S.Edit(made_of_it, "array", value, (), **self.place(s))
        yield replace(s, value=E.Name(made_of_it))

    def is_nested(self, e: E.Name, site: int) -> bool:
        """Whether a variable is a list of lists that may carry a derivative."""
        kind = self.kinds.at(site, e.id)
        return isinstance(kind, ListOf) and has_lists(kind) and is_differentiable(kind)

    # -- primitives and calls ----------------------------------------------------------------------

    def bind(self, s: S.Bind) -> Iterable[S.Stmt]:
        """`target = value`."""
        if s.target in self.methods:
            return ()
        if (own := self.of_named(s)) is not None:
            return own
        operation = as_operation(s.value, lambda e: self.kinds.expr(s.site, e))
        if operation is not None:
            return self.bind(replace(s, value=operation))
        match s.value:
            case E.Binary(op="+" | "*") as both if isinstance(
                made := self.kinds.expr(s.site, both), TupleOf
            ):
                return joined(s, both, made, self.kinds, self)
            case _:
                pass
        if s.target in self.losing:
            return self.with_name(s)
        if s.target in self.views:  # the loop goes over the keys
            of = self.views[s.target][0]
            return (S.Alias(s.target, of, **S.place(s, s.site)),) if s.target in self.named else ()
        if (edit := self.listing.edit(s)) is not None:
            return edit
        if (asked := self.of_object(s)) is not None:
            return asked
        if (rows := written_rows(s, self.kinds, self.rows_written, self)) is not None:
            return rows
        if (rows := nested_rows(s, self.kinds, self)) is not None:
            return rows
        if (shown := in_arrays(s, self.kinds, self.fresh)) is not None:
            return self.with_arrays(s, *shown)
        return written(s, self.kinds, self, self.expand)

    def with_name(self, s: S.Bind) -> Iterator[S.Stmt]:
        """A view of a dictionary that keeps a name."""
        assert isinstance(s.value, E.Call) and isinstance(s.value.fn, E.Attribute)
        (base,) = reads_of(s)
        held = self.fresh(base)
        yield S.Alias(held, base, **self.place(s))
        yield replace(s, value=replace(s.value, fn=replace(s.value.fn, base=E.Name(held))))

    def of_object(self, s: S.Bind) -> Iterable[S.Stmt] | None:
        """Methods of followed objects, and fields and `_replace` of named tuples; None for all
        else."""
        match s.value:
            case E.Call(fn=E.Attribute(base=E.Name() as owner) as fn, args=args, kwargs=words):
                kind = self.kinds.at(s.site, owner.id)
                if (found := method_of(kind, fn.attr)) is not None:
                    called: E.Expr = fn
                    if isinstance(kind, TupleOf) and kind.cls is not None:
                        called = E.Ref(f"{kind.cls.__name__}_{fn.attr}", found)
                    atom = E.Name | E.Const | E.Ref
                    given = tuple(a for a in args if isinstance(a, atom))
                    named = tuple((k, v) for k, v in words if isinstance(v, atom))
                    if len(given) == len(args) and len(named) == len(words):
                        place = S.place(s, s.site)
                        return (S.Invoke(s.target, called, (owner, *given), named, **place),)
                if isinstance(kind, TupleOf) and kind.cls is not None:
                    if fn.attr == "_replace" and not args:
                        return replaced(s, owner, kind.cls, dict(words), self)
                    if fn.attr == "_asdict" and not args and not words and s.target != owner.id:
                        return as_dict(s, owner, kind.cls, self)
            case E.Attribute(base=E.Name() as owner, attr=attr):
                kind = self.kinds.at(s.site, owner.id)
                at = kind.position(attr) if isinstance(kind, TupleOf) else None
                if at is not None:
                    return (S.Load(s.target, owner.id, (E.Const(at),), **S.place(s, s.site)),)
                cls = kind.cls if isinstance(kind, TupleOf) else None
                if cls is not None and (get := property_of_named(cls, attr)) is not None:
                    read = E.Ref(f"{cls.__name__}_{attr}", get)
                    return (S.Invoke(s.target, read, (owner,), **S.place(s, s.site)),)
            case _:
                pass
        return None

    def of_named(self, s: S.Bind) -> Iterable[S.Stmt] | None:
        """An operation that a class of named tuples defines, as a call of its method."""
        match s.value:
            case E.Unary(operand=operand):
                operands: tuple[E.Expr, ...] = (operand,)
            case E.Binary(left=left, right=right):
                operands = (left, right)
            case E.Call(fn=E.Ref(), args=(operand,)):
                operands = (operand,)
            case _:
                return None
        kinds = [present(self.kinds.expr(s.site, e)) for e in operands]
        if not any(isinstance(k, TupleOf) and k.cls is not None for k in kinds):
            return None
        found = operation_of_named(s.value, kinds)
        args = tuple(e for e in operands if isinstance(e, E.Name | E.Const | E.Ref))
        if found is None or len(args) < len(operands):
            return None
        fn, order = found
        owner = kinds[order[0]]
        assert isinstance(owner, TupleOf) and owner.cls is not None
        method = E.Ref(f"{owner.cls.__name__}_{fn.__name__}", fn)
        return (S.Invoke(s.target, method, tuple(args[k] for k in order), **S.place(s, s.site)),)

    def with_arrays(
        self, s: S.Bind, displays: list[tuple[str, E.Expr]], value: E.Expr
    ) -> Iterator[S.Stmt]:
        """A primitive with arrays in the place of displays."""
        for name, display in displays:
            array = E.Call(E.Ref("np.array", np.array), (display,))
            yield S.Bind(name, array, **self.place(s))
        yield replace(s, value=value)

    def invoke(self, s: S.Invoke) -> Iterable[S.Stmt]:
        """A call that is no primitive, as far as was known when it was lowered."""
        call = E.Call(s.fn, s.args, s.kwargs)
        if s.target is not None and interpolant(self.kinds.expr(s.site, s.fn)) is not None:
            return (S.Bind(s.target, call, **S.place(s, s.site)),)
        if isinstance(s.fn, E.Ref):
            edit = self.listing.invoked(s)
            return (s,) if edit is None else edit
        if not isinstance(s.fn, E.Name):
            return (s,)
        if (method := self.methods.get(s.fn.id)) is not None:
            target = s.target or self.fresh("t")
            called = replace(call, fn=method)
            return self.one(S.Bind(target, called, **S.place(s, s.site)))
        if call_of(self.kinds.at(s.site, s.fn.id)) is not None:
            called_object = E.Attribute(s.fn, "__call__")
            return (replace(s, fn=called_object, args=(s.fn, *s.args)),)
        if s.target is not None:
            if application(call, lambda e: self.kinds.expr(s.site, e)) is not None:
                return self.one(S.Bind(s.target, call, **S.place(s, s.site)))
            meant = self.kinds.at(s.site, s.fn.id)  # `def pairs(x, made=list): ... made(x)`
            name = getattr(meant.value, "__name__", "") if isinstance(meant, Known) else ""
            if isinstance(meant, Known) and getattr(builtins, name, None) is meant.value:
                return self.invoke(replace(s, fn=E.Ref(name, meant.value)))
        return (s,)

    # -- one after the other -----------------------------------------------------------------------

    def unpack(self, s: S.Unpack) -> Iterator[S.Stmt]:
        """`a, b = source`."""
        kind = self.kinds.at(s.site, s.source)
        if s.source in self.views:
            name = self.fresh("t")
            yield from self.listing.entries(s, *self.views[s.source], name)
            yield replace(s, source=name)
        elif s.star is None and isinstance(kind, Array | ListOf):
            known = kind.dims[0] if isinstance(kind, Array) and kind.dims else None
            if known is None or known.value != len(s.targets):
                yield from self.counted(s)
            for k, target in enumerate(s.targets):
                yield S.Load(target, s.source, (E.Const(k),), **self.place(s))
        else:
            yield s

    def counted(self, s: S.Unpack) -> Iterator[S.Stmt]:
        """The check that there are as many items as targets."""
        size, checked = self.fresh("t"), self.fresh("t")
        length = E.Call(E.Ref("len", len), (E.Name(s.source),))
        yield S.Bind(size, length, **self.place(s))
        check = E.Ref("check_count", runtime.check_count)
        call = E.Call(check, (E.Name(size), E.Const(len(s.targets))))
        yield S.Bind(checked, call, **self.place(s))

    def loop(self, s: S.For) -> Iterator[S.Stmt]:
        """A loop whose iterator goes over what has to be spelled out first."""
        if (taking := self.whole_rows(s)) is not None:
            yield taking
            return
        if (entries := self.listing.over_entries(s, self.views)) is not None:
            for t in entries:
                yield from (self.one(t) if isinstance(t, S.For) else (t,))
            return
        seen = self.views.keys() & {*elements_in(s.iter)}
        if not seen:
            yield from self.over_elements(s)
            return
        lists = {v: self.fresh("t") for v in sorted(seen)}
        for v, name in lists.items():
            base = self.views[v][0]
            yield from self.listing.entries(s, *self.views[v], name)
            if self.resizing.possible(s, base, ()):
                walk, s = watched(s, base, self.fresh, self.fresh_site, alone=False)
                yield walk
        yield from self.one(replace(s, iter=iter_map(s.iter, lambda e: rename(e, lists))))

    def over_elements(self, s: S.For) -> Iterator[S.Stmt]:
        """A loop that goes on with what the names meant when it was entered."""
        tuples = {v: k for v in elements_in(s.iter) if (k := self.parts(s, v))}
        lost = {v for v in elements_in(s.iter) if v in tuples or self.listing.rebinds(s, v)}
        kept = {v: self.fresh("t") for v in sorted(lost)}
        for v, name in kept.items():
            if v in tuples:
                yield from in_a_list(s, name, v, tuples[v], self)
            else:
                yield S.Alias(name, v, site=self.fresh_site(), span=s.span)
        held = replace(s, iter=iter_map(s.iter, lambda e: rename(e, kept)))
        steady = with_steady_targets(held, self.everything, self.kinds, self)
        yield map_blocks(steady, self.block)

    def parts(self, s: S.For, v: str) -> int:
        """The number of items of a tuple with a derivative that a loop runs over."""
        kind = self.kinds.at(s.site, v)
        return len(kind.items) if isinstance(kind, TupleOf) and is_differentiable(kind) else 0

    def whole_rows(self, s: S.For) -> S.For | None:
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
                    held = self.kinds.at(s.site, it.source)
                    if isinstance(held, ListOf) and isinstance(held.item, ListOf):
                        name = self.fresh("t")
                        start.extend(self.listing.taken_apart(s, target, name))
                        return name
                case _:
                    pass
            return target

        target = visit(s.target, s.iter)
        return replace(s, target=target, body=(*start, *self.block(s.body))) if start else None
