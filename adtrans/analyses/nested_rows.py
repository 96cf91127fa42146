"""Lists of lists that NumPy makes arrays of, as lists of arrays.

np.concatenate(rows)     ->   t = []; for row in rows: t.append(np.array(row)); np.concatenate(t)
np.vstack(pair)          ->   t = np.array(pair[0]); t_2 = pair[1]; np.vstack((t, t_2))

The adjoint of such an operand is made of arrays, and that of a list of lists of lists. Where rows
are written, adjoints are found by the rows: each is read by itself then, also for one array.

np.linalg.det(rows)      ->   t = []; for row in rows: t.append(np.array(row)); np.linalg.det(t)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from adtrans.analyses.apply import application
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Container, Kind, ListOf, TupleOf, is_differentiable
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import binds_of, names_in, rebuild, statements

_ARRAY = E.Ref("np.array", np.array)


def nested_rows(s: S.Bind, kinds: Kinds, new: Rewriter) -> Iterator[S.Stmt] | None:
    """A primitive with lists of arrays in the place of lists of lists; None: it has none."""
    app = application(s.value, lambda e: kinds.expr(s.site, e))
    if app is None or not isinstance(s.value, E.Call) or not app.rule.of_arrays:
        return None
    found: dict[str, Kind] = {}
    for p in app.rule.params:
        e = app.bound.get(p.name)
        if p.name not in app.rule.active_params or p.nested or not isinstance(e, E.Name):
            continue
        kind = kinds.expr(s.site, e)
        if is_differentiable(kind) and has_lists(kind):
            found[e.id] = kind
    return _converted(s, s.value, found, new) if found else None


def written_rows(
    s: S.Bind, kinds: Kinds, written: bool, new: Rewriter
) -> Iterator[S.Stmt] | None:
    """A primitive with arrays in the place of lists of lists whose rows are `written`; None: it has
    none."""
    app = application(s.value, lambda e: kinds.expr(s.site, e)) if written else None
    if app is None or not isinstance(s.value, E.Call) or app.rule.custom is not None:
        return None
    if not app.rule.spelling.startswith(("np.", "scipy.")) or app.rule.form == "writes":
        return None
    found = {
        e.id: kind
        for p in app.rule.params
        if p.name in app.rule.active_params and (not p.sequence or _makes_array(s.value.fn))
        and isinstance(e := app.bound.get(p.name), E.Name)
        and isinstance(kind := kinds.expr(s.site, e), ListOf)
        and is_differentiable(kind) and has_lists(kind)
    }  # fmt: skip
    return _in_arrays(s, s.value, found, new) if found else None


def _in_arrays(
    s: S.Bind, call: E.Call, found: dict[str, ListOf], new: Rewriter
) -> Iterator[S.Stmt]:
    by: dict[str, str] = {}
    for source, kind in found.items():
        made, row, array, by[source] = (new.fresh(n) for n in ("t", "row", "t", "t"))
        yield S.Pack(made, "list", (), **new.place(s))
        one: S.Stmt = S.Edit(array, "array", row, (), **new.place(s))
        if has_lists(kind.item):
            one = S.Bind(array, E.Call(_ARRAY, (E.Name(row),)), **new.place(s))
        put = S.Edit(None, "append", made, (E.Name(array),), **new.place(s))
        yield S.For(row, S.Elements(source), (one, put), **new.place(s))
        if call == E.Call(call.fn, (E.Name(source),)) and _makes_array(call.fn):
            yield S.Edit(s.target, "array", made, (), **S.place(s, s.site))
            return
        yield S.Edit(by[source], "array", made, (), **new.place(s))

    def visit(e: E.Expr) -> E.Expr:
        return E.Name(by[e.id]) if isinstance(e, E.Name) and e.id in by else rebuild(e, visit)

    yield replace(s, value=rebuild(call, visit))


def _makes_array(fn: E.Expr) -> bool:
    return isinstance(fn, E.Ref) and fn.value in (np.array, np.asarray, np.stack)


def rows_written(fn: S.Function, kinds: Kinds) -> bool:
    """Whether lists are changed that were found in a container, or put into one before."""
    found: set[str] = set()
    for s in statements(fn.body):
        match s:
            case S.Load(base=base, items=items):
                inside = not any(isinstance(i, E.Slice) for i in items)
                inside = inside and isinstance(kinds.at(s.site, base), Container)
            case S.For() | S.Unpack() | S.Edit(op="pop"):
                inside = True
            case S.Alias(source=source):
                inside = source in found
            case _:
                inside = False
        found |= {v for v in binds_of(s) if inside and isinstance(kinds.var(v), ListOf)}
        match s:
            case S.Store(base=base) | S.Update(base=base) if base in found:
                return True
            case S.Edit(base=base, op=op) if base in found and op in S.CHANGES:
                return True
            case S.Edit(op=op, args=args) if op in S.CHANGES:
                put = {v for a in args for v in names_in(a)}
                found |= {v for v in put if isinstance(kinds.var(v), ListOf)}
            case _:
                pass
    return False


def has_lists(kind: Kind) -> bool:
    """Whether something is a list of lists, or a tuple with a list in it.

    >>> from adtrans.ir.kinds import PY_FLOAT
    >>> has_lists(ListOf(ListOf(PY_FLOAT))), has_lists(ListOf(PY_FLOAT))
    (True, False)
    """
    if isinstance(kind, TupleOf):
        return any(isinstance(k, ListOf) for k in kind.items)
    return isinstance(kind, ListOf) and isinstance(kind.item, ListOf)


def _converted(s: S.Bind, call: E.Call, found: dict[str, Kind], new: Rewriter) -> Iterator[S.Stmt]:
    by: dict[str, E.Expr] = {}
    for source, kind in found.items():
        if isinstance(kind, TupleOf):
            items: list[E.Expr] = []
            for k, item in enumerate(kind.items):
                name = new.fresh("t")
                yield S.Load(name, source, (E.Const(k),), **new.place(s))
                if isinstance(item, ListOf):
                    of, name = name, new.fresh("t")
                    yield S.Bind(name, E.Call(_ARRAY, (E.Name(of),)), **new.place(s))
                items.append(E.Name(name))
            by[source] = E.Sequence("tuple", tuple(items))
            continue
        made, row, array = new.fresh("t"), new.fresh("row"), new.fresh("t")
        yield S.Pack(made, "list", (), **new.place(s))
        body: S.Block = (
            S.Bind(array, E.Call(_ARRAY, (E.Name(row),)), **new.place(s)),
            S.Edit(None, "append", made, (E.Name(array),), **new.place(s)),
        )
        yield S.For(row, S.Elements(source), body, **new.place(s))
        by[source] = E.Name(made)

    def one(e: E.Expr) -> E.Expr:
        return by.get(e.id, e) if isinstance(e, E.Name) else e

    args = tuple(one(a) for a in call.args)
    kwargs = tuple((k, one(v)) for k, v in call.kwargs)
    yield replace(s, value=E.Call(call.fn, args, kwargs))
