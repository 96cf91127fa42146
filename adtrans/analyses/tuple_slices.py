"""Spells out what is taken of tuples that carry a derivative: slices, items by a variable.

q = p[1:]        ->   t = p[1]; t_2 = p[2]; q = (t, t_2)
q = p[:]         ->   q = p
v = p[k]         ->   t = p[0]; t_2 = p[1]; t_3 = [t, t_2]; v = t_3[k]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from adtrans.analyses.kinds import Kinds
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, DictOf, Known, ListOf, Scalar, TupleOf, is_differentiable
from adtrans.ir.names import NameAllocator


def cut(
    s: S.Stmt, kinds: Kinds, names: NameAllocator, site: Callable[[], int]
) -> list[S.Stmt] | None:
    """The statements that `s` stands for, None where it does nothing of the kind."""

    def items(base: str, places: Sequence[int]) -> Iterator[S.Load]:
        for k in places:
            name = names.fresh("t")
            yield S.Load(name, base, (E.Const(k),), site=site(), span=s.span, origin=s.origin)

    def packed(form: Literal["tuple", "list"], target: str, loads: list[S.Load]) -> S.Pack:
        atoms = tuple(E.Name(t.target) for t in loads)
        return S.Pack(target, form, atoms, **S.place(s, s.site))

    match s:
        case S.Load(items=(item,)) if _carries(kind := kinds.at(s.site, s.base)):
            assert isinstance(kind, TupleOf)
            if isinstance(item, E.Slice):
                places = _selected(s.site, item, len(kind.items), kinds)
                if places is None:
                    return None
                if places == range(len(kind.items)) and places.step == 1 and kind.cls is None:
                    return [S.Alias(s.target, s.base, **S.place(s, s.site))]  # it is the same one
                loads = list(items(s.base, places))
                return [*loads, packed("tuple", s.target, loads)]
            index = kinds.expr(s.site, item)
            if isinstance(item, E.Const) or not _is_int(index):
                return None
            if (k := _constant(index)) is not None:
                return [replace(s, items=(E.Const(k),))]
            loads = list(items(s.base, range(len(kind.items))))
            held = replace(packed("list", names.fresh("t"), loads), site=site())
            return [*loads, held, replace(s, base=held.target)]
        case _:
            return None


def _carries(kind: object) -> bool:
    return isinstance(kind, TupleOf) and is_differentiable(kind)


def is_no_place(items: tuple[E.Expr, ...], site: int, kinds: Kinds) -> bool:
    """Whether a tuple has no item for a subscript, whatever it holds: Python raises there.

    >>> is_no_place((E.Const(0), E.Const(1)), 1, None), is_no_place((E.Const("a"),), 1, None)
    (True, True)
    """
    if len(items) != 1:
        return True
    (item,) = items
    if isinstance(item, E.Slice):
        return False
    if isinstance(item, E.Const):
        return not isinstance(item.value, int)
    match kinds.expr(site, item):
        case Scalar(type="bool", dtype=dtype):
            return dtype == "bool"  # one of NumPy
        case Scalar(type=form):
            return form != "int"
        case Array(dims=dims, least=least):
            return bool(dims) or least > 0
        case TupleOf() | ListOf() | DictOf():
            return True
        case Known(value=value):
            return not hasattr(type(value), "__index__")
        case _:
            return False


def _is_int(kind: object) -> bool:
    return isinstance(kind, Scalar) and (
        kind.type == "int" or (kind.type == "bool" and kind.dtype is None)
    )


def _constant(kind: object) -> int | None:
    return kind.value.value if isinstance(kind, Scalar) and kind.value is not None else None


def _selected(site: int, item: E.Slice, length: int, kinds: Kinds) -> range | None:
    """The places that a slice selects, where its bounds are known."""
    bounds: list[int | None] = []
    for b in (item.lower, item.upper, item.step):
        given = b is not None and b != E.NONE
        bounds.append(_constant(kinds.expr(site, b)) if given and b is not None else None)
        if given and bounds[-1] is None:
            return None
    return range(length)[slice(*bounds)]
