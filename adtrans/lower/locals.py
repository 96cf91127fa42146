"""The local functions of a function: which can be lifted, what they capture and bind outside.

One that is used as a value while it captures something, that is decorated, or is not the only
meaning of its name, is left where it is.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TypeAlias

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.later import binds, bound_later
from adtrans.lower.makers import callee_name, means_in
from adtrans.lower.opaque import name_node
from adtrans.lower.scopes import ScopedWalk
from adtrans.lower.surely_bound import SurelyBound
from adtrans.lower.swallowing import may_swallow
from adtrans.lower.syntax import (
    Scope,
    bound_names,
    declared_elsewhere,
    free_names,
    in_scope,
    nodes_in,
    parameters,
)
from adtrans.lower.unliftable import unliftable
from adtrans.source import MISSING, SourceFunction

_AT_ONCE = (sum, min, max, any, all, sorted, list, tuple, set, frozenset, dict, reduce)
"""What goes through generators at once, and keeps neither a `key=` nor what `reduce` calls."""

Definition: TypeAlias = "gast.FunctionDef | gast.Lambda"


@dataclass
class Local:
    """A local function. `captured`: the variables of the enclosing function that it sees.
    `defaults`: what to pass for parameters left out; `held`: variables for it.
    """

    name: str
    node: Definition
    statement: gast.stmt
    captured: dict[str, None] = field(default_factory=dict)
    calls: dict[str, None] = field(default_factory=dict)
    defaults: dict[str, gast.expr] = field(default_factory=dict)
    held: list[tuple[str, gast.expr]] = field(default_factory=list)

    @property
    def body(self) -> Sequence[gast.AST]:
        return [self.node.body] if isinstance(self.node, gast.Lambda) else list(self.node.body)


def candidates(
    node: gast.FunctionDef, means: Callable[[gast.AST], object] = lambda n: MISSING
) -> dict[str, Local]:
    """The local functions that are the only meaning of their name wherever it is read, and bind no
    variable of another function."""
    times: dict[str, int] = {p.id: 2 for p in parameters(node.args)}
    found: dict[str, Local] = {}
    for n in in_scope(node.body):
        for name in binds(n):
            times[name] = times.get(name, 0) + 1
        match n:
            case gast.FunctionDef() if not n.decorator_list:
                found[n.name] = Local(n.name, n, n)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as value):
                found[name] = Local(name, value, n)
            case gast.Global() | gast.Nonlocal():
                times.update(dict.fromkeys(n.names, 2))
    for inner in _scopes(node.body):
        outer = declared_elsewhere([inner.body] if isinstance(inner, gast.Lambda) else inner.body)
        for name in outer:
            if name in found:
                times[name] = 2
    found = {
        name: g
        for name, g in found.items()
        if times[name] == 1 and not _streams(g) and not _rebinds(g)
    }
    bound = SurelyBound(node, lambda c: may_swallow(c, means)) if found else None
    return {name: g for name, g in found.items() if bound is not None and bound.is_first(name)}


def _rebinds(g: Local) -> bool:
    """Whether a function, or one inside of it, may bind a variable of another function."""
    return any(isinstance(n, gast.Nonlocal) for top in g.body for n in nodes_in(top))


def _streams(g: Local) -> bool:
    streaming = gast.Yield | gast.YieldFrom | gast.Await
    return any(isinstance(n, streaming) for n in in_scope(g.body))


def _scopes(nodes: Iterable[gast.AST]) -> list[Definition | gast.AsyncFunctionDef]:
    """All functions inside, at any depth."""
    return [n for top in nodes for n in nodes_in(top) if isinstance(n, Scope)]


def liftable(
    source: SourceFunction,
    node: gast.FunctionDef,
    found: dict[str, Local],
    local: frozenset[str],
    makers: frozenset[int],
) -> dict[str, Local]:
    """The local functions that can be lifted, with what they capture."""
    lasting = {name: frozenset(_seen_by_lasting(g, source, local)) for name, g in found.items()}
    means = means_in(node, source)
    while True:
        for g in found.values():
            look_at(g, found, local)
        changed = True
        while changed:
            changed = False
            for g in found.values():
                for h in (found[name] for name in g.calls):
                    more = {**g.captured, **h.captured}
                    if len(more) != len(g.captured):
                        g.captured, changed = more, True
        bad = _as_values(node, found, makers)
        bad |= unliftable(node, found, means)
        bad |= {
            name
            for name, g in found.items()
            if any(bound_later(v, g.statement, node) for v in lasting[name] & g.captured.keys())
        }  # what a call leaves behind would have the value of that call for ever
        if not bad:
            return found
        found = {name: g for name, g in found.items() if name not in bad}


def look_at(g: Local, found: dict[str, Local], local: frozenset[str]) -> None:
    """Finds what a function captures and calls."""
    free = dict.fromkeys(n for n in free_names(_without_defaults(g.node)) if n in local)
    g.calls = {n: None for n in free if n in found}
    g.captured = {n: None for n in free if n not in found}


def _without_defaults(node: Definition) -> Definition:
    plain = copy.copy(node)
    plain.args = copy.copy(node.args)
    plain.args.defaults, plain.args.kw_defaults = [], [None for _ in node.args.kw_defaults]
    return plain


def _as_values(
    node: gast.FunctionDef, found: dict[str, Local], makers: frozenset[int]
) -> set[str]:
    """The functions that are used otherwise than called where their variables are seen."""
    bad: set[str] = set()

    def call(n: gast.expr, bound: frozenset[str]) -> gast.expr:
        assert isinstance(n, gast.Call)
        g = found[str(callee_name(n, makers))]
        if not bound.isdisjoint(g.captured) or fill(g, n) is None:
            bad.add(g.name)
        return n

    def value(n: gast.expr, bound: frozenset[str]) -> gast.expr:
        assert isinstance(n, gast.Name)
        g = found[n.id]
        if g.captured or _hoisted(g):
            bad.add(n.id)
        return n

    for g in found.values():
        walk = ScopedWalk(frozenset(found), call, value, makers=makers)
        own = {p.id for p in parameters(g.node.args)} | set(bound_names(g.body))
        inner = frozenset(own - set(declared_elsewhere(g.body)))
        for part in g.body:
            walk.visit(part, inner)
        glob = [n for n in gast.walk(g.node) if isinstance(n, gast.Global)]
        if any(name in g.captured for n in glob for name in n.names):
            bad.add(g.name)
    skipped = frozenset(id(g.statement) for g in found.values())
    walk = ScopedWalk(frozenset(found), call, value, skipped, makers)
    for s in node.body:
        walk.visit(s, frozenset())
    for g in found.values():
        for d in _defaults(g.node):
            walk.visit(d, frozenset())
    return bad


def _seen_by_lasting(
    g: Local, source: SourceFunction, local: frozenset[str]
) -> Iterable[str]:
    """What the functions and generators see that a call makes, and that may live on after it."""
    nodes = [n for top in g.body for n in nodes_in(top)]
    calls = [n for n in nodes if isinstance(n, gast.Call)]
    own = {name for n in nodes for name in binds(n)} | {p.id for p in parameters(g.node.args)}
    ended = {id(c.func) for c in calls}
    for c in calls:
        if isinstance(c.func, gast.Name) and c.func.id not in own | local:
            meant = source.resolve(c.func.id)
            if any(meant is f for f in _AT_ONCE):
                ended |= {id(a) for a in c.args if isinstance(a, gast.GeneratorExp)}
                ended |= {id(k.value) for k in c.keywords if k.arg == "key"}
                ended |= {id(a) for a in c.args[:1] if meant is reduce}
    handed = {n.id for n in nodes if isinstance(n, gast.Name) and id(n) not in ended}
    for n in nodes:
        unnamed = isinstance(n, gast.Lambda | gast.GeneratorExp) and id(n) not in ended
        named = isinstance(n, gast.FunctionDef | gast.AsyncFunctionDef) and n.name in handed
        if unnamed or named:
            yield from free_names(n)


def _defaults(node: Definition) -> list[gast.expr]:
    return [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]


def _hoisted(g: Local) -> bool:
    """Whether some default is more than a literal, so that it is kept in a variable."""
    return any(not _literal(d) for d in _defaults(g.node))


def _literal(node: gast.expr) -> bool:
    return isinstance(node.operand if isinstance(node, gast.UnaryOp) else node, gast.Constant)


def hoist_defaults(g: Local, names: NameAllocator) -> None:
    """Defaults are evaluated where the function is defined, and passed where it is called."""
    if not _hoisted(g):
        return
    args = g.node.args
    ordinary = [*args.posonlyargs, *args.args]
    pairs = list(zip(ordinary[len(ordinary) - len(args.defaults) :], args.defaults, strict=True))
    pairs += [(p, d) for p, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d]
    for p, d in pairs:
        g.defaults[p.id] = d
        if not _literal(d):
            g.held.append((names.fresh(f"{g.name}_{p.id}"), d))
            g.defaults[p.id] = name_node(g.held[-1][0], d)
    g.node = _without_defaults(g.node)


@dataclass(frozen=True)
class Filling:
    """The parameters with a default that a call leaves out: given by place, or by name."""

    placed: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


def fill(g: Local, call: gast.Call) -> Filling | None:
    """The parameters with a default that a call leaves out; None where that cannot be told."""
    if not _hoisted(g) and not g.defaults:
        return Filling()
    args = g.node.args
    ordinary = [*args.posonlyargs, *args.args]
    known = {p.id for p in ordinary[len(ordinary) - len(args.defaults) :]} if args.defaults else ()
    known = {*known, *g.defaults}
    known |= {p.id for p, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None}
    starred = any(isinstance(a, gast.Starred) for a in call.args)
    if starred and any(p.id in known for p in ordinary):
        return None
    count = len(ordinary) if starred else len(call.args)
    placed = [p.id for p in args.posonlyargs[count:] if p.id in known]
    if len(placed) < len(args.posonlyargs[count:]):
        return None
    given = {k.arg for k in call.keywords}
    rest = [*args.args[max(count - len(args.posonlyargs), 0) :], *args.kwonlyargs]
    named = tuple(p.id for p in rest if p.id in known and p.id not in given)
    if named and None in given:  # they may be in that dictionary
        return None
    return Filling(tuple(placed), named)
