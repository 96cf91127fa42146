"""Containers from outside that a function gets as an argument, and that are changed afterwards.

    y = scaled(x, ITEMS)        the pullback of `scaled` goes through `ITEMS` again
    ITEMS.insert(0, 3.0)        and would find others in it

A method of a global list or dictionary is called as it stands, so that the analysis of memory does
not see what it changes. What is appended is not met again: loops run as often as they ran.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from types import BuiltinMethodType

from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.driver.instances import Member
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import operands, statements, walk
from adtrans.source import SourceFunction

Lowered = tuple[SourceFunction, S.Function]

_CHANGES = frozenset(
    str.split(
        "insert pop remove clear reverse sort update setdefault popitem __delitem__ add discard "
        "appendleft extendleft popleft rotate"
    )
)
_MORE = frozenset({"append", "extend", "__iadd__"})


def changed_afterwards(
    members: Iterable[Member], lowered: dict[int, Lowered]
) -> Iterator[Diagnostic]:
    """The errors at such changes."""
    handed = [(m, s, c) for m in members if m.facts is not None for s, c in _handed(m.facts)]
    if not handed:
        return
    seen: set[int] = set()
    for source, ir in lowered.values():
        for change, text, container in changes(ir):
            for m, call, given in handed:
                if given is not container or change.site in seen:
                    continue
                if m.source is source and not _may_follow(change, call, ir):
                    continue
                seen.add(change.site)
                yield Diagnostic(
                    "AD203",
                    f"`{text}` is changed after a function got it",
                    Label(change.span, "changed here"),
                    labels=[Label(call.span, "its pullback goes by what is in it")],
                    why="it comes from outside, and is not copied",
                    fixes=[Fix(f"pass a copy: `{type(container).__name__}({text})`")],
                )


def _handed(facts: Facts) -> Iterator[tuple[S.Stmt, object]]:
    """The containers from outside that calls with a derivative get."""
    for s in statements(facts.fn.body):
        unit = facts.units.get(s.site)
        if not isinstance(s, S.Invoke) or unit is None or not unit.summary.active:
            continue
        for a in (*s.args, *(v for _, v in s.kwargs)):
            if (c := _container(a, facts)) is not None:
                yield s, c


def _container(e: E.Expr, facts: Facts) -> object | None:
    """The container from outside that an argument may mean, by any of its names."""
    waiting, seen = [e], {e}
    for e in waiting:
        if isinstance(e, E.Ref) and isinstance(e.value, list | dict | set | deque):
            return e.value
        for site in facts.definitions.sites.get(e.id, ()) if isinstance(e, E.Name) else ():
            match facts.structure.stmts.get(site):
                case S.Bind(value=E.Ref() as ref):
                    waiting.append(ref)
                case S.Alias(source=source) if E.Name(source) not in seen:
                    seen.add(E.Name(source))
                    waiting.append(E.Name(source))
                case _:
                    pass
    return None


def changes(ir: S.Function, *, more: bool = False) -> Iterator[tuple[S.Stmt, str, object]]:
    """The methods of containers from outside that change what is in them; with `more` also those
    that put something behind it."""
    names = _CHANGES | _MORE if more else _CHANGES
    for s in statements(ir.body):
        for e in (sub for own in operands(s) for sub in walk(own)):
            text, c, attr = _method(e)
            if attr in names and isinstance(c, list | dict | set | deque):
                yield s, text, c


def _method(e: E.Expr) -> tuple[str, object, str]:
    """What a method belongs to, in words and as an object, and its name; also of one that is not
    called here."""
    match e:
        case E.Attribute(base=E.Ref(text=text, value=c), attr=attr):
            return text, c, attr
        case E.Ref(text=text, value=BuiltinMethodType(__self__=c, __name__=attr)):
            return text.rpartition(".")[0], c, attr
        case _:
            return "", None, ""


def _may_follow(change: S.Stmt, call: S.Stmt, ir: S.Function) -> bool:
    """Whether a change stands after a call, or in a loop around it, or is put off."""
    match change:
        case S.Bind(value=E.Call(fn=E.Attribute(base=E.Ref()))):
            pass
        case _:
            return True
    if (change.span.line, change.span.column) > (call.span.line, call.span.column):
        return True
    for loop in statements(ir.body):
        if isinstance(loop, S.For | S.While):
            inside = [s.span for s in statements(loop.body)]
            if change.span in inside and any(s.line == call.span.line for s in inside):
                return True
    return False
