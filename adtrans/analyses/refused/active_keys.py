"""Keys of dictionaries that carry a derivative.

Nothing follows a key into a dictionary and out again, so a number that varies cannot be one.
"""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import stmt as S
from adtrans.ir.kinds import DictOf, is_differentiable
from adtrans.ir.walk import names_in, statements


def varying_keys(facts: Facts) -> Iterator[Diagnostic]:
    """A value with a derivative that is made a key of a dictionary."""
    for s in statements(facts.fn.body):
        key = _varying_key(s, facts)
        if key is None:
            continue
        assert isinstance(s, S.Store | S.Update)
        name = facts.fn.source_name(s.base)
        dictionary = f"`{name}`" if name in facts.fn.reserved else "a dictionary"
        yield Diagnostic(
            "AD207",
            f"a key of {dictionary} carries a derivative",
            Label(s.span, f"`{facts.fn.source_name(key)}` depends on the argument"),
            why="derivatives are followed into what a dictionary holds, not into its keys",
            fixes=[Fix("use a number or name that does not vary as the key")],
        )


def _varying_key(s: S.Stmt, facts: Facts) -> str | None:
    """The variable with a derivative that a statement makes a key, or a part of one."""
    if not isinstance(s, S.Store | S.Update) or s.items is None:
        return None
    if not isinstance(facts.kinds.at(s.site, s.base), DictOf):
        return None
    names = (n for i in s.items for n in sorted(names_in(i)))
    varied = (n for n in names if n in facts.activity.varied)
    return next((n for n in varied if is_differentiable(facts.kinds.at(s.site, n))), None)
