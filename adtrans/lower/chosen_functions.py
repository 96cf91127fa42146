"""Names that mean one local function or another, each of which gets a name of its own.

if c:                                  if c:
    f = lambda v: k * v                    inner = lambda v: k * v
else:                                      f = inner
    def f(v): return v + k      =>     else:
                                           def f_2(v): return v + k
                                           f = f_2

What a name of its own means is known; the name that was chosen is a variable like others. Beside
a function that captures something, `f = np.sin` is `f = lambda v: np.sin(v)`, if it is only called.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.makers import means_in
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import assignment
from adtrans.lower.syntax import (
    Scope,
    free_names,
    in_scope,
    map_bodies,
    mentioned,
    nodes_in,
    own_names,
    parameters,
)
from adtrans.source import SourceFunction
from adtrans.source.made import KNOWN_AS

CHOSEN = "__adtrans_chosen__"
"""Of a definition: whether a variable may mean it, or another function that captures something."""


def with_chosen_functions(source: SourceFunction) -> SourceFunction:
    """The function with a name for each function that shares one; `source` where there is none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    means = means_in(node, source)
    bound = _bound(node, means)
    if not bound:
        return source
    node = copy.deepcopy(node)
    names = NameAllocator(
        mentioned(node) | set(source.fn.__code__.co_freevars) | set(source.fn.__globals__)
    )
    counts = {name: _count(name, node) for name, captures in bound.items() if captures}
    node.body = _Naming(frozenset(bound), counts, means_in(node, source), names).block(node.body)
    return replace(source, node=node)


def _bound(node: gast.FunctionDef, means: Callable[[gast.AST], object]) -> dict[str, bool]:
    """The names that are bound several times, to something that is made here at least once, and
    whether some of that captures a variable."""
    times: dict[str, int] = {p.id: 1 for p in parameters(node.args)}
    own = own_names(node)
    functions: dict[str, bool] = {}

    def made(name: str, captures: bool) -> None:
        functions[name] = functions.get(name, False) or captures

    for n in in_scope(node.body):
        match n:
            case gast.Name(id=name, ctx=gast.Store()):
                times[name] = times.get(name, 0) + 1
            case gast.FunctionDef(name=name):
                times[name] = times.get(name, 0) + 1
                if _is_plain(n):
                    made(name, not own.isdisjoint(free_names(n)))
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as value):
                made(name, not own.isdisjoint(free_names(value)))
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call(func=fn)) if (
                means(fn) is functools.partial
            ):
                made(name, True)
            case _:
                pass
    elsewhere = {
        name
        for n in nodes_in(node)
        if isinstance(n, gast.Nonlocal | gast.Global)
        for name in n.names
    }
    return {f: c for f, c in functions.items() if times[f] > 1 and f not in elsewhere}


def _count(name: str, node: gast.FunctionDef) -> int | None:
    """How many arguments a variable is called with, if nothing else is done with it."""
    calls = {id(n.func): n for n in gast.walk(node) if isinstance(n, gast.Call)}
    found: set[int | None] = set()
    for n in gast.walk(node):
        if isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Load):
            call = calls.get(id(n))
            plain = call is not None and not call.keywords
            starred = call is not None and any(isinstance(a, gast.Starred) for a in call.args)
            found.add(len(call.args) if call is not None and plain and not starred else None)
    return found.pop() if len(found) == 1 else None


def _is_plain(n: gast.FunctionDef) -> bool:
    streaming = gast.Yield | gast.YieldFrom | gast.Await
    return not n.decorator_list and not any(isinstance(i, streaming) for i in in_scope(n.body))


class _Naming:
    def __init__(
        self,
        chosen: frozenset[str],
        counts: dict[str, int | None],
        means: Callable[[gast.AST], object],
        names: NameAllocator,
    ) -> None:
        self.chosen, self.counts, self.means, self.names = chosen, counts, means, names

    def calling(self, fn: gast.expr, count: int) -> gast.Lambda:
        """`lambda v: fn(v)`."""
        params = [self.names.fresh("v") for _ in range(count)]
        body = gast.Call(fn, [name_node(v, fn) for v in params], [])
        given = [name_node(v, fn, gast.Param()) for v in params]
        made = gast.Lambda(gast.arguments(given, [], None, [], [], None, []), body)
        for n in (body, made):
            gast.copy_location(n, fn)
        return made

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for s in body:
            match s:
                case gast.Assign(
                    targets=[gast.Name(id=name)], value=gast.Name() | gast.Attribute() as fn
                ) if (count := self.counts.get(name)) is not None and callable(self.means(fn)):
                    s.value = self.calling(fn, count)
                case _:
                    pass
            match s:
                case gast.FunctionDef(name=name) if name in self.chosen and _is_plain(s):
                    s.name = self.names.fresh(name)
                    setattr(s, KNOWN_AS, name)
                    target = name_node(name, s, gast.Store())
                    setattr(s, CHOSEN, name in self.counts)
                    out += [s, assignment(target, name_node(s.name, s), s)]
                    continue
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as made) if (
                    name in self.chosen
                ):
                    own = self.names.fresh("inner")
                    first = assignment(name_node(own, made, gast.Store()), made, s)
                    setattr(first, CHOSEN, name in self.counts)
                    out.append(first)
                    s.value = name_node(own, made)
                case gast.ClassDef():
                    pass
                case _ if not isinstance(s, Scope):
                    map_bodies(s, self.block)
            out.append(s)
        return out
