"""Whether a subscript selects a view, a copy, or a number."""

from __future__ import annotations

from adtrans.analyses.kinds import Kinds
from adtrans.analyses.kinds.grid_kinds import is_grid
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import RANGE, Array, Container, Instance, Scalar, TupleOf


def is_basic(items: tuple[E.Expr, ...], site: int, kinds: Kinds) -> bool:
    """Whether a subscript surely selects a view or one element: integers, slices, `...`, None."""
    for item in items:
        if isinstance(item, E.Slice) or (isinstance(item, E.Const) and item.value in (None, ...)):
            continue
        kind = kinds.expr(site, item)
        if not (isinstance(kind, Scalar) and kind.type == "int"):
            return False
    return True


def is_advanced(items: tuple[E.Expr, ...], site: int, kinds: Kinds) -> bool:
    """Whether a subscript certainly selects a copy: an index array, a mask or a list takes part."""
    for item in items:
        if isinstance(item, E.Sequence) and item.kind == "list":
            return True
        if isinstance(item, E.Slice | E.Const):
            continue
        kind = kinds.expr(site, item)
        if isinstance(kind, TupleOf) and any(isinstance(k, Array | Container) for k in kind.items):
            return True
        if kind == RANGE:
            return True
        boolean = isinstance(kind, Scalar) and kind.type == "bool"
        if isinstance(kind, Array | Container) or boolean:
            return True
    return False


def selects_copy(s: S.Load, kinds: Kinds) -> bool:
    """Whether what a statement reads is certainly a copy: elements of an array, or the numbers of
    a grid. `True` as the index of a list or of a tuple is a number."""
    base = kinds.at(s.site, s.base)
    if isinstance(base, Instance):
        return is_grid(base.cls)
    return isinstance(base, Array) and is_advanced(s.items, s.site, kinds)


def selects_number(s: S.Load, kinds: Kinds) -> bool:
    """Whether a statement reads a number, even if its target may be an array elsewhere."""
    return isinstance(kinds.expr(s.site, E.Index(E.Name(s.base), s.items)), Scalar)


def is_plain_attribute(e: E.Attribute, site: int, kinds: Kinds) -> bool:
    """Whether reading an attribute only reads: it is stored data of an object."""
    base = kinds.expr(site, e.base)
    return isinstance(base, Instance) and base.attribute(e.attr) is not None
