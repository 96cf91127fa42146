"""Which variables the pullback may ask for: an upper bound that needs no transform to be run.

A number that was read from an array can be read again, so the array is kept in place of it. Where
nothing asks for the number, as in `a[i] += 0.5 * a[i - 1]`, the array need not be kept either.
"""

from __future__ import annotations

from adtrans.analyses.facts import Facts
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, names_in, operands, reads_of, statements


def wanted(facts: Facts) -> frozenset[str]:
    """What formulas, selections, tests and headers read, and what that is computed from.

    Everything without a derivative counts, because formulas may mention it.
    """
    stmts = list(statements(facts.fn.body))
    found = {
        n.var
        for needs in facts.needs.at.values()
        for n in needs
        if not n.soft and facts.needs.holds(n)
    }
    for s in stmts:
        found |= {v for v in reads_of(s) if not facts.activity.active(v)}
        match s:
            case S.If() | S.While() | S.For():
                found |= {v for e in operands(s) for v in names_in(e)}
            case S.Load() | S.Store() | S.Update():
                found |= {v for e in s.items or () for v in names_in(e)}
            case _:
                pass
    size = -1
    while size != len(found):
        size = len(found)
        for s in stmts:
            if found & {*binds_of(s)}:
                found |= reads_of(s)
    return frozenset(found)
