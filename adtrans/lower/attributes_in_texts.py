"""Attributes in what is kept as the user wrote it, and names in their place.

>>> node = gast.parse("assert np.all(m.cov > 0)").body[0]
>>> attributes_in(node)
[('np', 'all'), ('m', 'cov')]
>>> text(with_names(node, [None, "t"]))
'assert np.all(t > 0)'
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterable
from typing import Any

import gast

_LAZY = (
    gast.BoolOp, gast.IfExp, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
    gast.GeneratorExp,
)  # fmt: skip


def attributes_in(node: Any) -> list[tuple[str, str]]:
    """The attributes of variables as they are read, one after the other; none where it is not
    certain that they are, and once."""
    if any(isinstance(n, _LAZY) for n in gast.walk(node)):
        return []
    found = _Named(itertools.repeat(None))
    found.visit(copy.deepcopy(node))
    return found.seen


def with_names(node: Any, names: Iterable[str | None]) -> Any:
    """A copy with variables in the place of these attributes, where there are any."""
    return _Named(names).visit(copy.deepcopy(node))


def names_left(node: Any) -> set[str]:
    """The names in a tree."""
    return {n.id for n in gast.walk(node) if isinstance(n, gast.Name)}


def text(node: Any) -> str:
    """The source of a tree."""
    return str(gast.unparse(node)).strip()


class _Named(gast.NodeTransformer):
    def __init__(self, names: Iterable[str | None]) -> None:
        self.names = iter(names)
        self.seen: list[tuple[str, str]] = []

    def visit_Attribute(self, node: Any) -> Any:
        if not isinstance(node.value, gast.Name):
            return self.generic_visit(node)
        self.seen.append((node.value.id, node.attr))
        name = next(self.names)
        return node if name is None else gast.Name(name, gast.Load(), None, None)
