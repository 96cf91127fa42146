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

import gast

from adtrans.emit.printer import print_tree
from adtrans.emit.statements import definition, statements
from adtrans.ir import code as C
from adtrans.ir.code import Module


def print_module(m: Module) -> str:
    """The source of the functions of `m`, two blank lines between them, a newline at the end.

    A note that says the same as that of the statement before it in its block is printed once.
    """
    body: list[gast.stmt] = []
    notes: dict[int, str] = {}
    trees = [definition(d) for d in m.defs]  # all alive at once: notes are keyed by identity
    for tree in trees:
        body += tree.body
        notes |= tree.notes
    return print_tree(gast.Module(body, []), notes)


def print_body(body: C.Body) -> str:
    """The source of statements that stand alone, for reports and error messages."""
    tree = statements(body)
    return print_tree(gast.Module(tree.body, []), tree.notes)
