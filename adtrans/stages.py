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
from adtrans.ir.dump import dump
from adtrans.source import SourceFunction


def source_text(source: SourceFunction) -> str:
    """The function as it stands in its file."""
    first = source.span(source.node).line
    last = source.span(source.node).end_line
    return textwrap.dedent("\n".join(source.lines[first - 1 : last]))


def needs_text(facts: Facts) -> str:
    """One line for each value that the pullback reads: where, what, why, and what hurts it."""
    rows = []
    for site, needs in sorted(facts.needs.at.items()):
        line = facts.structure.stmts[site].span.line
        for need in needs:
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
            rows.append(f"{line:4}  {name}  {why}{tail}")
    return "\n".join(rows) or "the pullback needs no array"


def stage_texts(source: SourceFunction, facts: Facts, output: str) -> dict[str, str]:
    """The texts of all stages, by name, in their order."""
    return {
        "source": source_text(source),
        "ast": str(astunparse.dump(source.node)),
        "ir": dump(facts.fn),
        "needs": needs_text(facts),
        "output": output,
    }
