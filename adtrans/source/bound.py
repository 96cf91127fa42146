"""Methods as other functions, made from their trees, where a call says more than the text.

A class method is a function without the class among its parameters; an operator one that returns no
`NotImplemented`.

>>> class Box:
...     @classmethod
...     def twice(cls, x): return cls, 2 * x
>>> of_class(Box.twice).__name__
'twice'
"""

from __future__ import annotations

import copy
import inspect
import types
from collections.abc import Callable
from dataclasses import replace

import gast

from adtrans.diagnostics.errors import CompileError
from adtrans.runtime.failures import DerivativeError
from adtrans.source.find import MADE, SourceFunction, get_source
from adtrans.source.made import made_functions

_FOUND: dict[tuple[object, ...], types.FunctionType | None] = {}


def of_class(method: object) -> types.FunctionType | None:
    """The function that does what a class method does for its class; None for all else, and where
    the parameter of the class is assigned, or `super()` needs it."""
    if not isinstance(method, types.MethodType) or not isinstance(method.__self__, type):
        return None
    cls = method.__self__

    def change(node: gast.FunctionDef) -> dict[str, object] | None:
        given = node.args.posonlyargs or node.args.args
        return {given.pop(0).id: cls} if given else None

    name = f"{cls.__qualname__}.{getattr(method.__func__, '__name__', '')}"
    return _variant(method.__func__, ("class", cls), change, name)


def implemented(method: object) -> object:
    """An operator that raises an error where it would leave the work to another method."""
    code = getattr(method, "__code__", None)
    if "NotImplemented" not in getattr(code, "co_names", ()):
        return method
    name = str(getattr(method, "__qualname__", ""))

    def refuse() -> DerivativeError:
        return DerivativeError(
            f"`{name}` returns NotImplemented: the method that Python calls then is not followed",
            code="AD601",
        )

    def change(node: gast.FunctionDef) -> dict[str, object] | None:
        for n in gast.walk(node):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(n, field, None)
                if isinstance(block, list):
                    setattr(n, field, [_raised(s, "not_followed") for s in block])
        rest = (n for n in gast.walk(node) if isinstance(n, gast.Name))
        return None if any(n.id == "NotImplemented" for n in rest) else {"not_followed": refuse}

    return _variant(method, ("implemented",), change, None) or method


def _raised(s: gast.stmt, name: str) -> gast.stmt:
    """`raise name()` for `return NotImplemented`."""
    match s:
        case gast.Return(value=gast.Name(id="NotImplemented")):
            error = gast.Call(gast.Name(name, gast.Load(), None, None), [], [])
            made = gast.Raise(error, None)
            for n in (made, error, error.func):
                gast.copy_location(n, s)
            return made
        case _:
            return s


def _variant(
    fn: object,
    key: tuple[object, ...],
    change: Callable[[gast.FunctionDef], dict[str, object] | None],
    qualname: str | None,
) -> types.FunctionType | None:
    """`fn` with a changed tree in which the names that `change` returns are captured; the same one
    each time. None where there is no source, or one of the names is assigned."""
    if not isinstance(fn, types.FunctionType):
        return None
    at = (fn, *key)
    if at not in _FOUND:
        try:
            _FOUND[at] = _made(get_source(fn), change, qualname)
        except CompileError:
            _FOUND[at] = None
    return _FOUND[at]


def _made(
    source: SourceFunction,
    change: Callable[[gast.FunctionDef], dict[str, object] | None],
    qualname: str | None,
) -> types.FunctionType | None:
    if not isinstance(source.node, gast.FunctionDef):
        return None
    node = copy.deepcopy(source.node)
    values = change(node)
    if values is None:
        return None
    for n in gast.walk(node):
        if isinstance(n, gast.Name) and n.id in values and not isinstance(n.ctx, gast.Load):
            return None
        if isinstance(n, gast.Name) and n.id == "super":
            return None
    made = made_functions(source, node, [], values)
    if not node.args.defaults:
        made.fn.__defaults__ = None
    made.fn.__qualname__ = qualname or source.fn.__qualname__
    made.fn.__module__ = source.fn.__module__
    made.fn.__dict__[MADE] = replace(
        made, qualname=made.fn.__qualname__, signature=inspect.signature(made.fn), is_method=False
    )
    return made.fn
