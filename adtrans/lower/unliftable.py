"""Why a local function is left where it is: its calls would not do what they do as closures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import gast

from adtrans.lower.surely_bound import SurelyBound, surely_read
from adtrans.lower.swallowing import handles, may_swallow
from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    bound_names,
    free_names,
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
        _seen_elsewhere(node, found)
        | _interrupted(node, found)
        | _stale(node, found)
        | _unbound(node, found, means)
        | _in_iterables(node, found)
        | looked_at(node) & found.keys()
    )


def _in_iterables(node: gast.FunctionDef, found: Mapping[str, Local]) -> set[str]:
    """Functions that bind a variable outside and are called for what a comprehension goes through
    in a loop of its inside: nothing can be bound there."""
    later = [
        g.iter for n in nodes_in(node) if isinstance(n, Comprehension) for g in n.generators[1:]
    ]
    named = {n.id for top in later for n in nodes_in(top) if isinstance(n, gast.Name)}
    return {name for name in named if name in found and found[name].rebound}


def _interrupted(node: gast.FunctionDef, found: Mapping[str, Local]) -> set[str]:
    """Functions that bind a variable outside and are called inside `try` or `with`: an exception
    may end the call when the variable is bound, but the result has not come back."""
    counters = _counters(node)
    guarded = [
        n
        for n in nodes_in(node)
        if isinstance(n, gast.With)
        or (isinstance(n, gast.Try) and not (n.handlers == [] and _is_quiet(n, counters)))
    ]
    called = {name for n in guarded for name in _called(n)}
    return {name for name in called if name in found and found[name].rebound}


def _is_quiet(n: gast.Try, counters: frozenset[str]) -> bool:
    """Whether what a `finally` does to variables is all it does: nobody sees them afterwards, where
    an exception goes on."""
    for s in n.finalbody:
        match s:
            case gast.Pass() | gast.Assign(targets=[gast.Name()], value=gast.Constant()):
                pass
            case gast.AugAssign(target=gast.Name(id=v), value=gast.Constant()) if v in counters:
                pass
            case _:
                return False
    return True


def _counters(node: gast.FunctionDef) -> frozenset[str]:
    """The variables that are numbers, for all that is assigned to them."""
    good: set[str] = set()
    plain: set[int] = set()
    nodes = nodes_in(node)
    for n in nodes:
        for target, value in _pairs(n):
            if isinstance(value, gast.Constant) and isinstance(value.value, int | float):
                plain.add(id(target))
                good.add(target.id)
    other = {n.id for n in nodes if isinstance(n, gast.Name) and id(n) not in plain
             and not isinstance(n.ctx, gast.Load)}  # fmt: skip
    return frozenset(good - other)


def _pairs(n: gast.AST) -> Iterator[tuple[gast.Name, gast.expr]]:
    match n:
        case gast.AugAssign(target=gast.Name() as target, value=value):
            yield target, value
        case gast.Assign(targets=targets, value=value):
            for t in targets:
                if isinstance(t, gast.Name):
                    yield t, value
                elif isinstance(t, gast.Tuple) and isinstance(value, gast.Tuple):
                    for a, b in zip(t.elts, value.elts, strict=False):
                        if isinstance(a, gast.Name):
                            yield a, b


def _called(node: gast.Try | gast.With) -> list[str]:
    """The functions called where an exception is seen, or passes by what is done then."""
    if isinstance(node, gast.With) and all(_is_harmless(i.context_expr) for i in node.items):
        return []
    seen: list[gast.AST] = [*node.body]
    if isinstance(node, gast.Try) and node.finalbody:
        seen += [*node.orelse, *node.handlers]
    calls = (c for s in seen for c in nodes_in(s) if isinstance(c, gast.Call))
    return [c.func.id for c in calls if isinstance(c.func, gast.Name)]


def _is_harmless(context: gast.expr) -> bool:
    """Whether a context manager lets exceptions through: `np.errstate(...)`."""
    name = context.func if isinstance(context, gast.Call) else context
    return isinstance(name, gast.Attribute) and name.attr == "errstate"


def _stale(node: gast.FunctionDef, found: Mapping[str, Local]) -> set[str]:
    """Context managers that bind a variable outside, or see one that the block of a `with` may
    bind: what a manager does at the end of the block would see what it was before."""
    managers = [g for g in found.values() if g.manages]
    if not managers:
        return set()
    nodes = nodes_in(node)
    blocks = [bound_names(n.body) for n in nodes if isinstance(n, gast.With)]
    bound = {name for names in blocks for name in names}
    bound |= {name for n in nodes if isinstance(n, gast.Nonlocal) for name in n.names}
    return {g.name for g in managers if g.rebound or bound & {*g.captured}}


def _seen_elsewhere(node: gast.FunctionDef, found: Mapping[str, Local]) -> set[str]:
    """Functions that bind a variable which a function that is not lifted sees, or calls of which
    stand in one: there the variable would not be the same one any more."""
    skipped = {id(g.node) for g in found.values()}
    kept = (*Scope, gast.ClassDef)
    left = [n for n in in_scope(node.body) if isinstance(n, kept) and id(n) not in skipped]
    seen = {name for n in left for name in free_names(n)}
    return {g.name for g in found.values() if g.rebound and (g.name in seen or seen & {*g.rebound})}


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
