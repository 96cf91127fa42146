"""Rewritten functions: made when a function is first reached, once for each code object.

The new function has the same globals, the same cells and the same defaults. What its source calls
are free variables of it (see `rewrite`).
"""

from __future__ import annotations

import ast
import copy
import itertools
import linecache
import threading
import types
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.recorder.recorded_needs import USERS, WRITTEN
from adtrans.recorder.rewrite import CannotRewrite, Rewriter
from adtrans.source.find import tree_of

_FUTURE_ANNOTATIONS = 0x1000000
HELPERS: dict[str, Any] = {}
"""The functions that rewritten source calls, by their names in it; `runtime` fills it."""

_HELD: list[types.CodeType] = []
_TEMPLATES: dict[int, Template] = {}
_Known = tuple[weakref.ref[types.FunctionType], types.FunctionType, types.CodeType]
_FUNCTIONS: dict[int, _Known] = {}  # with the code that was rewritten: a function may get another
_lock = threading.RLock()


class Template:
    """The rewritten code of a function. `outer`: the cells that it assigns."""

    def __init__(self, code: types.CodeType, outer: frozenset[str], original: Any) -> None:
        self.code, self.outer, self.original = code, outer, original


def is_written(fn: types.FunctionType) -> bool:
    """Is a function the rewritten form of one, or made in one?"""
    return id(fn.__code__) in WRITTEN


def rewritten(fn: types.FunctionType) -> types.FunctionType:
    """The rewritten form of a function.

    Raises:
        CompileError: AD101 to AD106 where there is no source, AD202 for `async`.
    """
    entry = _FUNCTIONS.get(id(fn))
    if entry is not None and entry[0]() is fn and entry[2] is fn.__code__:
        found = entry[1]
        if found.__defaults__ is not fn.__defaults__:
            found.__defaults__ = fn.__defaults__
        return found
    if id(fn.__code__) in WRITTEN:
        return fn
    with _lock:
        template = _template(fn)
        found = _made(template, fn)
        key = id(fn)
        _FUNCTIONS[key] = weakref.ref(fn, lambda _: _FUNCTIONS.pop(key, None)), found, fn.__code__
    return found


def outer_cells(fn: types.FunctionType) -> list[Any]:
    """The cells that a function assigns, which may outlive a run."""
    template = _TEMPLATES.get(id(fn.__code__))
    if template is None or not template.outer or fn.__closure__ is None:
        return []
    pairs = zip(fn.__code__.co_freevars, fn.__closure__, strict=True)
    return [cell for name, cell in pairs if name in template.outer]


def _made(template: Template, fn: types.FunctionType) -> types.FunctionType:
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    closure = []
    for name in template.code.co_freevars:
        if name in cells:
            closure.append(cells[name])
        elif name == ".namespace":
            closure.append(types.CellType(fn.__globals__))
        else:
            closure.append(_CELLS[name])
    made = types.FunctionType(
        template.code, fn.__globals__, fn.__name__, fn.__defaults__, tuple(closure)
    )
    made.__kwdefaults__ = fn.__kwdefaults__
    made.__qualname__, made.__module__, made.__doc__ = fn.__qualname__, fn.__module__, fn.__doc__
    made.__dict__.update({k: v for k, v in fn.__dict__.items() if k != "__adtrans__"})
    return made


class _Cells(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        cell = self[name] = types.CellType(HELPERS[name[1:]])
        return cell


_CELLS = _Cells()


def _template(fn: types.FunctionType) -> Template:
    code = fn.__code__
    found = _TEMPLATES.get(id(code))
    if found is None:
        new, outer = _compiled(*tree_rewritten(fn), code)
        found = _TEMPLATES[id(code)] = Template(new, outer, code)
    return found


def tree_rewritten(fn: types.FunctionType) -> tuple[Any, Rewriter]:
    """The rewritten tree of a function, without its decorators, defaults and annotations.

    Raises:
        CompileError: as `rewritten`.
    """
    rewriter = Rewriter(_owner(fn))
    try:
        node = _rewrite(tree_of(fn), rewriter)
    except CannotRewrite as error:
        span = Span(fn.__code__.co_filename, error.line, 0, error.line, 0)
        raise CompileError(
            Diagnostic("AD202", f"{error.what} cannot be differentiated", span,
                       why="what runs beside the rest, in an order of its own, is not followed")
        ) from None  # fmt: skip
    return node, rewriter


def copied(node: Any) -> Any:
    """A copy of a tree, with the same operators and contexts; `copy.deepcopy` takes much longer."""
    new = type(node)()
    into = vars(new)
    for name, value in vars(node).items():
        if isinstance(value, ast.AST):
            if value._fields:
                value = copied(value)
        elif type(value) is list:
            value = [copied(v) if isinstance(v, ast.AST) and v._fields else v for v in value]
        into[name] = value
    return new


def _place(node: ast.AST, place: tuple[int, int, int, int]) -> None:
    """Give nodes without a position that of the one around: `ast.fix_missing_locations`, faster."""
    held = vars(node)
    if "lineno" in held:
        line, column = held["lineno"], held["col_offset"]
        place = line, column, held.get("end_lineno", line), held.get("end_col_offset", column)
    elif "lineno" in node._attributes:
        held["lineno"], held["col_offset"], held["end_lineno"], held["end_col_offset"] = place
    for value in [*held.values()]:
        if isinstance(value, ast.AST):
            if value._fields:
                _place(value, place)
        elif type(value) is list:
            for item in value:
                if isinstance(item, ast.AST) and item._fields:
                    _place(item, place)


def _owner(fn: types.FunctionType) -> str:
    """The class whose private names a function uses."""
    names = {n for c in _codes(fn.__code__) for n in (*c.co_names, *c.co_consts)
             if isinstance(n, str)}  # fmt: skip
    for part in reversed(fn.__qualname__.split(".")[:-1]):
        prefix = f"_{part.lstrip('_')}__"
        if any(n.startswith(prefix) for n in names):
            return part
    return ""


def _rewrite(node: Any, rewriter: Rewriter) -> Any:
    """The rewritten tree of a function, without its decorators, defaults and annotations."""
    node = copy.copy(node)
    if not isinstance(node, ast.Lambda):
        if isinstance(node, ast.AsyncFunctionDef):
            raise CannotRewrite("`async def`", node)
        node.decorator_list = []
        node.returns = None
    node.args = arguments = copied(node.args)
    for arg in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs,
                arguments.vararg, arguments.kwarg]:  # fmt: skip
        if arg is not None:
            arg.annotation = None
    arguments.defaults = []
    arguments.kw_defaults = [None] * len(arguments.kwonlyargs)
    rewriter.inside(node)
    return node


def _compiled(
    node: Any, rewriter: Rewriter, like: types.CodeType | None
) -> tuple[types.CodeType, frozenset[str]]:
    """The code of a rewritten tree, and the outer names that it assigns."""
    is_lambda = isinstance(node, ast.Lambda)
    name = "<lambda>" if is_lambda else node.name
    if not is_lambda:
        node.name = ".function"  # its own name is a global or a cell, as it was
    free = [] if like is None else list(like.co_freevars)
    params = [*dict.fromkeys([*free, *sorted(rewriter.helpers), ".namespace"])]
    result: Any = node if is_lambda else ast.Name(node.name, ast.Load())
    body: list[ast.stmt] = [] if is_lambda else [node]
    body.append(ast.Return(result))
    factory = ast.FunctionDef(
        name=".factory",
        args=ast.arguments([], [ast.arg(p) for p in params], None, [], [], None, []),
        body=body, decorator_list=[], returns=None, type_comment=None,
    )  # fmt: skip
    if hasattr(factory, "type_params") or "type_params" in ast.FunctionDef._fields:
        factory.type_params = []  # type: ignore[attr-defined,unused-ignore]  # Python 3.12
    module = ast.Module([factory], [])
    for made in (factory, body[-1], result, *factory.args.args):
        ast.copy_location(made, node)
    file = "<adtrans>" if like is None else like.co_filename
    flags = 0 if like is None else like.co_flags & _FUTURE_ANNOTATIONS
    try:
        whole = compile(module, file, "exec", flags, dont_inherit=True)
    except TypeError:  # a part of what was made has no position
        _place(module, (1, 0, 1, 0))
        whole = compile(module, file, "exec", flags, dont_inherit=True)
    outer = next(c for c in whole.co_consts if isinstance(c, types.CodeType))
    inside = "<lambda>" if is_lambda else ".function"
    found = next(
        c for c in outer.co_consts if isinstance(c, types.CodeType) and c.co_name == inside
    ).replace(co_name=name)
    if like is not None and hasattr(found, "co_qualname"):
        found = found.replace(co_qualname=like.co_qualname)  # type: ignore[attr-defined,call-arg,unused-ignore]  # Python 3.11
    for c in _codes(found):
        WRITTEN.add(id(c))
        USERS.add(id(c))
        _HELD.append(c)
    return found, frozenset(rewriter.outer)


def _codes(code: types.CodeType) -> Any:
    yield code
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            yield from _codes(c)


_counter = itertools.count()


def from_text(source: str, names: Mapping[str, Any]) -> Callable[..., Any]:
    """The rewritten form of a function that is given as text, with the globals that it names."""
    tree = ast.parse(source)
    file = f"<adtrans recorded {next(_counter)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    blank = compile("", file, "exec")
    rewriter = Rewriter()
    node = _rewrite(tree.body[0], rewriter)
    code, _ = _compiled(node, rewriter, blank)
    USERS.discard(id(code))
    closure = tuple(_CELLS[name] for name in code.co_freevars)
    return types.FunctionType(code, dict(names), code.co_name, None, closure)
