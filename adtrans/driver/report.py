"""The report of a compilation: what becomes of each write, what is checked, and what is kept.

>>> print(Report("f", ()).text())
f: no array is written
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from adtrans.analyses.effects import Step
from adtrans.analyses.needed_checks import Check
from adtrans.analyses.verdicts import Verdict
from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.diagnostics.export import span_to_json, to_json
from adtrans.diagnostics.span import Span
from adtrans.transforms.footprint import Residual, total


@dataclass(frozen=True, slots=True)
class Part:
    """What there is to say about one function: the one asked for, or one that it calls."""

    name: str
    span: Span
    writes: tuple[Verdict, ...] = ()
    kept: tuple[Residual, ...] = ()
    checks: tuple[Check, ...] = ()
    notes: tuple[Diagnostic, ...] = ()

    @property
    def bytes(self) -> str:
        """What one call keeps, as a formula; empty for nothing."""
        return total(r.bytes for r in self.kept)


@dataclass(frozen=True, slots=True)
class Report:
    """What became of each write of a function and of the functions that it calls (`parts`, the
    function itself first); what is checked, what is kept.

    `kept_bytes`: what the last call of a gradient kept, measured; None before the first one.
    `recorded`: why the function is recorded instead of compiled, where it is: what stands in the
    way of the compiler, or nothing where that was not asked.
    """

    name: str
    parts: tuple[Part, ...]
    kept_bytes: int | None = None
    recorded: tuple[Diagnostic, ...] | None = None

    @property
    def writes(self) -> tuple[Verdict, ...]:
        """The verdict on each write."""
        return tuple(v for p in self.parts for v in p.writes)

    @property
    def kept(self) -> tuple[Residual, ...]:
        """What the forward functions keep for the pullbacks."""
        return tuple(r for p in self.parts for r in p.kept)

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks that the generated code makes when it runs."""
        return tuple(c for p in self.parts for c in p.checks)

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """What is legal but may surprise."""
        return tuple(n for p in self.parts for n in p.notes)

    def at(self, file: str, line: int) -> tuple[Verdict, ...]:
        """The verdicts on the writes of one line."""
        return tuple(
            v for v in self.writes if v.span.file == file and v.span.line <= line <= v.span.end_line
        )

    def text(self) -> str:
        """One line for each write and check, and one for what each function keeps."""
        if self.recorded is not None:
            return "\n".join(_recorded(self.name, self.recorded))
        count = len(self.writes)
        head = f"{count} write{'s' if count > 1 else ''}" if count else "no array is written"
        lines = [f"{self.name}: {head}"]
        for v, row in zip(self.writes, _table([_row(v) for v in self.writes]), strict=True):
            lines += [row, *(f"      {link(s, v)}" for s in v.path)]
        lines += _table([(_place(c.span), c.kind, c.sentence) for c in self.checks])
        lines += _table([(_place(n.primary.span), f"note {n.code}", n.title) for n in self.notes])
        lines += [f"  {line}" for p in self.parts for line in keeping(p)]
        lines += [f"  {line}" for line in self.measured()]
        return "\n".join(lines)

    def measured(self) -> list[str]:
        """A line about what the last call kept, where that is worth one."""
        if not self.kept_bytes or not any(r.bytes and r.how != "value" for r in self.kept):
            return []
        return [f"the last call kept {self.kept_bytes} bytes"]

    def __str__(self) -> str:
        return self.text()

    def to_json(self) -> dict[str, Any]:
        """The report as dictionaries, lists, strings and numbers; docs/report.md has the schema."""
        return {
            "function": self.name,
            "kept_bytes": self.kept_bytes,
            "recorded": None if self.recorded is None else [to_json(d) for d in self.recorded],
            "functions": [_part(p) for p in self.parts],
        }

    def _repr_html_(self) -> str:
        rows = "".join(
            _html_row(
                _place(v.span),
                f"<code>{html.escape(v.target)}</code>",
                v.verdict,
                "; ".join([_full(v), *(link(s, v) for s in v.path)]),
            )
            for v in self.writes
        )
        rows += "".join(_html_row(_place(c.span), "", c.kind, c.sentence) for c in self.checks)
        rows += "".join(
            _html_row(_place(n.primary.span), "", f"note {n.code}", n.title) for n in self.notes
        )
        below = self.text().splitlines()[1:] if self.recorded is not None else []
        below += [line for p in self.parts for line in keeping(p)]
        below += self.measured()
        foot = "".join(f"<p>{html.escape(line)}</p>" for line in below)
        title = html.escape(self.text().partition("\n")[0])
        table = f"<table><tbody>{rows}</tbody></table>" if rows else ""
        return f'<div class="adtrans-report"><p><b>{title}</b></p>{table}{foot}</div>'


def _recorded(name: str, why: tuple[Diagnostic, ...]) -> Iterator[str]:
    """Lines about a function that is recorded; the reasons come in the order of the compiler's."""
    yield f"{name}: recorded, {'as the compiler cannot follow it' if why else 'as was asked for'}"
    shown = why[:_FEW]
    yield from _table([(_place(d.primary.span), d.code, _reason(d)) for d in shown])
    if len(why) > _FEW:
        yield f"  and {len(why) - _FEW} more"


_FEW = 3


def _reason(d: Diagnostic) -> str:
    """What stands in the way of the compiler, and what would make it compile."""
    fix = next((f.text for f in d.fixes if f.text), "")
    if not fix:
        return f"{d.title}; without that it would be compiled"
    return f"{d.title}; to have it compiled{',' if fix[0].isalpha() else ':'} {fix}"


def _place(span: Span) -> str:
    return f"{span.file.replace(chr(92), '/').rpartition('/')[2]}:{span.line}"


def _row(v: Verdict) -> tuple[str, ...]:
    return _place(v.span), f"`{v.target}`", v.verdict, _full(v)


def _full(v: Verdict) -> str:
    """The reason, and the bytes that are kept for it."""
    return f"{v.reason}; {v.bytes} bytes" if v.bytes else v.reason


def link(s: Step, v: Verdict) -> str:
    """A step between the name that is written and the memory that it means."""
    return f"{s.text} ({s.span.place(v.span)})"


def keeping(p: Part) -> Iterator[str]:
    """Lines about what a function keeps; numbers only where there are many."""
    large = [r for r in p.kept if r.bytes and (r.how not in ("value", "shared") or r.loops)]
    if len(large) == 1:
        yield f"{p.name} keeps {_kept(large[0])}: {large[0].bytes} bytes"
    elif large:
        yield f"{p.name} keeps {p.bytes} bytes"
        yield from (f"  {_kept(r)}: {r.bytes}" for r in large)
    shared = list(dict.fromkeys(f"`{r.text}`" for r in p.kept if r.how == "shared"))
    if shared:
        yield f"{p.name} keeps the caller's {', '.join(shared)}, not copied"


def _kept(r: Residual) -> str:
    words = {"copied": "a copy of ", "call": "what is kept by "}.get(r.how, "")
    often = f" in each iteration of line {r.loops[-1]}" if r.loops else ""
    return f"{words}`{r.text}`{often}{' at most' if r.at_most else ''}"


def _table(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """The rows with their columns (but the last) in line."""
    if not rows:
        return
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]) - 1)]
    for *cells, last in rows:
        padded = "  ".join(c.ljust(w) for c, w in zip(cells, widths, strict=True))
        yield f"  {padded}  {last}"


def _html_row(*cells: str) -> str:
    place, target, word, rest = cells
    inner = (html.escape(place), target, f"<b>{html.escape(word)}</b>", html.escape(rest))
    return f"<tr>{''.join(f'<td>{c}</td>' for c in inner)}</tr>"


# -- JSON ------------------------------------------------------------------------------------------


def _part(p: Part) -> dict[str, Any]:
    return {
        "name": p.name,
        "span": span_to_json(p.span),
        "kept_bytes": p.bytes or "0",
        "writes": [verdict_to_json(v) for v in p.writes],
        "checks": [
            {"span": span_to_json(c.span), "kind": c.kind, "sentence": c.sentence} for c in p.checks
        ],
        "kept": [_residual(r) for r in p.kept],
        "notes": [to_json(n) for n in p.notes],
    }


def verdict_to_json(v: Verdict) -> dict[str, Any]:
    """One verdict as in the schema of docs/report.md."""
    return {
        "span": span_to_json(v.span),
        "target": v.target,
        "verdict": v.verdict,
        "reason": v.reason,
        "use": None if v.use is None else span_to_json(v.use),
        "path": _steps(v.path),
        "kept_bytes": v.bytes or "0",
    }


def _steps(path: Iterable[Step]) -> list[dict[str, Any]]:
    return [{"text": s.text, "span": span_to_json(s.span)} for s in path]


def _residual(r: Residual) -> dict[str, Any]:
    return {
        "what": r.text,
        "how": r.how,
        "span": span_to_json(r.span),
        "loops": list(r.loops),
        "at_most": r.at_most,
        "kept_bytes": r.bytes or "0",
    }
