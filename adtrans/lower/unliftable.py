"""Why a local function is left where it is: its calls would not do what they do as closures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import gast

from adtrans.lower.surely_bound import SurelyBound, surely_read
from adtrans.lower.swallowing import may_swallow
from adtrans.lower.syntax import (
    nodes_in,
)

if TYPE_CHECKING:
    from adtrans.lower.locals import Local

_LOOKING = frozenset({"getattr", "setattr", "delattr", "hasattr", "vars", "dir", "id", "wraps",
                      "update_wrapper"})  # fmt: skip
SAID = frozenset({"__name__", "__qualname__", "__doc__", "__module__", "__call__"})


def unliftable(
    node: gast.FunctionDef, found: Mapping[str, Local], means: Callable[[gast.AST], object]
) -> set[str]:
    """The names of the functions that cannot be lifted."""
    return _unbound(node, found, means) | (looked_at(node) & found.keys())


def _unbound(
    node: gast.FunctionDef, found: Mapping[str, Local], means: Callable[[gast.AST], object]
) -> set[str]:
    """Functions called when a variable that they capture may not be bound yet, which they need not
    read then: a call that passes it would."""
    if not any(g.captured for g in found.values()):
        return set()

    bound = SurelyBound(node, lambda context: may_swallow(context, means))

    def reads(g: Local, seen: frozenset[str]) -> set[str]:
        own = surely_read(g.node)
        called = (found[n] for n in own if n in found and n not in seen)
        return own.union(*(reads(h, seen | {h.name}) for h in called))

    return {
        g.name
        for g in found.values()
        if any(
            not bound.runs_after(v, g.name) and v not in reads(g, frozenset({g.name}))
            for v in g.captured
        )
    }


def looked_at(node: gast.FunctionDef) -> set[str]:
    """The variables of which attributes are used, or that are handed to what looks at them: a
    function object is made anew in each call, with attributes of its own."""
    found: set[str] = set()
    others: dict[str, str] = {}
    for n in nodes_in(node):
        match n:
            case gast.Attribute(value=gast.Name(id=name), attr=attr, ctx=ctx):
                if attr not in SAID or not isinstance(ctx, gast.Load):
                    found.add(name)
            case gast.Call(func=fn, args=args):
                called = fn.attr if isinstance(fn, gast.Attribute) else getattr(fn, "id", "")
                if called in _LOOKING:
                    found |= {a.id for a in args if isinstance(a, gast.Name)}
            case gast.Assign(targets=targets, value=gast.Name(id=name)):
                others.update({t.id: name for t in targets if isinstance(t, gast.Name)})
            case _:
                pass
    for _ in others:
        found |= {others[name] for name in found if name in others}
    return found
