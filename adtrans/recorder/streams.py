"""Arguments of primitives that are neither numbers, arrays, nor lists of them.

A primitive that is handed an iterator gets the list of what is in it, so that numbers in it are
seen; any other object is handed on if nothing active is in it.

>>> from collections import deque
>>> settled((v for v in [1.0, 2.0])), settled(deque([3.0])), settled("axis")
([1.0, 2.0], [3.0], 'axis')
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any

import numpy as np

from adtrans.recorder import escapes
from adtrans.recorder.numbers import ACTIVE
from adtrans.recorder.recorded_refusals import refuse

_HANDED_ON = frozenset({
    *ACTIVE, np.ndarray, int, bool, str, bytes, type(None), list, tuple, range, slice, type,
    np.int64, np.bool_, np.int32, type(...), type(np.float64), np.ufunc,
})  # fmt: skip
_HOLDERS: tuple[Any, ...] = (deque, set, frozenset, KeysView, ValuesView, ItemsView)


def settled(v: Any) -> Any:
    """An argument of a primitive with everything active in it in sight."""
    t = type(v)
    if t in _HANDED_ON or isinstance(v, np.dtype | io.IOBase | list | tuple):
        return v
    if isinstance(v, _HOLDERS) or (hasattr(t, "__next__") and not isinstance(v, np.nditer)):
        from adtrans.recorder import objects

        return list(objects.iterate(v))
    if escapes.reaches(v):
        refuse(f"an object of the class `{t.__name__}`",
               "a rule is handed it, and something that varies is in it")  # fmt: skip
    return v


def all_settled(args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The same of all arguments of a call."""
    if all(type(v) in _HANDED_ON for v in (*args, *kwargs.values())):
        return args, kwargs
    return tuple(map(settled, args)), {n: settled(v) for n, v in kwargs.items()}
