"""Syntax nodes with all their fields: the only place where generated nodes are built.

gast's constructors neither check nor fill in; a node without one of its fields fails much later.

>>> import gast
>>> gast.unparse(constant(-1.5)), gast.unparse(constant(float("inf")))
('-1.5', "float('inf')")
>>> gast.unparse(dotted("np.linalg.inv"))
'np.linalg.inv'
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import gast
import numpy as np


def name(id: str) -> gast.Name:
    """A variable that is read."""
    return gast.Name(id, gast.Load(), None, None)


def parameter(id: str) -> gast.Name:
    """A formal parameter."""
    return gast.Name(id, gast.Param(), None, None)


def attribute(base: gast.expr, attr: str) -> gast.Attribute:
    """`base.attr`."""
    return gast.Attribute(base, attr, gast.Load())


def dotted(text: str) -> gast.expr:
    """`np.linalg.inv` as names and attributes."""
    root, *attrs = text.split(".")
    node: gast.expr = name(root)
    for attr in attrs:
        node = attribute(node, attr)
    return node


def call(fn: gast.expr, args: Sequence[gast.expr] = ()) -> gast.Call:
    """`fn(*args)`."""
    return gast.Call(fn, list(args), [])


def tuple_of(items: Sequence[gast.expr]) -> gast.Tuple:
    """A tuple display."""
    return gast.Tuple(list(items), gast.Load())


def constant(value: object) -> gast.expr:
    """A literal that prints as Python reads it: signs become operators, NumPy numbers Python's.

    Raises:
        TypeError: if `value` has no literal.
    """
    if isinstance(value, np.generic):
        value = value.item()
    match value:
        case None | bool() | str() | bytes():
            return gast.Constant(value, None)
        case int():
            return _signed(int(value), value < 0)
        case float():
            if math.isnan(value):
                return call(name("float"), [gast.Constant("nan", None)])
            return _signed(float(value), math.copysign(1.0, value) < 0)
        case complex(real=re, imag=im):
            if repr(re) == "0.0" and math.isfinite(im) and math.copysign(1.0, im) > 0:
                return gast.Constant(value, None)
            return call(name("complex"), [constant(re), constant(im)])
    if value is Ellipsis:
        return gast.Constant(value, None)
    if isinstance(value, tuple):
        return tuple_of([constant(v) for v in value])
    raise TypeError(f"no literal for {type(value).__name__} {value!r}")


def _signed(number: int | float, negative: bool) -> gast.expr:
    """`-1` is an operator applied to 1: a negative constant would print `(-1) ** 2` wrongly."""
    size = abs(number)
    node: gast.expr = (
        call(name("float"), [gast.Constant("inf", None)])
        if size == math.inf
        else gast.Constant(size, None)
    )
    return gast.UnaryOp(gast.USub(), node) if negative else node


def stored(node: gast.expr) -> gast.expr:
    """`node` as the target of an assignment (a new node; the old one may be the user's).

    Raises:
        TypeError: if it cannot be assigned to.
    """
    match node:
        case gast.Name():
            return gast.Name(node.id, gast.Store(), None, None)
        case gast.Attribute():
            return gast.Attribute(node.value, node.attr, gast.Store())
        case gast.Subscript():
            return gast.Subscript(node.value, node.slice, gast.Store())
        case gast.Tuple():
            return gast.Tuple([stored(item) for item in node.elts], gast.Store())
        case gast.List():
            return gast.List([stored(item) for item in node.elts], gast.Store())
        case gast.Starred():
            return gast.Starred(stored(node.value), gast.Store())
        case _:
            raise TypeError(f"not a target: {gast.unparse(node)}")
