"""Copies in place of formulas that compute a result again, where that takes much longer.

>>> import numpy as np
>>> from adtrans.rules import lookup
>>> rule = lookup(np.linalg.inv)
>>> kept, again = rule.pullback("a", rule.bind((E.Name("m"),)), {})
>>> price(kept.expr), price(again.expr)
(0, 2)
"""

from __future__ import annotations

from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.needed import formulas
from adtrans.analyses.verdicts import copyable
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import walk
from adtrans.rules.again import is_costly


def price(e: E.Expr) -> int:
    """How many systems are solved, matrices factorized and the like."""
    refs = (c.fn for c in walk(e) if isinstance(c, E.Call))
    return sum(isinstance(fn, E.Ref) and is_costly(fn.text) for fn in refs)


def with_copies(facts: Facts) -> Facts:
    """`facts` with the preferred formula wherever the chosen one costs more, and copies can be
    kept of all that the preferred one reads."""
    choice = dict(facts.needs.choice)
    for (site, operand), k in facts.needs.choice.items():
        s = facts.structure.stmts[site]
        if not k or site not in facts.apps or not isinstance(s, S.Bind):
            continue
        found = formulas(facts.apps[site], operand, site, facts.kinds, s.target)
        if price(found[k].expr) <= price(found[0].expr):
            continue
        of_first = [c for c in facts.needs.conflicts
                    if c.need.reader == site and c.need.option == (operand, 0)]  # fmt: skip
        if all(c.write != site and copyable(c.need, facts) for c in of_first):
            choice[site, operand] = 0
    return replace(facts, needs=replace(facts.needs, choice=choice))
