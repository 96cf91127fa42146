"""Applies a function to all expressions of generated code.

>>> from adtrans.ir.expr import Name
>>> c = map_code(C.AugAssign(Name("a"), "+", Name("b")), lambda e: Name(f"{e}_bar"))
>>> print(c.target, c.op, c.value)
a_bar + b_bar
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from adtrans.ir import code as C
from adtrans.ir.expr import Expr


def map_code(c: C.Code, f: Callable[[Expr], Expr]) -> C.Code:
    """`c` with `f` applied to its expressions, those inside its blocks included."""

    def block(body: C.Body) -> C.Body:
        return tuple(map_code(inner, f) for inner in body)

    match c:
        case C.Assign():
            return replace(c, targets=tuple(f(t) for t in c.targets), value=f(c.value))
        case C.AugAssign():
            return replace(c, target=f(c.target), value=f(c.value))
        case C.Do() | C.Result():
            return replace(c, value=f(c.value))
        case C.Branch():
            return replace(c, test=f(c.test), then=block(c.then), orelse=block(c.orelse))
        case C.ForEach():
            return replace(c, target=f(c.target), iter=f(c.iter), body=block(c.body))
        case C.Loop():
            return replace(c, test=f(c.test), body=block(c.body))
        case C.Attempt():
            handlers = tuple(
                h if h.type is None else replace(h, type=f(h.type)) for h in c.handlers
            )
            return C.map_bodies(replace(c, handlers=handlers), block)
        case C.Within():
            return replace(c, context=f(c.context), body=block(c.body))
        case C.Original() | C.Leave():
            return c
