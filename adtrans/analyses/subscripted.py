"""Which part of an array a subscript touches.

>>> from adtrans.ir.expr import Const, Slice
>>> u = K.Array("float64", (Affine.symbol("u.shape[0]"),))
>>> print(region_of((Slice(Const(1), Const(-1), None),), u))
[1:u.shape[0] - 1]
>>> print(region_of((Slice(Const(1), None, Const(2)),), u))
[1:u.shape[0]:2]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adtrans.analyses.kinds.expression_kinds import kind_of_expr
from adtrans.analyses.prove import NO_FACTS, Facts, proves_nonneg
from adtrans.analyses.regions import SOME, Axis, Part, Point, Region, Run, Whole
from adtrans.ir import expr as E
from adtrans.ir import kinds as K
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import Kind

_ZERO = Affine.const(0)


def region_of(
    items: tuple[Expr, ...],
    base: Kind,
    env: Mapping[str, Kind] | None = None,
    facts: Facts = NO_FACTS,
) -> Region:
    """The part of `base` that `base[items]` reads or writes; `env` gives the kinds of variables."""
    if not isinstance(base, K.Array):
        return SOME
    env = env or {}
    axes: list[Axis] = []
    new: list[int] = []
    items = _spread(items, env)
    dims = base.dims
    for n, item in enumerate(items):
        dim = dims[len(axes)] if dims is not None and len(axes) < len(dims) else None
        kind = K.UNKNOWN if isinstance(item, E.Slice) else kind_of_expr(item, env, facts)
        match item, kind:
            case E.Slice(), _:
                axes.append(_slice(item, dim, env, facts))
            case E.Const(type="NoneType"), _:
                new.append(len(axes) - sum(isinstance(a, Point) for a in axes) + len(new))
            case E.Const(type="ellipsis"), _:
                rest = sum(not _is_new(i) for i in items[n + 1 :])
                if dims is None or not all(_is_simple(i, env, facts) for i in items[n + 1 :]):
                    # Where the axes after the dots stand is unknown.
                    return Region((*axes, Part()), tuple(new))
                axes.extend([Whole()] * (len(dims) - len(axes) - rest))
            case _, K.Scalar(type="int"):
                axes.append(_point(kind.value, dim, facts))
            case _, K.Array(dtype=str() as dtype, dims=tuple() as shape) if dtype != "bool":
                axes.append(Part())
            case _, K.Array(dtype="bool", dims=tuple() as shape) if shape:
                axes.extend([Part()] * len(shape))
            case _, K.ListOf(item=K.Scalar(type="int")):
                axes.append(Part())
            case _:
                return Region((*axes, Part()), tuple(new))
    return Region(tuple(axes), tuple(new))


def _spread(items: tuple[Expr, ...], env: Mapping[str, Kind]) -> tuple[Expr, ...]:
    """A tuple display as the only item stands for its items."""
    if len(items) == 1 and isinstance(items[0], E.Sequence) and items[0].kind == "tuple":
        return items[0].items
    return items


def _is_new(item: Expr) -> bool:
    return isinstance(item, E.Const) and item.value is None


def _is_simple(item: Expr, env: Mapping[str, Kind], facts: Facts) -> bool:
    """Whether the item stands for one axis (or a new one) for certain."""
    if isinstance(item, E.Slice) or _is_new(item):
        return True
    match kind_of_expr(item, env, facts):
        case K.Scalar(type="int"):
            return True
        case K.Array(dtype=str() as dtype):
            return dtype != "bool"
        case _:
            return False


def _point(at: Affine | None, dim: Affine | None, facts: Facts) -> Axis:
    if at is None:
        return Part()
    if proves_nonneg(at, facts):
        return Point(at)
    if dim is not None and proves_nonneg(-at - 1, facts):
        return Point(dim + at)  # counted from the end; a size below 0 would have raised
    return Part()


def _slice(item: E.Slice, dim: Affine | None, env: Mapping[str, Kind], facts: Facts) -> Axis:
    step = 1 if item.step is None else _constant(kind_of_expr(item.step, env, facts))
    if item.lower is None and item.upper is None and step in (1, -1):
        return Whole(step == 1)
    if step is None or step == 0:
        return Part()
    lower = None if item.lower is None else _Bound.of(item.lower, dim, env, facts)
    upper = None if item.upper is None else _Bound.of(item.upper, dim, env, facts)
    if step < 0:
        return _descending(lower, upper, dim, step)
    start, aligned = (_ZERO, True) if lower is None else (lower.start or _ZERO, lower.sharp)
    stop, sharp = (dim, dim is not None) if upper is None else (upper.stop, upper.inside)
    if start == _ZERO and stop is not None and stop == dim and step == 1:
        return Whole() if aligned and sharp else Part()
    return Run(start, stop, step if aligned else 1, aligned and sharp, aligned)


def _descending(
    lower: _Bound | None, upper: _Bound | None, dim: Affine | None, step: int
) -> Axis:
    """`u[a:b:-1]` touches `b + 1` to `a`; which of them with a longer step is left open."""
    start, sharp = _ZERO, upper is None
    if upper is not None and upper.sharp and upper.start is not None:
        start, sharp = upper.start + 1, True
    stop = dim
    if lower is not None:
        stop = None if lower.stop is None else lower.stop + 1
        sharp = sharp and lower.inside and lower.sharp and lower.below
    return Run(start, stop, 1, sharp and stop is not None and step == -1, aligned=False)


@dataclass(frozen=True, slots=True)
class _Bound:
    """A bound of a slice, counted from 0.

    As a lower bound it is `start` if `sharp`, otherwise anything; as an upper one it is not above
    `stop`, and there if `inside`. `below`: it is the position of an element.
    """

    start: Affine | None = None
    stop: Affine | None = None
    sharp: bool = False
    inside: bool = False
    below: bool = False

    @staticmethod
    def of(e: Expr, dim: Affine | None, env: Mapping[str, Kind], facts: Facts) -> _Bound:
        kind = kind_of_expr(e, env, facts)
        value = kind.value if isinstance(kind, K.Scalar) and kind.type == "int" else None
        if value is None:
            return _Bound(stop=dim)
        if proves_nonneg(value, facts):
            inside = dim is not None and proves_nonneg(dim - value, facts)
            below = dim is not None and proves_nonneg(dim - value - 1, facts)
            return _Bound(value, value, True, inside, below)
        if dim is None or not proves_nonneg(-value - 1, facts):
            return _Bound(stop=dim)
        # From the end: below 0 it is cut off there, which changes a start but leaves a stop empty.
        at = dim + value
        sharp = proves_nonneg(at, facts)
        return _Bound(at if sharp else None, at, sharp, True, sharp)


def _constant(kind: Kind) -> int | None:
    if isinstance(kind, K.Scalar) and kind.type == "int" and kind.value is not None:
        return kind.value.value
    return None
