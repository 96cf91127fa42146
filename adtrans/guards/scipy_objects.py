"""Objects of SciPy that hold arrays: sparse matrices, splines, interpolators.

A pullback that is kept reads them later. What it was handed is copied where somebody else may write
into its arrays; what it finds under a name from outside has to be then what it was.

>>> import scipy.interpolate
>>> s = scipy.interpolate.CubicSpline([0.0, 1.0, 2.0], [0.0, 1.0, 4.0])
>>> own = copied_object(s, lambda part: part.copy() if hasattr(part, "copy") else part)
>>> s.c *= 2.0
>>> own(1.0), s(1.0)
(array(1.), array(2.))
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from adtrans.driver.run_again import Read, contents_of

_HOMES = ("scipy.sparse.", "scipy.interpolate.")
_ASKED = "_has_"  # a sparse matrix remembers what it was asked about the order of its entries


def is_foreign(value: object) -> bool:
    """Whether a value is such an object."""
    return any(c.__module__.startswith(_HOMES) for c in type(value).__mro__)


def contents(value: Any) -> Read:
    """What an object holds, in a form that is equal as long as nothing of it changes."""
    return contents_of(v for n, v in attributes(value) if not n.startswith(_ASKED))


def copied_object(value: Any, copied: Callable[[Any], Any]) -> Any:
    """The object with what `copied` makes of its attributes; itself where these stay the same."""
    parts = [(name, part, copied(part)) for name, part in attributes(value)]
    if all(part is own for _, part, own in parts):
        return value
    made = copy.copy(value)
    for name, _, own in parts:
        object.__setattr__(made, name, own)
    return made


def attributes(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes that an object has by its dictionary and its slots."""
    yield from getattr(value, "__dict__", {}).items()
    for base in type(value).__mro__:
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if hasattr(value, name) and name not in ("__dict__", "__weakref__"):
                yield name, getattr(value, name)
