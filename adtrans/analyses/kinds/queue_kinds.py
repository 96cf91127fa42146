"""The kind of a deque: that of a list with another name.

>>> from adtrans.ir.kinds import PY_FLOAT, PY_INT
>>> print(queue_of((TupleOf((PY_INT, PY_INT)),), bounded=False), queue_of((), bounded=True))
deque[int] deque[never]
"""

from __future__ import annotations

from collections.abc import Sequence

from adtrans.analyses.kinds.lattice import join, list_of
from adtrans.ir.kinds import NEVER, UNKNOWN, Array, Kind, ListOf, Scalar, TupleOf, present


def queue_of(args: Sequence[Kind], bounded: bool) -> Kind:
    """What `deque(...)` makes of arguments of these kinds."""
    item: Kind = NEVER
    match present(args[0]) if args else TupleOf(()):
        case ListOf(item=item):
            pass
        case TupleOf(items=items):
            for i in items:
                item = join(item, i)
        case Array(dtype=str() as name, dims=(_,)) if name.startswith("float"):
            item = Scalar("float", name)
        case _:
            return UNKNOWN
    return list_of(item, "bounded" if bounded else "open")


def is_queue(kind: Kind) -> bool:
    """Whether a value certainly is a deque."""
    return isinstance(kind, ListOf) and bool(kind.queue)
