"""Objects put in order by methods of their own: `sorted(objs)`, `min(a, b)`, `objs.sort()`.

y = sorted(objs)   ->   held = list(objs)
                        order = argsort held        # asks the objects, as they are
                        y = take held, order
y = min(objs)      ->   place = argmin objs
                        y = objs[place]

Which comes first is a constant. The methods are not followed: they have to change nothing.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from types import FunctionType

from adtrans.analyses.objects.classes import member
from adtrans.analyses.objects.dataclass_fields import is_generated
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.rules import lookup
from adtrans.source.calm import is_calm

_PLACES: dict[object, S.EditOp] = {min: "argmin", max: "argmax"}
_ASKED = ("__lt__", "__gt__", "__eq__")  # the last two by the other operand, and by tuples


def ordered(
    s: S.Stmt, holds: Callable[[str], bool], is_one: Callable[[str], bool]
) -> tuple[S.Stmt, ...] | None:
    """The statements for a call that puts objects in order, or chooses one; None for all else.
    `holds`: whether a variable means lists that hold objects which can be asked; `is_one`: whether
    it means such an object."""
    where: S.Place = {"site": s.site, "span": s.span, "origin": 0}
    match s:
        case S.Invoke(target=str() as target, fn=E.Ref(value=fn), args=args, kwargs=kwargs):
            pass
        case S.Bind(target=target, value=E.Call(fn=E.Ref(value=fn), args=given, kwargs=words)):
            args = tuple(a for a in given if isinstance(a, E.Name))
            kwargs = tuple((k, a) for k, a in words if isinstance(a, E.Name | E.Const))
            if len(args) < len(given) or len(kwargs) < len(words):
                return None
        case S.Bind(
            target=target,
            value=E.Call(fn=E.Attribute(base=E.Name(id=v), attr="sort"), args=(), kwargs=words),
        ) if holds(v):
            if (by := _reverse(words)) is None:
                return None
            order, taken = f"{target}@order{s.site}", f"{target}@taken{s.site}"
            return (
                S.Edit(order, "argsort", v, by, **where),
                S.Edit(taken, "take", v, (E.Name(order),), **where),
                S.Edit(None, "splice", v, (E.NONE, E.NONE, E.Name(taken)), **where),
                S.Bind(target, E.NONE, **where),
            )
        case _:
            return None
    first: tuple[S.Stmt, ...] = ()
    match args:
        case (E.Name(id=v),) if holds(v):
            pass
        case (_, _, *_) if all(isinstance(a, E.Name) and is_one(a.id) for a in args):
            v = f"{target}@given{s.site}"
            first = (S.Pack(v, "list", args, **where),)
        case _:
            return None
    order = f"{target}@order{s.site}"
    if fn is sorted and not first and (by := _reverse(kwargs)) is not None:
        held = f"{target}@held{s.site}"
        return (
            S.Edit(held, "list", v, (), **where),
            S.Edit(order, "argsort", held, by, **where),
            S.Edit(target, "take", held, (E.Name(order),), **where),
        )
    op = next((op for f, op in _PLACES.items() if fn is f), None)
    if op is None or kwargs:
        return None
    return (*first, S.Edit(order, op, v, (), **where), S.Load(target, v, (E.Name(order),), **where))


def _reverse(words: tuple[tuple[str, E.Expr], ...]) -> tuple[E.Atom, ...] | None:
    """What follows a list in a call that orders it; None for other words than `reverse`."""
    match words:
        case ():
            return ()
        case (("reverse", E.Name() | E.Const() as value),):
            return (value,)
        case _:
            return None


def may_be_asked(cls: type) -> bool:
    """Whether objects of a class can be ordered, and change nothing when they are asked.

    >>> class Count:
    ...     def __lt__(self, other):
    ...         self.asked = True
    ...         return self.n < other.n
    >>> may_be_asked(Count), may_be_asked(object)
    (False, False)
    """
    asked = any(getattr(cls, n) is not getattr(object, n) for n in ("__lt__", "__gt__"))
    return asked and stays(cls)


def stays(cls: type) -> bool:
    """Whether objects of a class change nothing when they are compared."""
    return all(_changes_nothing(cls, n) for n in _ASKED)


def _changes_nothing(cls: type, name: str) -> bool:
    found = inspect.getattr_static(cls, name)
    if found is getattr(object, name):
        return True
    if not isinstance(found, FunctionType) or member(cls, name).form != "method":
        return False
    if is_generated(found) or found.__module__ == functools.__name__:  # of fields; of the others
        return True

    def own(attr: str) -> tuple[str, object]:
        of = member(cls, attr)
        return of.form, of.value

    return is_calm(found, _pure, own)


def _pure(fn: object, count: int, names: object) -> bool | None:
    rule = lookup(fn)
    if rule is None:
        return None
    return rule.custom is None and not rule.impure and not rule.writes
