"""The attributes that the methods of a class assign, read off their code.

>>> class Valve:
...     def open(self): return 1.0
...     def shut(self): return 0.0
...     def jam(self): self.open = self.shut
>>> sorted(assigned(Valve))
['open']
"""

from __future__ import annotations

import dis
import functools
from types import FunctionType

__all__ = ["assigned"]


@functools.lru_cache(maxsize=256)
def assigned(cls: type) -> frozenset[str]:
    """The attributes that some method of a class assigns: of these, an object may have its own."""
    functions = [f for c in cls.__mro__ for f in vars(c).values() if isinstance(f, FunctionType)]
    return frozenset(
        str(step.argval)
        for f in functions
        for step in dis.get_instructions(f)
        if step.opname == "STORE_ATTR"
    )
