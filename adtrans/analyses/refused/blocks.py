"""Exceptions and context managers that get hold of what varies."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.steps import onwards
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    is_immutable,
)
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.lower.kept_syntax import held_by_exception


def through_exceptions(s: S.Try, facts: Facts) -> Iterator[Diagnostic]:
    """An exception that carries a value on which the result depends, or may leave a statement half
    done."""
    for onward in onwards(s) if s.handlers else ():
        if onward.partial and facts.activity.touches(onward.body[:1]):
            yield Diagnostic(
                "AD201",
                "an exception may be caught in the middle of this statement",
                Label(onward.span, "a part of it is done by then"),
                labels=[Label(s.span, "caught here")],
                why="how much of it was done is not kept",
                fixes=[Fix("catch the exception where it is raised, or test before instead")],
            )
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
    """A context manager that gets hold of what it could change, or of what varies, or may keep an
    exception back in the middle of what carries a derivative."""
    if not s.trusted and facts.activity.touches(s.body):
        yield Diagnostic(
            "AD201",
            "the block of this context manager cannot be followed",
            s.span,
            why="the manager may keep an exception back; what was done until then is not known",
            fixes=[Fix("leave out the `with`, or let it enclose the call of the function")],
        )
        return
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


def handed_to_exceptions(every: Collection[Facts]) -> Iterator[Diagnostic]:
    """Arrays and objects that an exception is made of, where the program may catch one: whoever has
    the exception, its class included, has another name for them."""
    blocks = [s for f in every for s in statements(f.fn.body)]
    if not any((isinstance(s, S.Try) and s.handlers) or _sees_exceptions(s) for s in blocks):
        return
    for facts in every:
        tried = [s for s in statements(facts.fn.body) if isinstance(s, S.Try)]
        made = {h.name for s in tried for h in s.handlers if h.name is not None}
        for s in statements(facts.fn.body):
            given = held_by_exception(s.node) if isinstance(s, S.Keep) else ()
            for v in sorted({*given} & {*reads_of(s)} - made):
                if not is_immutable(facts.kinds.at(s.site, v)):
                    name = facts.fn.source_name(v)
                    yield Diagnostic(
                        "AD201",
                        f"`{name}` is handed to an exception",
                        Label(s.span, f"whoever catches it may read and write `{name}`"),
                        why="what an exception carries is not followed",
                        fixes=[Fix("keep the value in a variable before raising")],
                    )
                    break


def _sees_exceptions(s: S.Stmt) -> bool:
    return isinstance(s, S.With) and not s.trusted
