"""Zero tangents of values that may share memory: as the values do, so do their tangents.

>>> y = np.ones(3)
>>> made: Made = {}
>>> a_dot, b_dot = zeros_beside(y, made), zeros_beside(y[1:], made)
>>> a_dot[1] = 5.0
>>> b_dot
array([5., 0.])
"""

from __future__ import annotations

from collections import deque
from typing import Any, TypeAlias

import numpy as np

from adtrans.runtime.failures import DerivativeError
from adtrans.runtime.memory_checks import owner_of

Made: TypeAlias = dict[int, tuple[Any, Any]]
"""Lists, dictionaries and the owners of memory by their addresses, each with its tangent."""


def zeros_beside(value: Any, made: Made) -> Any:
    """A zero tangent for a value of any structure; for what has one in `made`, that one.

    Raises:
        DerivativeError: for an array whose memory is no plain array, and for a list or dictionary
            that got longer or shorter where its tangent was not there to see it.
    """
    if isinstance(value, tuple):
        return tuple([zeros_beside(v, made) for v in value])
    if isinstance(value, np.ndarray):
        return _part(value, made)
    if isinstance(value, list | dict | deque):
        if id(value) not in made:
            made[id(value)] = value, {} if isinstance(value, dict) else []
            dot: Any = made[id(value)][1]
            if not isinstance(value, dict):
                dot += [0.0 if v is None else zeros_beside(v, made) for v in value]
            else:
                dot.update({k: zeros_beside(v, made) for k, v in value.items()})
        found = made[id(value)][1]
        if len(found) != len(value):
            what = "dictionary" if isinstance(value, dict) else "list"
            raise DerivativeError(
                f"a {what} was changed by code that is not differentiated", code="AD606"
            )
        return found
    return 0.0 if isinstance(value, int | float | complex | np.number) else None


def _part(value: np.ndarray[Any, Any], made: Made) -> Any:
    owner = owner_of(value)
    if id(owner) not in made:
        made[id(owner)] = owner, np.zeros_like(owner)
    dot = made[id(owner)][1]
    if value is owner:
        return dot
    if dot.strides != owner.strides or not (dot.flags.c_contiguous or dot.flags.f_contiguous):
        raise DerivativeError(
            "an array looks at memory in an order that its tangent cannot have", code="AD601"
        )
    start = _address(value) - _address(owner)
    memory = dot.ravel("K").view(np.uint8)
    return np.ndarray(value.shape, value.dtype, memory, start, value.strides)


def _address(a: np.ndarray[Any, Any]) -> int:
    place: int = a.__array_interface__["data"][0]
    return place
