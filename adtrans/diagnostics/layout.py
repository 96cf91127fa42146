"""The layout of a diagnostic: lines of styled text, before they become plain text, colours or HTML.

>>> from adtrans.diagnostics.diagnostic import Diagnostic
>>> from adtrans.diagnostics.span import Span
>>> d = Diagnostic("AD105", "`foo` is not defined", Span("gone.py", 3, 4, 3, 7))
>>> for line in layout(d, lambda file: []):
...     print("".join(text for _, text in line))
error[AD105]: `foo` is not defined
  --> gone.py:3:5
   = more: adtrans explain AD105
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from adtrans.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label
from adtrans.diagnostics.excerpt import Row, Segment, excerpt, shown

Line: TypeAlias = tuple[Segment, ...]
Reader: TypeAlias = Callable[[str], Sequence[str]]

_WIDTH = 100
_KEY = len("more: ")


def layout(d: Diagnostic, read: Reader) -> list[Line]:
    """The lines of `d`. `read` gives the lines of a file, or nothing when it is gone."""
    digits = max([2, *(len(str(n)) for n in _line_numbers(d))])
    lines = list(_head(d))
    lines.extend(_excerpts(d, read, digits))
    gutter = " " * (digits + 1)
    for i, step in enumerate(d.chain):
        lines.extend(_remark(gutter, "via:" if i == 0 else "then:", step))
    if d.why:
        lines.extend(_remark(gutter, "why:", d.why))
    for i, fix in enumerate(d.fixes):
        lines.extend(_fix(gutter, "fix" if i == 0 else "or", fix, d, read, digits))
    lines.extend(_remark(gutter, "more:", f"adtrans explain {d.code}"))
    return lines


def _line_numbers(d: Diagnostic) -> Iterator[int]:
    for label in (d.primary, *d.labels):
        yield label.span.end_line
    for fix in d.fixes:
        for edit in fix.edits:
            yield max(edit.end_line, edit.line + len(edit.replacement) - 1)


def _head(d: Diagnostic) -> Iterator[Line]:
    yield ((d.severity, f"{d.severity}[{d.code}]"), ("title", f": {d.title}"))


def _excerpts(d: Diagnostic, read: Reader, digits: int) -> Iterator[Line]:
    """One excerpt for each file, that of the primary label first."""
    files: dict[str, list[Label]] = {d.primary.span.file: [d.primary]}
    for label in d.labels:
        files.setdefault(label.span.file, []).append(label)
    gutter = " " * (digits + 1)
    for file, labels in files.items():
        place = labels[0].span
        rows = excerpt(labels, d.primary, read(file)) if file else ()
        arrow = "-->" if file == d.primary.span.file else ":::"
        yield (("gutter", " " * digits + arrow), ("place", f" {place}"))
        if rows:
            yield (("gutter", gutter + "|"),)
            for row in rows:
                yield _row(row, digits)
            yield (("gutter", gutter + "|"),)
        else:  # the file is gone: say in words what the labels say
            for label in labels:
                if label.text:
                    yield from _remark(gutter, "at:", f"line {label.span.line}: {label.text}")


def _row(row: Row, digits: int) -> Line:
    if row.number == "...":
        return (("gutter", "..."),)
    number = "" if row.number is None else str(row.number)
    gutter: Segment = ("gutter", f"{number:>{digits}} |")
    if not any(text.strip() for _, text in row.segments):
        return (gutter,)
    return (gutter, ("source", " "), *row.segments)


def _remark(gutter: str, key: str, text: str) -> Iterator[Line]:
    """`= key: text`, long text wrapped and indented below itself."""
    indent = len(gutter) + 2 + _KEY
    lines = [piece for part in text.split("\n") for piece in _wrapped(part, _WIDTH - indent)]
    first, *more = lines or [""]
    yield (("gutter", f"{gutter}= "), ("key", f"{key:<{_KEY}}"), ("text", first))
    for line in more:
        yield (("text", " " * indent + line),)


def _wrapped(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]


def _fix(
    gutter: str, key: str, fix: Fix, d: Diagnostic, read: Reader, digits: int
) -> Iterator[Line]:
    if not fix.edits:
        yield from _remark(gutter, f"{key}:", fix.text)
        return
    yield (("gutter", f"{gutter}= "), ("key", f"{key} ({fix.text}):" if fix.text else f"{key}:"))
    file = d.primary.span.file
    for edit in sorted(fix.edits, key=lambda e: (e.file != file, e.file, e.line)):
        if edit.file != file:
            file = edit.file
            yield (("gutter", " " * digits + ":::"), ("place", f" {file}"))
        yield from _edit(edit, read(edit.file), digits)


def _edit(edit: Edit, lines: Sequence[str], digits: int) -> Iterator[Line]:
    """The lines before (`12 - old`) and after (`12 + new`); with `end_line < line` it inserts."""
    for n in range(edit.line, min(edit.end_line, len(lines)) + 1):
        yield (("removed", f"{n:>{digits}} - {shown(lines[n - 1])}".rstrip()),)
    for n, line in enumerate(edit.replacement, edit.line):
        yield (("added", f"{n:>{digits}} + {shown(line)}".rstrip()),)
