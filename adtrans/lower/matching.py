"""`match` over values as tests and bindings, one case after the other.

    match kind:                       if kind == "a" or kind == "b":
        case "a" | "b": body    =>        body
        case other: rest              else:
                                          other = kind
                                          rest

Patterns that look into what they are given, as those of classes, sequences and mappings, are not
followed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gast

from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.lower import expressions
from adtrans.lower.builder import Builder
from adtrans.lower.syntax import bound_names

Body = Callable[[Sequence[gast.stmt]], None]


def match(b: Builder, node: gast.Match, body: Body) -> None:
    """A whole `match` statement; `body` lowers statements into the current block."""
    with b.alone(node.subject):
        subject = expressions.value(b, node.subject)
        if isinstance(subject, E.Name) and subject.id in bound_names([node]):
            subject = b.alias(b.temp(), subject.id, node.subject)  # a capture may rebind it
    _cases(b, subject, list(node.cases), body)


def _cases(b: Builder, subject: S.Atom, cases: list[gast.match_case], body: Body) -> None:
    if not cases:
        return
    case, *rest = cases
    names: list[str] = []
    test = _test(b, case.pattern, subject, names)

    def bind() -> None:
        for name in names:
            b.assign(name, subject, case.pattern)
            b.forget()

    if case.guard is not None:
        test = _guarded(b, test, case.guard, bind)
        names.clear()
    if test == E.Const(True):
        bind()
        body(case.body)
        return
    with b.nested() as then:
        bind()
        body(case.body)
    with b.nested() as orelse:
        _cases(b, subject, rest, body)
    b.branch(test, then, orelse, case.pattern)


def _guarded(b: Builder, test: E.Expr, guard: gast.expr, bind: Callable[[], None]) -> E.Expr:
    """A flag that says whether a pattern and its guard hold."""
    hit = b.temp("matched")
    b.bind(hit, E.Const(False), guard)
    with b.nested() as inside:
        bind()
        with b.alone(guard):
            expressions.value(b, guard, hit)
    if test == E.Const(True):
        b.block.extend(inside)
    else:
        b.branch(test, inside, [], guard)
    return E.Name(hit)


def _test(b: Builder, pattern: gast.pattern, subject: S.Atom, names: list[str]) -> E.Expr:
    """Whether a value matches; `names` gets those that are bound to it then."""
    match pattern:
        case gast.MatchAs():
            names += [] if pattern.name is None else [pattern.name]
            inner = pattern.pattern
            return E.Const(True) if inner is None else _test(b, inner, subject, names)
        case gast.MatchValue():
            return E.Compare(subject, ("==",), (expressions.value(b, pattern.value),))
        case gast.MatchSingleton():
            return E.Compare(subject, ("is",), (E.Const(pattern.value),))
        case gast.MatchOr() if not bound_names([pattern]):
            tests = tuple(_test(b, p, subject, names) for p in pattern.patterns)
            return E.Const(True) if E.Const(True) in tests else E.BoolOp("or", tests)
        case _:
            return b.report(
                "AD201",
                "this pattern is not supported",
                pattern,
                why="it looks into what it is given",
                fix="test what is given with `if`, and take it apart with assignments",
            )
