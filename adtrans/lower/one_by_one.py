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

from adtrans.lower.syntax import nodes_in

_Node = TypeVar("_Node", bound=gast.AST)


def one_by_one(node: _Node, wanted: Callable[[gast.AST], bool]) -> _Node:
    """`node`, which is changed, with such assignments taken apart where a value is `wanted`.

    Not where the order could be seen: where a value reads one of the names, another function binds
    one, or an error on the way is caught.
    """
    outer = frozenset(
        name
        for n in nodes_in(node)
        if isinstance(n, gast.Global | gast.Nonlocal)
        for name in n.names
    )
    return _Apart(outer, wanted).visit(node)  # type: ignore[no-any-return]  # gast has no types


class _Apart(gast.NodeTransformer):
    """Goes through the statements."""

    def __init__(self, outer: frozenset[str], wanted: Callable[[gast.AST], bool]) -> None:
        self.outer, self.wanted = outer, wanted

    def visit_Try(self, node: Any) -> Any:
        """As it is."""
        return node

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
