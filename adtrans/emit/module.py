"""A generated module as text.

>>> from adtrans.ir.code import Def, Result
>>> from adtrans.ir.expr import Binary, Name
>>> from adtrans.ir.stmt import Param
>>> square = Def("square", (Param("x"),), (Result(Binary("*", Name("x"), Name("x"))),))
>>> print(print_module(Module((square,))), end="")
def square(x):
    return x * x
"""

from __future__ import annotations

from collections.abc import Iterable

import gast

from adtrans.emit.printer import print_tree
from adtrans.emit.statement_nodes import definition, statements
from adtrans.ir import code as C
from adtrans.ir.code import Module


def print_module(m: Module) -> str:
    """The source of the functions of `m`, two blank lines between them, a newline at the end.

    A note that says the same as that of the statement before it in its block is printed once.
    """
    return together(print_def(d) for d in m.defs)


def print_def(d: C.Def) -> str:
    """The source of one function."""
    tree = definition(d)
    return print_tree(gast.Module(tree.body, []), tree.notes)


def together(functions: Iterable[str]) -> str:
    """The source of several functions as that of one module."""
    return "\n\n".join(functions)


def print_body(body: C.Body) -> str:
    """The source of statements that stand alone, for reports and error messages."""
    tree = statements(body)
    return print_tree(gast.Module(tree.body, []), tree.notes)
