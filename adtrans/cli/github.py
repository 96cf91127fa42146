"""What `adtrans check` found, as annotations of GitHub Actions.

>>> from adtrans.diagnostics.span import Span
>>> d = Diagnostic("AD201", "50% of `a`, `b`", Span("src/f.py", 3, 4, 3, 12), why="because")
>>> print(annotation(d))
::error file=src/f.py,line=3,endLine=3,col=5,endColumn=13,title=AD201::50%25 of `a`, `b`%0Abecause
"""

from __future__ import annotations

from adtrans.cli.file_names import relative
from adtrans.cli.findings import Outcome, Skipped, what_they_are
from adtrans.diagnostics.diagnostic import Diagnostic

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def commands(outcomes: list[Outcome], skipped: list[Skipped]) -> str:
    """One line for each diagnostic; what is unclear or skipped gets a notice."""
    lines = [
        annotation(d) for o in outcomes if o.status != "unclear" for d in o.diagnostics
    ]
    for o in outcomes:
        if o.status == "unclear":
            text = f"cannot be checked without knowing what {what_they_are(o)}"
            lines.append(_command("notice", o.file, {"line": str(o.line), "title": o.name}, text))
    for s in skipped:
        named = {"line": str(s.line), "title": "adtrans: not checked"}
        lines.append(_command("notice", s.file, named, f"{s.name} {s.reason}".strip()))
    return "\n".join(dict.fromkeys(lines))


def annotation(d: Diagnostic) -> str:
    """A diagnostic at its primary place; other places and fixes follow in the text."""
    s = d.primary.span
    about = {
        "line": str(s.line),
        "endLine": str(s.end_line),
        "col": str(s.column + 1),
        "endColumn": str(max(s.end_column + 1, s.column + 1)),
        "title": d.code,
    }
    return _command(_COMMANDS[d.severity], s.file, about, message(d))


def message(d: Diagnostic) -> str:
    """The title, the other places, the reason and the fixes, a line each."""
    parts = [d.title]
    parts += [f"{label.span.place(d.primary.span)}: {label.text}" for label in d.labels]
    parts += [*d.chain, *([d.why] if d.why else [])]
    parts += [f"fix: {fix.text}" for fix in d.fixes if fix.text]
    return "\n".join(parts)


def _command(command: str, file: str, about: dict[str, str], text: str) -> str:
    properties = {"file": relative(file), **about}
    given = ",".join(f"{k}={_escaped(v, ':,')}" for k, v in properties.items())
    return f"::{command} {given}::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    for sign in "%\r\n" + more:
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text
