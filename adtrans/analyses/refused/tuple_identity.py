"""Which one a tuple is, asked of what a call returned.

A function makes the tuples that it returns anew where it took them apart, so that two that were one
may be two. They are equal, and what is asked of them otherwise has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.identity_tests import asked_in, identity_matters
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Instance, Known, Scalar
from adtrans.ir.walk import binds_of, reads_of, statements


def told_of_results(facts: Facts) -> Iterator[Diagnostic]:
    """Where it is asked which one a tuple is that came out of a call."""
    if not identity_matters(facts.fn, facts.kinds):
        return
    found = _out_of_calls(facts)
    for s in statements(facts.fn.body):
        name = next((v for v in sorted(asked_in(s, facts.kinds)) if v in found), None)
        if name is None:
            continue
        shown = facts.fn.source_name(name)
        yield Diagnostic(
            "AD202",
            f"it is asked which tuple `{shown}` is" if shown in facts.fn.reserved
            else "it is asked which one a tuple is",
            s.span,
            why="a function returned it, and may have made it anew: it is equal to the one that "
            "Python would return, and may be another one",
            fixes=[Fix("compare with `==`, or return a number or text that tells")],
        )  # fmt: skip


def _out_of_calls(facts: Facts) -> set[str]:
    """The variables that may hold a tuple which a call returned, or something that holds one."""
    body = list(statements(facts.fn.body))
    found = {
        v for s in body for v in binds_of(s) if not _is_apart(v, facts)
        if isinstance(s, S.Invoke) or (isinstance(s, S.Bind) and isinstance(s.value, E.Call))
    }  # fmt: skip
    while True:
        before = len(found)
        for s in body:
            if found.isdisjoint(reads_of(s)):
                continue
            found |= {v for v in binds_of(s) if not _is_apart(v, facts)}
            if isinstance(s, S.Store | S.Update | S.Edit):
                found.add(s.base)
        if len(found) == before:
            return found


def _is_apart(var: str, facts: Facts) -> bool:
    """Whether a variable surely holds no tuple, nor anything that was made of one."""
    return isinstance(facts.kinds.var(var), Scalar | Array | Instance | Known)
