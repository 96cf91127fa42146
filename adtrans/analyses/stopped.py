"""What a check at run time says when it fails: in a line, and as a diagnostic with its places.

The line is part of the generated code; the diagnostic is made when the error is on its way, and is
what `on_unproven="refuse"` reports before anything runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.alias_paths import users
from adtrans.analyses.facts import Facts
from adtrans.analyses.guard import Guard
from adtrans.analyses.needed_checks import Assumption, assumptions, tangent_assumptions
from adtrans.analyses.overwritten import Lines, conflict
from adtrans.diagnostics.diagnostic import Diagnostic, Fix


def overwrites(g: Guard, facts: Facts) -> str:
    """What a write says that hits what was used."""
    use, write = (facts.structure.stmts[at].span.line for at in (g.need.site, g.write))
    what = facts.fn.source_name(users(g.need.var, facts))
    of = "elements of " if g.form == "elements" else ""
    return f"line {write} overwrites {of}`{what}`, which the gradient of line {use} needs"


def reads_again(site: int, facts: Facts) -> str:
    """What a copy between overlapping parts of one array says that reads what it wrote."""
    line = facts.structure.stmts[site].span.line
    return f"line {line} copies an array into itself, and reads what it wrote"


def guess(a: Assumption, facts: Facts) -> str:
    """What is wrong where an assumption does not hold."""
    target, source = (facts.fn.source_name(v) for v in (a.target, a.source))
    writes = sorted(
        facts.structure.stmts[w.site].span.line
        for w in facts.memory.writes
        if any(facts.aliasing.together(v, w.var, w.site) for v in (a.target, a.source))
    )
    line = facts.structure.stmts[a.site].span.line
    then = f", and line {writes[0]} writes" if writes else ""
    other = "copy" if a.form == "view" else "view"
    return (
        f"line {line} makes `{target}` a {other} of `{source}`, where a {a.form} was expected{then}"
    )


def by_layout(facts: Facts) -> Iterator[Diagnostic]:
    """What is said of each of these assumptions where arguments do not lie in C order."""
    for a in dict.fromkeys(assumptions(facts)):
        target, source = (facts.fn.source_name(v) for v in (a.target, a.source))
        yield Diagnostic(
            "AD206", f"`{target}` may be a view of `{source}` or a copy here",
            facts.structure.stmts[a.site].span,
            why="that depends on how they lie in memory, one of them is written, and an argument "
            "is not in C order",
            fixes=[Fix("pass arrays in C order: `np.ascontiguousarray(...)`")],
        )  # fmt: skip


def diagnostic(message: str, facts: Facts, line: Lines) -> Diagnostic | None:
    """The diagnostic for what a check of this function says; None for one of another function."""
    for said, d in _all(message, facts, line):
        if said == message:
            return d
    return None


def _all(message: str, facts: Facts, line: Lines) -> Iterator[tuple[str, Diagnostic]]:
    stmts = facts.structure.stmts
    known = {(c.need, c.write): c for c in facts.needs.hard}
    for g in facts.guards:
        c = known.get((g.need, g.write))
        if c is not None and overwrites(g, facts) == message:
            yield message, conflict(c, facts, line)
    for site in facts.ordered:
        fix = Fix("copy what is read: `a[::2] = a[:n].copy()`")
        yield (said := reads_again(site, facts)), Diagnostic(
            "AD302", said, stmts[site].span, fixes=[fix]
        )
    for a in dict.fromkeys((*assumptions(facts), *tangent_assumptions(facts))):
        why = "that depends on how they lie in memory, and one of them is written"
        yield (said := guess(a, facts)), Diagnostic(
            "AD206", said, stmts[a.site].span, why=why,
            fixes=[Fix("make a copy where one is meant, with `.copy()`")],
        )  # fmt: skip
