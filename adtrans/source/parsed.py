"""A source file as a tree, parsed once for each content, and the functions found in it.

>>> parsed = parse("f.py", "f = lambda x: x; g = lambda x: 2 * x")
>>> [type(n).__name__ for n in parsed.candidates("<lambda>", 1)]
['Lambda', 'Lambda']
"""

from __future__ import annotations

import ast
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"


def first_line(node: FunctionNode) -> int:
    """What `co_firstlineno` of its code object is: decorators count."""
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(d.lineno for d in decorators)])


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """The tree of one file. It is moved about during a look-up, so hold the lock of `find`."""

    file: str
    tree: ast.Module
    functions: tuple[FunctionNode, ...] = field(repr=False)
    codes: tuple[types.CodeType, ...] = field(repr=False)

    def candidates(self, name: str, line: int) -> list[FunctionNode]:
        """The functions called `name` that start at `line`."""
        return [
            n
            for n in self.functions
            if first_line(n) == line
            and (name == "<lambda>" if isinstance(n, ast.Lambda) else n.name == name)
        ]

    def code_of(self, node: FunctionNode, name: str) -> types.CodeType | None:
        """The code object that compiling the file gives for `node`.

        To tell it from others on the same line it is moved to a line of its own for a moment.
        """
        line = first_line(node)
        here = [c for c in self.codes if c.co_name == name and c.co_firstlineno == line]
        if len(here) == 1 and len(self.candidates(name, line)) == 1:
            return here[0]
        far = 10_000_000
        moved = [n for n in ast.walk(node) if hasattr(n, "lineno")]
        shift = far - first_line(node)
        try:
            _move(moved, shift)
            codes = _compiled(self.file, self.tree)
        finally:
            _move(moved, -shift)
        found = [c for c in codes if c.co_name == name and c.co_firstlineno == far]
        return found[0] if found else None


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _walk(tree: ast.AST) -> list[ast.AST]:
    """What `ast.walk` goes through, but for operators and contexts; in a third of the time."""
    found = [tree]
    for node in found:  # which grows meanwhile
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                if value._fields:
                    found.append(value)
            elif type(value) is list:
                found.extend([v for v in value if isinstance(v, ast.AST) and v._fields])
    return found


def _statements(tree: ast.Module) -> list[Any]:
    """The statements among them, with cases and handlers."""
    found: list[Any] = [tree]
    for node in found:
        held = vars(node)
        for name in ("body", "orelse", "handlers", "finalbody", "cases"):
            found += held.get(name, ())
    return found


def _compiled(file: str, tree: ast.Module) -> tuple[types.CodeType, ...]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tuple(_codes(compile(tree, file, "exec", dont_inherit=True)))


def _move(nodes: list[ast.AST], by: int) -> None:
    for n in nodes:
        for attribute in ("lineno", "end_lineno"):
            line: int | None = getattr(n, attribute, None)
            if line is not None:
                setattr(n, attribute, line + by)


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield const
            yield from _codes(const)


@lru_cache(maxsize=64)
def parse(file: str, text: str) -> ParsedFile:
    """The file parsed.

    Raises:
        SyntaxError: if `text` is not Python.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text, file)
    walk = _walk if "lambda" in text else _statements  # where all other functions are
    functions = tuple([n for n in walk(tree) if isinstance(n, _FUNCTIONS)])
    return ParsedFile(file, tree, functions, _compiled(file, tree))


def block_at(lines: tuple[str, ...], line: int) -> str | None:
    """The indented block that starts at `line`, as a text whose positions are those of the file.

    For functions in a file that is not Python as a whole, such as examples in Markdown.

    >>> text = block_at(("# Title", "    def f(x):", "        return x", "prose"), 2)
    >>> parse("a.md", text).functions[0].lineno
    2
    """
    if not 0 < line <= len(lines):
        return None
    first = lines[line - 1]
    prompt = first.lstrip().startswith(">>> ")
    rest = [first]
    indent = len(first) - len(first.lstrip())
    header = True
    for text in lines[line:]:
        stripped = text.strip()
        if prompt:
            if not stripped.startswith("..."):
                break
        elif header and stripped.startswith(("def ", "async def ", "@", ")")):
            pass
        elif stripped and len(text) - len(text.lstrip()) <= indent and not stripped.startswith(")"):
            break
        header = header and (stripped.startswith("@") or not stripped)
        rest.append(text)
    if prompt:  # blank out the prompts, keeping every column
        cut = indent + 4
        rest = [" " * cut + t.rstrip("\n")[cut:] + "\n" for t in rest]
        indent = cut
    while rest:
        body = "".join(t if t.endswith("\n") else t + "\n" for t in rest)
        opening = "if 1:\n" if indent else "\n"
        text = "\n" * (line - 2) + opening + body if line > 1 else body
        try:
            parse("", text)
            return text
        except SyntaxError:
            rest.pop()
    return None
