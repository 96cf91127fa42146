"""Statements that go through an object with `__iter__`: they go through what that returns.

for v in a: ...      ->   t = a.__iter__(), without `iter(...)` in its result
                          for v in t: ...
p, q = a             ->   p, q = t
y = sum(a)           ->   y = sum(t)

An `__iter__` that is a generator returns all that it yields in a list. What only keeps the items
cannot tell. What computes between two of them could, where the generator changes what it yielded:
it is given copies then. A loop could, too, so it has to be one that changes nothing that was there
before, and the generator has to be calm.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import FunctionType

import numpy as np

from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.stepped import asked, stepped, with_items
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, iter_map, map_exprs, reads_of, statements
from adtrans.rules import lookup
from adtrans.source.bound import elements_of, listed_elements_of
from adtrans.source.calm import ends_by_itself, is_calm

_AT_ONCE = (builtins.sum, builtins.list, builtins.tuple, builtins.max, builtins.min,
            builtins.sorted, math.fsum, math.prod, np.fromiter)  # fmt: skip

_COMPUTING = (builtins.sum, math.fsum, math.prod, np.fromiter)  # while more is yielded
_CHOOSING = (builtins.max, builtins.min)  # the same, and one item is the result

_READING = S.Load | S.Update | S.Return | S.If | S.While

ClassOf = Callable[[str], "type | None"]


def iterated(
    s: S.Stmt, class_of: ClassOf, fresh: frozenset[str], where: S.Place
) -> tuple[S.Stmt, ...] | None:
    """The statements that `s` means if it goes through an object; None for all else.

    `class_of`: the class of the object that a variable means; `fresh`: see `unseen`.
    """
    gone = [v for v in _gone_through(s) if class_of(v) is not None]
    if not gone:
        return asked(s, class_of, where)
    if len(gone) == 1 and (by := stepped(s, gone[0], class_of(gone[0]), where)) is not None:
        return by
    out: list[S.Stmt] = []
    to: dict[str, str] = {}
    for v in dict.fromkeys(gone):
        cls = class_of(v)
        method = None if cls is None else member(cls, "__iter__").value
        fn = elements_of(method)
        if fn is None and isinstance(s, S.For):
            calm = _yields_calmly(method, cls) and _changes_nothing(s.body, fresh, class_of)
            if calm and (not _together(s.iter) or ends_by_itself(method)):
                fn = listed_elements_of(method, ahead=True)
        elif fn is None:
            fn = _at_once(s, method, cls)
        if fn is None or cls is None:
            return None
        to[v] = f"{v}@items{s.site}"
        ref = E.Ref(f"{cls.__name__}___iter__", fn)
        out.append(S.Invoke(to[v], ref, (E.Name(v),), **where))

    def items(e: E.Expr) -> E.Expr:
        return E.Name(to[e.id]) if isinstance(e, E.Name) and e.id in to else e

    s = replace(s, origin=0)  # it is not what the user wrote any more
    match s:
        case S.For():
            return (*out, replace(s, iter=iter_map(s.iter, items)))
        case S.Unpack():
            return (*out, replace(s, source=to[s.source]))
        case _:
            return (*out, map_exprs(s, lambda e: with_items(e, items)))


def _yields_calmly(method: object, cls: type | None) -> bool:
    """Whether a generator of a class writes nothing that others could see."""

    def own(attr: str) -> tuple[str, object]:
        assert cls is not None
        found = member(cls, attr)
        return found.form, found.value

    return is_calm(method, _pure, None if cls is None else own)


def _pure(fn: object, count: int, names: Sequence[str]) -> bool | None:
    rule = lookup(fn)
    if rule is None:
        return None
    told = rule.custom is None and not rule.impure and not rule.writes
    return told and not rule.fills(count, names)


def _at_once(s: S.Stmt, method: object, cls: type | None) -> FunctionType | None:
    """The function that returns all that a generator yields, as what goes through it sees it."""
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=by))) | S.Invoke(fn=E.Ref(value=by)):
            told = any(by is f for f in (*_COMPUTING, *_CHOOSING))
            told = told and not _yields_calmly(method, cls)
            if told and any(by is f for f in _CHOOSING):
                return None
            return listed_elements_of(method, copied=told)
        case _:
            return listed_elements_of(method)


def _gone_through(s: S.Stmt) -> Iterator[str]:
    """The variables whose elements a statement uses, all of them or in a loop."""
    match s:
        case S.For():
            yield from _elements(s.iter)
        case S.Unpack(source=source):
            yield source
        case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=(E.Name(id=v), *rest))) if _whole(fn):
            if not any(isinstance(a, E.Name) and a.id == v for a in rest):
                yield v
        case S.Invoke(fn=E.Ref(value=fn), args=(E.Name(id=v),), kwargs=()) if _whole(fn):
            yield v
        case _:
            pass


def _whole(fn: object) -> bool:
    return any(fn is f for f in _AT_ONCE)


def _together(it: S.Iter) -> bool:
    """Whether something may end before what it is gone through with."""
    return isinstance(it, S.Zip) or (isinstance(it, S.Enumerate) and _together(it.inner))


def _elements(it: S.Iter) -> Iterator[str]:
    match it:
        case S.Elements(source=source):
            yield source
        case S.Enumerate(inner=inner):
            yield from _elements(inner)
        case S.Zip(inners=inners):
            for i in inners:
                yield from _elements(i)
        case _:
            pass


def unseen(fn: S.Function) -> frozenset[str]:
    """The variables that are numbers or results of operations, and lists that are no variables of
    the user's, which nothing else gets to see, nor a part of them: what is added to them changes
    nothing else."""
    made: set[str] = set()
    lists: set[str] = set()  # of comprehensions, whose names nobody knows before they are complete
    other: set[str] = {p.name for p in fn.params}
    seen: set[str] = set()
    parts: set[tuple[str, str]] = set()
    for s in statements(fn.body):
        match s:
            case S.Bind(target=v, value=E.Const() | E.Binary()):
                made.add(v)
            case S.Pack(target=v, kind="list", items=()) if fn.source_name(v) not in fn.reserved:
                lists.add(v)
            case S.Update(items=None):
                pass
            case _:
                other.update(binds_of(s))
        computes = isinstance(s, S.Bind) and isinstance(s.value, E.Binary | E.Compare | E.Unary)
        if not isinstance(s, _READING) and not computes:
            seen |= reads_of(s)
        elif isinstance(s, S.Update) and isinstance(s.value, E.Name):
            seen.add(s.value.id)
        elif isinstance(s, S.Load):
            parts.add((s.target, s.base))  # may look into it
    while more := {base for part, base in parts if part in seen} - seen:
        seen |= more
    return frozenset(made - other - seen | lists)


def _changes_nothing(body: S.Block, fresh: frozenset[str], class_of: ClassOf) -> bool:
    """Whether a block changes nothing that was there before, and is not left early."""
    return all(
        _is_calm(s, fresh, class_of)
        and all(_changes_nothing(b, fresh, class_of) for b in blocks_of(s))
        for s in body
    )


def _is_calm(s: S.Stmt, fresh: frozenset[str], class_of: ClassOf) -> bool:
    classes = [cls for v in _gone_through(s) if (cls := class_of(v)) is not None]
    if not all(_yields_calmly(member(cls, "__iter__").value, cls) for cls in classes):
        return False
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=fn), args=args, kwargs=kwargs)):
            rule = lookup(fn)
            if rule is None or rule.impure or rule.writes:
                return False
            says = rule.custom is None or not rule.any_arguments  # what is said to be constant
            return says and not rule.fills(len(args), [k for k, _ in kwargs])
        case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr="append"))):
            return base in fresh
        case S.Bind(value=E.Call()):
            return False
        case S.Update(items=None, base=base):
            return base in fresh
        case S.Bind() | S.Load() | S.Alias() | S.Pack() | S.Unpack() | S.If() | S.For():
            return True
        case _:
            return False
