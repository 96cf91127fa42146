"""Code of the user's that runs where a value is only looked at, so that twice is not once.

    y = o.p.size * x + o.p.size           def p(self): self.n += 1 ...

What stands twice in a statement is computed once (`lower.builder`). Where that is code of the
user's, a property or what an operator calls, the function is lowered again without it; and where
something may come to an end by being read, as iterators do.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType

from adtrans.analyses.acting import acts_as, members
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.object_facts import Objects
from adtrans.diagnostics.span import Span
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Container, Instance, Kind, Mixed, TupleOf, Unknown, present
from adtrans.ir.walk import statements, walk

ClassesOf = Callable[[E.Expr, bool], Iterable[type | None]]  # with items, None: of any class


def told_by_objects(fn: S.Function, o: Objects) -> Iterator[Span]:
    """The places in a function where what stands twice has to run twice, by the objects in it."""

    def classes_of(e: E.Expr, inside: bool) -> Iterator[type | None]:
        for key in o.values_of(e):
            cls = o.classes.get(o.one(key))
            if cls is not None and cls not in CONTAINERS:
                yield cls

    return _each(fn, lambda s: classes_of)


def told_by_kinds(fn: S.Function, kinds: Kinds) -> Iterator[Span]:
    """The same by the kinds of what is not followed."""

    def at(s: S.Stmt) -> ClassesOf:
        return lambda e, inside: _classes(kinds.expr(s.site, e), inside)

    return _each(fn, at)


def _each(fn: S.Function, at: Callable[[S.Stmt], ClassesOf]) -> Iterator[Span]:
    for s in statements(fn.body) if fn.shared else ():
        if isinstance(s, S.Bind | S.Load):
            places = [place for place in fn.shared if place.meets(s.span)]
            if places and _runs(s, at(s)):
                yield from places


def _runs(s: S.Bind | S.Load, classes_of: ClassesOf) -> bool:
    value = E.Index(E.Name(s.base), s.items) if isinstance(s, S.Load) else s.value
    return any(_asks(sub, classes_of) for sub in walk(value))


def _asks(e: E.Expr, classes_of: ClassesOf) -> bool:
    match e:
        case E.Attribute(base=base, attr=attr):
            return E.is_atom(base) and any(_computes(c, attr) for c in classes_of(base, False))
        case E.Index(base=base, items=items):
            places = (c for i in items if E.is_atom(i) for c in classes_of(i, False) if c)
            return any(map(_acts, (*classes_of(base, False), *places)))
        case E.Unary() | E.Binary() | E.Compare() | E.Call():
            deep = isinstance(e, E.Compare | E.Call)
            found = (c for a in E.children(e) if E.is_atom(a) for c in classes_of(a, deep))
            return any(map(_acts, found))
        case _:
            return False


def _acts(cls: type | None) -> bool:
    return cls is None or hasattr(cls, "__next__") or acts_as(cls)


def _computes(cls: type | None, attr: str) -> bool:
    """Whether reading an attribute runs code, each time."""
    if cls is None:
        return True
    own = {name for name, _ in members(cls)}
    if "__getattribute__" in own:
        return True
    found = inspect.getattr_static(cls, attr, None)
    if found is None:
        return "__getattr__" in own
    get = inspect.getattr_static(type(found), "__get__", None)
    if isinstance(found, functools.cached_property):
        return False
    return isinstance(found, property) or isinstance(get, FunctionType)


def _classes(kind: Kind, inside: bool) -> Iterator[type | None]:
    match present(kind):
        case Mixed():
            return
        case Unknown():
            yield None
        case Instance(cls=cls):
            yield cls if isinstance(cls, type) else None
        case Container(item=item) if inside:
            yield from _classes(item, inside)
        case TupleOf(items=items, cls=cls):
            if cls is not None:
                yield cls
            for item in items if inside else ():
                yield from _classes(item, inside)
