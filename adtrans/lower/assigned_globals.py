"""The globals that a function assigns, as its source says."""

from __future__ import annotations

from collections.abc import Iterator

import gast

from adtrans.lower.syntax import bound_names, declared_elsewhere, nodes_in
from adtrans.source import SourceFunction
from adtrans.source.global_names import Global, place_of


def assigned_globals(source: SourceFunction) -> Iterator[Global]:
    """The globals that a function, or one inside it, assigns: names that it declares `global`, and
    attributes of modules."""
    table = source.fn.__globals__
    for n in nodes_in(source.node):
        if isinstance(n, gast.FunctionDef | gast.AsyncFunctionDef):
            names = declared_elsewhere(n.body).items()
            own = {k for k, d in names if isinstance(d, gast.Global)}
            yield from (Global(table, name) for name in own & set(bound_names(n.body)))
        elif isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store):
            place = place_of(source.fn, gast.unparse(n)) if _is_dotted(n) else None
            if place is not None:
                yield Global(*place)


def _is_dotted(node: gast.AST) -> bool:
    while isinstance(node, gast.Attribute):
        node = node.value
    return isinstance(node, gast.Name)
