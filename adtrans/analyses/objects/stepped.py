"""Objects that are their own iterators: they are asked for one item after the other.

for v in a: ...                   ->   while True:
                                           more, v = a.__next__()
                                           if not more: break
                                           ...
for w, v in zip(x, a): ...        ->   for w in x: more, v = a.__next__(); if not more: break; ...
for k, v in enumerate(a): ...     ->   the first one, with a number that grows
v = next(a)                       ->   v = a.__next__()
v = next(a, w)                    ->   more, t = a.__next__(); v = t if more else w

What goes through one at once goes through a list that is made first.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import replace

from adtrans.analyses.objects.classes import member
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import map_exprs
from adtrans.source.bound import goes_by_itself, step_of

ClassOf = Callable[[str], "type | None"]


class _Asking:
    """The statements that ask an object for its next item, at a place."""

    def __init__(self, s: S.Stmt, source: str, cls: type, where: S.Place) -> None:
        answer, more, item = (f"t@{name}{s.site}" for name in ("answer", "more", "next"))
        self.more, self.item = more, item
        self.inner: S.Place = {**where, "site": -1}
        step = E.Ref(f"{cls.__name__}___next__", step_of(member(cls, "__next__").value, cls))
        self.ask = (
            S.Invoke(answer, step, (E.Name(source),), **self.inner),
            S.Load(more, answer, (E.Const(0),), **self.inner),
        )
        self.taken = S.Load(item, answer, (E.Const(1),), **self.inner)

    def or_break(self, body: S.Block) -> S.Block:
        """Asks; then `body` where there is an item, and the end of the loop where there is none."""
        end = S.Break(**self.inner)
        return (*self.ask, S.If(E.Name(self.more), (self.taken, *body), (end,), **self.inner))

    def bound(self, target: S.Target) -> S.Stmt | None:
        """`target` means the item."""
        if isinstance(target, str):
            return S.Alias(target, self.item, **self.inner)
        names = tuple(t for t in target if isinstance(t, str))
        return S.Unpack(names, self.item, **self.inner) if len(names) == len(target) else None


def stepped(
    s: S.Stmt, source: str, cls: type | None, where: S.Place
) -> tuple[S.Stmt, ...] | None:
    """The statements that `s` means, which goes through `source`; None for all else."""
    if cls is None or not _goes(cls) or isinstance(s, S.Unpack):
        return None
    asking = _Asking(s, source, cls, where)
    if isinstance(s, S.For):
        return _loop(s, source, asking, where)
    made = f"t@items{s.site}"
    add = E.Call(E.Attribute(E.Name(made), "append"), (E.Name(asking.item),))

    def items(e: E.Expr) -> E.Expr:
        return E.Name(made) if e == E.Name(source) else e

    adding = asking.or_break((S.Bind(f"t@added{s.site}", add, **asking.inner),))
    return (
        S.Pack(made, "list", (), **where),
        S.While((), E.Const(True), adding, **where),
        map_exprs(replace(s, origin=0), lambda e: with_items(e, items)),
    )


def _loop(
    s: S.For, source: str, asking: _Asking, where: S.Place
) -> tuple[S.Stmt, ...] | None:
    of, inner = S.Elements(source), asking.inner
    match s.iter, s.target:
        case S.Elements(), target:
            taken = asking.bound(target)
            if taken is None:
                return None
            return (S.While((), E.Const(True), asking.or_break((taken, *s.body)), **where),)
        case S.Enumerate(inner=it, start=start), (str() as number, target) if it == of:
            taken = asking.bound(target)
            if taken is None:
                return None
            count = f"t@count{s.site}"
            counted = E.Binary("+", E.Name(count), E.Const(1))
            body = (taken, S.Alias(number, count, **inner), S.Bind(count, counted, **inner))
            loop = S.While((), E.Const(True), asking.or_break((*body, *s.body)), **where)
            return (S.Bind(count, start, **inner), loop)
        case S.Zip(inners=(*before, last), strict=False), (*names, target) if (
            before and last == of and of not in before  # which are asked before it
        ):
            taken = asking.bound(target)
            if taken is None:
                return None
            alone = len(before) == 1
            others = before[0] if alone else S.Zip(tuple(before))
            targets = names[0] if alone else tuple(names)
            turn = asking.or_break((taken, *s.body))
            return (replace(s, iter=others, target=targets, body=turn, origin=0),)
        case _:
            return None


def asked(s: S.Stmt, class_of: ClassOf, where: S.Place) -> tuple[S.Stmt, ...] | None:
    """What `next(a)` and `iter(a)` of such an object mean; None for all else."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=args, kwargs=())):
            pass
        case S.Invoke(fn=E.Ref(value=fn), args=args, kwargs=()):
            pass
        case _:
            return None
    if not args or not isinstance(args[0], E.Name) or fn not in (builtins.next, builtins.iter):
        return None
    cls = class_of(args[0].id)
    if cls is None or not _goes(cls):
        return None
    target = s.target or f"t@item{s.site}"
    match args:
        case (E.Name(id=source),) if fn is builtins.iter:
            return (S.Alias(target, source, **where),)
        case (E.Name() as it,) if fn is builtins.next:
            return (S.Bind(target, E.Call(E.Attribute(it, "__next__"), ()), **where),)
        case (E.Name(id=source), default) if fn is builtins.next:
            asking = _Asking(s, source, cls, where)
            there = S.Alias(target, asking.item, **asking.inner)
            other: S.Stmt = S.Bind(target, default, **asking.inner)
            if isinstance(default, E.Name):
                other = S.Alias(target, default.id, **asking.inner)
            branch = S.If(E.Name(asking.more), (asking.taken, there), (other,), **where)
            return (*asking.ask, branch)
        case _:
            return None


def _goes(cls: type) -> bool:
    return goes_by_itself(cls) and step_of(member(cls, "__next__").value, cls) is not None


def with_items(e: E.Expr, items: Callable[[E.Expr], E.Expr]) -> E.Expr:
    match e:
        case E.Call(args=args):
            return replace(e, args=tuple(
                E.Star(items(a.value)) if isinstance(a, E.Star) else items(a) for a in args
            ))  # fmt: skip
        case _:
            return items(e)
