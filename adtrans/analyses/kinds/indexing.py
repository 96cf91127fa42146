"""The kind of `base[items]` for an array: which axes go, stay and come, and how long they are.

>>> from adtrans.ir.expr import Const, Slice
>>> n = Affine.symbol("u.shape[0]")
>>> u = Array("float64", (n, Affine.const(3)))
>>> inner = Part(Slice(Const(1), Const(-1), None), UNKNOWN, (Scalar("int", None, Affine.const(1)),
...     Scalar("int", None, Affine.const(-1)), None))
>>> print(index_kind(u, (inner, Part(Const(0), Scalar("int", None, Affine.const(0)))), NO_FACTS))
float64[u.shape[0] - 2]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from adtrans.analyses.kinds.exemplars import elementwise_dims
from adtrans.analyses.kinds.values import scalar_type
from adtrans.analyses.prove import NO_FACTS, Facts, proves_nonneg
from adtrans.ir import expr as E
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import RANGE, UNKNOWN, Array, Instance, Kind, Known, ListOf, Scalar

__all__ = ["NO_FACTS", "UNKNOWN", "Part", "index_kind", "slice_length"]

_Bounds = tuple["Kind | None", "Kind | None", "Kind | None"]


@dataclass(frozen=True, slots=True)
class Part:
    """One item of a subscript with its kind; for a slice, the kinds of its bounds.

    `length` is that of a displayed list (`x[[0, 2]]`).
    """

    expr: Expr
    kind: Kind
    bounds: _Bounds = (None, None, None)
    length: int | None = None


def index_kind(base: Array, parts: tuple[Part, ...], facts: Facts) -> Kind:
    """The kind of an array under a subscript."""
    if base.dims is None:
        return _of_unknown_rank(base, parts)
    consumed = [_axes(p) for p in parts]
    if None in consumed:
        return UNKNOWN
    rest = len(base.dims) - sum(n for n in consumed if n is not None and n > 0)
    dots = sum(_is_dots(p) for p in parts)
    if rest < 0 or dots > 1:
        return UNKNOWN  # raises when it runs
    if not dots:
        parts = (*parts, Part(E.ELLIPSIS, UNKNOWN))
    work = _Work(base, facts)
    for p in parts:
        work.take(p, rest)
    return work.result(dots > 0)


def _is_dots(p: Part) -> bool:
    return isinstance(p.expr, E.Const) and p.expr.value is Ellipsis


def _axes(p: Part) -> int | None:
    """How many axes of the base an item uses up (the dots: 0 here), None when unknown."""
    if isinstance(p.expr, E.Slice):
        return 1
    if _is_dots(p):
        return 0
    match p.kind:
        case Known(name="None"):
            return 0
        case Scalar(type="int"):
            return 1
        case Array(dtype="bool", dims=tuple() as dims) if dims:
            return len(dims)
        case Array(dtype=str() as dtype, dims=tuple()) if dtype != "bool":
            return 1
        case ListOf(item=Scalar(type="int" | "bool")):
            return 1
        case Instance() if p.kind == RANGE:
            return 1
        case _:
            return None


def _of_unknown_rank(base: Array, parts: tuple[Part, ...]) -> Kind:
    slices = sum(isinstance(p.expr, E.Slice) for p in parts)
    dots = sum(_is_dots(p) for p in parts)
    new = sum(isinstance(p.kind, Known) and p.kind.value is None for p in parts)
    numbers = sum(isinstance(p.kind, Scalar) and p.kind.type == "int" for p in parts)
    if slices + dots + new + numbers == len(parts) and (slices or dots or new):
        rank = max(base.least, slices + numbers)  # with fewer it raises
        return Array(base.dtype, None, least=rank - numbers + new)
    if any(isinstance(p.kind, Array) and p.kind.dtype == "bool" for p in parts):
        return Array(base.dtype, None)
    return UNKNOWN


class _Work:
    """Collects the axes of the result."""

    def __init__(self, base: Array, facts: Facts) -> None:
        assert base.dims is not None
        self.base, self.old, self.facts = base, base.dims, facts
        self.at = 0
        self.dims: list[Affine | None] = []
        self.not_one: list[bool] = []
        self.advanced: list[Array] = []
        self.places: list[int] = []  # where in `dims` the advanced items stood
        self.spots: list[int] = []  # and which items of the subscript they were
        self.count = 0

    def keep(self, dim: Affine | None, not_one: bool = False) -> None:
        self.dims.append(dim)
        self.not_one.append(not_one)

    def add(self, index: Array | None, axes: int) -> None:
        """An advanced item; None for an integer, which counts as one beside another."""
        self.places.append(len(self.dims))
        self.spots.append(self.count)
        self.advanced.append(Array("int64", ()) if index is None else index)
        self.at += axes

    def take(self, p: Part, rest: int) -> None:
        self.count += 1
        if _is_dots(p):
            for _ in range(rest):
                self.keep(self.old[self.at], self.at in self.base.not_one)
                self.at += 1
            return
        if isinstance(p.expr, E.Slice):
            dim = self.old[self.at]
            length = slice_length(dim, p.bounds, self.facts)
            same = length is not None and length == dim and self.at in self.base.not_one
            self.keep(length, same or (length is not None and length.value not in (None, 1)))
            self.at += 1
            return
        match p.kind:
            case Known():
                self.keep(Affine.const(1))
            case Scalar():
                self.add(None, 1)
            case Array(dtype="bool", dims=tuple() as dims):
                self.add(Array("int64", (None,)), len(dims))
            case Array() as index:
                self.add(index, 1)
            case _:
                size = None if p.length is None else Affine.const(p.length)
                boolean = isinstance(p.kind, ListOf) and p.kind.item == Scalar("bool")
                self.add(Array("int64", (None if boolean else size,)), 1)

    def result(self, dots: bool) -> Kind:
        # Arrays without axes index like integers do.
        fancy = any(a.dims for a in self.advanced)
        if fancy:
            dims, sized = elementwise_dims(self.advanced)
            adjacent = self.spots == list(range(self.spots[0], self.spots[0] + len(self.spots)))
            place = self.places[0] if adjacent else 0
            self.dims[place:place] = dims
            self.not_one[place:place] = [n in sized for n in range(len(dims))]
        if self.dims or (dots and not fancy):
            not_one = frozenset(n for n, known in enumerate(self.not_one) if known)
            return Array(self.base.dtype, tuple(self.dims), not_one)
        return element_kind(self.base)


def element_kind(base: Array) -> Kind:
    """The kind of one element of an array."""
    if base.dtype is None:
        return Scalar("float", "?")
    dtype = np.dtype(base.dtype)
    kind = scalar_type(dtype)
    return UNKNOWN if kind is None else Scalar(kind, dtype.name)


def slice_length(dim: Affine | None, bounds: _Bounds, facts: Facts) -> Affine | None:
    """How many elements a slice takes from an axis of size `max(dim, 0)`."""
    step = 1 if bounds[2] is None else _constant(bounds[2])
    if bounds[0] is None and bounds[1] is None and step in (1, -1):
        return dim
    lower = None if bounds[0] is None else _int(bounds[0])
    upper = None if bounds[1] is None else _int(bounds[1])
    unclear = (bounds[0] is not None and lower is None) or (bounds[1] is not None and upper is None)
    if step is None or step == 0 or unclear:
        return None
    if dim is not None and dim.value is not None and _both_constant(lower, upper):
        low, high = (None if b is None else b.value for b in (lower, upper))
        return Affine.const(len(range(max(dim.value, 0))[slice(low, high, step)]))
    if step == 1:
        return _plain_length(dim, lower or Affine.const(0), upper, facts)
    if step == -1 and upper is None and lower is not None and dim is not None:
        inside = proves_nonneg(lower, facts) and proves_nonneg(dim - lower - 1, facts)
        return lower + 1 if inside else None
    return None


def _plain_length(
    dim: Affine | None, lower: Affine, upper: Affine | None, facts: Facts
) -> Affine | None:
    def sure(e: Affine) -> bool:
        return proves_nonneg(e, facts)

    from_end = sure(-lower - 1)
    if not from_end and not sure(lower):
        return None
    if from_end:
        if dim is None or not sure(dim + lower):
            return None
        lower = dim + lower
    if upper is None:
        return None if dim is None else dim - lower
    if dim is None:
        return None
    if sure(-upper - 1):
        return dim + upper - lower
    return upper - lower if sure(upper) and sure(dim - upper) else None


def _both_constant(lower: Affine | None, upper: Affine | None) -> bool:
    return all(b is None or b.value is not None for b in (lower, upper))


def _int(kind: Kind) -> Affine | None:
    return kind.value if isinstance(kind, Scalar) and kind.type == "int" else None


def _constant(kind: Kind) -> int | None:
    value = _int(kind)
    return None if value is None else value.value
