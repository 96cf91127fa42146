"""Operations of lists, found by the kinds and spelled out one by one.

out.append(a * b)        ->   t = a * b; edit out: append(t)
c = a + b                ->   c = edit a: concat(b)          (lists)
s = sum(out)             ->   s = edit out: sum()
y = np.stack(rows, 1)    ->   t = edit rows: array(); y = np.moveaxis(t, 0, 1)
y = np.mean(out)         ->   t = edit out: array(); y = np.mean(t)
for i in range(len(out)) ->   n = len(out); for i in range(n)

A list may get longer, so its length is taken down where it is asked for.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from adtrans import runtime
from adtrans.analyses.apply import application
from adtrans.analyses.dict_entries import Entries
from adtrans.analyses.spread import listed
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    DictOf,
    Kind,
    ListOf,
    Scalar,
    TupleOf,
    is_differentiable,
    is_immutable,
    may_change,
    present,
)
from adtrans.ir.walk import map_exprs, rebuild

_METHODS: dict[str, tuple[S.EditOp, int, int]] = {  # with the least and the greatest number of args
    "append": ("append", 1, 1),
    "insert": ("insert", 2, 2),
    "extend": ("extend", 1, 1),
    "pop": ("pop", 0, 1),
    "clear": ("clear", 0, 0),
    "reverse": ("reverse", 0, 0),
    "copy": ("copy", 0, 0),
    "__delitem__": ("pop", 1, 1),
    "index": ("index", 1, 3),
    "count": ("count", 1, 1),
}
_COPIES = (copy.copy, copy.deepcopy)
_OF_DICTS: dict[str, tuple[S.EditOp, int, int]] = {
    "copy": ("copy", 0, 0),
    "clear": ("clear", 0, 0),
    "keys": ("keys", 0, 0),
}
_VIEWS = ("items", "values", "keys")
_AS_ARRAY = (np.array, np.asarray, np.stack)
_JOINED = (np.concatenate, np.hstack)


@dataclass(frozen=True)
class Listing(Entries):
    """Rewrites the statements of one function."""

    def is_list(self, e: E.Expr, site: int) -> bool:
        """Whether an expression is a variable that holds a list."""
        kind = self.kinds.expr(site, e) if isinstance(e, E.Name) else None
        return isinstance(kind, ListOf)

    def lengths(self, s: S.Stmt) -> Iterator[S.Stmt]:
        """`s`, with the lengths in variables that it mentions of lists, sets and the like."""
        found: dict[str, str] = {}

        def visit(e: E.Expr) -> E.Expr:
            match e:
                case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=v),)) if fn is len:
                    if may_change(self.kinds.at(s.site, v)):
                        return E.Name(found.setdefault(v, self.names.fresh("n")))
            return rebuild(e, visit)

        if isinstance(s, S.Bind | S.While):  # a test is evaluated again and again
            yield s
            return
        new = map_exprs(s, visit)
        for v, name in found.items():
            length = E.Call(E.Ref("len", len), (E.Name(v),))
            yield S.Bind(name, length, **self.place(s))
        yield new

    def invoked(self, s: S.Invoke) -> Iterator[S.Stmt] | None:
        """A call of a builtin, as an operation of the list that it is given; None if it is none."""
        if s.target is None or not isinstance(s.fn, E.Ref):
            return None
        if s.fn.value in _COPIES and len(s.args) == 1 and not s.kwargs:
            kind = self.kinds.expr(s.site, s.args[0])
            if isinstance(s.args[0], E.Name) and isinstance(kind, Array | Scalar):
                return self.copied(s, s.args[0], kind)
        elif s.fn.value not in (list, tuple, dict, sum, sorted, max, min) or not s.args:
            return None
        call = E.Call(s.fn, s.args, s.kwargs)
        if isinstance(x := s.args[0], E.Name):
            kind = self.kinds.at(s.site, x.id)
            if isinstance(kind, Array) and s.fn.value in (list, tuple, sorted):
                return self.of_array(s, x.id)
            if isinstance(kind, TupleOf) and s.fn.value in (list, tuple, sorted):
                return self.of_tuple(s, s.target, x.id, kind)
        return self.edit(S.Bind(s.target, call, site=s.site, span=s.span, origin=s.origin))

    def of_array(self, s: S.Invoke, source: str) -> Iterator[S.Stmt]:
        """`list(x)`, `tuple(x)`, `sorted(x)` of an array."""
        assert isinstance(s.fn, E.Ref) and s.target is not None
        made = s.target if s.fn.value is list else self.names.fresh("t")
        fill = s if s.fn.value is list else replace(s, site=self.fresh_site())
        yield from listed(fill, made, source, lambda: self.names.fresh("t"), self.fresh_site)
        if s.fn.value is not list:  # the list is met again when its kind is known
            yield replace(s, args=(E.Name(made), *s.args[1:]))

    def of_tuple(
        self, s: S.Invoke, target: str, source: str, kind: TupleOf
    ) -> Iterator[S.Stmt]:
        """The same of a tuple whose length is known."""
        fn = s.fn.value if isinstance(s.fn, E.Ref) else None
        if fn is tuple and kind.cls is None:
            yield S.Alias(target, source, **S.place(s, s.site))
            return
        items = [self.names.fresh("t") for _ in kind.items]
        for n, item in enumerate(items):
            yield S.Load(item, source, (E.Const(n),), **self.place(s))
        made = self.names.fresh("t") if fn is sorted else target
        form: Literal["tuple", "list"] = "tuple" if fn is tuple else "list"
        yield S.Pack(made, form, tuple(map(E.Name, items)), **self.place(s))
        if made != target:
            yield S.Bind(
                target, E.Call(s.fn, (E.Name(made), *s.args[1:]), s.kwargs), **S.place(s, s.site)
            )

    def copied(self, s: S.Invoke, of: E.Name, kind: Array | Scalar) -> Iterator[S.Stmt]:
        """`copy.copy(a)` of an array or a number."""
        assert s.target is not None
        if isinstance(kind, Scalar):
            yield S.Alias(s.target, of.id, **S.place(s, s.site))
        else:
            made = E.Call(E.Attribute(of, "__copy__"), ())
            yield S.Bind(s.target, made, **S.place(s, s.site))

    def is_flat(self, base: str, site: int) -> bool:
        """Whether nothing that a container holds can be changed."""
        kind = self.kinds.at(site, base)
        return isinstance(kind, DictOf | ListOf) and is_immutable(kind.item)

    def sorted_in_place(self, s: S.Bind, base: str, args: tuple[E.Expr, ...]) -> Iterator[S.Stmt]:
        """`items.sort()`: the order first, then all items at once."""
        order, t = self.names.fresh("order"), self.names.fresh("t")
        first = replace(s, target=order, site=self.fresh_site())
        yield from self.spelled(first, "argsort", base, args)
        yield S.Edit(t, "take", base, (E.Name(order),), **self.place(s))
        yield S.Edit(None, "splice", base, (E.NONE, E.NONE, E.Name(t)), **S.place(s, s.site))
        if s.target in self.read:
            yield S.Bind(s.target, E.NONE, **self.place(s))

    def removed(self, s: S.Bind, base: str, value: E.Expr) -> Iterator[S.Stmt]:
        """`items.remove(v)`: the place first, then what is there."""
        place = self.names.fresh("place")
        found = replace(s, target=place, site=self.fresh_site())
        yield from self.spelled(found, "find", base, (value,))
        yield S.Edit(None, "pop", base, (E.Name(place),), **S.place(s, s.site))
        if s.target in self.read:
            yield S.Bind(s.target, E.NONE, **self.place(s))

    def edit(self, s: S.Bind) -> Iterator[S.Stmt] | None:
        """`s` as an operation of a list or dictionary, None if it is none."""
        e = s.value
        match e:
            case E.Call(fn=E.Attribute(base=E.Name(id=base), attr="update"), args=args) if (
                isinstance(self.kinds.at(s.site, base), DictOf) and len(args) <= 1
            ):
                return self.merged(s, base, args[0] if args else None, e.kwargs)
            case E.Call(fn=E.Attribute(base=E.Name(id=base), attr=attr), kwargs=()) if isinstance(
                self.kinds.at(s.site, base), DictOf
            ):
                if attr in ("get", "pop", "setdefault") and 1 <= len(e.args) <= 2:
                    return self.entry(s, base, attr, e.args)
                if attr == "__delitem__":
                    return self.entry(s, base, "pop", e.args, dropped=True)
                if attr == "popitem" and not e.args:
                    return self.last_entry(s, base)
                if attr == "keys" and not e.args and s.target in self.sets:
                    return self.keys_of(s, base)
                if attr in _OF_DICTS and not e.args:
                    return self.spelled(s, _OF_DICTS[attr][0], base, ())
            case E.Call(fn=E.Attribute(base=E.Name(id=base), attr="sort"), args=()) if (
                self.is_list(E.Name(base), s.site) and dict(e.kwargs).keys() <= {"reverse"}
            ):
                return self.sorted_in_place(s, base, tuple(v for _, v in e.kwargs))
            case E.Call(fn=E.Attribute(base=E.Name(id=base), attr="remove"), args=(value,)) if (
                is_differentiable(self.kinds.at(s.site, base))
                and self.is_list(E.Name(base), s.site)
                and not e.kwargs
            ):
                return self.removed(s, base, value)
            case E.Call(fn=E.Attribute(base=E.Name(id=base), attr=attr), kwargs=()) if (
                attr in _METHODS and self.is_list(E.Name(base), s.site)
            ):
                op, least, most = _METHODS[attr]
                if least <= len(e.args) <= most:
                    return self.spelled(s, op, base, e.args)
            case E.Binary(op="|", left=left, right=right) if (
                isinstance(self.kinds.expr(s.site, left), DictOf)
                and isinstance(self.kinds.expr(s.site, right), DictOf)
            ):
                return self.united(s, left, right)
            case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=base),), kwargs=()) if (
                (fn is dict or fn in _COPIES) and isinstance(self.kinds.at(s.site, base), DictOf)
            ):
                if fn is not copy.deepcopy or self.is_flat(base, s.site):
                    return self.spelled(s, "copy", base, ())
            case E.Binary(op="+", left=E.Name(id=base), right=right) if (
                self.is_list(e.left, s.site) and self.is_list(right, s.site)
            ):
                return self.spelled(s, "concat", base, (right,))
            case E.Binary(op="*", left=left, right=right):
                for a, b in ((left, right), (right, left)):
                    number = self.kinds.expr(s.site, b)
                    # a float raises; what may be one or an int is one then
                    whole = isinstance(number, Scalar) and (
                        number.type in ("int", "bool") or number.dtype == "?"
                    )
                    if isinstance(a, E.Name) and self.is_list(a, s.site) and whole:
                        return self.spelled(s, "repeat", a.id, (b,))
            case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=base),), kwargs=()) if (
                fn is list and isinstance(self.kinds.at(s.site, base), DictOf)
            ):
                return self.spelled(s, "keys", base, ())
            case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=base),)) if (
                fn in (tuple, sorted, max, min) and isinstance(self.kinds.at(s.site, base), DictOf)
            ):
                return self.of_keys(s, e, base)
            case E.Call(fn=E.Ref(value=fn), args=(_, _, *_), kwargs=()) if (
                fn in (max, min) and all(self.is_tuple(a, s.site) for a in e.args)
            ):
                return self.of_tuples(s, fn is max, e.args)
            case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=base), *rest), kwargs=kwargs) if (
                self.is_list(e.args[0], s.site)
            ):
                if fn is list and not rest and not kwargs:
                    return self.spelled(s, "list", base, ())
                if fn is copy.copy and not rest and not kwargs:
                    return self.spelled(s, "copy", base, ())
                if fn is copy.deepcopy and not rest and self.is_flat(base, s.site):
                    return self.spelled(s, "copy", base, ())
                if fn is tuple and not rest:
                    return self.spelled(s, "freeze", base, ())
                order = {"reverse"} if fn is sorted else set()
                if fn in (max, min, sorted) and not rest and dict(kwargs).keys() <= order:
                    return self.ordered(s, fn, base, tuple(v for _, v in kwargs))
                if fn is sum and len(rest) < 2 and not kwargs:
                    return self.spelled(s, "sum", base, tuple(rest))
                if self.carries(base, s.site):
                    return self.arrayed(s, e, base)
            case _:
                pass
        return self.operands(s)

    def is_tuple(self, e: E.Expr, site: int) -> bool:
        """Whether an expression is a tuple of known length, in a variable or written out."""
        match e:
            case E.Name(id=v):
                return isinstance(present(self.kinds.at(site, v)), TupleOf)
            case E.Sequence(kind="tuple", items=items):
                return all(map(E.is_atom, items))
            case _:
                return False

    def of_tuples(
        self, s: S.Bind, greatest: bool, given: tuple[E.Expr, ...]
    ) -> Iterator[S.Stmt]:
        """The largest or smallest of tuples: one after the other is compared."""
        names: list[str] = []
        for e in given:
            names.append(e.id if isinstance(e, E.Name) else self.names.fresh("t"))
            if isinstance(e, E.Sequence):
                items = tuple(a for a in e.items if isinstance(a, E.Name | E.Const | E.Ref))
                yield S.Pack(names[-1], "tuple", items, **self.place(s))
        best, *others = names
        for n, name in enumerate(others):
            last = n == len(others) - 1
            found = s.target if last else self.names.fresh("t")
            test = E.Compare(E.Name(name), (">" if greatest else "<",), (E.Name(best),))
            then, orelse = (S.Alias(found, v, **self.place(s)) for v in (name, best))
            yield S.If(test, (then,), (orelse,), **(S.place(s, s.site) if last else self.place(s)))
            best = found

    def keys_of(self, s: S.Bind, base: str) -> Iterator[S.Stmt]:
        """`d.keys()` where it counts as a set."""
        keys = self.names.fresh("keys")
        yield S.Edit(keys, "keys", base, (), **self.place(s))
        yield replace(s, value=E.Call(E.Ref("keys_of", runtime.keys_of), (E.Name(keys),)))

    def of_keys(self, s: S.Bind, e: E.Call, base: str) -> Iterator[S.Stmt]:
        """`sorted(d)` and the like of a dictionary: of a list of its keys."""
        keys = self.names.fresh("keys")
        yield S.Edit(keys, "keys", base, (), **self.place(s))
        yield replace(s, value=replace(e, args=(E.Name(keys),)))

    def ordered(
        self, s: S.Bind, fn: object, base: str, args: tuple[E.Expr, ...]
    ) -> Iterator[S.Stmt]:
        """The largest or smallest item, or all in order: the position first, then what is there."""
        op: S.EditOp = "argsort" if fn is sorted else "argmax" if fn is max else "argmin"
        k = self.names.fresh("k")
        yield from self.spelled(replace(s, target=k, site=self.fresh_site()), op, base, args)
        if op == "argsort":
            yield S.Edit(s.target, "take", base, (E.Name(k),), **S.place(s, s.site))
        else:
            yield S.Load(s.target, base, (E.Name(k),), **S.place(s, s.site))

    def carries(self, base: str, site: int) -> bool:
        """Whether a list holds numbers or arrays that may carry a derivative."""
        kind = self.kinds.at(site, base)
        simple = isinstance(kind, ListOf) and isinstance(present(kind.item), Scalar | Array)
        return simple and is_differentiable(kind)

    def arrayed(self, s: S.Bind, e: E.Call, base: str) -> Iterator[S.Stmt] | None:
        """NumPy's functions that join the items of a list."""
        assert isinstance(e.fn, E.Ref)
        fn, axis = e.fn.value, dict(e.kwargs).get("axis", E.Const(0))
        if len(e.args) == 2 and fn in (np.stack, np.concatenate):
            axis = e.args[1]
        if dict(e.kwargs).keys() - {"axis"} or len(e.args) > 2:
            return self.operands(s)  # `out=` is written, `dtype=` converts: what the rule says
        plain = len(e.args) == 1 and not e.kwargs
        if fn in _AS_ARRAY and (plain or (fn is np.stack and E.is_atom(axis))):
            return self.stacked(s, base, axis)
        if fn in _JOINED and axis == E.Const(0):
            kind = self.kinds.at(s.site, base)
            item = kind.item if isinstance(kind, ListOf) else None
            if isinstance(item, Array) and (fn is np.concatenate or item.ndim == 1):
                return self.spelled(s, "concatenate", base, ())
        return self.operands(s)

    def stacked(self, s: S.Bind, base: str, axis: E.Expr) -> Iterator[S.Stmt]:
        if axis == E.Const(0):
            yield S.Edit(s.target, "array", base, (), site=s.site, span=s.span, origin=s.origin)
            return
        t = self.names.fresh("t")
        yield S.Edit(t, "array", base, (), **self.place(s))
        moved = E.Call(E.Ref("np.moveaxis", np.moveaxis), (E.Name(t), E.Const(0), axis))
        yield replace(s, value=moved)

    def operands(self, s: S.Bind) -> Iterator[S.Stmt] | None:
        """A primitive of arrays that is given a list: it makes an array of it first."""
        app = application(s.value, lambda e: self.kinds.expr(s.site, e))
        if app is None or not isinstance(s.value, E.Call | E.Binary) or app.rule.form == "writes":
            return None
        if app.rule.custom is not None or app.rule.without_lists:
            return None  # a function of the user's may do with a list what lists do
        if isinstance(s.value, E.Binary):  # between lists, tuples, Python's numbers it is none
            sides = [self.kinds.expr(s.site, e) for e in (s.value.left, s.value.right)]
            joined = s.value.op == "*"  # its numbers want to repeat it, and raise
            if not any(isinstance(k, Array) or (_is_numpy(k) and not joined) for k in sides):
                return None
        given = [
            e
            for p, e in app.bound.items()
            if p in app.rule.active_params
            and not app.rule.param(p).sequence
            and isinstance(e, E.Name)
            and self.is_list(e, s.site)
            and self.carries(e.id, s.site)
        ]
        return self.converted(s, given) if given else None

    def converted(self, s: S.Bind, given: list[E.Name]) -> Iterator[S.Stmt]:
        made = {e.id: self.names.fresh("t") for e in given}
        for base, t in made.items():
            yield S.Edit(t, "array", base, (), **self.place(s))

        def visit(e: E.Expr) -> E.Expr:
            return E.Name(made[e.id]) if isinstance(e, E.Name) and e.id in made else e

        yield replace(s, value=rebuild(s.value, visit))


def _is_numpy(kind: Kind) -> bool:
    return isinstance(kind, Scalar) and kind.type == "float" and kind.dtype not in (None, "?")
