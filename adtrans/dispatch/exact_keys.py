"""A key of the arguments of a call, quick to compute, by which a compiled version is found again.

The layout of arrays belongs to it: whether a flattening is a view may depend on it.

>>> import numpy as np
>>> exact_key((np.ones((2, 3)), 0.5, 7)) == exact_key((np.zeros((2, 3)), 1.5, 9))
True
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from adtrans.analyses.kinds import kinds_key
from adtrans.arguments.inputs import check_ends
from adtrans.driver.program import SMALL

_ndarray = np.ndarray
_float64 = np.dtype(np.float64)


def is_flag(value: object) -> bool:
    """Whether there may be a version for this value alone."""
    return isinstance(value, bool) or (type(value) is int and abs(value) <= SMALL)


def exact_key(values: tuple[Any, ...] | list[Any]) -> tuple[Hashable, ...]:
    """A key, quick to compute, that determines the kinds of the values, whatever the numbers."""
    key: list[Any] = []
    for value in values:
        cls = type(value)
        if cls is _ndarray:
            dtype = value.dtype
            # hashing a dtype costs more than all the rest
            found: Hashable = value.shape if dtype is _float64 else (dtype, value.shape)
            key.append(found if value.flags.c_contiguous else ("strided", found))
        elif cls is float:
            key.append(cls)
        elif cls is int:
            key.append((cls, value) if -SMALL <= value <= SMALL else value >= 0)
        elif cls is bool:
            key.append((cls, value))
        elif cls is tuple or cls is list:
            try:
                key.append((cls, exact_key(value)))
            except RecursionError:
                check_ends("an argument", value)
                raise
        elif cls is dict:
            key.append((kinds_key((value,)), in_order(value)))
        else:
            key.append(kinds_key((value,)))
    return tuple(key)


def in_order(value: object) -> bool:
    """Whether the arrays among arguments, and in their lists and dictionaries, lie in C order.

    >>> in_order([np.ones((2, 3))]), in_order({"a": (np.ones((2, 3)).T,)})
    (True, False)
    """
    waiting, seen = [value], set[int]()
    while waiting:
        here = waiting.pop()
        if isinstance(here, _ndarray):
            if not here.flags.c_contiguous:
                return False
        elif isinstance(here, dict | list | tuple) and id(here) not in seen:
            seen.add(id(here))  # it may hold itself
            waiting.extend(here.values() if isinstance(here, dict) else here)
    return True
