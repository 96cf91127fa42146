"""What `adtrans check` found, in the Static Analysis Results Interchange Format (SARIF 2.1.0).

>>> json.loads(log([], []))["version"]
'2.1.0'
"""

from __future__ import annotations

import json
from importlib import metadata
from typing import Any

from adtrans.cli.file_names import uri
from adtrans.cli.findings import Outcome, Skipped, what_they_are
from adtrans.diagnostics.codes import CODES
from adtrans.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label
from adtrans.diagnostics.explain import explain
from adtrans.diagnostics.span import Span

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def log(outcomes: list[Outcome], skipped: list[Skipped]) -> str:
    """The log: one run, a rule for each code that occurs, a result for each diagnostic."""
    found = dict.fromkeys(d for o in outcomes if o.status != "unclear" for d in o.diagnostics)
    codes = sorted({d.code for d in found})
    run = {
        "tool": {"driver": _driver(codes)},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(outcomes, skipped)],
        "results": [_result(d, codes.index(d.code)) for d in found],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _driver(codes: list[str]) -> dict[str, Any]:
    try:
        version = metadata.version("adtrans")
    except metadata.PackageNotFoundError:
        version = "0"
    return {"name": "adtrans", "version": version, "rules": [_rule(c) for c in codes]}


def _rule(code: str) -> dict[str, Any]:
    row, page = CODES[code], explain(code)
    return {
        "id": code,
        "shortDescription": {"text": row.title},
        "fullDescription": {"text": row.summary},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": row.severity},
    }


def _invocation(outcomes: list[Outcome], skipped: list[Skipped]) -> dict[str, Any]:
    """Whether all was analysed, and what was not."""
    notices = [(s.file, s.line, f"not checked: {s.name} {s.reason}") for s in skipped]
    notices += [
        (o.file, o.line, f"unclear: {o.name} depends on what {what_they_are(o)}")
        for o in outcomes
        if o.status == "unclear"
    ]
    return {
        "executionSuccessful": all(o.status != "failed" for o in outcomes),
        "toolExecutionNotifications": [
            {
                "level": "note",
                "message": {"text": text},
                "locations": [_location(Span(file, line, 0, line, 0))],
            }
            for file, line, text in notices
        ],
    }


def _result(d: Diagnostic, rule: int) -> dict[str, Any]:
    parts = [d.title, *d.chain, *([d.why] if d.why else [])]
    found: dict[str, Any] = {
        "ruleId": d.code,
        "ruleIndex": rule,
        "level": d.severity,
        "message": {"text": ". ".join(p.rstrip(".") for p in parts) + "."},
        "locations": [_location(d.primary.span)],
    }
    if d.labels:
        found["relatedLocations"] = [_related(n, label) for n, label in enumerate(d.labels)]
    fixes = [_fix(f) for f in d.fixes if f.edits]
    if fixes:
        found["fixes"] = fixes
    return found


def _location(s: Span) -> dict[str, Any]:
    region = {"startLine": s.line, "startColumn": s.column + 1, "endLine": s.end_line}
    if s.end_column or s.end_line > s.line:
        region["endColumn"] = s.end_column + 1
    return {"physicalLocation": {"artifactLocation": {"uri": uri(s.file)}, "region": region}}


def _related(number: int, label: Label) -> dict[str, Any]:
    return {"id": number, **_location(label.span), "message": {"text": label.text or "here"}}


def _fix(fix: Fix) -> dict[str, Any]:
    files = dict.fromkeys(e.file for e in fix.edits)
    return {
        "description": {"text": fix.text or "edit"},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": uri(file)},
                "replacements": [_replacement(e) for e in fix.edits if e.file == file],
            }
            for file in files
        ],
    }


def _replacement(e: Edit) -> dict[str, Any]:
    """Whole lines: from the start of the first to the start of the one after the last."""
    after = max(e.end_line, e.line - 1) + 1
    region = {"startLine": e.line, "startColumn": 1, "endLine": after, "endColumn": 1}
    text = "".join(f"{line}\n" for line in e.replacement)
    return {"deletedRegion": region, "insertedContent": {"text": text}}
