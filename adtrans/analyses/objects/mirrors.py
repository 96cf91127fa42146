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

import gast

from adtrans.ir import stmt as S
from adtrans.ir.walk import map_blocks, statements

_LOOSE = "_adtrans_loose"
_ALL = "*"
_SETTERS = frozenset({"setattr", "__setattr__", "__dict__", "vars"})


def loose(functions: Iterable[S.Function]) -> frozenset[str]:
    """The attributes that are assigned otherwise."""
    found: set[str] = set()
    for fn in functions:
        for s in statements(fn.body):
            match s:
                case S.SetAttr(attr=attr, mirror=False):
                    found.add(attr)
                case S.Keep(node=gast.AST() as node):
                    for sub in gast.walk(node):
                        if isinstance(sub, gast.Attribute) and isinstance(sub.ctx, gast.Store):
                            found.add(sub.attr)
                        elif isinstance(sub, gast.Name | gast.Attribute):
                            name = sub.id if isinstance(sub, gast.Name) else sub.attr
                            if name in _SETTERS:
                                found |= _constants(node)
                case _:
                    pass
    return frozenset(found)


def _constants(node: gast.AST) -> set[str]:
    """The strings in a statement: names of what it may set; everything where there are none."""
    constants = (sub.value for sub in gast.walk(node) if isinstance(sub, gast.Constant))
    return {value for value in constants if isinstance(value, str)} or {_ALL}


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
        known = s.mirror or (attributes is not None and attributes.isdisjoint({s.attr, _ALL}))
        return replace(s, mirror=inert and known)

    if not any(isinstance(s, S.SetAttr) for s in statements(body.body)):
        return body
    return replace(body, body=block(body.body))


__all__ = ["generated", "loose", "told"]
