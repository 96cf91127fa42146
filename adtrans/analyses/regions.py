"""Which part of an array a subscript touches, and whether two parts can overlap.

>>> from adtrans.ir.expr import Binary, Const, Slice
>>> n = Affine.symbol("u.shape[0]")
>>> u = K.Array("float64", (n,))
>>> inner = region_of((Slice(Const(1), Const(-1), None),), u)
>>> print(inner)
[1:u.shape[0] - 1]
>>> even, odd = (region_of((Slice(Const(k), None, Const(2)),), u) for k in (0, 1))
>>> disjoint(even, odd), disjoint(inner, odd), covers(ALL, inner), covers(inner, odd)
(True, False, True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from adtrans.analyses import iterations
from adtrans.analyses.iterations import LoopFacts
from adtrans.analyses.kinds.expressions import kind_of_expr
from adtrans.analyses.prove import NO_FACTS, Facts, never_divisible, proves_nonneg, proves_nonzero
from adtrans.ir import expr as E
from adtrans.ir import kinds as K
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import Kind

__all__ = [
    "ALL", "SOME", "Part", "Point", "Region", "Run", "Whole", "after", "compose", "covers",
    "disjoint", "earlier", "in_words", "region_of",
]  # fmt: skip

_ZERO = Affine.const(0)


@dataclass(frozen=True, slots=True)
class Point:
    """One position, counted from 0."""

    at: Affine

    def __str__(self) -> str:
        return str(self.at)


@dataclass(frozen=True, slots=True)
class Run:
    """Positions `start, start + step, ...` below `stop` (None: the end of the axis).

    `exact`: just these; otherwise no others. `aligned`: the run does start at `start`, so that
    element `k` of the view stands at `start + k * step`.
    """

    start: Affine
    stop: Affine | None
    step: int = 1
    exact: bool = True
    aligned: bool = True

    def __str__(self) -> str:
        stop = "" if self.stop is None else self.stop
        step = "" if self.step == 1 else f":{self.step}"
        return f"{self.start}:{stop}{step}" + ("" if self.exact else "?")


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole axis; `aligned` unless it is read from its end."""

    aligned: bool = True

    def __str__(self) -> str:
        return ":"


@dataclass(frozen=True, slots=True)
class Part:
    """Some positions, possibly all, possibly none."""

    def __str__(self) -> str:
        return "?"


Axis: TypeAlias = Point | Run | Whole | Part


@dataclass(frozen=True, slots=True)
class Region:
    """A part of an array, axis by axis; axes beyond the listed ones are whole.

    `new` lists the axes of the view that `None` items added; None when they are not known.
    """

    axes: tuple[Axis, ...] = ()
    new: tuple[int, ...] | None = ()

    def __str__(self) -> str:
        return f"[{', '.join(str(a) for a in self.axes)}]" if self.axes else "[...]"

    @property
    def symbols(self) -> frozenset[str]:
        """The symbols in its bounds."""
        return frozenset(s for axis in self.axes for e in _bounds(axis) for s in e.symbols)

    @property
    def is_exact(self) -> bool:
        """Whether the region is certainly touched, all of it."""
        return all(a.exact if isinstance(a, Run) else not isinstance(a, Part) for a in self.axes)


ALL = Region()
SOME = Region((Part(),))


def _bounds(axis: Axis) -> tuple[Affine, ...]:
    match axis:
        case Point():
            return (axis.at,)
        case Run():
            return (axis.start,) if axis.stop is None else (axis.start, axis.stop)
        case Whole() | Part():
            return ()


def _map(region: Region, f: Callable[[Affine], Affine]) -> Region:
    def one(axis: Axis) -> Axis:
        match axis:
            case Point():
                return Point(f(axis.at))
            case Run():
                stop = None if axis.stop is None else f(axis.stop)
                return replace(axis, start=f(axis.start), stop=stop)
            case Whole() | Part():
                return axis

    return replace(region, axes=tuple(one(a) for a in region.axes))


def in_words(region: Region, words: Callable[[str], Affine | None]) -> Region | None:
    """A region with what its symbols mean elsewhere in place of them, None where that is unknown.

    >>> last = Region((Point(Affine.symbol("a.shape[0]") - 1),))
    >>> print(in_words(last, lambda symbol: Affine.symbol("n") + 2))
    [n + 1]
    """
    meant = {symbol: words(symbol) for symbol in sorted(region.symbols)}

    def said(e: Affine) -> Affine:
        found = Affine.const(e.constant)
        for symbol, factor in e.terms:
            found = found + factor * (meant[symbol] or _ZERO)
        return found

    return None if None in meant.values() else _map(region, said)


def earlier(region: Region, loop: LoopFacts) -> Region:
    """A region of this iteration of `loop`, in the words of a later iteration."""
    return _map(region, lambda e: iterations.earlier(e, loop))


def after(region: Region, loop: LoopFacts) -> Region:
    """A region of some iteration of `loop`, in the words of what follows the loop."""
    return _map(region, lambda e: iterations.after(e, loop))


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


def compose(outer: Region, inner: Region) -> Region:
    """The part of the base that `inner` touches in the view `base[outer]`.

    >>> one = Affine.const(1)
    >>> print(compose(Region((Point(one), Run(one, None))), Region((Point(one),))))
    [1, 2]
    """
    if outer.new is None or any(isinstance(a, Part) for a in outer.axes):
        return Region((*outer.axes, Part()), None)
    axes: list[Axis] = list(outer.axes)
    free = [n for n, a in enumerate(axes) if not isinstance(a, Point)]  # axes that the view has
    exact = True
    for at, axis in enumerate(inner.axes):
        if at in outer.new:
            exact = exact and isinstance(axis, Whole | Point)
            continue
        old = at - sum(n < at for n in outer.new)
        while old >= len(free):
            free.append(len(axes))
            axes.append(Whole())
        axes[free[old]] = _within(axes[free[old]], axis)
    if not exact:
        return Region((*axes, Part()), None)
    return Region(tuple(axes), _new_axes(outer, inner))


def _new_axes(outer: Region, inner: Region) -> tuple[int, ...] | None:
    """Which axes of a view of a view are new, in the cases where that is simple."""
    if not outer.new:
        return inner.new
    if not inner.new and not any(isinstance(a, Point) for a in inner.axes):
        return outer.new
    return None


def _within(outer: Axis, inner: Axis) -> Axis:
    match outer, inner:
        case (Part(), _) | (_, Part()):
            return replace(outer, exact=False, aligned=False) if isinstance(outer, Run) else Part()
        case Whole(), _ if outer.aligned:
            return inner
        case _, Whole():
            return outer if inner.aligned else _turned(outer)
        case Run(), Point() if outer.aligned:
            return Point(outer.start + outer.step * inner.at)
        case Run(), Run() if outer.aligned:
            stop = outer.stop
            if inner.stop is not None:
                stop = outer.start + outer.step * (inner.stop - 1) + 1
            return Run(
                outer.start + outer.step * inner.start,
                stop,
                outer.step * inner.step,
                outer.exact and inner.exact,
                inner.aligned,
            )
        case Run(), _:
            return replace(outer, exact=False)
        case _:
            return Part()


def _turned(axis: Axis) -> Axis:
    """The same positions, in another order."""
    return replace(axis, aligned=False) if isinstance(axis, Run | Whole) else axis


def disjoint(a: Region, b: Region, facts: Facts = NO_FACTS) -> bool:
    """Whether two regions of one array certainly have no element in common."""
    among = a.symbols | b.symbols
    if any(_apart(p, q, facts, among) for p, q in zip(a.axes, b.axes, strict=False)):
        return True
    both = range(min(len(a.axes), len(b.axes)))
    return any(
        _on_other_diagonals(a.axes[m], a.axes[n], b.axes[m], b.axes[n], facts, among)
        for m in both
        for n in both[m + 1 :]
    )


def _on_other_diagonals(
    a: Axis, a2: Axis, b: Axis, b2: Axis, facts: Facts, among: frozenset[str]
) -> bool:
    """Whether the positions on two axes differ by more, or by less, in one region than in another:
    `c[i, j]` and `c[k, k:k + d]`, where `j - i` is `d`."""
    mine, others = _distances(a, a2), _distances(b, b2)
    if mine is None or others is None:
        return False
    (low, high), (low2, high2) = mine, others
    return any(
        above is not None and below is not None and proves_nonneg(above - below - 1, facts, among)
        for above, below in ((low, high2), (low2, high))
    )


def _distances(a: Axis, b: Axis) -> tuple[Affine | None, Affine | None] | None:
    """The least and the largest distance of a position on `b` from one on `a`; None in place of
    what is not known."""
    first, second = _extent(a), _extent(b)
    if first is None or second is None:
        return None
    (start, last), (start2, last2) = first, second
    return None if last is None else start2 - last, None if last2 is None else last2 - start


def _extent(axis: Axis) -> tuple[Affine, Affine | None] | None:
    """The first position and the last one, where that is known."""
    match axis:
        case Point():
            return axis.at, axis.at
        case Run():
            return axis.start, None if axis.stop is None else axis.stop - 1
        case _:
            return None


def _apart(a: Axis, b: Axis, facts: Facts, among: frozenset[str]) -> bool:
    def at_most(low: Affine, high: Affine) -> bool:
        return proves_nonneg(high - low, facts, among)

    match a, b:
        case Point(), Point():
            return proves_nonzero(a.at - b.at, facts, among)
        case Point(), Run():
            return (
                at_most(a.at + 1, b.start)
                or (b.stop is not None and at_most(b.stop, a.at))
                or (b.aligned and never_divisible(a.at - b.start, b.step))
            )
        case Run(), Point():
            return _apart(b, a, facts, among)
        case Run(), Run():
            if a.stop is not None and at_most(a.stop, b.start):
                return True
            if b.stop is not None and at_most(b.stop, a.start):
                return True
            return a.aligned and b.aligned and _never_meet(a, b)
        case _:
            return False


def _never_meet(a: Run, b: Run) -> bool:
    """Whether the strides of two aligned runs keep them apart."""
    distance = a.start - b.start
    terms = (*distance.terms, ("step of a", a.step))
    return never_divisible(Affine(terms, distance.constant), b.step)


def covers(a: Region, b: Region, facts: Facts = NO_FACTS) -> bool:
    """Whether every element of `b` is certainly an element of `a`."""
    among = a.symbols | b.symbols
    rest = (Whole(),) * (len(a.axes) - len(b.axes))
    if not a.is_exact:
        return False
    return all(
        _holds(p, q, facts, among) for p, q in zip(a.axes, (*b.axes, *rest), strict=False)
    )


def _holds(a: Axis, b: Axis, facts: Facts, among: frozenset[str]) -> bool:
    def at_most(low: Affine, high: Affine) -> bool:
        return proves_nonneg(high - low, facts, among)

    match a, b:
        case Whole(), _:
            return True
        case Point(), Point():
            return a.at == b.at
        case Run(), Point():
            return (
                at_most(a.start, b.at)
                and (a.stop is None or at_most(b.at + 1, a.stop))
                and _in_step(b.at - a.start, a.step)
            )
        case Run(), Run():
            return (
                at_most(a.start, b.start)
                and a.stop is not None
                and b.stop is not None
                and at_most(b.stop, a.stop)
                and (a.step == 1 or (b.aligned and b.step % a.step == 0))
                and _in_step(b.start - a.start, a.step)
            )
        case _:
            return False


def _in_step(distance: Affine, step: int) -> bool:
    return distance.constant % step == 0 and all(c % step == 0 for _, c in distance.terms)
