"""Kinds of arrays, and of what holds arrays, whose adjoints may be found by address.

Beside the arrays there may be None, or in tuples numbers. These have adjoints of their own: a tuple
is what it is as long as it is there, so that these can be found by which tuple it is.
"""

from __future__ import annotations

from dataclasses import replace

from adtrans.analyses.nested import items_of
from adtrans.ir.kinds import (
    Array,
    Container,
    DictOf,
    Kind,
    ListOf,
    Maybe,
    Mixed,
    Never,
    Scalar,
    TupleOf,
    is_differentiable,
    is_immutable,
)

HOLDERS = (TupleOf, ListOf, DictOf)


def or_none(kind: Kind) -> bool:
    """Whether a value is an array or None, and no number."""
    return isinstance(kind, Mixed) and not kind.numbers


def with_arrays(kind: Kind) -> Kind:
    """A kind of containers with arrays in the place of what is an array or None.

    >>> print(with_arrays(ListOf(Mixed((), Array("float64", (None,)), none=True))))
    list[float64[?]]
    """
    if isinstance(kind, Maybe) and isinstance(kind.item, Container):
        inner = with_arrays(kind.item)
        assert isinstance(inner, ListOf | DictOf)
        return replace(kind, item=inner)
    if not isinstance(kind, Container):
        return kind
    made = replace(kind, item=_held(kind.item))
    if isinstance(made, DictOf):
        return replace(made, fields=tuple((k, _held(v)) for k, v in made.fields))
    return replace(made, items=tuple(map(_held, made.items))) if isinstance(made, ListOf) else made


def _held(kind: Kind) -> Kind:
    return kind.array if isinstance(kind, Mixed) and or_none(kind) else with_arrays(kind)


def is_float(kind: Array) -> bool:
    return (kind.dtype or "").startswith(("float", "complex"))


def may_refer(kind: Kind) -> bool:
    """Whether values of a kind are arrays, perhaps None, or hold some."""
    return isinstance(kind, (Array, *HOLDERS)) or or_none(kind)


def is_floats(kind: Kind) -> bool:
    """Whether values of a kind are arrays of floats, or tuples of nothing else that varies."""
    if isinstance(kind, TupleOf):
        varying = (k for k in kind.items if is_differentiable(k) and not isinstance(k, Scalar))
        return is_of_arrays(kind) and all(map(is_floats, varying))
    return isinstance(kind, Array) and is_float(kind)


def holds_arrays(kind: Kind) -> bool:
    """Whether what a list or dictionary holds are arrays, each of them, or tuples of arrays."""
    inside = (kind.item, *(k for _, k in kind.fields)) if isinstance(kind, DictOf) else ()
    inside = (kind.item,) if isinstance(kind, ListOf) else inside
    return all(isinstance(k, Array | Never) or is_of_arrays(k) for k in inside)


def is_of_arrays(kind: Kind) -> bool:
    """Whether values of a kind are tuples of arrays, and of what carries no derivative; beside
    arrays there may be numbers, too."""
    if not isinstance(kind, TupleOf):
        return False
    flat = [k for k in kind.items if not isinstance(k, Array) and not is_of_arrays(k)]
    counted = () if is_immutable(kind) else (Scalar,)
    return all(
        is_immutable(k) and (isinstance(k, counted) or not is_differentiable(k)) for k in flat
    )


def has_numbers(kind: Kind) -> bool:
    """Whether numbers that may vary are beside arrays in a tuple of that kind, or in one that is
    held by a container or tuple of it.

    >>> has_numbers(ListOf(TupleOf((Array("float64", (None,)), Scalar("float")))))
    True
    """
    if isinstance(kind, TupleOf):
        mine = not is_immutable(kind) and any(
            isinstance(k, Scalar) and is_differentiable(k) for k in kind.items
        )
        return mine or any(map(has_numbers, kind.items))
    return isinstance(kind, Container) and any(map(has_numbers, items_of(kind)))
