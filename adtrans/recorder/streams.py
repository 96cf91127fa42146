"""Arguments of primitives that are neither numbers, arrays, nor lists of them.

A primitive that is handed an iterator gets the list of what is in it, so that numbers in it are
seen; any other object is handed on if nothing active is in it. Of those that hold something active
`math` takes the items, or asks for the number.

>>> import math
>>> from collections import deque
>>> from adtrans.rules import lookup
>>> rule = lookup(math.prod)
>>> settled(rule, (v for v in [1.0, 2.0])), settled(rule, deque([3.0])), settled(rule, "axis")
([1.0, 2.0], [3.0], 'axis')
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any

import numpy as np

from adtrans.recorder import escapes
from adtrans.recorder.late import call
from adtrans.recorder.numbers import ACTIVE
from adtrans.recorder.recorded_refusals import refuse
from adtrans.rules.rule import Rule

_HANDED_ON = frozenset({
    *ACTIVE, np.ndarray, int, bool, str, bytes, type(None), list, tuple, range, slice, type,
    np.int64, np.bool_, np.int32, type(...), type(np.float64), np.ufunc,
})  # fmt: skip
_HOLDERS: tuple[Any, ...] = (deque, set, frozenset, KeysView, ValuesView, ItemsView)


def settled(rule: Rule, v: Any) -> Any:
    """An argument of a primitive with everything active in it in sight."""
    t = type(v)
    if t in _HANDED_ON or isinstance(v, np.dtype | io.IOBase | list | tuple):
        return v
    from adtrans.recorder import objects

    if isinstance(v, _HOLDERS) or (hasattr(t, "__next__") and not isinstance(v, np.nditer)):
        return list(objects.iterate(v))
    if escapes.reaches(v):
        if rule.spelling.startswith("math."):
            if any(p.sequence for p in rule.params):
                if objects.method_of(t, "__iter__") is not None:
                    return list(objects.iterate(v))
            elif (number := objects.method_of(t, "__float__")) is not None:
                return call(number, v)
        refuse(f"an object of the class `{t.__name__}`",
               "a rule is handed it, and something that varies is in it")  # fmt: skip
    return v


def all_settled(rule: Rule, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The same of all arguments of a call."""
    if all(type(v) in _HANDED_ON for v in (*args, *kwargs.values())):
        return args, kwargs
    return tuple([settled(rule, v) for v in args]), {n: settled(rule, v) for n, v in kwargs.items()}
