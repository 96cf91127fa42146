"""The report of a compilation: the verdict on every write, with its reason.

>>> print(Report("f", ()).text())
f: no array is written
"""

from __future__ import annotations

from dataclasses import dataclass

from adtrans.analyses.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Report:
    """What became of each write of a function (and of the functions that it calls)."""

    name: str
    writes: tuple[Verdict, ...]

    def text(self) -> str:
        """One line for each write."""
        if not self.writes:
            return f"{self.name}: no array is written"
        rows = [
            (
                f"{v.span.file.rpartition('/')[2]}:{v.span.line}",
                f"`{v.target}`",
                v.verdict,
                v.reason,
            )
            for v in self.writes
        ]
        widths = [max(len(r[i]) for r in rows) for i in range(3)]
        lines = [
            "  ".join(c.ljust(w) for c, w in zip(r[:3], widths, strict=True)) + f"  {r[3]}"
            for r in rows
        ]
        return "\n".join(
            [
                f"{self.name}: {len(rows)} write{'s' if len(rows) > 1 else ''}",
                *("  " + line for line in lines),
            ]
        )

    def __str__(self) -> str:
        return self.text()
