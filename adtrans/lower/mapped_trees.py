"""What a lambda captures that `adtrans.tree.map` is given goes there beside the trees.

ad.tree.map(lambda v: k * v, p)    ->    tree_map(lambda v, k: k * v, (k,), p)

A lambda that captures nothing is a function like others, which the code for a tree can call.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

import gast

from adtrans import tree
from adtrans.ir.names import NameAllocator
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import Comprehension, Scope, free_names, mentioned, nodes_in, own_names
from adtrans.source import SourceFunction
from adtrans.source.made import made_functions


def with_mapped_trees(source: SourceFunction) -> SourceFunction:
    """The function with such calls; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef) or not [*_mapped(source, node)]:
        return source
    node = copy.deepcopy(node)
    names = NameAllocator(
        mentioned(node) | set(source.fn.__code__.co_freevars) | set(source.fn.__globals__)
    )
    name = names.fresh("tree_map")
    for call, captured in [*_mapped(source, node)]:
        fn = call.args[0]
        assert isinstance(fn, gast.Lambda)
        fn.args.args = [*fn.args.args, *(name_node(v, fn, gast.Param()) for v in captured)]
        given = gast.Tuple([name_node(v, call) for v in captured], gast.Load())
        gast.copy_location(given, call)
        call.func = name_node(name, call)
        call.args = [fn, given, *call.args[1:]]
    return made_functions(source, node, (), {name: tree.map_with})


def _mapped(
    source: SourceFunction, node: gast.FunctionDef
) -> Iterator[tuple[gast.Call, list[str]]]:
    """The calls that give a lambda to `tree.map`, with the variables that it captures."""
    local, own = LocalNames(node), own_names(node)
    rebound = {v for n in nodes_in(node) if isinstance(n, gast.Nonlocal) for v in n.names}
    waiting: list[tuple[gast.AST, frozenset[str]]] = [(s, frozenset(own)) for s in node.body]
    while waiting:
        n, seen = waiting.pop()
        if isinstance(n, (*Scope, gast.ClassDef)):
            continue
        if isinstance(n, Comprehension):
            seen |= {
                t.id for g in n.generators for t in gast.walk(g.target) if isinstance(t, gast.Name)
            }
        match n:
            case gast.Call(func=fn, args=[gast.Lambda() as given, *_], keywords=[]) if (
                meaning(fn, source, local) is tree.map and _is_plain(given.args)
            ):
                captured = dict.fromkeys(v for v in free_names(given) if v in seen)
                parts = [m for m in gast.walk(n) if m is not n]
                binds = any(isinstance(m, gast.NamedExpr) for m in parts) or (
                    not rebound.isdisjoint(captured)  # by a function that is called meanwhile
                    and any(isinstance(m, gast.Call) for m in parts)
                )
                if captured and not binds:
                    yield n, list(captured)
            case _:
                pass
        waiting += [(child, seen) for child in gast.iter_child_nodes(n)]


def _is_plain(args: gast.arguments) -> bool:
    others = (args.vararg, args.kwarg, *args.kwonlyargs, *args.defaults)
    return not any(others)
