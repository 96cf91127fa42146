"""Errors in the source of SciPy, told as one error at the call: nobody edits that source.

A function of SciPy without a rule is differentiated through where it is Python of which adtrans
understands everything, as `scipy.linalg.companion` is. Where it is not, what stands in the way is
of no use to the reader, but for where it was met first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adtrans.analyses.refused.calls_without_rule import no_rule
from adtrans.analyses.refused.consequences import has_root, without_tainted
from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.driver.callees import is_library
from adtrans.driver.instances import Member
from adtrans.ir import stmt as S
from adtrans.rules import reason
from adtrans.rules.written import is_written
from adtrans.source import SourceFunction


def across(
    found: Sequence[tuple[Member, list[Diagnostic]]],
) -> list[tuple[Member, list[Diagnostic]]]:
    """The problems of all functions without those that follow from one in another function."""
    with_root = [m for m, problems in found if m.facts is not None and has_root(problems, m.facts)]
    left: list[tuple[Member, list[Diagnostic]]] = []
    for m, problems in found:
        if m.facts is not None and any(other is not m for other in with_root):
            problems = without_tainted(problems, m.facts, elsewhere=True)
        left.append((m, problems))
    return left


def at_the_call(
    found: Sequence[tuple[Member, list[Diagnostic]]], by_name: Mapping[str, Member]
) -> list[Diagnostic]:
    """The problems of all functions; those inside of SciPy as one for each call that gets there."""
    inside = [(m, problems) for m, problems in found if problems and _in_library(m.source)]
    told: list[Diagnostic] = []
    for m, problems in found:
        if _in_library(m.source):
            continue
        told += problems
        assert m.facts is not None
        for site, unit in m.facts.units.items():
            callee = by_name.get(unit.forward)
            call = m.facts.structure.stmts[site]
            if callee is None or not _in_library(callee.source) or not isinstance(call, S.Invoke):
                continue
            first = _first(callee, inside, by_name)
            if first is not None:
                where = f"{first.primary.span.file.rpartition('/')[2]}:{first.primary.span.line}"
                why = reason(callee.source.fn) or (
                    f"adtrans looked into its source, and got as far as {where}: {first.title}"
                )
                if is_written(callee.source.fn.__module__):
                    why = f"of its arguments some only may vary; here {first.why or first.title}"
                told.append(no_rule(call.span, call.fn, m.facts, why))
    return told or [d for _, problems in found for d in problems]


def _in_library(source: SourceFunction) -> bool:
    return is_library(source.fn.__module__) or is_written(source.fn.__module__)


def _first(
    callee: Member, inside: Sequence[tuple[Member, list[Diagnostic]]],
    by_name: Mapping[str, Member],
) -> Diagnostic | None:
    """The first problem in a function, or in those that it calls."""
    waiting, seen = [callee], list[Member]()
    while waiting:
        m = waiting.pop()
        if m in seen:
            continue
        seen.append(m)
        for other, problems in inside:
            if other is m:  # first of all that an argument must not vary
                return next((d for d in problems if d.code == "AD409"), problems[0])
        assert m.facts is not None
        waiting += [by_name[u.forward] for u in m.facts.units.values() if u.forward in by_name]
    return None
