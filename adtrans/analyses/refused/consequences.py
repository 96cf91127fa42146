"""Leaves out what follows from another error: one that is mended first, and then all is seen anew.

What a list or an unknown function gives has no kind, so that whatever is done with it is refused,
too; and a list that cannot be followed is met wherever it is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from adtrans.analyses.facts import Facts
from adtrans.analyses.refused.lost_objects import is_of_objects
from adtrans.analyses.refused.unfollowed_containers import followed
from adtrans.diagnostics.diagnostic import Diagnostic, Label
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Instance
from adtrans.ir.walk import binds_of, reads_of, statements

_ROOTS = ("AD207", "AD401")
_FOLLOWING = ("AD203", "AD205", "AD401")
_TAINTED = ("AD201", "AD202", "AD203", "AD205", "AD206", "AD207", "AD401", "AD407", "AD409")


def is_unclear(var: str, facts: Facts) -> bool:
    """Whether the kind of what a variable holds is not known."""
    return not followed(facts.kinds.var(var))


def _is_blank(var: str, facts: Facts) -> bool:
    """The same, and of what class it is."""
    return is_unclear(var, facts) and not isinstance(facts.kinds.var(var), Instance)


def has_root(found: Iterable[Diagnostic], facts: Facts) -> bool:
    """Whether there is an error that makes the kinds of other things unknown."""
    blurred = _blurred(facts)
    return any(is_root(d) and d.primary.span not in blurred for d in found)


def is_root(d: Diagnostic) -> bool:
    """Whether the kinds of other things may be unknown because of what an error is about."""
    return d.code in _ROOTS or is_of_objects(d)


def without_tainted(
    found: list[Diagnostic], facts: Facts, *, elsewhere: bool = False
) -> list[Diagnostic]:
    """`found` without errors about what has no kind because it comes from where another error is.
    `elsewhere`: there is one in another function, which may have made arguments and results so.
    """
    blurred = _blurred(facts)
    roots = {d.primary.span for d in found if is_root(d) and d.primary.span not in blurred}
    if not roots and not elsewhere:
        return found
    body = list(statements(facts.fn.body))
    tainted = {v for s in body if s.span in roots for v in binds_of(s)}
    if elsewhere:
        tainted |= {p.name for p in facts.fn.params}
        tainted |= {v for s in body if s.site in facts.units for v in binds_of(s)}
    tainted = {v for v in tainted if _is_blank(v, facts)}
    before = -1
    while before != len(tainted):
        before = len(tainted)
        for s in body:
            if not tainted.isdisjoint(reads_of(s)):
                tainted |= {v for v in binds_of(s) if _is_blank(v, facts)}
    unknown = {d.primary.span for d in found if d.code == "AD401"} & roots
    given = {v for s in body if s.span in unknown for v in reads_of(s)}
    packed = {s.span for s in body if isinstance(s, S.Pack) and s.target in given} - unknown
    found = [d for d in found if d.code != "AD207" or d.primary.span not in packed]
    follows = {s.span for s in body if not tainted.isdisjoint(reads_of(s))} - roots
    return [d for d in found if d.primary.span not in follows or d.code not in _TAINTED]


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
