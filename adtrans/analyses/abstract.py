"""Abstract objects: what variables may refer to, and what lists hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, ModuleType

import numpy as np

from adtrans.ir import expr as E
from adtrans.ir.kinds import (
    Array,
    Container,
    Kind,
    Mixed,
    Scalar,
    TupleOf,
    is_anything,
    is_immutable,
    present,
)

Objects = frozenset["Obj"]
Points = Mapping[str, Objects]
NOTHING: Objects = frozenset()
CACHED = "<cached>"  # the key of what a cached function returns, and will return again
GLOBAL = "<global>"  # among the parameters that a result shares memory with: it may be global data


@dataclass(frozen=True, slots=True, order=True)
class Obj:
    """An abstract object. `form`: "param", "site", "global", or "list" and "held" for a list that
    is made here and for what a list that comes from outside holds; `key`: its name or site. `item`:
    which of the arrays that such a list holds, where these are told apart."""

    form: str
    key: str
    old: bool = False
    item: str = ""
    plain: bool = field(default=False, compare=False)  # an argument without a list in it

    def __str__(self) -> str:
        return f"{'earlier ' if self.old else ''}{self.form} {self.key}"


def has_container(kind: Kind) -> bool:
    """Whether a value may be a list or have one among its items."""
    kind = present(kind)
    if isinstance(kind, TupleOf):
        return any(map(has_container, kind.items))
    return isinstance(kind, Container) or is_anything(kind)


def is_container(o: Obj) -> bool:
    """Whether an object may be a list, and not only something that one holds."""
    return o.form not in ("site", "held") and not o.plain


def containers(objs: Objects) -> Objects:
    """The lists among the objects that a list refers to: itself and what it holds."""
    return frozenset(o for o in objs if is_container(o))


def is_plain_function(value: object) -> bool:
    """Whether a value is a function that keeps nothing: no method of an object.

    >>> is_plain_function(np.sin), is_plain_function(len), is_plain_function([].append)
    (True, True, False)
    """
    if isinstance(value, BuiltinFunctionType):
        return isinstance(value.__self__, ModuleType | None)
    return isinstance(value, FunctionType | np.ufunc | type(np.argmax))


_PLAIN = (bool, int, float, complex, str, bytes, type(None))


def is_plain_value(value: object) -> bool:
    """Whether a value is a number, a text or None, which nobody can write.

    >>> is_plain_value(np.inf), is_plain_value(np.float32(1.0)), is_plain_value(np.zeros(1))
    (True, True, False)
    """
    return type(value) in _PLAIN or isinstance(value, np.number | np.bool_)


def objects_of(e: E.Expr, points: Mapping[str, Objects]) -> Objects:
    match e:
        case E.Name():
            return points.get(e.id, NOTHING)
        case E.Ref(value=value) if is_plain_function(value) or is_plain_value(value):
            return NOTHING  # a function as it is: what it holds is read as an attribute
        case E.Ref():
            return frozenset({Obj("global", e.text)})
        case E.Attribute(base=E.Ref() as base):
            return frozenset({Obj("global", base.text)})
        case E.Verbatim():
            return frozenset(o for r in e.reads for o in points.get(r, NOTHING))
        case E.Const():
            return NOTHING
        case _:
            return frozenset(o for c in E.children(e) for o in objects_of(c, points))


def held_by(kind: Kind, name: str) -> Objects:
    """What a list that comes from outside holds."""
    tuple_of_lists = isinstance(kind, TupleOf) and has_container(kind)
    return frozenset({Obj("held", name)}) if tuple_of_lists or holds_mutable(kind) else NOTHING


def holds_no_list(kind: Kind) -> bool:
    """Whether an argument is an array, or a tuple without a list in it."""
    return isinstance(kind, Array | TupleOf) and not has_container(kind)


def nested(kind: Kind, objs: Objects) -> Objects:
    """The lists that may be items of a list."""
    if not isinstance(kind, Container):
        return containers(objs)
    item = kind.item
    plain = isinstance(item, Scalar | Array | Mixed)
    flat = plain or (isinstance(item, TupleOf) and not has_container(item))
    return NOTHING if flat else containers(objs)


def item_of(kind: Kind, objs: Objects) -> Objects:
    """What an item of a value may refer to."""
    if not isinstance(kind, Container):
        return objs
    lists = frozenset(o for o in containers(objs) if o.form != "global")  # that may be anything
    return objs - lists | nested(kind, objs)


def holds_mutable(kind: Kind) -> bool:
    """Whether a value is a list of something that can be written."""
    return isinstance(kind, Container) and not is_immutable(kind.item)
