"""Whether two parts of an array can overlap, and whether one holds all of another.

>>> from adtrans.analyses.regions import ALL
>>> n = Affine.symbol("u.shape[0]")
>>> inner = Region((Run(Affine.const(1), n - 1),))
>>> even, odd = (Region((Run(Affine.const(k), n, 2),)) for k in (0, 1))
>>> disjoint(even, odd), disjoint(inner, odd), covers(ALL, inner), covers(inner, odd)
(True, False, True, False)
"""

from __future__ import annotations

from adtrans.analyses.prove import NO_FACTS, Facts, never_divisible, proves_nonneg, proves_nonzero
from adtrans.analyses.regions import Axis, Point, Region, Run, Whole
from adtrans.ir.affine import Affine


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
