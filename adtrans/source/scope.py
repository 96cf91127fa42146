"""What the free names of a function mean: closure cells, then globals, then builtins.

>>> def outer():
...     k = 3
...     return lambda x: k * x
>>> resolve(outer(), "k"), resolve(outer(), "abs") is abs, resolve(outer(), "nothing")
(3, True, MISSING)
"""

from __future__ import annotations

import builtins
import types
from typing import Final


class Missing:
    """The type of `MISSING`."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


def resolve(fn: types.FunctionType, name: str) -> object:
    """The object that `name` means in `fn` now, or `MISSING` (a cell may be empty, too)."""
    free = fn.__code__.co_freevars
    if name in free and fn.__closure__ is not None:
        try:
            return fn.__closure__[free.index(name)].cell_contents
        except ValueError:  # the enclosing function has not assigned it yet
            return MISSING
    if name in fn.__globals__:
        return fn.__globals__[name]
    provided = fn.__globals__.get("__builtins__", builtins)
    table = provided if isinstance(provided, dict) else vars(provided)
    return table.get(name, MISSING)
