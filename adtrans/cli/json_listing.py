"""What `adtrans check` found, as JSON; docs/report.md has the schema.

>>> json.loads(as_json([], []))["summary"]
{'checked': 0, 'accepted': 0, 'recorded': 0, 'refused': 0, 'unclear': 0, 'failed': 0, 'skipped': 0}
"""

from __future__ import annotations

import json
from typing import Any

from adtrans.cli.findings import Outcome, Skipped
from adtrans.diagnostics.export import to_json

VERSION = 1


def as_json(outcomes: list[Outcome], skipped: list[Skipped]) -> str:
    """One object: the functions with reports and diagnostics, what was skipped, the counts."""
    counts = {
        status: sum(o.status == status for o in outcomes)
        for status in ("accepted", "recorded", "refused", "unclear", "failed")
    }
    found = {
        "version": VERSION,
        "functions": [_outcome(o) for o in outcomes],
        "skipped": [
            {"file": s.file, "line": s.line, "name": s.name, "reason": s.reason} for s in skipped
        ],
        "summary": {"checked": len(outcomes), **counts, "skipped": len(skipped)},
    }
    return json.dumps(found, indent=2)


def _outcome(o: Outcome) -> dict[str, Any]:
    return {
        "name": o.name,
        "file": o.file,
        "line": o.line,
        "status": o.status,
        "missing": list(o.missing),
        "report": None if o.report is None else o.report.to_json(),
        "diagnostics": [to_json(d) for d in o.diagnostics],
    }
