"""Attributes that a function assigns to classes instead of objects.

An object that has no attribute of its own shows that of its class; where a program changes that,
objects that were made before change with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, statements
from adtrans.lower.opaque import ALL, assigned_attributes


def set_in_classes(body: S.Block) -> frozenset[str]:
    """The attributes of classes that are assigned, deleted or set by name; "" stands for all."""
    classes = {v for s in statements(body) for v in binds_of(s) if _means_class(s)}
    return frozenset(_set(statements(body), classes))


def _set(body: Iterable[S.Stmt], classes: set[str]) -> Iterator[str]:
    for s in body:
        match s:
            case S.SetAttr(base=base, attr=attr) if _is_class(base, classes):
                yield attr
            case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=(base, *more))) | S.Invoke(
                fn=E.Ref(value=fn), args=(base, *more)
            ) if (fn is setattr or fn is delattr) and _is_class(base, classes):
                first = more[0] if more else None
                known = first.value if isinstance(first, E.Const) else None
                yield known if isinstance(known, str) else ""
            case S.Keep():
                yield from ("" if a == ALL else a for a in assigned_attributes(s))
            case _:
                pass


def _is_class(e: E.Expr, classes: set[str]) -> bool:
    if isinstance(e, E.Name):
        return e.id in classes
    return isinstance(e, E.Ref) and isinstance(e.value, type)


def _means_class(s: S.Stmt) -> bool:
    """Whether a statement binds a variable to a class, as far as that can be seen."""
    match s:
        case S.Bind(value=E.Ref(value=type())) | S.Bind(value=E.Attribute(attr="__class__")):
            return True
        case S.Bind(value=E.Call(fn=E.Ref(value=fn))):
            return fn is type
        case _:
            return False
