"""The kinds of what all items of a list are made into.

>>> from adtrans.ir.kinds import PY_INT, Scalar
>>> print(summed(Scalar("float"), PY_INT), stacked(Scalar("float")))
float float64[?]
"""

from __future__ import annotations

from adtrans.analyses.kinds.arithmetic import binary
from adtrans.analyses.kinds.lattice import join
from adtrans.ir import expr as E
from adtrans.ir.kinds import UNKNOWN, Array, Kind, Mixed, Never, Scalar

__all__ = ["stacked", "summed"]


def summed(item: Kind, start: Kind) -> Kind:
    """The kind of `sum(items, start)`; of no items it is `start`."""
    if isinstance(item, Never):
        return start
    if isinstance(item, Scalar) and isinstance(start, Scalar):
        return join(item, start)
    total = binary("+", start, item, E.Name("item"))
    return total if isinstance(total, Array | Mixed) else UNKNOWN


def stacked(item: Kind) -> Kind:
    """The kind of `np.array(items)`."""
    if isinstance(item, Scalar) and item.dtype != "?":
        own = {"float": "float64", "complex": "complex128", "bool": "bool"}.get(item.type)
        return Array(item.dtype or own, (None,))
    if isinstance(item, Scalar):
        return Array(None, (None,))
    if isinstance(item, Array) and item.dims is not None:
        return Array(item.dtype, (None, *item.dims), frozenset(k + 1 for k in item.not_one))
    return UNKNOWN
