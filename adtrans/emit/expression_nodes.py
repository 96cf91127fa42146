"""Expressions of the small language as syntax nodes.

>>> import gast
>>> from adtrans.ir.expr import Binary, Const, Index, Name, Slice, Unary
>>> inner = Index(Name("u"), (Slice(Const(1), Const(-1), None),))
>>> gast.unparse(expression(Binary("**", Unary("-", inner), Const(2))))
'(-u[1:-1]) ** 2'
"""

from __future__ import annotations

import gast

from adtrans.emit import nodes
from adtrans.ir import expr as E
from adtrans.ir.never import assert_never

BINARY = {
    "+": gast.Add, "-": gast.Sub, "*": gast.Mult, "@": gast.MatMult, "/": gast.Div,
    "//": gast.FloorDiv, "%": gast.Mod, "**": gast.Pow, "<<": gast.LShift, ">>": gast.RShift,
    "|": gast.BitOr, "^": gast.BitXor, "&": gast.BitAnd,
}  # fmt: skip
UNARY = {"-": gast.USub, "+": gast.UAdd, "~": gast.Invert, "not": gast.Not}
COMPARE = {
    "==": gast.Eq, "!=": gast.NotEq, "<": gast.Lt, "<=": gast.LtE, ">": gast.Gt, ">=": gast.GtE,
    "is": gast.Is, "is not": gast.IsNot, "in": gast.In, "not in": gast.NotIn,
}  # fmt: skip
BOOL = {"and": gast.And, "or": gast.Or}
_ITEM = ".__getitem__"  # of `np.r_` and `np.c_`


def expression(e: E.Expr) -> gast.expr:
    """The syntax node of `e`, freshly built (a `Verbatim` gives the user's own node)."""
    match e:
        case E.Name():
            return nodes.name(e.id)
        case E.Const():
            return nodes.constant(e.value)
        case E.Ref():
            return nodes.dotted(e.text)
        case E.Verbatim():
            assert isinstance(e.node, gast.expr), f"no syntax tree for {e.text!r}"
            return e.node
        case E.Call(fn=E.Ref(text=text), args=(E.Sequence() as key,)) if text.endswith(_ITEM):
            owner = nodes.dotted(text.removesuffix(_ITEM))
            index = expression(key.items[0] if len(key.items) == 1 else key)
            return gast.Subscript(owner, index, gast.Load())
        case E.Call():
            keywords = [gast.keyword(k or None, expression(v)) for k, v in e.kwargs]
            return gast.Call(expression(e.fn), [expression(a) for a in e.args], keywords)
        case E.Index():
            items = [expression(i) for i in e.items]
            bare = len(items) == 1 and not isinstance(e.items[0], E.Star)
            index = items[0] if bare else nodes.tuple_of(items)
            return gast.Subscript(expression(e.base), index, gast.Load())
        case E.Slice():
            lower, upper, step = (
                None if p is None else expression(p) for p in (e.lower, e.upper, e.step)
            )
            return gast.Slice(lower, upper, step)
        case E.Attribute():
            return nodes.attribute(expression(e.base), e.attr)
        case E.Unary():
            return gast.UnaryOp(UNARY[e.op](), expression(e.operand))
        case E.Binary():
            return gast.BinOp(expression(e.left), BINARY[e.op](), expression(e.right))
        case E.Compare():
            ops = [COMPARE[op]() for op in e.ops]
            return gast.Compare(expression(e.left), ops, [expression(r) for r in e.rights])
        case E.BoolOp():
            return gast.BoolOp(BOOL[e.op](), [expression(v) for v in e.values])
        case E.IfExp():
            return gast.IfExp(expression(e.test), expression(e.then), expression(e.orelse))
        case E.Sequence(kind="dict"):
            return gast.Dict([], [])
        case E.Sequence():
            display = [expression(i) for i in e.items]
            if e.kind == "list":
                return gast.List(display, gast.Load())
            return nodes.tuple_of(display)
        case E.Star():
            return gast.Starred(expression(e.value), gast.Load())
        case _:
            assert_never(e)


def target(e: E.Expr) -> gast.expr:
    """The syntax node of `e` as the target of an assignment.

    Raises:
        TypeError: if `e` cannot be assigned to.
    """
    return nodes.stored(expression(e))
