"""The rewritten source of a function, to be read.

In what runs, the functions that are called and the names that hold parts of a statement have names
that no program can have; here they have plain ones.

>>> def f(x, k=2.0):
...     return x * k
>>> print(source_of(f))
def f(x, k=2.0):
    return ad_mul(x, k)
"""

from __future__ import annotations

import ast
import re
import types
from typing import Any

from adtrans.recorder.rewritten import copied, tree_rewritten
from adtrans.source.find import tree_of


def source_of(fn: types.FunctionType) -> str:
    """The source that a function has where it is recorded; what it calls is rewritten alone.

    Raises:
        CompileError: AD101 to AD106 where there is no source, AD202 for `async`.
    """
    tree = tree_of(fn)
    node, _ = tree_rewritten(fn)
    node.args = copied(tree.args)
    taken = {name for n in ast.walk(tree) for name in _names(n)}
    node = _Renamed(taken).visit(node)
    return ast.unparse(ast.fix_missing_locations(node))


def _names(n: ast.AST) -> list[str]:
    return [v for v in (getattr(n, a, None) for a in ("id", "arg", "name")) if isinstance(v, str)]


class _Renamed(ast.NodeTransformer):
    """Names that begin with a dot get readable ones, which the function does not use."""

    def __init__(self, taken: set[str]) -> None:
        self.prefix = "ad_"
        while any(name.startswith(self.prefix) for name in taken):
            self.prefix = "_" + self.prefix

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id.startswith("."):
            node.id = self.prefix + re.sub(r"\W", "_", node.id[1:])
        return node
