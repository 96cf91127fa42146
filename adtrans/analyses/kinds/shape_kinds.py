"""Kinds of arrays that are given another shape or another dtype."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from adtrans.analyses.kinds.arithmetic import model_of
from adtrans.analyses.kinds.exemplars import elementwise_dims, result_kind
from adtrans.analyses.kinds.indexing import element_kind
from adtrans.analyses.prove import Facts, proves_nonneg
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import (
    EXTENTS,
    UNKNOWN,
    Array,
    Kind,
    ListOf,
    Scalar,
    TupleOf,
)  # fmt: skip


class Method:
    """`lambda x, *args: x.name(*args)`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, base: Any, *args: object, **kwargs: object) -> object:
        return getattr(base, self.name)(*args, **kwargs)


def converted(
    base: Array, name: str, args: Sequence[Kind], kwargs: Mapping[str, Kind]
) -> Kind:
    """`x.copy()` and `x.astype(t)` keep the shape, whatever it is."""
    model = Array(base.dtype, (Affine.const(2),))
    found = result_kind(Method(name), (model, *args), kwargs, token=f".{name}")
    if not isinstance(found, Array):
        return UNKNOWN
    return Array(found.dtype, base.dims, base.not_one, base.least)


SPLITTERS: Mapping[object, int | None] = {
    np.split: None, np.array_split: None, np.hsplit: 1, np.vsplit: 0, np.dsplit: 2,
}  # fmt: skip
_UNSTACK = getattr(np, "unstack", None)  # since NumPy 2.1
if _UNSTACK is not None:
    SPLITTERS = {**SPLITTERS, _UNSTACK: None}


def divided(fn: object, args: Sequence[Kind], kwargs: Mapping[str, Kind]) -> Kind | None:
    """The parts of an array: lists of arrays that differ from it along one axis, or lack it."""
    base = args[0] if args else UNKNOWN
    if not isinstance(base, Array) or base.dims is None or kwargs.keys() - {"axis"}:
        return None
    axis = SPLITTERS[fn]
    if axis is None:
        first = Scalar("int", None, Affine.const(0))
        given = kwargs.get("axis", args[2] if len(args) > 2 else first)
        value = given.value if isinstance(given, Scalar) else None
        axis = None if value is None else value.value
    elif axis == 1 and len(base.dims) == 1:
        axis = 0
    if axis is None or not -len(base.dims) <= axis < len(base.dims):
        return None
    cut = axis % len(base.dims)
    if fn is _UNSTACK:
        sized = frozenset(k - (k > cut) for k in base.not_one if k != cut)
        rest = Array(base.dtype, base.dims[:cut] + base.dims[cut + 1 :], sized)
        return ListOf(rest if rest.dims else element_kind(base), frozen=True)
    dims = tuple(None if k == cut else d for k, d in enumerate(base.dims))
    return ListOf(Array(base.dtype, dims, base.not_one - {cut}))


def reshaped(base: Kind, args: Sequence[Kind], facts: Facts) -> Kind:
    if not isinstance(base, Array):
        return UNKNOWN
    if len(args) == 1 and isinstance(args[0], TupleOf):
        args = args[0].items
    if len(args) == 1 and args[0] in (EXTENTS, UNKNOWN):
        return Array(base.dtype, None)  # whatever the shape is
    dims: list[Affine | None] = []
    for a in args:
        if not isinstance(a, Scalar) or a.type != "int":
            return UNKNOWN
        sure = a.value is not None and proves_nonneg(a.value, facts)
        dims.append(a.value if sure else None)
    if dims == [None] and base.dims is not None and len(base.dims) == 1:
        return base  # of one axis, any length that fits is its own
    if None not in dims or base.dims is None:
        return _sized(base, dims, facts)
    constants = [d.value for d in base.dims if d is not None and d.value is not None]
    given = [d.value for d in dims if d is not None and d.value is not None]
    if dims.count(None) == 1 and len(constants) == len(base.dims):
        total = int(np.prod(constants))
        taken = int(np.prod(given)) if len(given) == len(dims) - 1 else 0
        if taken and total % taken == 0:
            dims[dims.index(None)] = Affine.const(total // taken)
    elif dims.count(None) == 1 and all(d is None or d == Affine.const(1) for d in dims):
        sizes = [d for d in base.dims if d != Affine.const(1)]
        if len(sizes) == 1:  # the one axis that is not trivial stays
            dims[dims.index(None)] = sizes[0]
    return _sized(base, dims, facts)


def reduced(
    fn: Callable[..., object], args: Sequence[Kind], kwargs: Mapping[str, Kind],
    token: object = None,
) -> Kind:
    """The result of a pure function, which a mask of a size that is not known to fit may reduce."""
    found = result_kind(fn, args, kwargs, token=token)
    base, mask = args[0] if args else UNKNOWN, kwargs.get("where")
    if found != UNKNOWN or not (isinstance(base, Array) and isinstance(mask, Array)):
        return found
    if base.dims is None or mask.dims is None:
        return found
    both = Array(base.dtype, *elementwise_dims([base, mask]))
    rest = {name: kind for name, kind in kwargs.items() if name != "where"}
    return result_kind(fn, (both, *args[1:]), rest, token=token)


def spread(base: Kind, shape: Kind, facts: Facts) -> Kind | None:
    """`np.broadcast_to`: the shape is the one given; None where that is not known."""
    sizes = shape.items if isinstance(shape, TupleOf) else (shape,)
    if not all(isinstance(n, Scalar) and n.type == "int" for n in sizes):
        return None
    model = result_kind(np.asarray, (model_of(base),))
    if not isinstance(model, Array) or not isinstance(base, Array | Scalar):
        return None
    values = [n.value if isinstance(n, Scalar) else None for n in sizes]
    dims = [v if v is not None and proves_nonneg(v, facts) else None for v in values]
    return _sized(Array(model.dtype, ()), dims, facts)


def somehow_spread(base: Kind) -> Kind | None:
    """The same, to a shape that is not known; None where the base is not."""
    model = result_kind(np.asarray, (model_of(base),))
    return Array(model.dtype, None) if isinstance(model, Array) else None


def _sized(base: Array, dims: Sequence[Affine | None], facts: Facts) -> Array:
    known = {d for n, d in enumerate(base.dims or ()) if d is not None and n in base.not_one}
    return Array(
        base.dtype,
        tuple(dims),
        frozenset(
            n
            for n, d in enumerate(dims)
            if d is not None and (d in known or d.value not in (None, 1) or above_one(d, facts))
        ),
    )


def above_one(d: Affine, facts: Facts) -> bool:
    return proves_nonneg(d - 2, facts)
