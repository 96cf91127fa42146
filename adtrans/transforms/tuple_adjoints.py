"""Adjoints of tuples: one part for each item, None for a part that is zero so far.

>>> from adtrans.ir.kinds import PY_FLOAT
>>> pair = TupleOf((PY_FLOAT, TupleOf((PY_FLOAT, PY_FLOAT))))
>>> a, b = E.Name("a"), E.Name("b")
>>> first = E.Sequence("tuple", (a, E.NONE))
>>> second = E.Sequence("tuple", (b, E.Sequence("tuple", (E.NONE, b))))
>>> print(plus(pair, first, second))
(a + b, (None, b))
>>> print(filled(pair, first, E.Name("t")))
(a, (0.0, 0.0))
"""

from __future__ import annotations

from adtrans import runtime
from adtrans.ir import expr as E
from adtrans.ir.kinds import (
    Array,
    Container,
    DictOf,
    Kind,
    ListOf,
    Maybe,
    Mixed,
    Scalar,
    TupleOf,
    is_differentiable,
)
from adtrans.transforms import adjoints as A


def part(e: E.Expr, k: int) -> E.Expr:
    """Item `k` of a tuple: its own expression where the tuple is spelled out."""
    if e == E.NONE:
        return E.NONE
    return e.items[k] if isinstance(e, E.Sequence) else E.Index(e, (E.Const(k),))


def plus(kind: Kind, a: E.Expr, b: E.Expr) -> E.Expr:
    """The sum of two adjoints, item by item: `+` on tuples would join them."""
    if a == E.NONE or b == E.NONE:
        return b if a == E.NONE else a
    if isinstance(kind, Array | Scalar) and not is_differentiable(kind):
        return a  # a count or pivots
    if not isinstance(kind, TupleOf):
        return A.plus(a, b, kind)
    items = (plus(k, part(a, i), part(b, i)) for i, k in enumerate(kind.items))
    return E.Sequence("tuple", tuple(items))


def filled(kind: Kind, e: E.Expr, primal: E.Expr) -> E.Expr:
    """`e` with zeros for what is None; `primal` is where the shapes of arrays are found."""
    if isinstance(kind, TupleOf):
        if e != E.NONE and not isinstance(e, E.Sequence):
            return e  # one that is passed on has no gaps
        items = (filled(k, part(e, i), part(primal, i)) for i, k in enumerate(kind.items))
        return E.Sequence("tuple", tuple(items))
    if e != E.NONE:
        return e
    if isinstance(kind, DictOf):
        return E.Sequence("dict", ())
    if isinstance(kind, Container | Mixed | Maybe):
        if may_be_frozen(kind):  # the adjoint is a list
            primal = E.Call(E.Ref("thawed", runtime.thawed), (primal,))
        return E.Call(E.Ref("zeros_of", runtime.zeros_of), (primal,))
    if not isinstance(kind, Array):
        return A.zero(kind)
    return A.zeros(kind, E.Attribute(primal, "shape")) if is_differentiable(kind) else E.NONE


def has_gaps(kind: Kind, e: E.Expr) -> bool:
    """Whether zeros of some array have to be made, whose shape must be known.

    >>> from adtrans.ir.kinds import PY_FLOAT
    >>> has_gaps(TupleOf((PY_FLOAT,)), E.NONE), has_gaps(Array("float64", None), E.NONE)
    (False, True)
    """
    if isinstance(kind, TupleOf):
        if e != E.NONE and not isinstance(e, E.Sequence):
            return False
        return any(has_gaps(k, part(e, i)) for i, k in enumerate(kind.items))
    held = isinstance(kind, Array | Container | Mixed | Maybe)
    return e == E.NONE and held and is_differentiable(kind)


def copied(kind: Kind, e: E.Expr) -> E.Expr:
    """`e` with copies of its arrays, where they are not made just now."""
    if isinstance(kind, TupleOf) and e != E.NONE:
        items = (copied(k, part(e, i)) for i, k in enumerate(kind.items))
        return E.Sequence("tuple", tuple(items))
    fresh = e == E.NONE or isinstance(e, E.Binary | E.Unary | E.Call)
    held = isinstance(kind, Array | Container | Mixed | Maybe)
    if held and not fresh and is_differentiable(kind):
        return A.copied(e, kind)
    return e


def may_be_frozen(kind: Kind) -> bool:
    """Whether a value may be a tuple that was made of a list, or hold one.

    >>> may_be_frozen(ListOf(ListOf(Scalar("float"), frozen=True)))
    True
    """
    match kind:
        case ListOf():
            return kind.frozen or may_be_frozen(kind.item)
        case DictOf():
            return any(may_be_frozen(k) for k in (kind.item, *dict(kind.fields).values()))
        case TupleOf():
            return any(map(may_be_frozen, kind.items))
        case Maybe():
            return may_be_frozen(kind.item)
        case _:
            return False
