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
from adtrans.ir import stmt as S
from adtrans.ir.dump import dump
from adtrans.source import SourceFunction

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


def needed(facts: Facts, line: int) -> list[str]:
    """What the derivative of a line needs, each with the reason."""
    spans = {site: facts.structure.stmts[site].span for site in facts.needs.at}
    sites = [site for site, s in sorted(spans.items()) if s.line <= line <= s.end_line]
    inside = [s for s in sites if not isinstance(facts.structure.stmts[s], _BLOCKS)]
    return list(dict.fromkeys(text for site in inside for text in _at(site, facts)))


def _at(site: int, facts: Facts) -> list[str]:
    rows = []
    for need in facts.needs.at[site]:
        if need.soft or not facts.needs.holds(need):
            continue
        name = facts.fn.source_name(need.var)
        hurt = [
            facts.structure.stmts[c.write].span.line
            for c in facts.needs.conflicts
            if c.need == need
        ]
        tail = f"; overwritten in line {', '.join(map(str, hurt))}" if hurt else ""
        why = re.sub(r"(\w)@\d+", r"\1", need.why)  # the user's names
        rows.append(f"{name}  {why}{tail}")
    return rows


def stage_texts(source: SourceFunction, facts: Facts, output: str) -> dict[str, str]:
    """The texts of all stages, by name, in their order."""
    return {
        "source": source_text(source),
        "ast": str(astunparse.dump(source.node)),
        "ir": dump(facts.fn),
        "needs": needs_text(facts),
        "output": output,
    }
