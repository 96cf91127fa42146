"""Types of the part of gast 0.7 that adtrans uses (gast ships none)."""

import ast
from ast import NodeTransformer as NodeTransformer
from ast import NodeVisitor as NodeVisitor
from collections.abc import Iterator
from typing import Any, ClassVar

class AST(ast.AST):
    _fields: ClassVar[tuple[str, ...]]
    _attributes: ClassVar[tuple[str, ...]]

class _Placed(AST):
    lineno: int
    col_offset: int
    end_lineno: int
    end_col_offset: int

class mod(AST): ...
class boolop(AST): ...
class cmpop(AST): ...
class operator(AST): ...
class unaryop(AST): ...
class expr_context(AST): ...
class type_ignore(AST): ...
class expr(_Placed): ...
class stmt(_Placed): ...
class excepthandler(_Placed): ...
class pattern(_Placed): ...
class type_param(_Placed): ...
class slice(expr): ...

_Pattern = pattern

class Module(mod):
    body: list[stmt]
    type_ignores: list[type_ignore]
    def __init__(
        self,
        body: list[stmt] = ...,
        type_ignores: list[type_ignore] = ...,
    ) -> None: ...

class Expression(mod):
    body: expr
    def __init__(
        self,
        body: expr = ...,
    ) -> None: ...

class FunctionType(mod):
    argtypes: list[expr]
    returns: expr
    def __init__(
        self,
        argtypes: list[expr] = ...,
        returns: expr = ...,
    ) -> None: ...

class FunctionDef(stmt):
    name: str
    args: arguments
    body: list[stmt]
    decorator_list: list[expr]
    returns: expr | None
    type_comment: str | None
    type_params: list[type_param]
    def __init__(
        self,
        name: str = ...,
        args: arguments = ...,
        body: list[stmt] = ...,
        decorator_list: list[expr] = ...,
        returns: expr | None = ...,
        type_comment: str | None = ...,
        type_params: list[type_param] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class AsyncFunctionDef(stmt):
    name: str
    args: arguments
    body: list[stmt]
    decorator_list: list[expr]
    returns: expr | None
    type_comment: str | None
    type_params: list[type_param]
    def __init__(
        self,
        name: str = ...,
        args: arguments = ...,
        body: list[stmt] = ...,
        decorator_list: list[expr] = ...,
        returns: expr | None = ...,
        type_comment: str | None = ...,
        type_params: list[type_param] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class ClassDef(stmt):
    name: str
    bases: list[expr]
    keywords: list[keyword]
    body: list[stmt]
    decorator_list: list[expr]
    type_params: list[type_param]
    def __init__(
        self,
        name: str = ...,
        bases: list[expr] = ...,
        keywords: list[keyword] = ...,
        body: list[stmt] = ...,
        decorator_list: list[expr] = ...,
        type_params: list[type_param] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Return(stmt):
    value: expr | None
    def __init__(
        self,
        value: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Delete(stmt):
    targets: list[expr]
    def __init__(
        self,
        targets: list[expr] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Assign(stmt):
    targets: list[expr]
    value: expr
    type_comment: str | None
    def __init__(
        self,
        targets: list[expr] = ...,
        value: expr = ...,
        type_comment: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class TypeAlias(stmt):
    name: expr
    type_params: list[type_param]
    value: expr
    def __init__(
        self,
        name: expr = ...,
        type_params: list[type_param] = ...,
        value: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class AugAssign(stmt):
    target: expr
    op: operator
    value: expr
    def __init__(
        self,
        target: expr = ...,
        op: operator = ...,
        value: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class AnnAssign(stmt):
    target: expr
    annotation: expr
    value: expr | None
    simple: int
    def __init__(
        self,
        target: expr = ...,
        annotation: expr = ...,
        value: expr | None = ...,
        simple: int = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class For(stmt):
    target: expr
    iter: expr
    body: list[stmt]
    orelse: list[stmt]
    type_comment: str | None
    def __init__(
        self,
        target: expr = ...,
        iter: expr = ...,
        body: list[stmt] = ...,
        orelse: list[stmt] = ...,
        type_comment: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class AsyncFor(stmt):
    target: expr
    iter: expr
    body: list[stmt]
    orelse: list[stmt]
    type_comment: str | None
    def __init__(
        self,
        target: expr = ...,
        iter: expr = ...,
        body: list[stmt] = ...,
        orelse: list[stmt] = ...,
        type_comment: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class While(stmt):
    test: expr
    body: list[stmt]
    orelse: list[stmt]
    def __init__(
        self,
        test: expr = ...,
        body: list[stmt] = ...,
        orelse: list[stmt] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class If(stmt):
    test: expr
    body: list[stmt]
    orelse: list[stmt]
    def __init__(
        self,
        test: expr = ...,
        body: list[stmt] = ...,
        orelse: list[stmt] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class With(stmt):
    items: list[withitem]
    body: list[stmt]
    type_comment: str | None
    def __init__(
        self,
        items: list[withitem] = ...,
        body: list[stmt] = ...,
        type_comment: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class AsyncWith(stmt):
    items: list[withitem]
    body: list[stmt]
    type_comment: str | None
    def __init__(
        self,
        items: list[withitem] = ...,
        body: list[stmt] = ...,
        type_comment: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Match(stmt):
    subject: expr
    cases: list[match_case]
    def __init__(
        self,
        subject: expr = ...,
        cases: list[match_case] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Raise(stmt):
    exc: expr | None
    cause: expr | None
    def __init__(
        self,
        exc: expr | None = ...,
        cause: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Try(stmt):
    body: list[stmt]
    handlers: list[ExceptHandler]
    orelse: list[stmt]
    finalbody: list[stmt]
    def __init__(
        self,
        body: list[stmt] = ...,
        handlers: list[ExceptHandler] = ...,
        orelse: list[stmt] = ...,
        finalbody: list[stmt] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class TryStar(stmt):
    body: list[stmt]
    handlers: list[ExceptHandler]
    orelse: list[stmt]
    finalbody: list[stmt]
    def __init__(
        self,
        body: list[stmt] = ...,
        handlers: list[ExceptHandler] = ...,
        orelse: list[stmt] = ...,
        finalbody: list[stmt] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Assert(stmt):
    test: expr
    msg: expr | None
    def __init__(
        self,
        test: expr = ...,
        msg: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Import(stmt):
    names: list[alias]
    def __init__(
        self,
        names: list[alias] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class ImportFrom(stmt):
    module: str | None
    names: list[alias]
    level: int
    def __init__(
        self,
        module: str | None = ...,
        names: list[alias] = ...,
        level: int = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Global(stmt):
    names: list[str]
    def __init__(
        self,
        names: list[str] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Nonlocal(stmt):
    names: list[str]
    def __init__(
        self,
        names: list[str] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Expr(stmt):
    value: expr
    def __init__(
        self,
        value: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Pass(stmt):
    def __init__(self) -> None: ...

class Break(stmt):
    def __init__(self) -> None: ...

class Continue(stmt):
    def __init__(self) -> None: ...

class BoolOp(expr):
    op: boolop
    values: list[expr]
    def __init__(
        self,
        op: boolop = ...,
        values: list[expr] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class NamedExpr(expr):
    target: Name
    value: expr
    def __init__(
        self,
        target: Name = ...,
        value: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class BinOp(expr):
    left: expr
    op: operator
    right: expr
    def __init__(
        self,
        left: expr = ...,
        op: operator = ...,
        right: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class UnaryOp(expr):
    op: unaryop
    operand: expr
    def __init__(
        self,
        op: unaryop = ...,
        operand: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Lambda(expr):
    args: arguments
    body: expr
    def __init__(
        self,
        args: arguments = ...,
        body: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class IfExp(expr):
    test: expr
    body: expr
    orelse: expr
    def __init__(
        self,
        test: expr = ...,
        body: expr = ...,
        orelse: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Dict(expr):
    keys: list[expr | None]
    values: list[expr]
    def __init__(
        self,
        keys: list[expr | None] = ...,
        values: list[expr] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Set(expr):
    elts: list[expr]
    def __init__(
        self,
        elts: list[expr] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class ListComp(expr):
    elt: expr
    generators: list[comprehension]
    def __init__(
        self,
        elt: expr = ...,
        generators: list[comprehension] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class SetComp(expr):
    elt: expr
    generators: list[comprehension]
    def __init__(
        self,
        elt: expr = ...,
        generators: list[comprehension] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class DictComp(expr):
    key: expr
    value: expr
    generators: list[comprehension]
    def __init__(
        self,
        key: expr = ...,
        value: expr = ...,
        generators: list[comprehension] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class GeneratorExp(expr):
    elt: expr
    generators: list[comprehension]
    def __init__(
        self,
        elt: expr = ...,
        generators: list[comprehension] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Await(expr):
    value: expr
    def __init__(
        self,
        value: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Yield(expr):
    value: expr | None
    def __init__(
        self,
        value: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class YieldFrom(expr):
    value: expr
    def __init__(
        self,
        value: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Compare(expr):
    left: expr
    ops: list[cmpop]
    comparators: list[expr]
    def __init__(
        self,
        left: expr = ...,
        ops: list[cmpop] = ...,
        comparators: list[expr] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Call(expr):
    func: expr
    args: list[expr]
    keywords: list[keyword]
    def __init__(
        self,
        func: expr = ...,
        args: list[expr] = ...,
        keywords: list[keyword] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class FormattedValue(expr):
    value: expr
    conversion: int
    format_spec: expr | None
    def __init__(
        self,
        value: expr = ...,
        conversion: int = ...,
        format_spec: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Interpolation(expr):
    value: expr
    str: Any
    conversion: int
    format_spec: expr | None
    def __init__(
        self,
        value: expr = ...,
        str: Any = ...,
        conversion: int = ...,
        format_spec: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class JoinedStr(expr):
    values: list[expr]
    def __init__(
        self,
        values: list[expr] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class TemplateStr(expr):
    values: list[expr]
    def __init__(
        self,
        values: list[expr] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Constant(expr):
    value: Any
    kind: str | None
    def __init__(
        self,
        value: Any = ...,
        kind: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Attribute(expr):
    value: expr
    attr: str
    ctx: expr_context
    def __init__(
        self,
        value: expr = ...,
        attr: str = ...,
        ctx: expr_context = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Subscript(expr):
    value: expr
    slice: expr
    ctx: expr_context
    def __init__(
        self,
        value: expr = ...,
        slice: expr = ...,
        ctx: expr_context = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Starred(expr):
    value: expr
    ctx: expr_context
    def __init__(
        self,
        value: expr = ...,
        ctx: expr_context = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Name(expr):
    id: str
    ctx: expr_context
    annotation: expr | None
    type_comment: str | None
    def __init__(
        self,
        id: str = ...,
        ctx: expr_context = ...,
        annotation: expr | None = ...,
        type_comment: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class List(expr):
    elts: list[expr]
    ctx: expr_context
    def __init__(
        self,
        elts: list[expr] = ...,
        ctx: expr_context = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Tuple(expr):
    elts: list[expr]
    ctx: expr_context
    def __init__(
        self,
        elts: list[expr] = ...,
        ctx: expr_context = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class Load(expr_context):
    def __init__(self) -> None: ...

class Store(expr_context):
    def __init__(self) -> None: ...

class Del(expr_context):
    def __init__(self) -> None: ...

class AugLoad(expr_context):
    def __init__(self) -> None: ...

class AugStore(expr_context):
    def __init__(self) -> None: ...

class Param(expr_context):
    def __init__(self) -> None: ...

class Slice(slice):
    lower: expr | None
    upper: expr | None
    step: expr | None
    def __init__(
        self,
        lower: expr | None = ...,
        upper: expr | None = ...,
        step: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class And(boolop):
    def __init__(self) -> None: ...

class Or(boolop):
    def __init__(self) -> None: ...

class Add(operator):
    def __init__(self) -> None: ...

class Sub(operator):
    def __init__(self) -> None: ...

class Mult(operator):
    def __init__(self) -> None: ...

class MatMult(operator):
    def __init__(self) -> None: ...

class Div(operator):
    def __init__(self) -> None: ...

class Mod(operator):
    def __init__(self) -> None: ...

class Pow(operator):
    def __init__(self) -> None: ...

class LShift(operator):
    def __init__(self) -> None: ...

class RShift(operator):
    def __init__(self) -> None: ...

class BitOr(operator):
    def __init__(self) -> None: ...

class BitXor(operator):
    def __init__(self) -> None: ...

class BitAnd(operator):
    def __init__(self) -> None: ...

class FloorDiv(operator):
    def __init__(self) -> None: ...

class Invert(unaryop):
    def __init__(self) -> None: ...

class Not(unaryop):
    def __init__(self) -> None: ...

class UAdd(unaryop):
    def __init__(self) -> None: ...

class USub(unaryop):
    def __init__(self) -> None: ...

class Eq(cmpop):
    def __init__(self) -> None: ...

class NotEq(cmpop):
    def __init__(self) -> None: ...

class Lt(cmpop):
    def __init__(self) -> None: ...

class LtE(cmpop):
    def __init__(self) -> None: ...

class Gt(cmpop):
    def __init__(self) -> None: ...

class GtE(cmpop):
    def __init__(self) -> None: ...

class Is(cmpop):
    def __init__(self) -> None: ...

class IsNot(cmpop):
    def __init__(self) -> None: ...

class In(cmpop):
    def __init__(self) -> None: ...

class NotIn(cmpop):
    def __init__(self) -> None: ...

class comprehension(AST):
    target: expr
    iter: expr
    ifs: list[expr]
    is_async: int
    def __init__(
        self,
        target: expr = ...,
        iter: expr = ...,
        ifs: list[expr] = ...,
        is_async: int = ...,
    ) -> None: ...

class ExceptHandler(excepthandler):
    type: expr | None
    name: Name | None
    body: list[stmt]
    def __init__(
        self,
        type: expr | None = ...,
        name: Name | None = ...,
        body: list[stmt] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class arguments(AST):
    args: list[Name]
    posonlyargs: list[Name]
    vararg: Name | None
    kwonlyargs: list[Name]
    kw_defaults: list[expr | None]
    kwarg: Name | None
    defaults: list[expr]
    def __init__(
        self,
        args: list[Name] = ...,
        posonlyargs: list[Name] = ...,
        vararg: Name | None = ...,
        kwonlyargs: list[Name] = ...,
        kw_defaults: list[expr | None] = ...,
        kwarg: Name | None = ...,
        defaults: list[expr] = ...,
    ) -> None: ...

class keyword(_Placed):
    arg: str | None
    value: expr
    def __init__(
        self,
        arg: str | None = ...,
        value: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class alias(_Placed):
    name: str
    asname: str | None
    def __init__(
        self,
        name: str = ...,
        asname: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class withitem(AST):
    context_expr: expr
    optional_vars: expr | None
    def __init__(
        self,
        context_expr: expr = ...,
        optional_vars: expr | None = ...,
    ) -> None: ...

class match_case(AST):
    pattern: _Pattern
    guard: expr | None
    body: list[stmt]
    def __init__(
        self,
        pattern: _Pattern = ...,
        guard: expr | None = ...,
        body: list[stmt] = ...,
    ) -> None: ...

class MatchValue(pattern):
    value: expr
    def __init__(
        self,
        value: expr = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class MatchSingleton(pattern):
    value: bool | None
    def __init__(
        self,
        value: bool | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class MatchSequence(pattern):
    patterns: list[pattern]
    def __init__(
        self,
        patterns: list[pattern] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class MatchMapping(pattern):
    keys: list[expr]
    patterns: list[pattern]
    rest: str | None
    def __init__(
        self,
        keys: list[expr] = ...,
        patterns: list[pattern] = ...,
        rest: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class MatchClass(pattern):
    cls: expr
    patterns: list[pattern]
    kwd_attrs: list[str]
    kwd_patterns: list[pattern]
    def __init__(
        self,
        cls: expr = ...,
        patterns: list[pattern] = ...,
        kwd_attrs: list[str] = ...,
        kwd_patterns: list[pattern] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class MatchStar(pattern):
    name: str | None
    def __init__(
        self,
        name: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class MatchAs(pattern):
    pattern: _Pattern | None
    name: str | None
    def __init__(
        self,
        pattern: _Pattern | None = ...,
        name: str | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class MatchOr(pattern):
    patterns: list[pattern]
    def __init__(
        self,
        patterns: list[pattern] = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class TypeVar(type_param):
    name: str
    bound: expr | None
    default_value: expr | None
    def __init__(
        self,
        name: str = ...,
        bound: expr | None = ...,
        default_value: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class ParamSpec(type_param):
    name: str
    default_value: expr | None
    def __init__(
        self,
        name: str = ...,
        default_value: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

class TypeVarTuple(type_param):
    name: str
    default_value: expr | None
    def __init__(
        self,
        name: str = ...,
        default_value: expr | None = ...,
        lineno: int = ...,
        col_offset: int = ...,
        end_lineno: int = ...,
        end_col_offset: int = ...,
    ) -> None: ...

def ast_to_gast(node: ast.AST) -> AST: ...
def gast_to_ast(node: AST) -> ast.AST: ...
def parse(source: str, filename: str = ..., mode: str = ..., **kwargs: Any) -> Module: ...
def unparse(node: ast.AST) -> str: ...
def walk(node: ast.AST) -> Iterator[AST]: ...
def iter_child_nodes(node: ast.AST) -> Iterator[AST]: ...
def iter_fields(node: ast.AST) -> Iterator[tuple[str, Any]]: ...
def copy_location(new_node: ast.AST, old_node: ast.AST) -> ast.AST: ...
def fix_missing_locations(node: ast.AST) -> ast.AST: ...
def increment_lineno(node: ast.AST, n: int = ...) -> ast.AST: ...
def literal_eval(node_or_string: Any) -> Any: ...
def dump(node: ast.AST, annotate_fields: bool = ..., include_attributes: bool = ...) -> str: ...
def get_docstring(node: ast.AST, clean: bool = ...) -> str | None: ...
