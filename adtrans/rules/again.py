"""Formulas that compute a result again, from the operands: for results that are overwritten.

>>> import numpy as np
>>> from adtrans.rules import lookup
>>> rule = lookup(np.sort)
>>> bound = rule.bind((E.Name("u"),))
>>> found = rule.pullback("a", bound, {})
>>> sorted(found[0].values), [sorted(f.values) for f in again(rule, bound, found, {})]
(['a', 'axis', 'y'], [['a', 'axis']])
"""

from __future__ import annotations

from collections.abc import Mapping

from adtrans.ir import expr as E
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import Kind
from adtrans.ir.walk import rebuild
from adtrans.rules.formula import Formula, make, only_shape, refine
from adtrans.rules.rule import Rule
from adtrans.rules.site import Site

_COSTLY = ("linalg.", "optimize.", "integrate.", "solve")
"""Where it takes much longer than a copy of the result: their rules say by themselves how else."""


def again(
    rule: Rule, bound: Mapping[str, Expr], found: tuple[Formula, ...], kinds: Mapping[str, Kind]
) -> tuple[Formula, ...]:
    """The preferred formula without the result, if all of them need it, and it can be had again."""
    if not found or not all("y" in f.values for f in found) or not _is_repeatable(rule, bound):
        return ()
    try:
        value = rule.written_out(Site(bound, kinds))
    except LookupError:  # a helper, which is in no module that formulas name
        return ()
    first = found[0]
    expr = refine(_with_result(first.expr, value), kinds)
    return (make(expr, elementwise=first.elementwise, thin=first.thin),)


def _is_repeatable(rule: Rule, bound: Mapping[str, Expr]) -> bool:
    """Whether a call gives the same result each time, at a price like that of the derivative."""
    plain = not (rule.impure or rule.writes or rule.custom or rule.any_arguments)
    single = not any(p.sequence or p.form == "varargs" for p in rule.params)
    return plain and single and (rule.gives_tuple(bound) or not is_costly(rule.spelling))


def is_costly(name: str) -> bool:
    """Whether a call of a function of this name takes much longer than a copy of its result."""
    return any(word in name for word in _COSTLY) and "norm" not in name


def _with_result(e: Expr, value: Expr) -> Expr:
    """`e` with the result written out, but for where only its shape is asked for."""
    if only_shape(e) == "y":
        return e
    if e == E.Name("y"):
        return value
    return rebuild(e, lambda part: _with_result(part, value))
