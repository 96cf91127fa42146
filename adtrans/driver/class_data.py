"""Attributes of classes that one function reads and another assigns.

A function that assigns one reads it when it runs, and so does one where a method of the class
assigns it. Any other takes it for what a global name means: its pullback would read what was
assigned since.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from types import FunctionType

from adtrans.analyses.objects.class_attributes import set_in_classes
from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.driver.instances import Member
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import operands, rebuild, statements
from adtrans.source import MISSING, SourceFunction
from adtrans.source.class_stores import stored_by
from adtrans.source.reach import reached_by_any

Lowered = tuple[SourceFunction, S.Function]


def assigned_elsewhere(
    members: Iterable[Member], lowered: dict[int, Lowered], fn: object
) -> Iterator[Diagnostic]:
    """The errors at attributes of classes that are read so while something behind `fn` assigns
    them."""
    reads = [r for m in members for r in _read(m)]
    if not reads:
        return
    stored: set[str] = set()
    for _, ir in lowered.values():
        stored |= set_in_classes(ir.body)
    for f in reached_by_any(fn):
        if isinstance(f, FunctionType) and id(f) not in lowered:
            stored |= {*stored_by(f)}
    for s, text, attr in reads:
        if attr in stored or "" in stored:
            yield Diagnostic(
                "AD203",
                f"`{text}` is assigned elsewhere",
                s.span,
                why="it is an attribute of a class, and the pullback would read what was assigned "
                "since",
                fixes=[Fix("pass its value as an argument")],
            )


def _read(m: Member) -> Iterator[tuple[S.Stmt, str, str]]:
    """The attributes of classes that a function reads by dotted names, where they are data."""
    for s in statements(m.facts.fn.body if m.facts is not None else ()):
        for e in operands(s):
            for ref in _refs(e):
                head, _, attr = ref.text.rpartition(".")
                if head and _is_data(head, attr, m.source):
                    yield s, ref.text, attr


def _refs(e: E.Expr) -> list[E.Ref]:
    found: list[E.Ref] = []

    def look(inner: E.Expr) -> E.Expr:
        if isinstance(inner, E.Ref):
            found.append(inner)
        return rebuild(inner, look)

    look(e)
    return found


def _is_data(head: str, attr: str, source: SourceFunction) -> bool:
    """Whether `head.attr` is an attribute of a class, and neither a method nor a class itself."""
    first, *rest = head.split(".")
    owner = source.resolve(first)
    for name in rest:
        owner = getattr(owner, name, MISSING)
    if not isinstance(owner, type) or owner.__module__ == "builtins":  # these cannot be assigned
        return False
    found = inspect.getattr_static(owner, attr, None)
    return not hasattr(type(found), "__get__") and not isinstance(found, type)
