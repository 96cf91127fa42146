"""Source rewritten in place: what passes over syntax have in common.

A pass says what stands for a node; everything else is left as it is, and looked into.
"""

from __future__ import annotations

from typing import Any

import gast


class Replacing(gast.NodeTransformer):
    """Rewrites the nodes for which `replacement` has another one."""

    def replacement(self, node: gast.AST) -> gast.AST | None:
        """What stands for a node, where that is another one."""
        raise NotImplementedError

    def visit(self, node: Any) -> gast.AST:
        """`node` with everything inside rewritten, in place."""
        instead = self.replacement(node)
        made = self.generic_visit(node) if instead is None else instead
        assert isinstance(made, gast.AST)
        return made

    def inner(self, node: gast.expr) -> gast.expr:
        """A part of an expression, rewritten."""
        made = self.visit(node)
        assert isinstance(made, gast.expr)
        return made


def defined(node: gast.FunctionDef | gast.Lambda, name: str) -> gast.FunctionDef:
    """A function's syntax; a lambda as the definition that it is short for."""
    if isinstance(node, gast.FunctionDef):
        return node
    result = gast.Return(node.body)
    gast.copy_location(result, node.body)
    made = gast.FunctionDef(name, node.args, [result], [], None, None, [])
    gast.copy_location(made, node)
    return made
