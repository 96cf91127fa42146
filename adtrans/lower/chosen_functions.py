"""Names that mean one local function or another, each of which gets a name of its own.

if c:                                  if c:
    f = lambda v: k * v                    inner = lambda v: k * v
else:                                      f = inner
    def f(v): return v + k      =>     else:
                                           def f_2(v): return v + k
                                           f = f_2

What a name of its own means is known; the name that was chosen is a variable like others.
"""

from __future__ import annotations

import copy
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import Scope, in_scope, map_bodies, mentioned, nodes_in, parameters
from adtrans.lower.trees import assignment
from adtrans.source import SourceFunction
from adtrans.source.made import KNOWN_AS


def with_chosen_functions(source: SourceFunction) -> SourceFunction:
    """The function with a name for each function that shares one; `source` where there is none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef):
        return source
    chosen = _chosen(node)
    if not chosen:
        return source
    node = copy.deepcopy(node)
    names = NameAllocator(
        mentioned(node) | set(source.fn.__code__.co_freevars) | set(source.fn.__globals__)
    )
    node.body = _Naming(chosen, names).block(node.body)
    return replace(source, node=node)


def _chosen(node: gast.FunctionDef) -> frozenset[str]:
    """The names that are bound several times, to a local function at least once."""
    times: dict[str, int] = {p.id: 1 for p in parameters(node.args)}
    functions: set[str] = set()
    for n in in_scope(node.body):
        match n:
            case gast.Name(id=name, ctx=gast.Store()):
                times[name] = times.get(name, 0) + 1
            case gast.FunctionDef(name=name):
                times[name] = times.get(name, 0) + 1
                if _is_plain(n):
                    functions.add(name)
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda()):
                functions.add(name)
            case _:
                pass
    elsewhere = {
        name
        for n in nodes_in(node)
        if isinstance(n, gast.Nonlocal | gast.Global)
        for name in n.names
    }
    return frozenset(f for f in functions - elsewhere if times[f] > 1)


def _is_plain(n: gast.FunctionDef) -> bool:
    streaming = gast.Yield | gast.YieldFrom | gast.Await
    return not n.decorator_list and not any(isinstance(i, streaming) for i in in_scope(n.body))


class _Naming:
    def __init__(self, chosen: frozenset[str], names: NameAllocator) -> None:
        self.chosen, self.names = chosen, names

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        out: list[gast.stmt] = []
        for s in body:
            match s:
                case gast.FunctionDef(name=name) if name in self.chosen and _is_plain(s):
                    s.name = self.names.fresh(name)
                    setattr(s, KNOWN_AS, name)
                    target = name_node(name, s, gast.Store())
                    out += [s, assignment(target, name_node(s.name, s), s)]
                    continue
                case gast.Assign(targets=[gast.Name(id=name)], value=gast.Lambda() as made) if (
                    name in self.chosen
                ):
                    own = self.names.fresh("inner")
                    out.append(assignment(name_node(own, made, gast.Store()), made, s))
                    s.value = name_node(own, made)
                case gast.ClassDef():
                    pass
                case _ if not isinstance(s, Scope):
                    map_bodies(s, self.block)
            out.append(s)
        return out
