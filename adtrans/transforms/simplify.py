"""Algebra on adjoint expressions: what a person would not write is not written.

>>> from adtrans.ir.expr import Binary, Const, Name, Unary
>>> print(simplify(Binary("*", Const(1.0), Unary("-", Unary("-", Name("x"))))))
x
>>> print(simplify(Binary("+", Name("a"), Unary("-", Name("b")))))
a - b
"""

from __future__ import annotations

from adtrans.ir import expr as E
from adtrans.ir.walk import rebuild


def simplify(e: E.Expr, *, units: bool = True) -> E.Expr:
    """`e` without factors of one, double signs and the like. For adjoints, not for the primal.

    `units` False keeps factors of one, which may be there to make a float of an int.
    """
    e = rebuild(e, lambda child: simplify(child, units=units))
    match e:
        case E.Unary(op="-", operand=E.Unary(op="-", operand=inner)):
            return inner
        case E.Unary(op="-", operand=E.Const(value=float() | int() as v)) if not isinstance(
            v, bool
        ):
            return E.Const(-v)
        case E.Binary(op="+", left=E.Const(value=a), right=E.Const(value=b)) if (
            type(a) is int and type(b) is int
        ):
            return E.Const(a + b)
        case E.Binary(op="*", left=E.Const() as one, right=x) if units and _is(one, 1):
            return x
        case E.Binary(op="*" | "/" | "**", left=x, right=E.Const() as one) if units and _is(one, 1):
            return x
        case E.Binary(op="*", left=E.Const() as c, right=x) if _is(c, -1):
            return simplify(E.Unary("-", x), units=units)
        case E.Binary(op="*", left=x, right=E.Const() as c) if _is(c, -1):
            return simplify(E.Unary("-", x), units=units)
        case E.Binary(
            op="*",
            left=E.Const(value=float() | int() as a),
            right=E.Binary(op="*", left=E.Const(value=float() | int() as b), right=x),
        ):
            return simplify(E.Binary("*", E.Const(a * b), x), units=units)
        case E.Binary(
            op="*",
            left=E.Const(value=float() | int() as a),
            right=E.Binary(op="*", left=x, right=E.Const(value=float() | int() as b)),
        ):
            return simplify(E.Binary("*", E.Const(a * b), x), units=units)
        case E.Binary(op="+", left=x, right=E.Unary(op="-", operand=y)):
            return E.Binary("-", x, y)
        case E.Binary(op="-", left=x, right=E.Unary(op="-", operand=y)):
            return E.Binary("+", x, y)
        case E.Binary(op="+", left=E.Unary(op="-", operand=x), right=y):
            return E.Binary("-", y, x)
        case E.Binary(op="*", left=x, right=E.Unary(op="-", operand=y)):
            return simplify(E.Unary("-", E.Binary("*", x, y)), units=units)
        case _:
            return e


def _is(c: E.Const, value: int) -> bool:
    return isinstance(c.value, int | float) and not isinstance(c.value, bool) and c.value == value
