"""Calls that generated code makes for another reason than a derivative that goes through them."""

from __future__ import annotations

from adtrans.analyses.facts import Facts
from adtrans.ir import expr as E
from adtrans.ir import stmt as S


def is_kept_for_later(fn: object) -> bool:
    """Whether a call returns what code reads that was compiled for the kinds of its arguments."""
    return bool(getattr(fn, "keeps", False))


def is_generated_anyway(s: S.Stmt, facts: Facts) -> bool:
    """Whether a call is one of generated code though no derivative goes through it: it checks what
    no analysis can decide of memory that is the caller's, whether what it writes is a view or a
    copy, or keeps what later code reads."""
    unit = facts.units.get(s.site)
    if unit is None or not isinstance(s, S.Invoke):
        return False
    kept = isinstance(s.fn, E.Ref) and is_kept_for_later(s.fn.value)
    return bool(unit.summary.guesses) or kept
