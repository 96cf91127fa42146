"""The user's lines in the traceback of an exception that passed through generated code.

A forward function computes what the user's function computes, statement by statement. Nothing is
kept at run time to tell which line of the one stands for which line of the other: the two texts are
compared when an exception passes. Where the comparison is not conclusive, no line is shown.

>>> written = "def f(x, n):\\n    y = np.sin(x) * x[n]\\n    return y\\n"
>>> made = "def f_forward(x, n):\\n    t = np.sin(x)\\n    y = t * x[n]\\n    return y, (t, x)\\n"
>>> matching_lines(written, made)
{2: 2, 3: 2, 4: 3}
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from types import TracebackType
from typing import TypeVar

from adtrans.diagnostics.span import Span
from adtrans.source import SourceFunction, is_generated

_Error = TypeVar("_Error", bound=BaseException)
_NAMED = re.compile(r"\bline (\d+)\b")
_NUMBERED = re.compile(r"\b([^\W\d]\w*?)_\d+\b")  # another variable of the same name
_LONG = 500


def with_user_lines(error: _Error, sources: Mapping[str, SourceFunction], text: str) -> _Error:
    """`error` with the user's line after each line of the generated `text` in its traceback.

    `sources` says from which function each generated function was made. The first entry of the
    traceback, that of the caller, is left out: raising the error adds it again.
    """
    entries: list[TracebackType] = []
    here = error.__traceback__.tb_next if error.__traceback__ is not None else None
    while here is not None:
        entries.append(here)
        here = here.tb_next
    found: TracebackType | None = None
    for entry in reversed(entries):
        code = entry.tb_frame.f_code
        source = sources.get(code.co_name)
        if source is not None and code.co_filename.startswith("<adtrans "):
            line = user_line(source, text, code.co_name, entry.tb_lineno)
            if line is not None:
                found = _entry(source, line, found)
        found = TracebackType(found, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return error.with_traceback(found)


def place_of(error: BaseException, sources: Mapping[str, SourceFunction]) -> Span | None:
    """Where the innermost of the user's functions was when a check of it failed: at the line that
    the check names, or at that in the traceback; None where no function of the user's is in it."""
    here, source, line = error.__traceback__, None, 0
    while here is not None:
        code = here.tb_frame.f_code
        found = sources.get(code.co_name) if code.co_filename.startswith("<adtrans ") else None
        if found is not None and not is_generated(found.file):
            source, line = found, 0
        elif source is not None and code.co_filename == source.file:
            line = here.tb_lineno
        here = here.tb_next
    if source is None:
        return None
    whole = source.span(source.node)
    named = _NAMED.search(str(error.args[0]))
    if named is not None and whole.line <= int(named[1]) <= whole.end_line:
        line = int(named[1])
    text = source.lines[(line or whole.line) - 1].rstrip()
    return Span(source.file, line or whole.line, len(text) - len(text.lstrip()),
                line or whole.line, len(text))  # fmt: skip


def user_line(source: SourceFunction, text: str, name: str, line: int) -> int | None:
    """The line of the user's function that line `line` of the generated function `name` is from."""
    span = source.span(source.node)
    written = "\n".join(source.lines[span.line - 1 : span.end_line])
    for made in ast.parse(text).body:
        if isinstance(made, ast.FunctionDef) and made.name == name:
            start = made.lineno - 1
            block = "\n".join(text.split("\n")[start : made.end_lineno])
            if _parsed(written) is None:  # a lambda, perhaps one with a name by now
                return span.line
            found = matching_lines(written, block).get(line - start)
            return None if found is None else found + span.line - 1
    return None


@dataclass(frozen=True, slots=True)
class _Head:
    """A simple statement, or the first line of a compound one; the lines that it stands on."""

    text: str
    first: int
    last: int


def matching_lines(written: str, made: str) -> dict[int, int]:
    """For the lines of the function `made`, as far as they are known, those of `written`."""
    user = list(_heads(written))
    named = {n.id for n in ast.walk(_parsed(written) or ast.Pass()) if isinstance(n, ast.Name)}
    generated = list(_heads(made, named))
    matcher = SequenceMatcher(None, [h.text for h in user], [h.text for h in generated], False)
    same = {b: a for a, b, size in matcher.get_matching_blocks() for a, b in _run(a, b, size)}
    lines: dict[int, int] = {}
    for i, head in enumerate(generated):
        at = same.get(i)
        if at is None:
            before = max((same[k] for k in same if k < i), default=-1)
            after = min((same[k] for k in same if k > i), default=len(user))
            between = range(before + 1, after)
            part = head.text.partition(" = ")[2] or head.text
            part = _NUMBERED.sub(lambda n: n[n[1] in named and n[0] not in named], part)
            next_too = range(before + 1, min(after + 1, len(user)))  # parts of it come first
            holding = [k for k in next_too if part in user[k].text]
            only = holding or list(between)
            if len(only) > 1 and not holding:  # a call that returns residuals, too
                bound = _target(head.text).partition(",")[0].strip("(")
                only = [k for k in between if bound and _target(user[k].text) == bound]
            if not between and not holding:  # a tangent stands beside its primal
                primal = _target(head.text).replace("_dot", "")
                beside = [k for k in (after, before) if 0 <= k < len(user)]
                only = [k for k in beside if primal and _target(user[k].text) == primal][:1]
                if not only and "_dot" in _target(head.text) and primal not in named:
                    only = beside[:1]  # of a part of the statement that comes next
            at = only[0] if len(only) == 1 else None
        if at is not None:
            lines.update(dict.fromkeys(range(head.first, head.last + 1), user[at].first))
    return lines


def _target(text: str) -> str:
    """What an assignment writes; empty for any other statement."""
    left, equals, _ = text.partition(" = ")
    return left if equals else ""


def _run(a: int, b: int, size: int) -> Iterator[tuple[int, int]]:
    return ((a + k, b + k) for k in range(size))


def _parsed(text: str) -> ast.FunctionDef | None:
    """The function that a text defines, however far it is indented; None if it defines none."""
    inner = text[:1].isspace()
    try:
        body = ast.parse(f"if 1:\n{text}" if inner else text).body
    except SyntaxError:
        return None
    if inner:
        ast.increment_lineno(body[0], -1)
        assert isinstance(body[0], ast.If)
        body = body[0].body
    return body[0] if isinstance(body[0], ast.FunctionDef) else None


class _Spelled(ast.NodeTransformer):
    """Puts what was assigned to intermediate variables in their place."""

    def __init__(self) -> None:
        self.values: dict[str, ast.expr] = {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node) if isinstance(node.ctx, ast.Load) else node

    def within(self, s: ast.stmt, named: Collection[str]) -> None:
        """Those in what a statement computes; notes the variable if it assigns another one."""
        for field in ("value", "test", "iter"):
            if isinstance(computed := getattr(s, field, None), ast.expr):
                setattr(s, field, self.visit(computed))
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                name not in named and "_dot" not in name and not isinstance(value, ast.Constant)
            ):
                if len(ast.unparse(value)) < _LONG:
                    self.values[name] = value
            case _:
                pass


def _heads(text: str, named: Collection[str] | None = None) -> Iterator[_Head]:
    """The statements of a function in textual order. One that was made from a function with names
    `named` returns residuals beside; its intermediate variables are spelled out."""
    made, spelled = named is not None, _Spelled()
    function = _parsed(text)
    waiting = [] if function is None else list(function.body)
    while waiting:
        s = waiting.pop(0)
        if named is not None:
            spelled.within(s, named)
        match s:
            case ast.If() | ast.While():
                word = "if" if isinstance(s, ast.If) else "while"
                yield _Head(f"{word} {ast.unparse(s.test)}", s.lineno, s.test.end_lineno or 0)
                waiting = [*s.body, *s.orelse, *waiting]
            case ast.For():
                header = f"for {ast.unparse(s.target)} in {ast.unparse(s.iter)}"
                yield _Head(header, s.lineno, s.iter.end_lineno or 0)
                waiting = [*s.body, *s.orelse, *waiting]
            case ast.Return(value=ast.Tuple(elts=[value, _])) if made:
                yield _Head(f"return {ast.unparse(value)}", s.lineno, s.end_lineno or 0)
            case ast.Return(value=ast.expr() as value):
                yield _Head(f"return {ast.unparse(value)}", s.lineno, s.end_lineno or 0)
            case _:
                yield _Head(ast.unparse(s), s.lineno, s.end_lineno or 0)


class _Here(Exception):
    """Raised to make a frame."""


def _entry(source: SourceFunction, line: int, after: TracebackType | None) -> TracebackType:
    """An entry that shows a line of the user's; `after` is what comes below it."""
    shown = source.lines[line - 1]
    tree = ast.parse("raise here")
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr):
            node.lineno = node.end_lineno = line
            node.col_offset = len(shown) - len(shown.lstrip())
            node.end_col_offset = len(shown.rstrip().encode())
    code = compile(tree, source.file, "exec").replace(co_name=source.name)
    if sys.version_info >= (3, 11):
        code = code.replace(co_qualname=source.qualname)
    try:
        exec(code, {"here": _Here()})
    except _Here as here:
        assert here.__traceback__ is not None and here.__traceback__.tb_next is not None
        frame = here.__traceback__.tb_next.tb_frame
        lasti = here.__traceback__.tb_next.tb_lasti
    return TracebackType(after, frame, lasti, line)
