"""Attributes in what is kept as the user wrote it, and names in their place.

>>> node = gast.parse("assert np.all(m.cov > 0)").body[0]
>>> attributes_in(node)
[('m', 'cov'), ('np', 'all')]
>>> text(with_names(node, {("m", "cov"): "t"}))
'assert np.all(t > 0)'
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import gast

_LAZY = (
    gast.BoolOp, gast.IfExp, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
    gast.GeneratorExp,
)  # fmt: skip


def attributes_in(node: Any) -> list[tuple[str, str]]:
    """The attributes of variables; none where it is not certain that they are read, and once."""
    if any(isinstance(n, _LAZY) for n in gast.walk(node)):
        return []
    found = {
        (n.value.id, n.attr)
        for n in gast.walk(node)
        if isinstance(n, gast.Attribute) and isinstance(n.value, gast.Name)
    }
    return sorted(found)


def with_names(node: Any, names: Mapping[tuple[str, str], str]) -> Any:
    """A copy with variables in the place of these attributes."""
    return _Named(names).visit(copy.deepcopy(node))


def names_left(node: Any) -> set[str]:
    """The names in a tree."""
    return {n.id for n in gast.walk(node) if isinstance(n, gast.Name)}


def text(node: Any) -> str:
    """The source of a tree."""
    return str(gast.unparse(node)).strip()


class _Named(gast.NodeTransformer):
    def __init__(self, names: Mapping[tuple[str, str], str]) -> None:
        self.names = names

    def visit_Attribute(self, node: Any) -> Any:
        if isinstance(node.value, gast.Name) and (node.value.id, node.attr) in self.names:
            return gast.Name(self.names[node.value.id, node.attr], gast.Load(), None, None)
        return self.generic_visit(node)
