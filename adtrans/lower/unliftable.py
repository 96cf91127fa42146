"""Why a local function is left where it is: its calls would not do what they do as closures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import gast

from adtrans.lower.surely_bound import SurelyBound, surely_read
from adtrans.lower.swallowing import handles, may_swallow
from adtrans.lower.syntax import (
    bound_names,
    in_scope,
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
    return (
        _stale(node, found)
        | _unbound(node, found, means)
        | looked_at(node) & found.keys()
    )


def _stale(node: gast.FunctionDef, found: Mapping[str, Local]) -> set[str]:
    """Context managers that see a variable which the block of a `with` may bind: what a manager
    does at the end of the block would see what it was before."""
    managers = [g for g in found.values() if g.manages]
    if not managers:
        return set()
    nodes = nodes_in(node)
    blocks = [bound_names(n.body) for n in nodes if isinstance(n, gast.With)]
    bound = {name for names in blocks for name in names}
    bound |= {name for n in nodes if isinstance(n, gast.Nonlocal) for name in n.names}
    return {g.name for g in managers if bound & {*g.captured}}


def _unbound(
    node: gast.FunctionDef, found: Mapping[str, Local], means: Callable[[gast.AST], object]
) -> set[str]:
    """Functions called when a variable that they capture may not be bound yet, which they need not
    read then: a call that passes it would."""
    if not any(g.captured for g in found.values()):
        return set()

    def ends(context: gast.expr) -> bool:
        match context:
            case gast.Call(func=gast.Name(id=name)) if name in found and found[name].manages:
                return any(map(handles, in_scope(found[name].body)))
            case _:
                return may_swallow(context, means)

    bound = SurelyBound(node, ends)

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
