"""The floor plan of the recorder in docs/design.md names each of its files, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import adtrans

PACKAGE = Path(adtrans.__file__).parent
PAGE = PACKAGE.parent / "docs" / "design.md"


def test_every_file_has_its_line() -> None:
    part = PAGE.read_text(encoding="utf-8").partition("## The recorder\n")[2].partition("\n## ")[0]
    rows = [line for line in part.splitlines() if line.startswith("| `")]
    named = {n for row in rows for n in re.findall(r"`(\w+)`", row.split("|")[1])}
    files = {p.stem for p in (PACKAGE / "recorder").glob("*.py")} - {"__init__"}
    assert named == files
