"""Calls of attributes that are looked up before their arguments, which may assign them.

>>> import numpy as np
>>> applied(bound(np, "sum"), [1.0, 2.0])
np.float64(3.0)
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from adtrans.recorder import calls, moving, objects
from adtrans.recorder.numbers import PLAIN

_ndarray, _ModuleType = np.ndarray, types.ModuleType


def bound(obj: Any, name: str) -> Any:
    """What `obj.name` means in a call; the object and the name where no argument can assign it."""
    t = type(obj)
    if t is _ModuleType:
        return getattr(obj, name)
    if t is _ndarray or t in moving.CONTAINERS or t in PLAIN:
        return obj, name
    return objects.getattribute(obj, name)


def applied(f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """A call of what `bound` has given."""
    known = calls.HANDLERS.get(id(f))
    if known is not None and known[0] is f:
        return known[1](f, args, kwargs)
    if type(f) is tuple:
        return calls.method(*f, *args, **kwargs)
    return calls.call(f, *args, **kwargs)
