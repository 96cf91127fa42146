"""Reads of variables that may be unbound, where what is made of them could lose the name.

if c: f = lin                 if c: f = lin
return f(x)            ->     f
                              return f(x)

A call of what `f` means need not mention `f`, nor a loop over a dictionary the name of its view.
The statement `f` raises what Python raises; generated code has it where nothing else reads `f`.
"""

from __future__ import annotations

from collections.abc import Callable

import gast

from adtrans.lower.builder import Builder
from adtrans.lower.opaque import name_node
from adtrans.lower.surely_bound import SurelyBound
from adtrans.lower.swallowing import may_swallow
from adtrans.lower.syntax import bound_names, in_scope, parameters


def reading(b: Builder, node: gast.AST, local: frozenset[str]) -> Callable[[gast.AST], None]:
    """What emits a read of an expression, if that is a variable which may be unbound; `local`: the
    variables of the function `node`."""
    if not isinstance(node, gast.FunctionDef):
        return lambda name: None
    gone = {
        n.id
        for n in in_scope(node.body)
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Del)
    }
    names = frozenset(bound_names(node.body)) - {p.id for p in parameters(node.args)}
    names = (names | gone) & local
    bound: list[SurelyBound] = []  # made when it is asked first

    def emit(name: gast.AST) -> None:
        if not isinstance(name, gast.Name) or name.id not in names:
            return
        if not bound:
            bound.append(SurelyBound(node, lambda c: may_swallow(c, b.means)))
        places = bound[0].before
        around = [s for s in b.around if id(s) in places]
        if not around or bound[0].at(around[-1], name.id):
            return
        read = gast.Expr(name_node(name.id, name))
        gast.copy_location(read, name)
        b.keep(read)

    return emit


def named_in(node: object) -> str | None:
    """The name that a statement is, if that is all of it."""
    match node:
        case gast.Expr(value=gast.Name(id=name)):
            return name
        case _:
            return None
