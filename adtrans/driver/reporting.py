"""What is told of the functions of one compilation: the report, and the words for their names."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Mapping
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.needed_checks import checks
from adtrans.analyses.objects.functions import WRITTEN
from adtrans.analyses.surprises import surprises
from adtrans.analyses.verdicts import Verdict, verdicts
from adtrans.diagnostics.span import Span
from adtrans.diagnostics.wording import as_written, code_worded, worded
from adtrans.driver.instances import Member
from adtrans.driver.report import Part, Report
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.names import plain_name
from adtrans.ir.walk import statements
from adtrans.transforms.footprint import copies, footprint
from adtrans.transforms.ways import Fetch


def facts_of(m: Member) -> Facts:
    """What was found of a function whose analysis has come to an end."""
    assert m.facts is not None
    return m.facts


def shown_in(members: Iterable[Member]) -> dict[str, str]:
    """How the user writes what variables and functions are called here: attributes and methods."""
    found: dict[str, str] = {}
    for m in members:
        fn = facts_of(m).fn
        found |= fn.shown
        method = m.source.fn.__qualname__.rpartition("<locals>.")[2]
        if "." in method:
            found["_".join(map(plain_name, method.split(".")))] = method
        for s in statements(fn.body):
            if isinstance(s, S.Invoke) and isinstance(s.fn, E.Ref):
                found[s.fn.text] = getattr(s.fn.value, WRITTEN, s.fn.text)
    return found


def report_of(root: Member, members: list[tuple[Member, tuple[Fetch, ...]]]) -> Report:
    """What the analysis found of a function and of those that its derivative uses, callees first,
    each with what its pullback keeps."""
    parts = tuple(_part(m, fetches, m is root) for m, fetches in reversed(members))
    shown = shown_in(m for m, _ in members)
    return Report(root.source.name, tuple(_worded(p, shown) for p in parts) if shown else parts)


def in_step(report: Report) -> Report:
    """The report on a function that computes tangents on the way: it needs nothing afterwards."""
    parts = tuple(replace(p, writes=tuple(map(_in_step, p.writes))) for p in report.parts)
    return replace(report, parts=parts)


def _in_step(v: Verdict) -> Verdict:
    if v.verdict not in ("refused", "saved"):
        return v
    reason = "the tangents are computed before it is overwritten"
    return replace(v, verdict="safe", reason=reason, use=None, path=(), bytes="")


def _worded(part: Part, shown: Mapping[str, str]) -> Part:
    """A part of a report in the user's words."""
    writes = tuple(
        replace(
            v,
            target=shown.get(v.target, v.target),
            reason=worded(v.reason, shown),
            path=tuple(replace(s, text=worded(s.text, shown)) for s in v.path),
        )
        for v in part.writes
    )
    kept = tuple(
        replace(r, text=code_worded(r.text, shown), bytes=code_worded(r.bytes, shown))
        for r in part.kept
    )
    checks = tuple(replace(c, sentence=worded(c.sentence, shown)) for c in part.checks)
    notes = tuple(as_written(d, shown) for d in part.notes)
    return replace(part, writes=writes, kept=kept, checks=checks, notes=notes)


def _part(m: Member, fetches: tuple[Fetch, ...], asked: bool) -> Part:
    facts = facts_of(m)
    kept = footprint(facts, fetches, line_of)
    undone = frozenset(r.owner[0] for r in kept if r.undoes)
    found = verdicts(facts, m.renamed, copies(kept, facts), undone)
    notes = surprises(facts, line_of, asked=asked)
    return Part(facts.fn.name, facts.fn.span, found, kept, checks(facts, entry=asked), notes)


def line_of(span: Span) -> str:
    """The line of the source on which something begins."""
    return linecache.getline(span.file, span.line).rstrip("\r\n")
