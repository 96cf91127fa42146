"""Whether a function asks a dictionary for nothing but items at keys that are written down.

def one(t, p):                        def two(t, p):
    return p["a"] * t                     return sum(p.values()) * t

`one` does; `two` may depend on their number and order.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import gast

from adtrans.diagnostics.errors import AdtransError
from adtrans.lower.makers import means_in
from adtrans.source import get_source
from adtrans.source.libraries import is_library

_DEEP = 8  # calls


def only_items(fn: Any, param: str, depth: int = 0) -> bool:
    """Whether a function does nothing with a parameter but read items at keys that are literals, or
    pass it on to functions that do no more."""
    if depth > _DEEP or not isinstance(fn, FunctionType) or is_library(fn.__module__):
        return False
    try:
        source = get_source(fn)
    except AdtransError:
        return False
    node = source.node
    if not isinstance(node, gast.FunctionDef | gast.Lambda):
        return False
    means = means_in(node, source)
    fine: set[int] = set()
    for n in gast.walk(node):
        match n:
            case gast.Subscript(value=gast.Name() as of, slice=gast.Constant(), ctx=gast.Load()):
                fine.add(id(of))
            case gast.Call():
                callee = means(n.func)
                given = {id(a): a for a in (*n.args, *(k.value for k in n.keywords))
                         if isinstance(a, gast.Name) and a.id == param}  # fmt: skip
                if given and all(
                    only_items(callee, p, depth + 1) for p in _formal(callee, n, param)
                ):
                    fine |= given.keys()
            case _:
                pass
    return all(
        id(n) in fine or isinstance(n.ctx, gast.Param)
        for n in gast.walk(node)
        if isinstance(n, gast.Name) and n.id == param
    )


def _formal(callee: Any, call: gast.Call, name: str) -> list[str]:
    """The parameters for which a call gives a variable; if that is not known, one that is none."""
    try:
        bound = inspect.signature(callee).bind(
            *call.args, **{k.arg: k.value for k in call.keywords if k.arg is not None}
        )
    except (TypeError, ValueError):
        return [""]
    if any(k.arg is None for k in call.keywords):
        return [""]
    return [
        p
        for p, a in bound.arguments.items()
        if not isinstance(a, gast.AST) or (isinstance(a, gast.Name) and a.id == name)
    ]
