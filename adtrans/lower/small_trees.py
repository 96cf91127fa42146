"""Small trees, placed like others."""

from __future__ import annotations

import gast


def keyword(name: str, value: gast.expr) -> gast.keyword:
    """`name=value` in a call."""
    made = gast.keyword(name, value)
    gast.copy_location(made, value)
    return made




def item(value: gast.expr, n: int, like: gast.AST) -> gast.Subscript:
    """`value[n]`."""
    index = gast.Constant(n, None)
    made = gast.Subscript(value, index, gast.Load())
    for node in (index, made):
        gast.copy_location(node, like)
    return made


def assignment(target: gast.expr, value: gast.expr, like: gast.stmt) -> gast.Assign:
    """`target = value`."""
    made = gast.Assign([target], value, None)
    gast.copy_location(made, like)
    return made


def nothing(like: gast.AST) -> gast.Pass:
    """`pass`."""
    made = gast.Pass()
    gast.copy_location(made, like)
    return made
