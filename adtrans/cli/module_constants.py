"""The value of an expression at the top of a module, where nothing of the user's has to run for it.

>>> import ast
>>> evaluate(ast.parse("(2 * np.pi, -1)", mode="eval").body, {"np": np})
(6.283185307179586, -1)
>>> evaluate(ast.parse("np.zeros(3)", mode="eval").body, {"np": np})
array([0., 0., 0.])
>>> evaluate(ast.parse("load('table')", mode="eval").body, {"load": print}) is UNCLEAR
True
"""

from __future__ import annotations

import ast
import operator
import types
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np


class _Unclear:
    def __repr__(self) -> str:
        return "UNCLEAR"


UNCLEAR: Final = _Unclear()

_LARGE = 1_000_000
_MAKERS: frozenset[object] = frozenset({
    np.array, np.asarray, np.zeros, np.ones, np.full, np.empty, np.arange, np.linspace, np.eye,
    np.float64, np.float32, np.int64, np.int32, float, int, bool, tuple, len, abs, min, max, slice,
})  # fmt: skip
_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
}  # fmt: skip
_BUILTINS: Mapping[str, object] = {
    f.__name__: f for f in (float, int, bool, tuple, len, abs, min, max, slice)
}


def evaluate(e: ast.expr, names: Mapping[str, object]) -> Any:
    """The value of literals, of arithmetic on numbers, of attributes of modules, and of what a few
    NumPy functions make of these; `UNCLEAR` for anything else, and for what would be large."""
    try:
        return _value(e, names)
    except (_NotClear, ArithmeticError, TypeError, ValueError, AttributeError):
        return UNCLEAR


class _NotClear(Exception):
    pass


def _value(e: ast.expr, names: Mapping[str, object]) -> Any:
    match e:
        case ast.Constant():
            return e.value
        case ast.Name():
            if e.id in names:
                return names[e.id]
            if e.id in _BUILTINS:
                return _BUILTINS[e.id]
        case ast.Attribute():
            base = _value(e.value, names)
            if isinstance(base, types.ModuleType):
                return getattr(base, e.attr)
        case ast.Tuple() | ast.List():
            items = [_value(i, names) for i in e.elts]
            return tuple(items) if isinstance(e, ast.Tuple) else items
        case ast.Dict() if all(k is not None for k in e.keys):
            keys = [_value(k, names) for k in e.keys if k is not None]
            return dict(zip(keys, (_value(v, names) for v in e.values), strict=True))
        case ast.UnaryOp() if type(e.op) in _UNARY:
            return _UNARY[type(e.op)](_number(_value(e.operand, names)))
        case ast.BinOp(op=ast.Pow()):
            base, exponent = (_number(_value(x, names)) for x in (e.left, e.right))
            if abs(exponent) <= 64:
                return base**exponent
        case ast.BinOp() if type(e.op) in _BINARY:
            a, b = (_number(_value(x, names)) for x in (e.left, e.right))
            return _BINARY[type(e.op)](a, b)
        case ast.Call() if all(k.arg is not None for k in e.keywords):
            fn = _value(e.func, names)
            args = [_value(a, names) for a in e.args]
            kwargs = {str(k.arg): _value(k.value, names) for k in e.keywords}
            if _is_maker(fn) and _small([*args, *kwargs.values()]):
                return fn(*args, **kwargs)
        case _:
            pass
    raise _NotClear


def _is_maker(fn: object) -> bool:
    try:
        return fn in _MAKERS
    except TypeError:  # not hashable
        return False


def _number(value: Any) -> Any:
    if isinstance(value, bool | int | float | complex | np.generic):
        return value
    raise _NotClear


def _small(args: list[Any]) -> bool:
    """Whether arrays made from these arguments cannot be large."""
    size = 1
    for value in args:
        for n in value if isinstance(value, tuple | list) else [value]:
            if isinstance(n, int) and not isinstance(n, bool):
                size *= max(abs(n), 1)
    return size <= _LARGE
