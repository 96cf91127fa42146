"""Spells out calls that write into an array as plain stores, and those that rules say more simply.

y.fill(0)                     ->   y[...] = 0
np.multiply(a, b, out=y)      ->   t = np.multiply(a, b); y[...] = t
np.add(a, b, out=(y,))        ->   out = (y,)[0]; then as above
np.exp(t, out=...)            ->   t_2 = np.exp(t); y = np.asarray(t_2)      (a number t)
np.exp(x, out=o)              ->   if o is None: y = np.exp(x, out=o)      (an array o, or None)
                                   else: o[...] = np.exp(x); y = o
np.add.at(y, k, v)            ->   y[k] +at= v
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from adtrans.analyses.apply import Application, application
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.kinds.given_out import is_ellipsis, without_out
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Kind, Mixed, TupleOf
from adtrans.ir.names import NameAllocator
from adtrans.ir.rewriter import Rewriter
from adtrans.ir.walk import map_blocks

_ELLIPSIS_ALLOWED = np.lib.NumpyVersion(np.__version__) >= "2.3.0"
Expander = Callable[[str, Mapping[str, E.Expr], str | None, S.Bind, NameAllocator], S.Block]
"""The statements of a rule's source, with expressions for its parameters."""


def written(s: S.Bind, kinds: Kinds, new: Rewriter, expand: Expander) -> Iterator[S.Stmt]:
    """What a primitive is by its rule; `s` itself where the rule says no more than the call."""
    app = application(s.value, lambda e: kinds.expr(s.site, e))
    if app is None:
        yield s
        return
    if isinstance(s.value, E.Call) and _in_an_array(s, s.value, kinds):
        number = new.fresh("t")
        yield S.Bind(number, without_out(s.value), **new.place(s))
        yield replace(s, value=E.Call(E.Ref("np.asarray", np.asarray), (E.Name(number),)))
        return
    given = app.kinds(lambda e: kinds.expr(s.site, e))
    if _is_array_or_none(given.get("out")) and isinstance(app.bound["out"], E.Name):
        yield _asked_first(s, app.bound["out"], new)
        return
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
            yield _with_sites(inner, new)


def _with_sites(s: S.Stmt, new: Rewriter) -> S.Stmt:
    """A statement and those inside it, each with a number of its own."""
    numbered = replace(s, site=new.fresh_site())
    return map_blocks(numbered, lambda body: tuple(_with_sites(i, new) for i in body))


def _in_an_array(s: S.Bind, call: E.Call, kinds: Kinds) -> bool:
    """Whether a call of a universal function with `out=...` may have a number as its result, which
    is returned in an array then."""
    out = dict(call.kwargs).get("out")
    if out is None or not is_ellipsis(kinds.expr(s.site, out)) or not _ELLIPSIS_ALLOWED:
        return False
    fn = call.fn.value if isinstance(call.fn, E.Ref) else None
    made = kinds.expr(s.site, call)
    each = isinstance(fn, np.ufunc) or isinstance(getattr(fn, "__self__", None), np.ufunc)
    return each and isinstance(made, Array) and not made.ndim


def _is_array_or_none(kind: Kind | None) -> bool:
    return isinstance(kind, Mixed) and kind.none and not kind.numbers


def _asked_first(s: S.Bind, out: E.Name, new: Rewriter) -> S.If:
    """A call that writes an array, or nothing where that is None: as two calls."""
    test = E.Compare(out, ("is",), (E.NONE,))
    then, orelse = (replace(s, site=new.fresh_site()) for _ in range(2))
    return S.If(test, (then,), (orelse,), **S.place(s, s.site))


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
