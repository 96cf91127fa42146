"""Objects of subclasses of `float` that programs define, made of active numbers.

>>> class Money(float):
...     pass
>>> m = Money(2.0)
>>> box(m, 3.0)
>>> boxed(m), boxed(2.0)
(3.0, None)
"""

from __future__ import annotations

import weakref
from typing import Any

BOXES: dict[int, tuple[Any, Any]] = {}


def boxed(x: Any) -> Any:
    """The active number that an object of a subclass of `float` was made of."""
    found = BOXES.get(id(x))
    return found[1] if found is not None and found[0]() is x else None


def box(x: Any, number: Any) -> None:
    """Note that an object of a subclass of `float` was made of an active number."""
    key = id(x)
    BOXES[key] = weakref.ref(x, lambda _: BOXES.pop(key, None)), number


def unboxed(v: Any) -> Any:
    """The active numbers in the place of such objects, in lists and tuples as well."""
    if type(v) in (list, tuple):
        return type(v)(map(unboxed, v))
    number = boxed(v)
    return v if number is None else number
