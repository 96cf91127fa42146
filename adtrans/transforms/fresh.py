"""Whether an expression makes a new array, or may stand for one that is there already."""

from __future__ import annotations

from adtrans import runtime
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir.kinds import Array, ListOf, TupleOf
from adtrans.rules import lookup
from adtrans.runtime.results import FRESH


def is_fresh(e: E.Expr) -> bool:
    """Whether evaluating `e` certainly makes a new array (or a number)."""
    match e:
        case E.Binary() | E.Const() | E.Compare():
            return True
        case E.Unary():
            return e.op != "+"
        case E.Call(fn=E.Ref() as f) if f.text in FRESH:
            return True
        case E.Call(fn=E.Ref() as f):
            rule = lookup(f.value)
            bound = None if rule is None else rule.bind(e.args, dict(e.kwargs))
            return rule is not None and rule.result_in(bound or {}) == "fresh"
        case E.Call(fn=E.Attribute(attr=attr)):
            return attr in ("copy", "sum", "dot")
        case _:
            return False


def copied(value: E.Expr, kinds: Kinds, var: str, site: int) -> E.Expr:
    """A copy of the value of `var`: of an array, a list of numbers, or what may be an array or a
    number."""
    if any(isinstance(k, Array | ListOf) for k in (kinds.var(var), kinds.at(site, var))):
        return E.Call(E.Attribute(value, "copy"), ())
    return E.Call(E.Ref("copy_of", runtime.copy_of), (value,))


def items_copied(value: E.Expr, kind: TupleOf, lost: frozenset[int] | None) -> E.Expr:
    """A tuple with copies of its arrays that are `lost` (None: any may be).

    >>> from adtrans.ir.kinds import PY_FLOAT
    >>> array = Array("float64", None)
    >>> print(items_copied(E.Name("t"), TupleOf((array, array, PY_FLOAT)), frozenset({0})))
    (t[0].copy(), t[1], t[2])
    """
    items: list[E.Expr] = []
    for k, held in enumerate(kind.items):
        item: E.Expr = E.Index(value, (E.Const(k),))
        if isinstance(held, Array) and (lost is None or k in lost):
            item = E.Call(E.Attribute(item, "copy"), ())
        items.append(item)
    return E.Sequence("tuple", tuple(items))
