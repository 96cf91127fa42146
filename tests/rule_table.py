"""The table of rules for the documentation.

    python -m tests.rule_table      # into docs/rules-table.md
"""

from __future__ import annotations

import importlib

from adtrans.cli.rules import by_module, markdown
from adtrans.rules.rule_listing import Entry, entries
from tests.documents import ROOT

PAGE = ROOT / "docs" / "rules-table.md"
HEAD = """# Table of rules

Every function that has a derivative rule, with the formulas for arguments of unknown kind: `y` is
the result, `y_bar` its adjoint (see [rules](rules.md)). A result has the dtype that the function
gives it, an adjoint that of its argument; `complex`: there are formulas for complex numbers, too.
Written by `python -m tests.rule_table`.
"""
_SCIPY = ("fft", "integrate", "linalg", "ndimage", "signal", "spatial.distance", "special", "stats")


def page() -> str:
    """The page as it should be."""
    for module in _SCIPY:
        importlib.import_module(f"scipy.{module}")
    found = {e.name: e for e in entries()}
    parts = [HEAD]
    for module, by_status in by_module(list(found.values())).items():
        rules = [_entry(found, module, name) for name in by_status.get("rule", ())]
        if rules:
            parts.append(f"## {module}\n\n{len(rules)} with a derivative.\n\n{markdown(rules)}\n")
    return "\n".join(parts)


def _entry(found: dict[str, Entry], module: str, name: str) -> Entry:
    return found.get(f"{module}.{name}") or found[name]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
