"""Assignments to attributes that nothing reads any more: in code that was differentiated before.

Generated code reads the variable that an attribute has got, and assigns the attribute only to keep
the object as the user expects it. Differentiated again, such an assignment means nothing, wherever
the object comes from and whatever holds it. It means something where the object was not followed,
so that generated code knows the attributes of which this may be so: those that are `loose`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import FunctionType

from adtrans.ir import stmt as S
from adtrans.ir.walk import map_blocks, statements
from adtrans.lower.opaque import ALL, assigned_attributes

_LOOSE = "_adtrans_loose"


def loose(functions: Iterable[S.Function]) -> frozenset[str]:
    """The attributes that are assigned otherwise."""
    found: set[str] = set()
    for fn in functions:
        for s in statements(fn.body):
            match s:
                case S.SetAttr(attr=attr, mirror=False):
                    found.add(attr)
                case S.Keep():
                    found |= assigned_attributes(s)
                case _:
                    pass
    return frozenset(found)


def generated(functions: Iterable[FunctionType], attributes: frozenset[str]) -> None:
    """Notes which attributes are loose in functions that were just made."""
    for fn in functions:
        vars(fn)[_LOOSE] = attributes


def told(fn: FunctionType, body: S.Function, *, inert: bool) -> S.Function:
    """The function with its mirrors told from other assignments. `inert`: everything that may see
    the objects was differentiated before; otherwise there are none."""
    attributes = vars(fn).get(_LOOSE)

    def block(b: S.Block) -> S.Block:
        return tuple(one(s) for s in b)

    def one(s: S.Stmt) -> S.Stmt:
        if not isinstance(s, S.SetAttr):
            return map_blocks(s, block)
        known = s.mirror or (attributes is not None and attributes.isdisjoint({s.attr, ALL}))
        return replace(s, mirror=inert and known)

    if not any(isinstance(s, S.SetAttr) for s in statements(body.body)):
        return body
    return replace(body, body=block(body.body))


__all__ = ["generated", "loose", "told"]
