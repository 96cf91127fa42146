"""A part of an array: what it is, in the words of another place, and a part of a part.

`analyses.subscripted` says which part a subscript touches, `analyses.disjoint` whether two of them
can overlap.

>>> n = Affine.symbol("u.shape[0]")
>>> inner = Region((Run(Affine.const(1), n - 1),))
>>> print(inner, compose(inner, Region((Point(n - 3),))))
[1:u.shape[0] - 1] [u.shape[0] - 2]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from adtrans.analyses import iterations
from adtrans.analyses.iterations import LoopFacts
from adtrans.ir.affine import Affine

__all__ = [
    "ALL", "SOME", "Axis", "Part", "Point", "Region", "Run", "Whole", "after", "compose", "earlier",
    "in_words",
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
