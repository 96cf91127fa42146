"""Calls that enter attributes into the dictionaries of objects that are followed together.

    b.faster(7.0)           # all_Body_rate[id(b)] = 7.0, in what is made of the method

The function as it was written changes the object alone, and the dictionary is what is read
(`pools`). So such a call is one of what is generated for the function, also where nothing in it has
a derivative.

That nothing else means such a dictionary, or the one of its tangents, the analysis of generated
code cannot see: who made it says so.
"""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType

from adtrans.analyses.facts import Facts
from adtrans.analyses.writes import actuals
from adtrans.ir import expr as E
from adtrans.ir import stmt as S

_ALONE = "_adtrans_alone"


def keep_alone(fn: FunctionType, alone: frozenset[str]) -> None:
    """Notes which parameters of a function that was just made are such dictionaries."""
    vars(fn)[_ALONE] = alone


def with_alone(fn: object, body: S.Function) -> S.Function:
    """The lowered form of a function, with what was noted of its parameters."""
    alone = vars(fn).get(_ALONE) if isinstance(fn, FunctionType) else None
    return replace(body, alone=body.alone | alone) if alone else body


def is_kept_for_later(fn: object) -> bool:
    """Whether a call returns what code reads that was compiled for the kinds of its arguments."""
    return bool(getattr(fn, "keeps", False))


def enters(s: S.Stmt, facts: Facts) -> bool:
    """Whether a statement is such a call, or one that checks what no analysis can decide of memory
    that is the caller's: whether what it writes is a view or a copy."""
    unit = facts.units.get(s.site)
    if unit is None or not isinstance(s, S.Invoke):
        return False
    if unit.summary.guesses or (isinstance(s.fn, E.Ref) and is_kept_for_later(s.fn.value)):
        return True
    if not facts.fn.alone:
        return False
    given = actuals(s, unit.summary)
    args = (given.get(p) for p, _ in unit.summary.writes)
    return any(isinstance(a, E.Name) and a.id in facts.fn.alone for a in args)
