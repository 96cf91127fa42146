"""What the analyses find out about a function, with statements looked up by their text."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

from adtrans.analyses.analyse import Question
from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds import param_kinds
from adtrans.arguments.inputs import target_of
from adtrans.driver.options import Options
from adtrans.driver.program import Program
from adtrans.ir import stmt as S
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import statements


def facts_of(fn: Callable[..., Any], *args: object, wrt: Any = 0, **options: Any) -> Facts:
    """All results about `fn` for the kinds of `args`, also where it could not be compiled."""
    target = target_of(fn)
    names = target.select(wrt)
    kinds = dict(param_kinds(dict(zip(target.params, args, strict=False))))
    program = Program(Options(**options), NameAllocator())
    found = program.member(target.fn, Question(kinds, names, ())).facts
    assert found is not None
    return found


def at(facts: Facts, text: str, form: type | tuple[type, ...] = object) -> Any:
    """The statement of the form that stands on the line with `text`, the last one of several."""
    found = [
        s
        for s in statements(facts.fn.body)
        if text in linecache.getline(s.span.file, s.span.line) and isinstance(s, form)
    ]
    assert found, f"no {form} on a line with {text!r}"
    return found[-1]


def store(facts: Facts, text: str) -> Any:
    """The write on the line with `text`."""
    return at(facts, text, (S.Store, S.Update))


def lines_of(facts: Facts) -> list[tuple[str, str, str]]:
    """(needed variable, line of the use, line of the write) of the conflicts without an answer."""

    def line(site: int) -> str:
        span = facts.structure.stmts[site].span
        return linecache.getline(span.file, span.line).strip()

    conflicts = (
        (facts.fn.source_name(c.need.var), line(c.need.site), line(c.write))
        for c in facts.needs.hard
    )
    return list(dict.fromkeys(conflicts))
