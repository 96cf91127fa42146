"""List comprehensions, and generators that are used up at once, as loops that append.

t = [f(v) for v in x if v > 0]    ->    t = []
                                        for v in x:
                                            if v > 0:
                                                t.append(f(v))

The variables of a comprehension are its own: they get other names where the function uses theirs.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable

import gast
import numpy as np

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import expressions, headers
from adtrans.lower.builder import Builder
from adtrans.lower.syntax import Comprehension, bound_names, free_names
from adtrans.source import MISSING

_USED_UP = (sum, list, tuple, sorted, max, min, np.array, np.asarray)


def own_names(body: Iterable[gast.AST]) -> frozenset[str]:
    """The names that only comprehensions bind and nothing else in `body` mentions."""
    nodes = list(body)
    inside = {
        t.id
        for n in nodes
        for c in gast.walk(n)
        if isinstance(c, Comprehension)
        for g in c.generators
        for t in gast.walk(g.target)
        if isinstance(t, gast.Name)
    }
    outside = {name for n in nodes for name in free_names(n)} | set(bound_names(nodes))
    return frozenset(inside - outside)


def is_lowered(node: gast.AST) -> bool:
    """Whether a comprehension can be a loop: nothing in it outlives the element it is made for."""
    if not isinstance(node, gast.ListComp | gast.GeneratorExp):
        return False
    late = gast.Lambda | gast.Await | gast.NamedExpr | gast.Yield | gast.YieldFrom
    return not any(g.is_async for g in node.generators) and not any(
        isinstance(n, late) for n in gast.walk(node)
    )


def used_up(b: Builder, node: gast.Call) -> gast.GeneratorExp | None:
    """The generator expression that a call goes through from end to end, None without one."""
    first = node.args[0] if node.args else None
    if not isinstance(first, gast.GeneratorExp) or not is_lowered(first):
        return None
    meant = b.means(node.func)
    return first if meant is not MISSING and any(meant is f for f in _USED_UP) else None


def listed(
    b: Builder, node: gast.ListComp | gast.GeneratorExp, target: str | None = None
) -> E.Name:
    """Makes the list."""
    result = b.temp() if target is None or target in b.reads(node) else target
    made = _renamed(b, node)
    b.block.append(S.Pack(result, "list", (), site=b.site(), span=b.span(node), origin=b.origin))
    b.forget()
    _loops(b, made.generators, made.elt, result, node)
    b.forget()
    return E.Name(result) if target in (None, result) else b.alias(str(target), result, node)


def _renamed(
    b: Builder, node: gast.ListComp | gast.GeneratorExp
) -> gast.ListComp | gast.GeneratorExp:
    """The comprehension with names for its variables that are free in the function."""
    names = {
        t.id
        for g in node.generators
        for t in gast.walk(g.target)
        if isinstance(t, gast.Name)
    }
    to = {name: b.temp(name) for name in sorted(names)}
    first = node.generators[0].iter  # evaluated outside, where the names mean something else
    made = copy.deepcopy(node)
    for n in gast.walk(made):
        if isinstance(n, gast.Name) and n.id in to:
            n.id = to[n.id]
    made.generators[0].iter = first
    return made


def _loops(
    b: Builder,
    generators: list[gast.comprehension],
    element: gast.expr,
    result: str,
    node: gast.AST,
) -> None:
    if not generators:
        value = expressions.value(b, element)
        append = E.Call(E.Attribute(E.Name(result), "append"), (value,))
        b.bind(b.temp(), append, node)
        return
    first, *rest = generators
    it = headers.iteration(b, first.iter)
    with b.nested() as body:
        target = headers.target(b, first.target)
        b.forget()
        _conditions(b, first.ifs, rest, element, result, node)
    b.block.append(
        S.For(target, it, tuple(body), site=b.site(), span=b.span(node), origin=b.origin)
    )


def _conditions(
    b: Builder,
    conditions: list[gast.expr],
    rest: list[gast.comprehension],
    element: gast.expr,
    result: str,
    node: gast.AST,
) -> None:
    if not conditions:
        _loops(b, rest, element, result, node)
        return
    test = expressions.test(b, conditions[0])
    with b.nested() as then:
        b.forget()
        _conditions(b, conditions[1:], rest, element, result, node)
    b.branch(test, then, [], node)
