"""What each stage on the way to a derivative says about a function, as text.

>>> from adtrans.source import get_source
>>> def square(x):
...     return x * x
>>> print(source_text(get_source(square)))
def square(x):
    return x * x
"""

from __future__ import annotations

import re
import textwrap

import astunparse

from adtrans.analyses.facts import Facts
from adtrans.analyses.needed import Need
from adtrans.analyses.overwritten import Lines, reason
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.dump import dump
from adtrans.source import SourceFunction
from adtrans.transforms.footprint import shown

_BLOCKS = (S.If, S.For, S.While)


def source_text(source: SourceFunction) -> str:
    """The function as it stands in its file."""
    first = source.span(source.node).line
    last = source.span(source.node).end_line
    return textwrap.dedent("\n".join(source.lines[first - 1 : last]))


def needs_text(facts: Facts) -> str:
    """One line for each value that the pullback reads: where, what, why, and what hurts it."""
    rows = [
        f"{line:4}  {text}"
        for site in sorted(facts.needs.at)
        if (line := facts.structure.stmts[site].span.line)
        for text in _at(site, facts)
    ]
    return "\n".join(rows) or "the pullback needs no array"


def needed(facts: Facts, line: int, lines: Lines) -> list[str]:
    """What the derivative of a line needs, each with the reason, in the user's words; `lines` gives
    the text of a line."""
    spans = {site: facts.structure.stmts[site].span for site in facts.needs.at}
    sites = [site for site, s in sorted(spans.items()) if s.line <= line <= s.end_line]
    inside = [s for s in sites if not isinstance(facts.structure.stmts[s], _BLOCKS)]
    found: dict[str, None] = {}
    for need in (n for site in inside for n in _held(site, facts)):
        name = shown(E.Name(need.var), facts, lines)
        found[f"`{name}`: {reason(need, name, facts, lines)}{_hurt(need, facts)}"] = None
    return list(found)


def _at(site: int, facts: Facts) -> list[str]:
    rows = []
    for need in _held(site, facts):
        why = re.sub(r"(\w)@\d+", r"\1", need.why)  # the user's names
        rows.append(f"{facts.fn.source_name(need.var)}  {why}{_hurt(need, facts)}")
    return rows


def _held(site: int, facts: Facts) -> list[Need]:
    return [n for n in facts.needs.at[site] if not n.soft and facts.needs.holds(n)]


def _hurt(need: Need, facts: Facts) -> str:
    """Where what is needed is overwritten."""
    writes = [c.write for c in facts.needs.conflicts if c.need == need]
    hurt = ", ".join(str(facts.structure.stmts[w].span.line) for w in writes)
    return f"; overwritten in line {hurt}" if hurt else ""


def stage_texts(source: SourceFunction, facts: Facts, output: str) -> dict[str, str]:
    """The texts of all stages, by name, in their order."""
    return {
        "source": source_text(source),
        "ast": str(astunparse.dump(source.node)),
        "ir": dump(facts.fn),
        "needs": needs_text(facts),
        "output": output,
    }
