"""Attributes that are read from an object although they are in variables of their own.

What varies in an object that is followed is in variables, which the functions that get the object
are given, too. A function that is called without them would read what was there before:

    def f(x):
        return h.two(M(x))          # `h` is a global object; its `two` calls further methods

Such a read is an error. It means that the object went through a call that was not followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Instance
from adtrans.ir.walk import operands, statements, walk


def unseen_reads(called: Iterable[Facts]) -> Iterator[Diagnostic]:
    """An error for each read of an attribute, by any function of the program, of what is mirrored:
    assigned for others to see, and in a variable."""
    called = list(called)
    mirrored = {place for facts in called for place in _mirrored(facts)}
    for facts in called:
        for s in statements(facts.fn.body):
            for e in operands(s):
                for sub in walk(e):
                    if isinstance(sub, E.Attribute) and isinstance(sub.base, E.Name):
                        cls = _class_of(facts, s, sub.base)
                        if cls is not None and (cls, sub.attr) in mirrored:
                            yield Diagnostic(
                                "AD201",
                                f"`{sub}` cannot be followed: the object came here through a call "
                                "that is not followed",
                                s.span,
                                why="what varies in the object is in variables of its own, which "
                                "this function was not given",
                            )


def _mirrored(facts: Facts) -> Iterator[tuple[object, str]]:
    for s in statements(facts.fn.body):
        if isinstance(s, S.SetAttr) and s.mirror and isinstance(s.base, E.Name):
            cls = _class_of(facts, s, s.base)
            if cls is not None:
                yield cls, s.attr


def _class_of(facts: Facts, s: S.Stmt, base: E.Name) -> object:
    kind = facts.kinds.expr(s.site, base)
    return kind.cls if isinstance(kind, Instance) and kind.followed else None
