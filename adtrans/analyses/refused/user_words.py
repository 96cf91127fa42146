"""Expressions and variables in the words of the user."""

from __future__ import annotations

import inspect
import re
from typing import Any

from adtrans.analyses.apply import Application
from adtrans.analyses.facts import Facts
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.rules.formula import formal_names


def shown(e: E.Expr, facts: Facts) -> str:
    """An expression in the user's names."""
    return re.sub(r"(\w+)@\d+", r"\1", E.text(e))


def written_as(var: str, facts: Facts) -> str:
    """An argument as the user wrote it: a name, or a part of what a name stands for."""
    sites = facts.definitions.sites.get(var, ())
    s = facts.structure.stmts[sites[0]] if len(sites) == 1 else None
    if isinstance(s, S.Load) and facts.fn.source_name(var) not in facts.fn.reserved:
        return shown(E.Index(E.Name(s.base), s.items), facts)
    return facts.fn.source_name(var)


def parameter(app: Application, name: str) -> str:
    """What the user calls a parameter, which may have another name in formulas."""
    fn: Any = None if app.rule.custom is None else app.rule.custom.fn
    try:
        names = {} if fn is None else formal_names(inspect.signature(fn).parameters)
    except (TypeError, ValueError):
        return name
    return next((own for own, formal in names.items() if formal == name), name)
