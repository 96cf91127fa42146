"""The kinds of grids: `np.mgrid[:n, :m]`, `np.ogrid[0:1:5j]`.

>>> n = Affine.symbol("u.shape[0]")
>>> upto_n = Slice(None, Name("n"), None)
>>> kinds = {Name("n"): Scalar("int", None, n)}
>>> print(grid_kind(type(np.mgrid), (upto_n, Slice(None, Const(3), None)),
...     lambda e: kinds.get(e, Scalar("int", None, Affine.const(3))), NO_FACTS))
int64[2, u.shape[0], 3]
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from adtrans.analyses.kinds.lattice import tuple_of
from adtrans.analyses.prove import NO_FACTS, Facts, proves_nonneg
from adtrans.ir.affine import Affine
from adtrans.ir.expr import Const, Expr, Name, Slice
from adtrans.ir.kinds import UNKNOWN, Array, Kind, Scalar

__all__ = ["NO_FACTS", "Name", "grid_kind", "is_grid"]

_DTYPES = {"int": (None, "int64"), "float": (None, "float64")}
_ZERO, _ONE = Affine.const(0), Affine.const(1)


def is_grid(cls: object) -> bool:
    """Whether this is the class of `np.mgrid` or `np.ogrid`."""
    return cls in (type(np.mgrid), type(np.ogrid))


def grid_kind(
    cls: object, items: tuple[Expr, ...], at: Callable[[Expr], Kind], facts: Facts
) -> Kind:
    """The kind of a grid under a subscript: slices whose ends are numbers."""
    real = False
    lengths: list[Affine | None] = []
    for item in items:
        if not isinstance(item, Slice) or item.upper is None:
            return UNKNOWN
        given = [item.lower, item.upper]
        step = item.step
        counted = isinstance(step, Const) and isinstance(step.value, complex)
        if not counted:
            given.append(step)
        kinds = [at(e) for e in given if e is not None]
        if not all(
            isinstance(k, Scalar) and k.dtype in _DTYPES.get(k.type, ()) for k in kinds
        ):
            return UNKNOWN
        real = real or counted or any(isinstance(k, Scalar) and k.type == "float" for k in kinds)
        if isinstance(step, Const) and isinstance(step.value, complex):
            lengths.append(Affine.const(int(abs(step.value))))
        else:
            lengths.append(_length(item, at, facts))
    dtype = np.dtype(float if real else int).name
    if len(items) == 1:
        return Array(dtype, (lengths[0],))
    if cls is type(np.mgrid):
        sized = frozenset(k for k, n in enumerate(lengths, 1) if n is not None and _not_one(n))
        return Array(dtype, (Affine.const(len(items)), *lengths), frozenset({0}) | sized)
    rows: list[Kind] = []
    for k, n in enumerate(lengths):
        dims = [n if axis == k else _ONE for axis in range(len(lengths))]
        rows.append(Array(dtype, tuple(dims)))
    return tuple_of(*rows) if isinstance(np.ogrid[0:1, 0:1], tuple) else UNKNOWN


def _not_one(n: Affine) -> bool:
    return n.value is not None and n.value != 1


def _length(item: Slice, at: Callable[[Expr], Kind], facts: Facts) -> Affine | None:
    """How many numbers there are between two ends, for integers."""
    lower = _ZERO if item.lower is None else _int(at(item.lower))
    upper = None if item.upper is None else _int(at(item.upper))
    step = _ONE if item.step is None else _int(at(item.step))
    if lower is None or upper is None or step is None or step.value in (None, 0):
        return None
    if lower.value is not None and upper.value is not None:
        return Affine.const(len(range(lower.value, upper.value, step.value)))
    return upper - lower if step == _ONE and proves_nonneg(upper - lower, facts) else None


def _int(kind: Kind) -> Affine | None:
    return kind.value if isinstance(kind, Scalar) and kind.type == "int" else None
