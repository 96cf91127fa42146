"""Diagnostics as JSON, for editors and continuous integration.

>>> from adtrans.diagnostics.diagnostic import Diagnostic
>>> from adtrans.diagnostics.span import Span
>>> d = Diagnostic("AD201", "`with` cannot carry a derivative", Span("f.py", 3, 4, 3, 12))
>>> to_json(d)["primary"]
{'file': 'f.py', 'line': 3, 'column': 4, 'end_line': 3, 'end_column': 12, 'text': ''}

The schema, stable from version to version:

    code, severity, title, why   strings; `severity` is "error", "warning" or "note"
    summary                      what the code means in general
    primary                      {file, line, column, end_line, end_column, text}
    labels                       a list of the same
    chain                        a list of strings
    fixes                        a list of {text, edits}; an edit has {file, line, end_line,
                                 replacement} and replaces the lines `line` to `end_line` by those
                                 in `replacement`

Lines count from 1; columns count characters from 0, the end column is exclusive.
"""

from __future__ import annotations

from typing import Any

from adtrans.diagnostics.codes import CODES
from adtrans.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label
from adtrans.diagnostics.span import Span


def to_json(d: Diagnostic) -> dict[str, Any]:
    """`d` as dictionaries, lists, strings and integers only, ready for `json.dumps`."""
    row = CODES.get(d.code)
    return {
        "code": d.code,
        "severity": d.severity,
        "title": d.title,
        "summary": row.summary if row else "",
        "primary": _label(d.primary),
        "labels": [_label(label) for label in d.labels],
        "why": d.why,
        "chain": list(d.chain),
        "fixes": [_fix(fix) for fix in d.fixes],
    }


def span_to_json(s: Span) -> dict[str, Any]:
    """`s` as a dictionary."""
    return {
        "file": s.file,
        "line": s.line,
        "column": s.column,
        "end_line": s.end_line,
        "end_column": s.end_column,
    }


def _label(label: Label) -> dict[str, Any]:
    return span_to_json(label.span) | {"text": label.text}


def _fix(fix: Fix) -> dict[str, Any]:
    return {"text": fix.text, "edits": [_edit(e) for e in fix.edits]}


def _edit(e: Edit) -> dict[str, Any]:
    return {
        "file": e.file,
        "line": e.line,
        "end_line": e.end_line,
        "replacement": list(e.replacement),
    }
