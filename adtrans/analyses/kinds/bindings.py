"""What a simple statement binds, given the kinds of the expressions in it.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir.kinds import PY_FLOAT
>>> two = S.Unpack(("a", "b"), "t", site=1, span=Span("f.py", 1, 0, 1, 1))
>>> found = binding(two, lambda e: TupleOf((PY_INT, PY_FLOAT)))
>>> print(found["a"], found["b"])
int float
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from adtrans.analyses.kinds import header_kinds
from adtrans.analyses.kinds.arithmetic import binary
from adtrans.analyses.kinds.folded import stacked, summed
from adtrans.analyses.kinds.lattice import join, list_of, tuple_of
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    NEVER,
    NONE_KIND,
    PY_INT,
    UNKNOWN,
    Array,
    DictOf,
    Instance,
    Kind,
    ListOf,
    Maybe,
    Mixed,
    Never,
    TupleOf,
    present,
)  # fmt: skip

Look: TypeAlias = Callable[[Expr], Kind]


def binding(s: S.Stmt, look: Look) -> Mapping[str, Kind]:
    """The variables that a simple statement binds, with their kinds."""
    match s:
        case S.Bind():
            return {s.target: look(s.value)}
        case S.Load():
            return {s.target: look(E.Index(E.Name(s.base), s.items))}
        case S.Alias():
            return {s.target: look(E.Name(s.source))}
        case S.Pack(kind="dict"):
            return {s.target: DictOf(NEVER, (), NEVER)}
        case S.Pack(cls=E.Ref(value=type() as cls)):
            return {s.target: tuple_of(*map(look, s.items), cls=cls)}
        case S.Pack():
            return {s.target: look(E.Sequence(s.kind, s.items))}
        case S.Unpack():
            return dict(zip(s.targets, _unpacked(s, look), strict=True))
        case S.Update(items=None):
            return {s.base: _updated(s, look)}
        case S.Invoke():
            kind = _invoked(s, look)
            return {} if s.target is None else {s.target: kind}
        case S.Edit():
            return {} if s.target is None else {s.target: _edited(s, look)}
        case S.Keep():
            return dict.fromkeys(s.binds, UNKNOWN)
        case _:
            return {}


def _updated(s: S.Update, look: Look) -> Kind:
    base = present(look(E.Name(s.base)))
    if isinstance(base, Array):
        return base  # in place: shape and dtype stay
    if isinstance(base, ListOf):
        return base if s.op in ("+", "*") else UNKNOWN
    if isinstance(base, Mixed):  # of an array again, a number is bound anew
        found: Kind = base.array
        value = look(s.value)
        others = value.alternatives() if isinstance(value, Mixed) else (value,)
        for number, other in itertools.product(base.numbers, others):
            found = join(found, binary(s.op, number, other, s.value))
        return found
    return look(E.Binary(s.op, E.Name(s.base), s.value))


def _invoked(s: S.Invoke, look: Look) -> Kind:
    if any(isinstance(a, E.Star) for a in s.args) or any(not k for k, _ in s.kwargs):
        return UNKNOWN
    kind = look(E.Call(s.fn, s.args, s.kwargs))
    return kind if isinstance(s.fn, E.Ref) else _out_of_sight(kind)


def _out_of_sight(kind: Kind) -> Kind:
    """`kind` of what a function gave of which nobody knew, when objects were followed, which one it
    is: what varies in an object of it is in no variables of the function that calls it."""
    match kind:
        case Instance():
            return replace(kind, followed=False)
        case Maybe():
            return join(_out_of_sight(kind.item), NONE_KIND)
        case TupleOf():
            return replace(kind, items=tuple(map(_out_of_sight, kind.items)))
        case ListOf():
            return replace(kind, item=_out_of_sight(kind.item))
        case DictOf():
            fields = tuple((n, _out_of_sight(k)) for n, k in kind.fields)
            return replace(kind, item=_out_of_sight(kind.item), fields=fields)
        case _:
            return kind


def _unpacked(s: S.Unpack, look: Look) -> tuple[Kind, ...]:
    """The kinds of the items of what is unpacked."""
    kind, count = present(look(E.Name(s.source))), len(s.targets)
    if s.star is None:
        return header_kinds.items_of(kind, count)
    behind = count - s.star - 1
    if isinstance(kind, TupleOf) and len(kind.items) >= count - 1:
        items = list(kind.items)
        rest = items[s.star : len(items) - behind]
        each: Kind = NEVER
        for item in rest:
            each = join(each, item)
        return (*items[: s.star], list_of(each), *items[len(items) - behind :])
    if not isinstance(kind, Array | ListOf | Never):
        return (UNKNOWN,) * count
    each = header_kinds.items_of(kind, count)[0]
    held: Kind = kind if isinstance(kind, Never) else list_of(each)
    return tuple(held if k == s.star else each for k in range(count))


def _edited(s: S.Edit, look: Look) -> Kind:
    """The kind of what an operation of a list gives."""
    base, args = present(look(E.Name(s.base))), [look(a) for a in s.args]
    if isinstance(base, DictOf):
        known: dict[str, Kind] = {
            "copy": base, "keys": ListOf(base.key), "last_key": base.key
        }
        return known.get(s.op, NONE_KIND if s.op in S.CHANGES else UNKNOWN)
    if not isinstance(base, ListOf):
        return UNKNOWN
    match s.op:
        case "pop":
            return base.item
        case "copy" | "repeat":
            return base
        case "list" | "freeze":
            return replace(base, frozen=s.op == "freeze")
        case "take":
            return base
        case "argmax" | "argmin" | "index" | "count" | "find":
            return PY_INT
        case "argsort":
            return ListOf(PY_INT)
        case "concat":
            return join(base, args[0])
        case "sum":
            return summed(base.item, args[0] if args else PY_INT)
        case "array":
            return stacked(base.item)
        case "concatenate":
            if isinstance(base.item, Array) and base.item.dims:
                return Array(base.item.dtype, (None, *base.item.dims[1:]))
            return UNKNOWN
        case _:
            return NONE_KIND
