"""Calls that generated code makes for another reason than a derivative that goes through them."""

from __future__ import annotations

from adtrans.analyses.facts import Facts
from adtrans.ir import stmt as S


def is_generated_anyway(s: S.Stmt, facts: Facts) -> bool:
    """Whether a call is one of generated code though no derivative goes through it: it checks what
    no analysis can decide of memory that is the caller's, whether what it writes is a view or a
    copy."""
    unit = facts.units.get(s.site)
    return unit is not None and isinstance(s, S.Invoke) and bool(unit.summary.guesses)
