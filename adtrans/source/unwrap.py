"""Through wrappers to the Python function inside: decorators, methods, partials, jitted functions.

>>> import functools
>>> def f(x, k): return x * k
>>> u = unwrap(functools.partial(f, k=2))
>>> u.fn is f, u.args, u.kwargs
(True, (), {'k': 2})
"""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import os
import textwrap
import types
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.source.held import held
from adtrans.source.parsed import block_at
from adtrans.source.positions import call_site

_COMPILERS = ("numba", "numba_cuda")


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """A plain function and the arguments that wrappers have bound already (`self` first)."""

    fn: types.FunctionType
    args: tuple[object, ...] = ()
    kwargs: Mapping[str, object] = field(default_factory=dict)


def unwrap(obj: object) -> Unwrapped:
    """The Python function behind `obj`.

    Raises:
        CompileError: AD104 for a function written in C, AD106 for what is no function at all.
    """
    args: tuple[object, ...] = ()
    kwargs: dict[str, object] = {}
    current = obj
    for _ in range(100):  # a wrapper may wrap itself
        if isinstance(current, functools.partial):
            args = (*current.args, *args)
            kwargs = {**current.keywords, **kwargs}
            current = current.func
        elif isinstance(current, types.MethodType):
            args = (current.__self__, *args)
            current = current.__func__
        elif isinstance(current, staticmethod | classmethod):
            current = current.__func__
        elif is_jitted(current):
            current = held(current, "py_func")
        elif isinstance(current, types.FunctionType):
            inner = getattr(current, "__wrapped__", None)
            if not callable(inner) or not passes_on(current):
                return Unwrapped(current, args, kwargs)
            current = inner
        elif isinstance(current, functools._lru_cache_wrapper):
            current = current.__wrapped__
        elif isinstance(
            call := getattr(type(current), "__call__", None),  # noqa: B004  # which kind?
            types.FunctionType,
        ):
            inner = held(current, "__wrapped__")
            if callable(inner) and passes_on(call, current):
                current = inner  # an object that stands for the function
            else:
                args = (current, *args)
                current = call
        else:
            break
    raise CompileError(_not_python(obj))


def is_jitted(obj: object) -> bool:
    """Whether it is a compiled function of Numba, which holds the Python function it was made of.

    >>> def f(x): return x
    >>> f.py_func = len
    >>> is_jitted(f)
    False
    """
    module = getattr(type(obj), "__module__", None)  # nothing of the object is run
    if not isinstance(module, str) or module.partition(".")[0] not in _COMPILERS:
        return False
    return isinstance(held(obj, "py_func"), types.FunctionType)


def in_python(obj: Any) -> Any:
    """The Python function that a compiled function holds; everything else is itself.

    >>> in_python(len) is len
    True
    """
    return held(obj, "py_func") if is_jitted(obj) else obj


def passes_on(wrapper: types.FunctionType, owner: object = None) -> bool:
    """Whether a decorator's wrapper does nothing but call what it wraps with what it is given.

    With `owner`, `wrapper` is the `__call__` of an object that wraps a function.

    >>> def plain(f):
    ...     @functools.wraps(f)
    ...     def call(*args, **kwargs):
    ...         return f(*args, **kwargs)
    ...     return call
    >>> passes_on(plain(len))
    True
    """
    file = wrapper.__code__.co_filename
    if os.path.exists(file):
        linecache.checkcache(file)
    lines = linecache.getlines(file, wrapper.__globals__)
    text = block_at(tuple(line.rstrip("\n") for line in lines), wrapper.__code__.co_firstlineno)
    try:
        tree = ast.parse(textwrap.dedent(text or ""))
    except SyntaxError:
        return False
    found = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)][:1]
    match found:
        case [ast.FunctionDef(args=a, body=[*_, ast.Return(value=ast.Call() as call)] as body)]:
            own = [] if owner is None else [p.arg for p in a.args]
            if len(own) != (owner is not None) or len(a.args) != len(own):
                return False
            if a.posonlyargs or a.kwonlyargs or a.vararg is None or a.kwarg is None:
                return False
            if not all(_is_docstring(s) for s in body[:-1]):
                return False
            wrapped = held(wrapper if owner is None else owner, "__wrapped__")
            given = f"(*{a.vararg.arg}, **{a.kwarg.arg})"
            match call.func:
                case ast.Name(id=name) if owner is None:
                    free = wrapper.__code__.co_freevars
                    cells = zip(free, wrapper.__closure__ or (), strict=True)
                    same = any(n == name and c.cell_contents is wrapped for n, c in cells)
                case ast.Attribute(value=ast.Name(id=name), attr=attr) if [name] == own:
                    same = getattr(owner, attr, None) is wrapped
                case _:
                    same = False
            alike = ast.unparse(call) == f"{ast.unparse(call.func)}{given}"
            return same and alike and _is_compiled(found[0], wrapper.__code__)
        case _:
            return False


def _is_compiled(node: ast.FunctionDef, code: types.CodeType) -> bool:
    """Whether Python runs what stands in the file, which may have been changed since."""
    around = f"def _({', '.join(code.co_freevars)}): pass"
    tree = ast.parse(around)
    match tree.body:
        case [ast.FunctionDef() as outer]:
            node.decorator_list = []
            outer.body = [node]
    made = compile(ast.fix_missing_locations(tree), code.co_filename, "exec", dont_inherit=True)
    inside = [c for c in made.co_consts if isinstance(c, types.CodeType)]
    found = [c for o in inside for c in o.co_consts if isinstance(c, types.CodeType)]
    names = ("co_code", "co_names", "co_varnames", "co_freevars")
    return any(all(getattr(c, n) == getattr(code, n) for n in names) for c in found)


def _is_docstring(s: ast.stmt) -> bool:
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)


def _not_python(obj: object) -> Diagnostic:
    name = getattr(obj, "__qualname__", None) or getattr(obj, "__name__", None)
    shown = f"`{name}`" if isinstance(name, str) else f"this {type(obj).__name__}"
    if callable(obj) and not isinstance(obj, type):
        return Diagnostic(
            "AD104",
            f"{shown} is not written in Python",
            call_site(),
            why="adtrans differentiates Python source; a compiled function has none.",
            fixes=[Fix("write a Python function that calls it, and differentiate that")],
        )
    what = "a class" if inspect.isclass(obj) else f"an object of type {type(obj).__name__}"
    return Diagnostic(
        "AD106",
        f"{shown} is not a function",
        call_site(),
        why=f"only Python functions and methods can be differentiated, and this is {what}.",
        fixes=[Fix("write a function that computes what you want to differentiate, and pass that")],
    )
