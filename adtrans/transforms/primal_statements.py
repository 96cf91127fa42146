"""Statements of the primal as generated code: operations of containers, scattered writes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adtrans import runtime
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import names_in

_ORDER = {
    "argmax": E.Ref("place_of_max", runtime.place_of_max),
    "argmin": E.Ref("place_of_min", runtime.place_of_min),
    "argsort": E.Ref("order_of", runtime.order_of),
    "find": E.Ref("place_of", runtime.place_of),
    "last_key": E.Ref("last_key", runtime.last_key),
}


def operation(base: E.Expr, op: S.EditOp, args: tuple[E.Expr, ...]) -> E.Expr:
    """An operation of a list as Python."""
    match op:
        case "concat":
            return E.Binary("+", base, args[0])
        case "repeat":
            return E.Binary("*", base, args[0])
        case "sum":
            return E.Call(E.Ref("sum", sum), (base, *args))
        case "keys" | "list":
            return E.Call(E.Ref("list", list), (base,))
        case "freeze":
            return E.Call(E.Ref("tuple", tuple), (base,))
        case "remove":
            return E.Call(E.Attribute(base, "pop"), args)
        case "take":
            return E.Call(E.Ref("picked", runtime.picked), (base, *args))
        case "argmax" | "argmin" | "argsort" | "find" | "last_key":
            return E.Call(_ORDER[op], (base, *args))
        case "array":
            return E.Call(E.Ref("np.array", np.array), (base,))
        case "concatenate":
            return E.Call(E.Ref("np.concatenate", np.concatenate), (base,))
        case _:
            return E.Call(E.Attribute(base, op), args)


def spliced(base: E.Expr, args: tuple[E.Expr, ...]) -> C.Code:
    """`base[start:stop] = values`."""
    start, stop = (None if a == E.NONE else a for a in args[:2])
    return C.Assign((E.Index(base, (E.Slice(start, stop, None),)),), args[2], None)


def scatter(
    base: E.Expr, s: S.Update, f: Callable[[E.Expr], E.Expr], value: E.Expr | None = None
) -> E.Expr:
    """`np.add.at(base, items, value)`."""
    assert s.items is not None
    items = tuple(f(i) for i in s.items)
    index = (
        items[0]
        if len(items) == 1 and not isinstance(items[0], E.Slice)
        else (
            E.Index(E.Ref("np.s_", np.s_), items)
            if any(isinstance(i, E.Slice) for i in items)
            else E.Sequence("tuple", items)
        )
    )
    ref = (
        E.Ref("np.add.at", np.add.at) if s.op == "+at" else E.Ref("np.subtract.at", np.subtract.at)
    )
    return E.Call(ref, (base, index, f(s.value) if value is None else value))


def mentioned(c: C.Code) -> set[str]:
    match c:
        case C.Assign():
            into = (n for t in c.targets if not isinstance(t, E.Name) for n in names_in(t))
            return names_in(c.value).union(into)
        case C.Do():
            return names_in(c.value)
        case _:
            return set()
