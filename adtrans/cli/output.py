"""Where text goes and whether it is coloured.

>>> import io
>>> wants_color(io.StringIO())
False
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TextIO

from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.render import render_all


def wants_color(stream: TextIO) -> bool:
    """Only a terminal, and only where NO_COLOR and TERM=dumb do not say otherwise."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()


def print_source(text: str) -> None:
    """Python source to the standard output, highlighted where that is possible."""
    sys.stdout.write(_highlighted(text) if wants_color(sys.stdout) else text)
    if not text.endswith("\n"):
        sys.stdout.write("\n")
    sys.stdout.flush()


def print_diagnostics(diagnostics: Iterable[Diagnostic], *, color: bool | None = None) -> None:
    """Errors, warnings and notes to the standard error."""
    color = wants_color(sys.stderr) if color is None else color
    text = render_all(tuple(diagnostics), color=color)
    if text:
        say(text)


def say(text: str) -> None:
    """A line to the standard error."""
    print(text, file=sys.stderr)


def error(text: str) -> None:
    """A complaint to the standard error."""
    say(f"adtrans: {text}")


def _highlighted(text: str) -> str:
    try:
        import pygments
        from pygments.formatters import TerminalFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return text
    return str(pygments.highlight(text, PythonLexer(stripnl=False), TerminalFormatter()))
