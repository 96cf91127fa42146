"""Generator expressions that are asked for one element at a time, as generator functions.

squares = (v * v for v in x)          def squares_of(source):
first = next(squares)           ->        for v in source:
                                              yield v * v
                                      squares = squares_of(x)
                                      first = next(squares)
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from adtrans.ir.names import NameAllocator
from adtrans.lower.hoisting import takes_rest
from adtrans.lower.opaque import name_node
from adtrans.lower.syntax import Comprehension, Scope, in_scope, mentioned


def with_functions(
    node: gast.FunctionDef, asks: Callable[[gast.AST, str], bool], outer: set[str],
    means: Callable[[gast.AST], object],
) -> set[str]:
    """Writes such expressions as functions, in place; the names that they are given to."""
    names = NameAllocator(mentioned(node) | outer)
    inside = list(in_scope(node.body))
    loops = (n for n in inside if isinstance(n, gast.For | gast.While))
    again = {id(n) for loop in loops for n in gast.walk(loop)}
    made: list[gast.stmt] = []
    found: set[str] = set()
    for s in inside:
        match s:
            case gast.Assign(
                targets=[gast.Name(id=name)], value=gast.GeneratorExp() as value
            ) if _is_plain(value) and _is_asked(name, inside, asks, again):
                pass
            case gast.Assign(
                targets=[gast.Name(id=name)], value=gast.Call(args=[of], keywords=[]) as iterated
            ) if (
                means(iterated.func) is iter
                and not isinstance(of, gast.Starred)
                and any(takes_rest(n, means) == name for n in inside)
                and _is_asked(name, inside, asks, again)
            ):
                value = _elements(of, names.fresh("v"), iterated)
            case _:
                continue
        function = names.fresh(f"{name}_of")
        made.append(_function(value, function, names.fresh("source")))
        call = gast.Call(name_node(function, value), [value.generators[0].iter], [])
        gast.copy_location(call, value)
        s.value = call
        found.add(name)
    node.body[:0] = made
    return found


def _elements(of: gast.expr, name: str, like: gast.AST) -> gast.GeneratorExp:
    """`(v for v in of)`."""
    target = name_node(name, like, gast.Store())
    over = gast.comprehension(target, of, [], 0)
    made = gast.GeneratorExp(name_node(name, like), [over])
    gast.copy_location(made, like)
    return made


def _is_asked(
    name: str, inside: list[gast.AST], asks: Callable[[gast.AST, str], bool], again: set[int]
) -> bool:
    """Whether a name is asked for elements, and not just once: that is done without functions."""
    uses = [n for n in inside if isinstance(n, gast.Name) and n.id == name]
    asked = [n for n in inside if asks(n, name)]
    return bool(asked) and (len(uses) > 2 or any(id(n) in again for n in asked))


def _is_plain(node: gast.GeneratorExp) -> bool:
    """Whether a generator expression binds its targets only, and has no scopes inside."""
    inner = (n for n in gast.walk(node) if n is not node)
    bound = (*Scope, *Comprehension, gast.NamedExpr, gast.Yield, gast.Await)
    return not any(isinstance(n, bound) for n in inner) and not any(
        g.is_async for g in node.generators
    )


def _function(node: gast.GeneratorExp, name: str, source: str) -> gast.FunctionDef:
    """The generator function that does what the expression does with its first source."""
    element = gast.Yield(node.elt)
    body: gast.stmt = gast.Expr(element)
    parts: list[gast.AST] = [element, body]
    for k, g in reversed(list(enumerate(node.generators))):
        for test in reversed(g.ifs):
            body = gast.If(test, [body], [])
            parts.append(body)
        over = name_node(source, node) if k == 0 else g.iter
        body = gast.For(g.target, over, [body], [], None)
        parts.append(body)
    given = name_node(source, node, gast.Param())
    args = gast.arguments([given], [], None, [], [], None, [])
    made = gast.FunctionDef(name, args, [body], [], None, None, [])
    for part in (*parts, made):
        gast.copy_location(part, node)
    return made
