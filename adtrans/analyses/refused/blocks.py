"""Exceptions and context managers that get hold of what varies."""

from __future__ import annotations

from collections.abc import Iterator

from adtrans import runtime
from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    is_immutable,
)
from adtrans.ir.walk import binds_of, reads_of, statements


def through_exceptions(s: S.Try, facts: Facts) -> Iterator[Diagnostic]:
    """An exception that carries a value on which the result depends."""
    for h in s.handlers if facts.activity.varied else ():  # perhaps in attributes of an object
        if h.name is not None and h.name in facts.activity.useful:
            name = facts.fn.source_name(h.name)
            yield Diagnostic(
                "AD201",
                f"the result depends on what the exception `{name}` carries",
                Label(s.span, "the derivative would be lost on its way through the exception"),
                why="what an exception carries is not followed",
                fixes=[Fix("keep the value in a variable before raising")],
            )


def managers(s: S.With, facts: Facts) -> Iterator[Diagnostic]:
    """A context manager that gets hold of what it could change, or of what varies."""
    match s.context:
        case E.Call(fn=E.Ref(value=manager)) if manager is runtime.leaving:
            return  # it does nothing to the object unless there is an exception
        case _:
            pass
    varied, useful = facts.activity.varied, facts.activity.useful
    inside = any(facts.activity.active(v) for t in statements(s.body) for v in binds_of(t))
    inside = inside or s.target in useful  # what it hands on may be made of what it gets
    for v in sorted(reads_of(s)):
        mutable = not is_immutable(facts.kinds.at(s.site, v))
        shown = facts.aliasing.partners(frozenset({v}), s.site) | {v}
        if (mutable or v in varied) if inside else (mutable and shown & useful):
            yield Diagnostic(
                "AD201",
                f"`{facts.fn.source_name(v)}` is handed to a context manager",
                s.span,
                why="what the manager does with it, before and after the block, is not followed",
                fixes=[Fix("give the manager what cannot change: numbers, names, strings")],
            )
            return
