"""Arrays of objects: what their elements may be, where these are no numbers.

`np.array([None, u], dtype=object)` refers to `u` as a list would; `np.array([a, b], object)` of
numbers holds copies of them. The kind of such an array is not known, so neither is that of what
is taken out of it.

>>> from adtrans.ir.kinds import PY_FLOAT
>>> named(Known("type object", object)), named(Known("'O'", "O")), named(Known("'f'", "f"))
(True, True, False)
>>> named(PY_FLOAT)
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import numpy as np

from adtrans.analyses.apply import Application
from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    NONE_KIND,
    Array,
    Container,
    Instance,
    Kind,
    Known,
    Maybe,
    Mixed,
    Scalar,
    TupleOf,
    is_anything,
    is_immutable,
    present,
)
from adtrans.ir.walk import names_in

_MOVING = ("linear", "fresh", "view", "general")
"""The forms of rules whose result may have the very elements of an operand."""

_OBJECTS = frozenset({"O", "O8", "object", "object_"})
"""What NumPy calls objects of Python as a type, but for a sign of byte order."""


def named(kind: Kind) -> bool:
    """Whether a value given for `dtype` may mean objects of Python."""
    if not isinstance(kind, Known):
        return True
    if kind.value is None:
        return False
    if isinstance(kind.value, str):  # `np.dtype` warns of some strings
        return kind.value.lstrip("<>=|") in _OBJECTS
    try:
        return bool(np.dtype(cast(Any, kind.value)).kind == "O")
    except (TypeError, ValueError):  # no type of elements: the program raises
        return False


def told(s: S.Bind, app: Application, kinds: Kinds) -> bool:
    """Whether a call says, or may say, that the elements are objects of Python."""
    dtype = app.bound.get("dtype")
    return dtype is not None and named(kinds.expr(s.site, dtype))


def of_objects(site: int, app: Application, kinds: Kinds) -> bool:
    """Whether a call certainly makes an array of objects, by its `dtype` or by what it is filled
    with."""
    dtype = app.bound.get("dtype", app.bound.get("arg1"))  # of a rule that names no parameters
    if dtype is None or dtype == E.NONE:
        fill = app.bound.get("fill_value")
        return fill is not None and kinds.expr(site, fill) == NONE_KIND
    kind = kinds.expr(site, dtype)
    return isinstance(kind, Known) and named(kind)


def elements_held(
    s: S.Bind, app: Application, kinds: Kinds, apps: Mapping[int, Application]
) -> tuple[E.Expr, ...]:
    """The operands of a call whose arrays, lists or objects may be elements of the result. What is
    not known is taken for numbers, unless `apps` make arrays of objects somewhere."""
    if app.rule.form not in _MOVING or app.rule.multilinear or not _may_hold(kinds.var(s.target)):
        return ()
    objects = told(s, app, kinds)

    def unclear() -> bool:
        return objects or any(of_objects(site, a, kinds) for site, a in apps.items())

    found: dict[str, E.Name] = {}
    for param, e in app.bound.items():
        if "[" not in param and param != "dtype":
            for v, inside in _leaves(e):
                if _is_kept(kinds.at(s.site, v), inside, objects, unclear):
                    found[v] = E.Name(v)
    return tuple(found.values())


def _leaves(e: E.Expr, inside: bool = False) -> Iterator[tuple[str, bool]]:
    """The variables of an operand, and whether each is an item of a display."""
    if isinstance(e, E.Name):
        yield e.id, inside
    elif isinstance(e, E.Sequence):
        for i in e.items:
            yield from _leaves(i, True)
    else:
        yield from ((v, True) for v in sorted(names_in(e)))


def _may_hold(kind: Kind) -> bool:
    """Whether a value may be an array of objects, or hold one."""
    kind = present(kind)
    if isinstance(kind, TupleOf):
        return any(map(_may_hold, kind.items))
    return _may_hold(kind.item) if isinstance(kind, Container) else is_anything(kind)


def _is_kept(kind: Kind, inside: bool, objects: bool, unclear: Callable[[], bool]) -> bool:
    """Whether a value, or what it holds, may become an element as it is. `inside` a display, or in
    a list; `objects`: the elements may be told to be objects, else NumPy finds out; `unclear` tells
    it for what may be an array of objects itself."""
    match kind:
        case Maybe():
            return _is_kept(kind.item, inside, objects, unclear)
        case _ if is_immutable(kind):
            return False
        case Array() | Mixed():
            return inside and objects
        case TupleOf():
            return any(_is_kept(k, True, objects, unclear) for k in kind.items)
        case Container():
            held = [kind.item, *(k for _, k in getattr(kind, "fields", ()))]
            return hasattr(kind, "fields") or any(
                _is_kept(k, True, objects, unclear) for k in held
            )
        case Instance() | Scalar():
            return isinstance(kind, Instance)
        case _:
            return unclear()
