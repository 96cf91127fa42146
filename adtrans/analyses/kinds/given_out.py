"""What is given for `out=` of a call, and what the call returns then.

None, or a tuple of None, says nothing. `...` says that an array is returned, also where it would be
a number (NumPy 2.3). What is neither these nor an array makes the call itself raise.

>>> from adtrans.analyses.kinds.values import kind_of_value
>>> [writes_nothing(kind_of_value(given)) for given in (None, ..., (None, None), 3.0, np.ones(2))]
[True, True, True, True, False]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from adtrans.analyses.kinds.exemplars import result_kind
from adtrans.ir import expr as E
from adtrans.ir.kinds import Array, DictOf, Instance, Kind, Known, ListOf, Scalar, TupleOf

_ELLIPSIS = type(...)


def without_out(e: E.Call) -> E.Call:
    """A call without the keyword `out`."""
    return replace(e, kwargs=tuple((k, v) for k, v in e.kwargs if k != "out"))


def is_ellipsis(kind: Kind | None) -> bool:
    """Whether a value is `...`."""
    return isinstance(kind, Instance) and kind.cls is _ELLIPSIS


def writes_nothing(kind: Kind) -> bool:
    """Whether a value that is given for `out` is no array, and holds none."""
    if isinstance(kind, TupleOf):
        return all(map(writes_nothing, kind.items))
    return isinstance(kind, Known | Scalar | ListOf | DictOf) or is_ellipsis(kind)


def says_nothing(e: E.Expr, kind_of: Callable[[E.Expr], Kind]) -> bool:
    """The same for an expression."""
    if isinstance(e, E.Sequence):
        return e.kind != "tuple" or all(says_nothing(i, kind_of) for i in e.items)
    return isinstance(e, E.Const) or writes_nothing(kind_of(e))


def never_a_number(kind: Kind) -> Kind:
    """The kind of a result that would have been a number, in an array without axes."""
    match kind:
        case TupleOf():
            return replace(kind, items=tuple(map(never_a_number, kind.items)))
        case Scalar():
            model = result_kind(np.asarray, (kind,))
            return model if isinstance(model, Array) else Array(None, ())
        case _:
            return kind
