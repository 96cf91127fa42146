"""Nodes of syntax trees, made of others.

>>> first = ast.parse("a + b").body[0]
>>> at(ast.Pass(), first).lineno, copied(first) is first
(1, False)
"""

from __future__ import annotations

import ast
from typing import TypeVar

_Node = TypeVar("_Node", bound=ast.AST)


def at(new: _Node, old: ast.AST) -> _Node:
    """A node with the position of another: `ast.copy_location`, faster."""
    into, place = vars(new), vars(old)
    if "lineno" in place:
        into["lineno"], into["col_offset"] = place["lineno"], place["col_offset"]
        into["end_lineno"] = place.get("end_lineno", place["lineno"])
        into["end_col_offset"] = place.get("end_col_offset", place["col_offset"])
    return new


def copied(node: _Node) -> _Node:
    """Another node with the same parts."""
    new = type(node)()
    vars(new).update(vars(node))
    return new
