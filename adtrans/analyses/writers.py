"""Spells out calls that write into an array as plain stores, and those that rules say more simply.

y.fill(0)                     ->   y[...] = 0
np.multiply(a, b, out=y)      ->   t = np.multiply(a, b); y[...] = t
np.add(a, b, out=(y,))        ->   out = (y,)[0]; then as above
np.add.at(y, k, v)            ->   y[k] +at= v
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from adtrans.analyses.apply import Application, application
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, TupleOf
from adtrans.ir.names import NameAllocator
from adtrans.ir.rewriter import Rewriter

Expander = Callable[[str, Mapping[str, E.Expr], str | None, S.Bind, NameAllocator], S.Block]
"""The statements of a rule's source, with expressions for its parameters."""


def written(s: S.Bind, kinds: Kinds, new: Rewriter, expand: Expander) -> Iterator[S.Stmt]:
    """What a primitive is by its rule; `s` itself where the rule says no more than the call."""
    app = application(s.value, lambda e: kinds.expr(s.site, e))
    if app is None:
        yield s
        return
    given = app.kinds(lambda e: kinds.expr(s.site, e))
    if (into := _array_in_tuple(s.value, given)) is not None:
        out = new.fresh("out")
        yield S.Load(out, into, (E.Const(0),), **new.place(s))
        app = replace(app, bound={**app.bound, "out": E.Name(out)})
        given["out"] = _first(given["out"])
    expansion = app.rule.expand(app.bound, given)
    if app.rule.scatter and isinstance(app.bound.get("a"), E.Name):
        yield from _scattered(s, app, new)
    elif expansion is None:
        yield s
    else:
        for inner in expand(expansion.source, app.bound, expansion.result, s, new.names):
            yield replace(inner, site=new.fresh_site())


def _array_in_tuple(call: E.Expr, given: Mapping[str, Kind]) -> str | None:
    """The variable that is a tuple of the one array that a call writes: `out=(a,)`."""
    out = dict(call.kwargs).get("out") if isinstance(call, E.Call) else None
    match out, given.get("out"):
        case E.Name(id=name), TupleOf(items=(Array(),)):
            return name
        case _:
            return None


def _first(kind: Kind) -> Kind:
    return kind.items[0] if isinstance(kind, TupleOf) else kind


def _scattered(s: S.Bind, app: Application, new: Rewriter) -> Iterator[S.Stmt]:
    """`np.add.at(a, indices, b)` as an update that counts an index as often as it is there."""
    a, index, value = app.bound["a"], app.bound["indices"], app.bound["b"]
    items = index.items if isinstance(index, E.Sequence) and index.kind == "tuple" else (index,)
    if isinstance(a, E.Name) and isinstance(value, E.Name | E.Const | E.Ref):
        yield S.Update(a.id, items, app.rule.scatter + "at", value, **new.place(s))
        yield S.Bind(s.target, E.NONE, **S.place(s, s.site))
    else:
        yield s
