"""A function object and the syntax tree that it was made from.

>>> def scale(x, k=2.0):
...     return k * x
>>> source = get_source(scale)
>>> source.name, [a.id for a in source.node.args.args], source.resolve("len") is len
('scale', ['x', 'k'], True)
"""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import threading
import types
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import gast

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import CompileError
from adtrans.diagnostics.span import Span
from adtrans.source.parsed import FunctionNode, ParsedFile, block_at, parse
from adtrans.source.positions import span_of
from adtrans.source.reach import codes
from adtrans.source.same_code import same, same_but_for_asserts
from adtrans.source.scope import resolve
from adtrans.source.unwrap import unwrap


@dataclass(frozen=True, slots=True)
class SourceFunction:
    """A function and its tree. Wrappers have bound `bound_args` (`self` first), `bound_kwargs`."""

    name: str
    qualname: str
    node: gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda = field(repr=False)
    file: str
    lines: tuple[str, ...] = field(repr=False)
    fn: types.FunctionType
    signature: inspect.Signature
    bound_args: tuple[object, ...] = ()
    bound_kwargs: Mapping[str, object] = field(default_factory=dict)
    is_method: bool = False

    def resolve(self, name: str) -> object:
        """What the free name `name` means now: a cell, a global, a builtin, or `MISSING`."""
        return resolve(self.fn, name)

    def span(self, node: gast.AST) -> Span:
        """The place of a part of the tree."""
        return span_of(node, self.file, self.lines)


MADE = "__adtrans_source__"
"""Where a function that was made from a tree (see `made`) keeps its source."""
_lock = threading.RLock()


def is_generated(file: str) -> bool:
    """Whether a file name is one that adtrans gives to the code that it writes."""
    return file.startswith("<adtrans ")


def _signature(fn: types.FunctionType) -> inspect.Signature:
    """That of what a function wraps; its own where that has none."""
    try:
        return inspect.signature(fn)
    except ValueError:
        return inspect.signature(fn, follow_wrapped=False)


def get_source(fn: object) -> SourceFunction:
    """The source of `fn`, found through decorators, partials, methods and jitted functions.

    Raises:
        CompileError: AD101 to AD106, saying what is missing and what to do.
    """
    u = unwrap(fn)
    made = u.fn.__dict__.get(MADE)
    if isinstance(made, SourceFunction):
        return made
    code = u.fn.__code__
    with _lock:
        lines, node = _read(u.fn)
        if not lines:
            raise CompileError(_no_source(u.fn))
        if node is None:
            raise CompileError(_changed(u.fn))
        tree = gast.ast_to_gast(node)
    assert isinstance(tree, gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda)
    _with_private_names(tree, u.fn)
    return SourceFunction(
        name=u.fn.__name__,
        qualname=u.fn.__qualname__,
        node=tree,
        file=code.co_filename,
        lines=_without_ends(lines),
        fn=u.fn,
        signature=_signature(u.fn),
        bound_args=u.args,
        bound_kwargs=u.kwargs,
        is_method=isinstance(fn, types.MethodType),
    )


def tree_of(fn: types.FunctionType) -> FunctionNode:
    """The tree of a function itself, as Python's `ast` has it; not to be changed.

    Raises:
        CompileError: AD101 to AD103, saying what is missing and what to do.
    """
    made = fn.__dict__.get(MADE)
    if isinstance(made, SourceFunction):
        tree = gast.gast_to_ast(made.node)
        assert isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        return tree
    with _lock:
        lines, node = _read(fn)
    if not lines:
        raise CompileError(_no_source(fn))
    if node is None:
        raise CompileError(_changed(fn))
    return node


@lru_cache(maxsize=64)
def _without_ends(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of a file, kept once for all of its functions."""
    return tuple(line.rstrip("\r\n") for line in lines)


def _with_private_names(tree: gast.AST, fn: types.FunctionType) -> None:
    """Gives attributes such as `self.__k` the names that Python gives them inside a class."""
    private = [
        n
        for n in gast.walk(tree)
        if isinstance(n, gast.Attribute) and n.attr[:2] == "__" and n.attr[-2:] != "__"
    ]
    if not private:
        return
    known = {n for code in codes(fn.__code__) for n in code.co_names}
    around = [p.lstrip("_") for p in reversed(fn.__qualname__.split("."))]
    for n in private:
        names = (f"_{cls}{n.attr}" for cls in around)
        n.attr = next((name for name in names if name in known), n.attr)


def _read(fn: types.FunctionType) -> tuple[tuple[str, ...], FunctionNode | None]:
    """The file of a function, and the function in it. What was read before is read again where it
    is not exactly what Python runs: the file may have been changed, and loaded again.

    A decorator that makes functions out of a text may leave it with them, as networkx does.
    """
    code, names = fn.__code__, fn.__globals__
    file = code.co_filename
    for text in fn.__dict__.values():
        if isinstance(text, str) and f"def {code.co_name}" in text:
            kept = tuple(text.splitlines(keepends=True))
            node = _find(code, kept, exactly=True)
            if node is not None:
                return kept, node
    if file.startswith("<") and not file.endswith(">") and file not in linecache.cache:
        return (), None  # no file: `linecache` would give that of the module
    if file.startswith("<frozen "):  # a module of Python's own start, whose file is there
        file = str(names.get("__file__") or file)
    lines = tuple(linecache.getlines(file, names))
    node = _find(code, lines, exactly=True) if lines else None
    if node is None:
        if os.path.exists(file):  # one that is gone is known from before
            linecache.checkcache(file)
        lines = tuple(linecache.getlines(file, names))
        node = _find(code, lines) if lines else None
    return lines, node


def _find(
    code: types.CodeType, lines: tuple[str, ...], *, exactly: bool = False
) -> FunctionNode | None:
    try:
        parsed = parse(code.co_filename, "".join(lines))
    except SyntaxError:
        block = block_at(lines, code.co_firstlineno)
        if block is None:
            return None
        parsed = parse(code.co_filename, block)
    found = _matching(code, parsed, exactly)
    return found[0] if found else None


def _matching(code: types.CodeType, parsed: ParsedFile, exactly: bool) -> list[FunctionNode]:
    candidates = parsed.candidates(code.co_name, code.co_firstlineno)
    compiled = [(n, parsed.code_of(n, code.co_name)) for n in candidates]
    found = [n for n, c in compiled if c is not None and same(c, code)]
    if not found and not exactly:
        found = [n for n, c in compiled if c is not None and same_but_for_asserts(code, c, n)]
    if len(found) > 1 and hasattr(code, "co_positions"):
        found = [n for n in found if _covers(n, code)] or found
    return found


def _covers(node: FunctionNode, code: types.CodeType) -> bool:
    """Whether the instructions of `code` lie inside `node` (known from Python 3.11 on)."""
    positions: Iterable[tuple[int | None, int | None, int | None, int | None]]
    positions = code.co_positions()  # type: ignore[attr-defined,unused-ignore]  # Python 3.11
    start, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    for line, last, column, stop in positions:
        if line is None or last is None or column is None or stop is None or column == stop == 0:
            continue
        if not (start <= (line, column) and (last, stop) <= end):
            return False
    return True


def _place(fn: types.FunctionType) -> Span:
    line = fn.__code__.co_firstlineno
    return Span(fn.__code__.co_filename, line, 0, line, 0)


def _no_source(fn: types.FunctionType) -> Diagnostic:
    name, file = fn.__name__, fn.__code__.co_filename
    if file in ("<stdin>", "<string>"):
        typed = file == "<stdin>"
        return Diagnostic(
            "AD103" if typed else "AD101",
            f"the source of `{name}` was not kept",
            _place(fn),
            why="a plain Python prompt does not store what is typed into it."
            if typed
            else "the function was made by `exec` or `python -c` from a text that is gone.",
            fixes=[
                Fix("put the function in a file and import it"),
                Fix("or use IPython or Jupyter, which keep the source"),
            ],
        )
    return Diagnostic(
        "AD101",
        f"no source found for `{name}`",
        _place(fn),
        why=f"adtrans reads the function from `{file}`, and that file cannot be read.",
        fixes=[
            Fix("run from the source files, not only from .pyc files"),
            Fix("if the code was made by `exec`, register its text in `linecache.cache` first"),
        ],
    )


def _changed(fn: types.FunctionType) -> Diagnostic:
    return Diagnostic(
        "AD102",
        f"the source of `{fn.__name__}` changed since it was imported",
        _place(fn),
        why="what stands in the file is no longer the code that Python runs, so a derivative of it "
        "would be the derivative of another function.",
        fixes=[Fix("import the module again, or restart Python")],
    )
