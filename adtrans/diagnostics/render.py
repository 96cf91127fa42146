"""Diagnostics as plain text, with colours, and as HTML.

>>> from adtrans.diagnostics.diagnostic import Diagnostic, Label
>>> from adtrans.diagnostics.span import Span
>>> here = Label(Span("f.py", 2, 4, 2, 8), "overwritten here")
>>> d = Diagnostic("AD301", "`u` is overwritten before the gradient has used it", here)
>>> print(render(d, source={"f.py": "def f(u):\\n    u[0] = 1\\n"}))
error[AD301]: `u` is overwritten before the gradient has used it
  --> f.py:2:5
   |
 2 |     u[0] = 1
   |     ^^^^ overwritten here
   |
   = more: adtrans explain AD301
"""

from __future__ import annotations

import html
import linecache
from collections.abc import Iterable, Mapping, Sequence

from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.layout import Line, Reader, layout

_ANSI = {
    "error": "1;31",
    "warning": "1;33",
    "note": "1;36",
    "title": "1",
    "gutter": "34",
    "primary": "1;31",
    "secondary": "36",
    "key": "1",
    "removed": "31",
    "added": "32",
}
_CSS = {
    "error": "color:#c62828;font-weight:bold",
    "warning": "color:#b26a00;font-weight:bold",
    "note": "color:#00695c;font-weight:bold",
    "title": "font-weight:bold",
    "gutter": "color:#5470a0",
    "primary": "color:#c62828;font-weight:bold",
    "secondary": "color:#1565c0",
    "key": "font-weight:bold",
    "removed": "color:#c62828",
    "added": "color:#2e7d32",
}


def render(d: Diagnostic, *, color: bool = False, source: Mapping[str, str] | None = None) -> str:
    """`d` as text of several lines, without a newline at the end.

    `source` gives the text of files that are not (or no longer) on disk; the others are read
    through `linecache`, so generated code and notebook cells are found too. A file that cannot be
    read gives no excerpt.
    """
    paint = _ansi if color else _plain
    return "\n".join(paint(line) for line in layout(d, _reader(source)))


def render_all(
    diagnostics: Iterable[Diagnostic],
    *,
    color: bool = False,
    source: Mapping[str, str] | None = None,
) -> str:
    """Several diagnostics with a blank line between them, and their number when there are many.

    >>> render_all([])
    ''
    """
    all_of_them = tuple(diagnostics)
    parts = [render(d, color=color, source=source) for d in all_of_them]
    if len(parts) > 1:
        parts.append(_count(all_of_them))
    return "\n\n".join(parts)


def to_html(d: Diagnostic, *, source: Mapping[str, str] | None = None) -> str:
    """`d` as an HTML fragment with its own styles, for notebooks.

    >>> from adtrans.diagnostics.span import Span
    >>> d = Diagnostic("AD105", "`a<b` is not defined", Span("gone.py", 1, 0, 1, 3))
    >>> to_html(d).splitlines()[1]
    '<span style="color:#5470a0">  --&gt;</span> gone.py:1:1'
    """
    body = "\n".join(_html(line) for line in layout(d, _reader(source)))
    return f'<pre class="adtrans-diagnostic" data-code="{html.escape(d.code)}">{body}</pre>'


def _reader(source: Mapping[str, str] | None) -> Reader:
    known = source or {}

    def read(file: str) -> Sequence[str]:
        if file in known:
            # not `splitlines`, which also splits at form feeds and other separators
            return known[file].replace("\r\n", "\n").split("\n")
        return linecache.getlines(file)

    return read


def _plain(line: Line) -> str:
    return "".join(text for _, text in line).rstrip()


def _ansi(line: Line) -> str:
    return "".join(
        f"\x1b[{_ANSI[style]}m{text}\x1b[0m" if style in _ANSI and text.strip() else text
        for style, text in line
    )


def _html(line: Line) -> str:
    return "".join(
        f'<span style="{_CSS[style]}">{html.escape(text, quote=False)}</span>'
        if style in _CSS and text.strip()
        else html.escape(text, quote=False)
        for style, text in line
    )


def _count(diagnostics: Sequence[Diagnostic]) -> str:
    """`2 errors, 1 warning`."""
    parts = []
    for severity in ("error", "warning", "note"):
        n = sum(d.severity == severity for d in diagnostics)
        if n:
            parts.append(f"{n} {severity}{'s' if n > 1 else ''}")
    return ", ".join(parts)
