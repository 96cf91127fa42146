"""Lambdas that keep a value in a default, as what a function makes of that value.

                                      def kept(k):
                                          return lambda t: k * t
[lambda t, k=k: k * t         ->      [kept(k) for k in range(3)]
 for k in range(3)]

So it is done where several are made of one lambda: in a comprehension, or in a loop that puts them
into a list or dictionary. Whoever passes another value for `k` finds no such parameter.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.opaque import name_node
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
        name = names.fresh("kept")
        function, call = _made(found, name)
        if inner & set(free_names(function)):
            continue  # it sees variables of the comprehension, as they are when it is called
        made.append(function)
        if place is None:
            setattr(parent, field, call)
        else:
            held[place] = call
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


def _made(node: gast.Lambda, name: str) -> tuple[gast.FunctionDef, gast.Call]:
    """The function that makes a lambda, and its call with what is kept."""
    args = node.args
    first = len(args.args) - len(args.defaults)
    pairs = list(zip(args.args[first:], args.defaults, strict=True))
    kept = [(p, d) for p, d in pairs if not isinstance(d, gast.Constant)]
    left = [p for p in args.args if all(p is not q for q, _ in kept)]
    literals: list[gast.expr] = [d for _, d in pairs if isinstance(d, gast.Constant)]
    inner = gast.Lambda(gast.arguments(left, [], None, [], [], None, literals), node.body)
    result = gast.Return(inner)
    own = [name_node(p.id, p, gast.Param()) for p, _ in kept]
    outer = gast.arguments(own, [], None, [], [], None, [])
    function = gast.FunctionDef(name, outer, [result], [], None, None, [])
    call = gast.Call(name_node(name, node), [d for _, d in kept], [])
    for made in (inner, result, function, call):
        gast.copy_location(made, node)
    return function, call
