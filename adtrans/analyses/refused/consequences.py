"""Leaves out what follows from another error: one that is mended first, and then all is seen anew.

What a list or an unknown function gives has no kind, so that whatever is done with it is refused,
too; and a list that cannot be followed is met wherever it is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.refused.containers import followed
from adtrans.diagnostics.diagnostic import Diagnostic, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements

_ROOTS = ("AD207", "AD401")
_FOLLOWING = ("AD203", "AD205", "AD401")


def is_unclear(var: str, facts: Facts) -> bool:
    """Whether the kind of what a variable holds is not known."""
    return not followed(facts.kinds.var(var))


def has_root(found: Iterable[Diagnostic], facts: Facts) -> bool:
    """Whether there is an error that makes the kinds of other things unknown."""
    blurred = _blurred(facts)
    return any(d.code in _ROOTS and d.primary.span not in blurred for d in found)


def without_consequences(found: list[Diagnostic], facts: Facts) -> list[Diagnostic]:
    """`found` without errors about operations of what has no kind, each list named once."""
    blurred = _blurred(facts)
    named: dict[tuple[str, str | None], int] = {}
    left: list[Diagnostic] = []
    for d in sorted(found, key=lambda d: d.primary.span):
        if d.code in _FOLLOWING and d.primary.span in blurred:
            continue
        place = named.setdefault((d.title, d.why), len(left))
        if d.code != "AD207" or "`" not in d.title or place == len(left):
            left.append(d)
        elif d.primary.span != left[place].primary.span:
            again = Label(d.primary.span, "used here")
            labels = dict.fromkeys((*left[place].labels, again))
            left[place] = replace(left[place], labels=tuple(labels))
    return left


def _blurred(facts: Facts) -> set[Span]:
    """Where something is done with what has no kind."""
    found: set[Span] = set()
    for s in statements(facts.fn.body):
        match s:
            case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=v)))):
                pass
            case S.Bind(value=E.Attribute(base=E.Name(id=v))) | S.Invoke(fn=E.Name(id=v)):
                pass
            case S.Invoke(fn=E.Attribute(base=E.Name(id=v))) | S.Update(base=v) | S.Store(base=v):
                pass
            case _:
                continue
        if is_unclear(v, facts):
            found.add(s.span)
    return found
