"""Calls of functions that remember their results, and do more than compute them: where they are
followed, what is inside the cache is called, every time."""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.repeatable import may_be_object
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Container
from adtrans.source.cached import is_inside


def done_once(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
    """The error at such a call."""
    summary = facts.units[s.site].summary
    if not summary.remembers:
        return
    followed = bool(summary.active) or (isinstance(s.fn, E.Ref) and is_inside(s.fn.value))
    operands = (*s.args, *(v for _, v in s.kwargs))
    given = [facts.kinds.passed(s.site, a) for a in operands]
    for k, kind in enumerate(given):
        if followed and isinstance(kind, Array | Container):
            what = "an array" if isinstance(kind, Array) else "a list or a dictionary"
            yield Diagnostic(
                "AD201",
                f"a cached function cannot be given {what}",
                Label(s.span, f"argument {k + 1} cannot be looked up in the cache"),
                why="Python raises a TypeError here: it cannot be hashed",
                fixes=[Fix("do without the cache")],
            )
            return
    if followed and summary.recalls is not None:
        yield Diagnostic(
            "AD201",
            f"a cached function that reads `{summary.recalls}` cannot be followed",
            Label(s.span, "it may return what it computed of another value"),
            why="the derivative is that of what is inside the cache, with what it reads now",
            fixes=[Fix(f"hand `{summary.recalls}` over as an argument, or do without the cache")],
        )
        return
    assigns = summary.assigns and any(map(may_be_object, given))
    acts = not summary.repeatable or bool(summary.writes) or assigns
    if followed and acts:
        yield Diagnostic(
            "AD201",
            "a cached function that does more than compute cannot be followed",
            Label(s.span, "it prints, draws, or changes something, once for the same arguments"),
            why="the derivative calls what is inside the cache, every time",
            fixes=[Fix("take that out of the cached function, or do without the cache")],
        )
