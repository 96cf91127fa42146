"""Lists of lists that NumPy makes arrays of, as lists of arrays.

np.concatenate(rows)     ->   t = []; for row in rows: t.append(np.array(row)); np.concatenate(t)
np.vstack(pair)          ->   t = np.array(pair[0]); t_2 = pair[1]; np.vstack((t, t_2))

The adjoint of such an operand is made of arrays, and that of a list of lists of lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from adtrans.analyses.apply import application
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind, ListOf, TupleOf, is_differentiable
from adtrans.ir.rewriter import Rewriter

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
