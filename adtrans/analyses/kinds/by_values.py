"""Functions of which the sizes of the result, or its types, depend on numbers: no examples tell.

>>> import numpy as np
>>> from adtrans.ir.affine import Affine
>>> n = Affine.symbol("n")
>>> print(as_far_as_certain(np.trim_zeros, Array("float64", (n,))))
float64[?]
>>> print(as_far_as_certain(np.sort, Array("float64", (n,))))
float64[n]
"""

from __future__ import annotations

import re
from dataclasses import replace

from adtrans.ir.kinds import Array, Kind, ListOf, Scalar, TupleOf

_SIZES = re.compile(
    r"numpy\.(unique(_\w+)?|union1d|intersect1d|setdiff1d|setxor1d|trim_zeros|roots"
    r"|nonzero|flatnonzero|argwhere|where|extract|compress|bincount)"
    # leading zeros are cut off, and the axes of what has become zero may stand otherwise
    r"|numpy\.polynomial\.\w+\.\w*(add|sub|mul|mulx|div|pow|trim|der|int|line|roots|trimseq"
    r"|trimcoef)"
)
_TYPES = re.compile(r"scipy\.stats\.\w+\.linregress")
"""It returns numbers of Python where a correlation is exact."""


def as_far_as_certain(fn: object, found: Kind) -> Kind:
    """What is left of what was found with examples."""
    module = str(getattr(fn, "__module__", "")).replace("numpy.lib.", "numpy.")
    name = f"{module}.{getattr(fn, '__name__', '')}"
    if module.startswith("numpy.") and not module.startswith("numpy.polynomial."):
        name = f"numpy.{getattr(fn, '__name__', '')}"
    if _SIZES.fullmatch(name):
        return _without_sizes(found)
    return _of_any_type(found) if _TYPES.fullmatch(name) else found


def _without_sizes(kind: Kind) -> Kind:
    match kind:
        case Array(dims=tuple() as dims):
            return Array(kind.dtype, (None,) * len(dims))
        case TupleOf():
            return replace(kind, items=tuple(map(_without_sizes, kind.items)))
        case ListOf():
            return replace(kind, item=_without_sizes(kind.item))
        case _:
            return kind


def _of_any_type(kind: Kind) -> Kind:
    match kind:
        case Scalar():
            return replace(kind, dtype="?")
        case TupleOf():
            return replace(kind, items=tuple(map(_of_any_type, kind.items)))
        case _:
            return kind
