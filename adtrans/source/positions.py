"""From positions in a syntax tree, which count UTF-8 bytes, to spans, which count characters.

>>> import gast
>>> text = 'name = "é" + x'
>>> node = gast.parse(text).body[0].value.right
>>> span_of(node, "f.py", [text])
Span(file='f.py', line=1, column=13, end_line=1, end_column=14)
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import gast

from adtrans.diagnostics.span import Span


def column(line: str, offset: int) -> int:
    """The character column of the byte `offset` in `line`.

    >>> column("é = x", 5)
    4
    """
    if line.isascii():
        return min(offset, len(line))
    return len(line.encode()[:offset].decode(errors="ignore"))


def span_of(node: gast.AST, file: str, lines: Sequence[str]) -> Span:
    """The span of a statement or an expression in `file`, whose text is `lines`."""
    first: int = getattr(node, "lineno", None) or 1
    last: int = getattr(node, "end_lineno", None) or first
    start: int = getattr(node, "col_offset", None) or 0
    end: int | None = getattr(node, "end_col_offset", None)

    def at(number: int) -> str:
        return lines[number - 1] if 0 < number <= len(lines) else ""

    begin = column(at(first), start)
    stop = begin + 1 if end is None else column(at(last), end)
    return Span(file, first, begin, last, stop)


def call_site() -> Span:
    """The line outside adtrans that is being executed, for errors that have no other place."""
    frame = sys._getframe()
    while frame.f_back is not None:
        module = frame.f_globals.get("__name__", "")
        if module != "adtrans" and not module.startswith("adtrans."):
            break
        frame = frame.f_back
    return Span(frame.f_code.co_filename, frame.f_lineno, 0, frame.f_lineno, 0)
