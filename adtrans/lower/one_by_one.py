"""Several names that are bound at once, one after the other: `s, t = CubicSpline(x, y), 2.0`.

What is made there is followed by its name, which then has an assignment of its own.

>>> node = gast.parse("s, t = spline(x), 2.0").body[0]
>>> work = gast.Module([node], [])
>>> print(gast.unparse(one_by_one(work, lambda n: isinstance(n, gast.Call))))
s = spline(x)
t = 2.0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import gast

from adtrans.lower.syntax import Scope, nodes_in

_Node = TypeVar("_Node", bound=gast.AST)


def one_by_one(node: _Node, wanted: Callable[[gast.AST], bool]) -> _Node:
    """`node`, which is changed, with such assignments taken apart where a value is `wanted`.

    Not where the order could be seen: where a value reads one of the names, another function or a
    generator has one, or an error on the way is caught.
    """
    _Apart(_seen_elsewhere(node), wanted).generic_visit(node)
    return node


def _seen_elsewhere(node: gast.AST) -> frozenset[str]:
    """The names that something else than the statements of a function themselves may look at."""
    found: set[str] = set()
    for n in nodes_in(node):
        if isinstance(n, gast.Global | gast.Nonlocal):
            found.update(n.names)
        elif n is not node and isinstance(n, (*Scope, gast.ClassDef, gast.GeneratorExp)):
            found |= {m.id for m in nodes_in(n) if isinstance(m, gast.Name)}
    return frozenset(found)


class _Apart(gast.NodeTransformer):
    """Goes through the statements."""

    def __init__(self, outer: frozenset[str], wanted: Callable[[gast.AST], bool]) -> None:
        self.outer, self.wanted = outer, wanted

    def visit_Try(self, node: Any) -> Any:
        """As it is."""
        return node

    visit_With = visit_Try  # it may keep errors to itself

    def visit_FunctionDef(self, node: Any) -> Any:
        """A function inside has names of its own."""
        return one_by_one(node, self.wanted)

    def visit_Assign(self, node: Any) -> Any:
        """One assignment for each name."""
        match node:
            case gast.Assign(
                targets=[gast.Tuple(elts=names) | gast.List(elts=names)],
                value=gast.Tuple(elts=values) | gast.List(elts=values),
            ) if len(names) == len(values) and all(isinstance(n, gast.Name) for n in names):
                pass
            case _:
                return node
        bound = {n.id for n in names if isinstance(n, gast.Name)}
        read = {n.id for v in values for n in nodes_in(v) if isinstance(n, gast.Name)}
        clear = len(bound) == len(names) and not bound & (read | self.outer)
        if not clear or not any(self.wanted(v) for v in values):
            return node
        pairs = zip(names, values, strict=True)
        return [gast.copy_location(gast.Assign([n], v, None), node) for n, v in pairs]
