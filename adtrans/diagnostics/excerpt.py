"""Source excerpts: the lines that labels point at, with carets and words under them.

>>> from adtrans.diagnostics.diagnostic import Label
>>> from adtrans.diagnostics.span import Span
>>> label = Label(Span("f.py", 2, 4, 2, 9), "needed here")
>>> for row in excerpt([label], label, ["def f(u):", "    u * u"]):
...     print(row.number, "|", "".join(t for _, t in row.segments))
2 |     u * u
None |     ^^^^^ needed here
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from adtrans.diagnostics.diagnostic import Label

Segment: TypeAlias = tuple[str, str]  # (style, text); the styles are those of `render`

_TAB = 4
_MANY_LINES = 4  # a span of more lines than this shows its first and last line only


@dataclass(frozen=True, slots=True)
class Row:
    """One row of an excerpt. `number` None: a row of markers; "...": lines are left out."""

    number: int | str | None
    segments: tuple[Segment, ...]


def width(text: str) -> int:
    """The number of terminal columns of `text`: wide characters take two, combining ones none.

    >>> width("ab"), width("漢字"), width("e\\u0301")
    (2, 4, 1)
    """
    return sum(_char_width(c) for c in text)


def _char_width(c: str) -> int:
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1


def shown(line: str) -> str:
    """`line` as it is displayed: tabs expanded, control characters blanked, nothing at the end.

    >>> shown("\\tx\\f = 1\\n")
    '    x  = 1'
    """
    out = ""
    for c in line.rstrip():
        if c == "\t":
            out += " " * (_TAB - width(out) % _TAB)
        else:
            out += " " if unicodedata.category(c) == "Cc" else c
    return out


def _column(line: str, column: int) -> int:
    """The display column of the character at `column`."""
    return width(shown(line[:column] + "|")) - 1  # the bar keeps blanks at the end


def _pieces(label: Label, lines: Sequence[str]) -> Iterable[tuple[int, int, int, bool]]:
    """For each line that the label covers: number, start and end column, whether it is the last."""
    span = label.span
    covered = [n for n in range(span.line, span.end_line + 1) if n <= len(lines)]
    if len(covered) > _MANY_LINES:
        covered = [covered[0], covered[-1]]
    for n in covered:
        text = lines[n - 1]
        body_end = len(text.rstrip())
        body_start = len(text) - len(text.lstrip())
        start = span.column if n == span.line else body_start
        end = span.end_column if n == span.end_line else body_end
        start = min(start, body_end)
        end = min(max(end, start + 1), max(body_end, start + 1))
        left = _column(text, start)
        yield n, left, max(_column(text, end), left + 1), n == covered[-1]


def excerpt(labels: Iterable[Label], primary: Label, lines: Sequence[str]) -> tuple[Row, ...]:
    """The rows that show `labels`, all of one file whose text is `lines`.

    Labels on the same line get a row of markers each, from left to right. A gap of more than one
    line is marked; labels outside the file are left out.
    """
    marks: dict[int, list[tuple[int, int, str, str]]] = {}
    for label in labels:
        style = "primary" if label is primary else "secondary"
        for n, start, end, last in _pieces(label, lines):
            marks.setdefault(n, []).append((start, end, style, label.text if last else ""))
    rows: list[Row] = []
    previous: int | None = None
    for n in sorted(marks):
        if previous is not None and n > previous + 2:
            rows.append(Row("...", ()))
        rows.append(Row(n, (("source", shown(lines[n - 1])),)))
        for start, end, style, text in sorted(marks[n], key=lambda m: (m[0], m[1], m[2])):
            sign = "^" if style == "primary" else "-"
            words = f"{sign * (end - start)} {text}".rstrip()
            first, *more = words.split("\n")
            rows.append(Row(None, (("source", " " * start), (style, first))))
            indent = " " * (end + 1)
            rows.extend(Row(None, (("source", indent), (style, m))) for m in more)
        previous = n
    return tuple(rows)
