"""Syntax trees as text, with comments at the end of lines.

Statements are laid out here, on astunparse's public `Unparser`; expressions and simple statements
are printed by `gast.unparse`.

>>> import gast
>>> tree = gast.parse("for i in n:\\n  a = b, c\\n  u[1:-1] += dt * d")
>>> loop = tree.body[0]
>>> print(print_tree(tree, {id(loop): "1: reversed", id(loop.body[1]): "3: u = v"}), end="")
for i in n:                 # 1: reversed
    a = b, c
    u[1:-1] += dt * d       # 3: u = v
"""

from __future__ import annotations

import ast
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import astunparse
import gast

from adtrans.emit.expression_nodes import BINARY
from adtrans.emit.wrap import WIDTH, needs_brackets, wrap

_OPERATORS = {node: op for op, node in BINARY.items()}
_INDENT = 4
_GAP = 4  # blanks between a line and its note, at least
_NOTE = 64  # characters of a note that are shown at most
_NOTE_LEAST = 24
_BESIDE = 64  # a line longer than this has its note above itself


def print_tree(tree: gast.AST, notes: Mapping[int, str] | None = None) -> str:
    """`tree` (a module or a statement) as text that ends with a newline.

    Parsing the text gives `tree` back. `notes` maps the `id` of a statement to its comment.
    """
    return Printer(tree, notes or {}).text()


def expression_text(node: gast.AST) -> str:
    """An expression, pattern or list of parameters on one line.

    >>> expression_text(gast.parse("x[(i, slice(j))]").body[0].value)
    'x[i, slice(j)]'
    """
    # Formatted strings and starred indices differ between Python versions: what this version
    # prints itself is right for it.
    if any(map(_is_delicate, gast.walk(node))):
        return ast.unparse(gast.gast_to_ast(node))
    text: str = gast.unparse(node)
    return text


def _is_delicate(node: gast.AST) -> bool:
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Tuple):
        return any(isinstance(item, gast.Starred) for item in node.slice.elts)
    return isinstance(node, gast.JoinedStr | gast.TemplateStr)


def _bare(node: gast.expr) -> str:
    """The text of `node`, of a tuple of several items without its parentheses."""
    if isinstance(node, gast.Tuple) and len(node.elts) > 1:
        return ", ".join(expression_text(item) for item in node.elts)
    return expression_text(node)


@dataclass(slots=True)
class _Line:
    """A logical line as physical lines, its indentation, its note, and its function's number."""

    text: list[str]
    indent: int
    note: str
    block: int


class Printer(astunparse.Unparser):
    """Lays out statements; `notes` maps the `id` of a statement to the comment on its line."""

    def __init__(self, tree: gast.AST, notes: Mapping[int, str]) -> None:
        self._notes = notes
        self._lines: list[_Line] = []
        self._block = 0  # the functions at the top are numbered: each aligns its comments
        super().__init__(tree, io.StringIO())

    def text(self) -> str:
        """What was printed, with a newline at the end."""
        columns: dict[int, int] = {}
        for line in self._lines:
            if line.note and _fits_beside(line):
                free = -(-(len(line.text[0]) + _GAP) // _INDENT) * _INDENT
                columns[line.block] = max(columns.get(line.block, 0), free)
        out = [t for line in self._lines for t in _with_note(line, columns.get(line.block, 0))]
        return "\n".join(out) + "\n"

    # The interface of the base class: one method for each kind of statement.

    def dispatch(self, tree: gast.AST | Sequence[gast.AST]) -> None:
        """Prints a module, a statement or several. What has no method here is left to gast."""
        if isinstance(tree, Sequence):
            for node in tree:
                self.dispatch(node)
            return
        name = f"_{type(tree).__name__}"
        if name in vars(Printer):
            getattr(self, name)(tree)
        else:
            self._line(tree, expression_text(tree))

    def _Module(self, t: gast.Module) -> None:
        self._documented(t.body)

    def _Expr(self, t: gast.Expr) -> None:
        self._line(t, "", expression_text(t))

    def _Assign(self, t: gast.Assign) -> None:
        targets, value = "".join(f"{_bare(target)} = " for target in t.targets), _bare(t.value)
        if len(targets) + self._indent * _INDENT > WIDTH:
            targets = "".join(f"{expression_text(target)} = " for target in t.targets)
        self._line(t, targets, value)

    def _AugAssign(self, t: gast.AugAssign) -> None:
        target = expression_text(t.target)
        self._line(t, f"{target} {_OPERATORS[type(t.op)]}= ", expression_text(t.value))

    def _Return(self, t: gast.Return) -> None:
        if t.value is None:
            self._line(t, "return")
        else:
            self._line(t, "return ", _bare(t.value))

    def _If(self, t: gast.If) -> None:
        self._headed(t, "if ", t.test, t.body)
        while len(t.orelse) == 1 and isinstance(t.orelse[0], gast.If):
            t = t.orelse[0]
            self._headed(t, "elif ", t.test, t.body)
        self._block_of("else", t.orelse)

    def _While(self, t: gast.While) -> None:
        self._headed(t, "while ", t.test, t.body)
        self._block_of("else", t.orelse)

    def _For(self, t: gast.For | gast.AsyncFor, word: str = "for") -> None:
        self._headed(t, f"{word} {_bare(t.target)} in ", t.iter, t.body)
        self._block_of("else", t.orelse)

    def _AsyncFor(self, t: gast.AsyncFor) -> None:
        self._For(t, "async for")

    def _With(self, t: gast.With | gast.AsyncWith, word: str = "with") -> None:
        items = ", ".join(expression_text(item) for item in t.items)
        if len(t.items) == 1 and not t.items[0].optional_vars and items.startswith("("):
            items = f"({items})"  # `with (a, b):` would be two items
        self._headed(t, f"{word} {items}", None, t.body)

    def _AsyncWith(self, t: gast.AsyncWith) -> None:
        self._With(t, "async with")

    def _Try(self, t: gast.Try | gast.TryStar, word: str = "except") -> None:
        self._headed(t, "try", None, t.body)
        for handler in t.handlers:
            kind = f" {expression_text(handler.type)}" if handler.type else ""
            name = f" as {handler.name.id}" if handler.name else ""
            self._headed(handler, f"{word}{kind}{name}", None, handler.body)
        self._block_of("else", t.orelse)
        self._block_of("finally", t.finalbody)

    def _TryStar(self, t: gast.TryStar) -> None:
        self._Try(t, "except*")

    def _Match(self, t: gast.Match) -> None:
        self._line(t, "match ", _bare(t.subject), ":")
        self._indent += 1
        for case in t.cases:
            guard = f" if {expression_text(case.guard)}" if case.guard else ""
            self._headed(case, f"case {expression_text(case.pattern)}{guard}", None, case.body)
        self._indent -= 1

    def _ClassDef(self, t: gast.ClassDef) -> None:
        arguments = ", ".join(expression_text(a) for a in [*t.bases, *t.keywords])
        head = f"class {t.name}{_type_params(t)}" + (f"({arguments})" if arguments else "")
        self._defined(t, head)

    def _FunctionDef(self, t: gast.FunctionDef | gast.AsyncFunctionDef, word: str = "def") -> None:
        returns = f" -> {expression_text(t.returns)}" if t.returns else ""
        self._defined(t, f"{word} {t.name}{_type_params(t)}({expression_text(t.args)}){returns}")

    def _AsyncFunctionDef(self, t: gast.AsyncFunctionDef) -> None:
        self._FunctionDef(t, "async def")

    # Building lines

    def _line(self, node: gast.AST | None, prefix: str, value: str = "", suffix: str = "") -> None:
        """Appends a logical line. A `value` that is too long is broken, in brackets of its own."""
        indent = self._indent * _INDENT
        room = WIDTH - indent
        code = prefix + value + suffix
        if len(code) > room and value and "\n" not in code and needs_brackets(value):
            code = f"{prefix}({value}){suffix}"
        note = " ".join(self._notes.get(id(node), "").split())
        self._lines.append(_Line(wrap(code, indent), indent, note, self._block))

    def _headed(
        self, node: gast.AST, prefix: str, value: gast.expr | None, body: list[gast.stmt]
    ) -> None:
        self._line(node, prefix, "" if value is None else expression_text(value), ":")
        self._indent += 1
        self.dispatch(body)
        self._indent -= 1

    def _block_of(self, word: str, body: list[gast.stmt]) -> None:
        if body:
            self._line(None, f"{word}:")
            self._indent += 1
            self.dispatch(body)
            self._indent -= 1

    def _defined(
        self, t: gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef, head: str
    ) -> None:
        if self._indent == 0:
            self._block += 1
        for decorator in t.decorator_list:
            self._line(None, "@", expression_text(decorator))
        self._line(t, head, "", ":")
        self._indent += 1
        self._documented(t.body)
        self._indent -= 1

    def _documented(self, body: list[gast.stmt]) -> None:
        """A body that may begin with a docstring; blank lines around functions and classes."""
        between = 2 if self._indent == 0 else 1
        previous: gast.stmt | None = None
        for node in body:
            if previous is not None and (_is_definition(node) or _is_definition(previous)):
                self._lines.extend(_Line([""], 0, "", self._block) for _ in range(between))
            text = _docstring(node) if previous is None else None
            if text is None:
                self.dispatch(node)
            else:
                self._lines.append(_Line([" " * self._indent * _INDENT + text], 0, "", self._block))
            previous = node


def _is_definition(node: gast.stmt) -> bool:
    return isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef)


def _docstring(node: gast.stmt) -> str | None:
    """A string statement in triple quotes, where that needs no escapes."""
    if not (isinstance(node, gast.Expr) and isinstance(node.value, gast.Constant)):
        return None
    text = node.value.value
    if not isinstance(text, str) or node.value.kind:
        return None
    plain = all(c.isprintable() or c == "\n" for c in text)
    if not plain or "\\" in text or '"""' in text or text.endswith('"'):
        return None
    return f'"""{text}"""'


def _type_params(t: gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef) -> str:
    params = ", ".join(expression_text(p) for p in t.type_params or ())
    return f"[{params}]" if params else ""


def _fits_beside(line: _Line) -> bool:
    return len(line.text) == 1 and "\n" not in line.text[0] and len(line.text[0]) <= _BESIDE


def _with_note(line: _Line, column: int) -> list[str]:
    """The physical lines of `line`, its note beside it at `column`, or above a long line."""
    if not line.note:
        return line.text
    if not _fits_beside(line):
        return [" " * line.indent + _comment(line.note, WIDTH - line.indent), *line.text]
    return [f"{line.text[0]:<{column}}{_comment(line.note, WIDTH - column)}"]


def _comment(note: str, room: int) -> str:
    limit = min(_NOTE, max(_NOTE_LEAST, room - 2))
    return "# " + (note if len(note) <= limit else f"{note[: limit - 3].rstrip()}...")
