"""Functions that keep a value in a default, as what a function makes of that value.

                                      def kept(k):
                                          return lambda t: k * t
[lambda t, k=k: k * t         ->      [kept(k) for k in range(3)]
 for k in range(3)]

So it is done where several are made of one lambda: in a comprehension, or in a loop that puts them
into a list or dictionary. A `def` in a loop is `f = kept(k)` if `f` is a value somewhere. Whoever
passes another value for `k` finds no such parameter.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import assignment
from adtrans.lower.syntax import (
    Comprehension,
    Scope,
    bound_names,
    free_names,
    in_scope,
    mentioned,
)
from adtrans.source import SourceFunction


def with_kept_defaults(source: SourceFunction) -> SourceFunction:
    """The function with such lambdas made by functions; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef) or not any(_places(node)):
        return source
    node = copy.deepcopy(node)
    taken = {*mentioned(node), *bound_names(node.body), *source.fn.__code__.co_freevars}
    names = NameAllocator(taken | set(source.fn.__globals__))
    made: list[gast.stmt] = []
    for parent, field, place, inner in list(_places(node)):
        held = getattr(parent, field)
        found = held if place is None else held[place]
        function, call = _made(found, names.fresh("kept"))
        if inner & set(free_names(function)):
            continue  # it sees variables of the comprehension, as they are when it is called
        made.append(function)
        if place is None:
            setattr(parent, field, call)
        else:
            held[place] = call if isinstance(found, gast.Lambda) else assignment(
                name_node(found.name, found, gast.Store()), call, found
            )
    node.body = [*node.body[:_start(node)], *made, *node.body[_start(node) :]]
    return replace(source, node=node) if made else source


def _start(node: gast.FunctionDef) -> int:
    """How many statements are the docstring, or say where names are."""
    count = 0
    for s in node.body:
        told = isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant)
        if not told and not isinstance(s, gast.Global | gast.Nonlocal):
            break
        count += 1
    return count


def _places(node: gast.FunctionDef) -> Iterator[tuple[gast.AST, str, int | None, set[str]]]:
    """Where such lambdas stand: the parent, the field, the place in it, and the variables of the
    comprehension around it."""
    inside = list(in_scope(node.body))
    loops = [n for n in inside if isinstance(n, gast.For | gast.While)]
    again = {id(n): n for loop in loops for n in in_scope([*loop.body])}
    for n in inside:
        match n:
            case gast.ListComp(elt=gast.Lambda() as found) if _keeps(found):
                yield n, "elt", None, _targets(n)
            case gast.DictComp(value=gast.Lambda() as found) if _keeps(found):
                yield n, "value", None, _targets(n)
            case gast.Call(
                func=gast.Attribute(attr="append"), args=[gast.Lambda() as found], keywords=[]
            ) if id(n) in again and _keeps(found):
                yield n, "args", 0, set()
            case gast.Assign(targets=[gast.Subscript()], value=gast.Lambda() as found) if (
                id(n) in again and _keeps(found)
            ):
                yield n, "value", None, set()
            case _:
                pass
    called = {id(n.func) for n in inside if isinstance(n, gast.Call)}
    loaded = {n.id for n in inside if isinstance(n, gast.Name) and id(n) not in called
              and isinstance(n.ctx, gast.Load)}  # fmt: skip
    for n in {id(n): n for n in (*loops, *again.values())}.values():
        for field in ("body", "orelse", "finalbody"):
            for place, s in enumerate(_statements(n, field)):
                if isinstance(s, gast.FunctionDef) and id(s) in again and s.name in loaded:
                    if _is_kept_whole(s):
                        yield n, field, place, set()


def _statements(n: gast.AST, field: str) -> list[gast.stmt]:
    found = getattr(n, field, None)
    return found if isinstance(found, list) else []


def _is_kept_whole(node: gast.FunctionDef) -> bool:
    """The same of a definition: its text says nothing else when a parameter is a variable of the
    function around it."""
    a = node.args
    if a.vararg or a.kwarg or a.posonlyargs or node.decorator_list:
        return False
    shut = (*Scope, gast.ClassDef, gast.Nonlocal, gast.Global, gast.Yield, gast.YieldFrom)
    inside = [n for s in node.body for n in gast.walk(s)]
    kept = {p.id for p, _ in _kept(a)}
    if any(isinstance(n, shut) for n in inside) or not kept:
        return False
    named = {n.id for n in inside if isinstance(n, gast.Name)}
    return node.name not in named | kept and kept.isdisjoint(bound_names(node.body))


def _kept(args: gast.arguments) -> list[tuple[gast.Name, gast.expr]]:
    """The parameters with defaults that are more than a literal, with these."""
    pairs = zip(args.args[len(args.args) - len(args.defaults) :], args.defaults, strict=True)
    by_name = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    return [(p, d) for p, d in (*pairs, *by_name) if d and not isinstance(d, gast.Constant)]


def _targets(node: gast.AST) -> set[str]:
    inner = (n for n in gast.walk(node) if isinstance(n, gast.comprehension))
    return {t.id for g in inner for t in gast.walk(g.target) if isinstance(t, gast.Name)}


def _keeps(node: gast.Lambda) -> bool:
    """Whether some default is more than a literal, and the lambda has no scopes inside."""
    a = node.args
    plain = not (a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs)
    scopes = (*Scope, *Comprehension, gast.NamedExpr)
    inner = any(isinstance(n, scopes) for n in gast.walk(node) if n is not node)
    return plain and not inner and any(not isinstance(d, gast.Constant) for d in a.defaults)


def _made(
    node: gast.Lambda | gast.FunctionDef, name: str
) -> tuple[gast.FunctionDef, gast.Call]:
    """The function that makes a function, and its call with what is kept."""
    args = node.args
    kept = _kept(args)
    mine = {id(p) for p, _ in kept}
    first = next((k for k, p in enumerate(args.args) if id(p) in mine), len(args.args))
    plain = len(args.args) - len(args.defaults)
    optional = list(zip(args.args[plain:], args.defaults, strict=True))
    # what stands behind a parameter that is kept would be another one by its place
    by_name: list[tuple[gast.Name, gast.expr | None]] = [
        (p, d) for k, (p, d) in enumerate(optional) if k + plain >= first
    ]
    by_name += zip(args.kwonlyargs, args.kw_defaults, strict=True)
    by_name = [(p, d) for p, d in by_name if id(p) not in mine]
    left = gast.arguments(
        args.args[:first], [], None, [p for p, _ in by_name], [d for _, d in by_name], None,
        [d for k, (_, d) in enumerate(optional) if k + plain < first],
    )  # fmt: skip
    body: list[gast.stmt]
    if isinstance(node, gast.Lambda):
        body = [gast.Return(gast.Lambda(left, node.body))]
    else:
        inner = copy.copy(node)
        inner.args = left
        body = [inner, gast.Return(name_node(node.name, node))]
    own = [name_node(p.id, p, gast.Param()) for p, _ in kept]
    outer = gast.arguments(own, [], None, [], [], None, [])
    function = gast.FunctionDef(name, outer, body, [], None, None, [])
    call = gast.Call(name_node(name, node), [d for _, d in kept], [])
    for made in (*(n for s in body for n in (s, getattr(s, "value", None))), function, call):
        if made is not None and not hasattr(made, "lineno"):
            gast.copy_location(made, node)
    return function, call
