"""Operators of arrays that are called by their methods: `m.__matmul__(x)` is `m @ x`.

>>> from adtrans.ir.kinds import Array
>>> product = E.Call(E.Attribute(E.Name("m"), "__rmatmul__"), (E.Name("x"),), ())
>>> print(as_operation(product, lambda e: Array("float64", (None,))))
x @ m
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.ir import expr as E
from adtrans.ir.kinds import Array, Kind, Scalar

_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@",
}  # fmt: skip
_COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_UNARY = {"neg": "-", "pos": "+", "invert": "~"}


def as_operation(e: E.Expr, kind_of: Callable[[E.Expr], Kind]) -> E.Expr | None:
    """The operation that such a call of an array is; None for all else."""
    if not isinstance(e, E.Call) or not isinstance(e.fn, E.Attribute) or e.kwargs:
        return None
    name, base = e.fn.attr, e.fn.base
    if not (name.startswith("__") and name.endswith("__")) or len(e.args) > 1:
        return None
    if not isinstance(kind_of(base), Array):
        return None
    name = name[2:-2]
    if not e.args:
        if name == "abs":
            return E.Call(E.Ref("abs", abs), (base,), ())
        return E.Unary(_UNARY[name], base) if name in _UNARY else None
    other = e.args[0]
    if not isinstance(kind_of(other), Array | Scalar):  # else it may not be what Python does
        return None
    if name in _COMPARED:
        return E.Compare(base, (_COMPARED[name],), (other,))
    if name in _BINARY:
        return E.Binary(_BINARY[name], base, other)
    turned = name.removeprefix("r")
    return E.Binary(_BINARY[turned], other, base) if turned in _BINARY else None
