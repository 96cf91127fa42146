"""Statements that go through an object with `__iter__`: they go through what that returns.

for v in a: ...      ->   t = a.__iter__(), without `iter(...)` in its result
                          for v in t: ...
p, q = a             ->   p, q = t
y = sum(a)           ->   y = sum(t)

An `__iter__` that is a generator returns all that it yields in a list. What goes through that at
once cannot tell; a loop could, so it has to be one that changes nothing that was there before.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.stepped import asked, stepped, with_items
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, blocks_of, iter_map, map_exprs, reads_of, statements
from adtrans.rules import lookup
from adtrans.source.bound import elements_of, ends_by_itself, is_calm, listed_elements_of

_AT_ONCE = (builtins.sum, builtins.list, builtins.tuple, builtins.max, builtins.min,
            builtins.sorted, math.fsum, math.prod, np.fromiter)  # fmt: skip

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
        if fn is None and (not isinstance(s, S.For) or (
            is_calm(method) and _changes_nothing(s.body, fresh, class_of)
            and (not _together(s.iter) or ends_by_itself(method))
        )):  # fmt: skip
            fn = listed_elements_of(method)
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
    the user's, which nothing else gets to see: what is added to them changes nothing else."""
    seen: set[str] = set()
    lists: set[str] = set()  # of comprehensions, whose names nobody knows before they are complete
    other: set[str] = {p.name for p in fn.params}
    for s in statements(fn.body):
        match s:
            case S.Bind(target=v, value=E.Const() | E.Binary()):
                seen.add(v)
            case S.Pack(target=v, kind="list", items=()) if fn.source_name(v) not in fn.reserved:
                lists.add(v)
            case S.Update(items=None):
                pass
            case _:
                other.update(binds_of(s))
        computes = isinstance(s, S.Bind) and isinstance(s.value, E.Binary | E.Compare | E.Unary)
        if not isinstance(s, _READING) and not computes:
            other |= reads_of(s)
        elif isinstance(s, S.Update) and isinstance(s.value, E.Name):
            other.add(s.value.id)
    return frozenset(seen - other | lists)


def _changes_nothing(body: S.Block, fresh: frozenset[str], class_of: ClassOf) -> bool:
    """Whether a block changes nothing that was there before, and is not left early."""
    return all(
        _is_calm(s, fresh, class_of)
        and all(_changes_nothing(b, fresh, class_of) for b in blocks_of(s))
        for s in body
    )


def _is_calm(s: S.Stmt, fresh: frozenset[str], class_of: ClassOf) -> bool:
    classes = [cls for v in _gone_through(s) if (cls := class_of(v)) is not None]
    if not all(is_calm(member(cls, "__iter__").value) for cls in classes):
        return False
    match s:
        case S.Bind(value=E.Call(fn=E.Ref(value=fn))):
            rule = lookup(fn)
            return rule is not None and not rule.impure and not rule.writes
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
