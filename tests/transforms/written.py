"""Generated code from text and back, for tests that say what they mean in Python."""

from __future__ import annotations

import ast
import builtins

from adtrans.emit.module import print_module
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.stmt import Param

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}


def expr(node: ast.expr) -> E.Expr:
    match node:
        case ast.Name(id=name):
            return E.Name(name)
        case ast.Constant(value=value):
            return E.Const(value)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return E.Unary("-", expr(operand))
        case ast.BinOp(left=left, op=op, right=right):
            return E.Binary(_BINARY[type(op)], expr(left), expr(right))
        case ast.Compare(left=left, ops=[ast.Gt()], comparators=[right]):
            return E.Compare(expr(left), (">",), (expr(right),))
        case ast.Subscript(value=base, slice=item):
            return E.Index(expr(base), (expr(item),))
        case ast.Attribute(value=base, attr=attr):
            return E.Attribute(expr(base), attr)
        case ast.Tuple(elts=items):
            return E.Sequence("tuple", tuple(expr(i) for i in items))
        case ast.Call(func=ast.Name(id=name), args=args):
            return E.Call(E.Ref(name, getattr(builtins, name, None)), tuple(expr(a) for a in args))
        case ast.Call(func=func, args=args):
            return E.Call(expr(func), tuple(expr(a) for a in args))
    raise AssertionError(ast.dump(node))


def body(text: str) -> C.Body:
    """The statements in `text`."""
    return tuple(_statement(s) for s in ast.parse(text).body)


def _statement(s: ast.stmt) -> C.Code:
    match s:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
            return C.Assign(tuple(expr(t) for t in targets), expr(value))
        case ast.Assign(targets=[target], value=value):
            return C.Assign((expr(target),), expr(value))
        case ast.AugAssign(target=target, op=op, value=value):
            return C.AugAssign(expr(target), _BINARY[type(op)], expr(value))
        case ast.Expr(value=value):
            return C.Do(expr(value))
        case ast.Return(value=ast.expr() as value):
            return C.Result(expr(value))
        case ast.If(test=test, body=then, orelse=orelse):
            return C.Branch(expr(test), _all(then), _all(orelse))
        case ast.For(target=target, iter=it, body=inner):
            return C.ForEach(expr(target), expr(it), _all(inner))
        case ast.While(test=test, body=inner):
            return C.Loop(expr(test), _all(inner))
    raise AssertionError(ast.dump(s))


def _all(statements: list[ast.stmt]) -> C.Body:
    return tuple(_statement(s) for s in statements)


def text(code: C.Body) -> str:
    """`code` as Python."""
    printed = print_module(C.Module((C.Def("f", (Param("x"),), code),)))
    lines = printed.split("\n")[1:]
    return "\n".join(line[4:] for line in lines).strip() + "\n"
