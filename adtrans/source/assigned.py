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
from types import CodeType, FunctionType

__all__ = ["assigned"]


def assigned(cls: type) -> frozenset[str]:
    """The attributes that some method of a class assigns: of these, an object may have its own."""
    functions = [f for c in cls.__mro__ for f in vars(c).values() if isinstance(f, FunctionType)]
    return _assigned(tuple(f.__code__ for f in functions))  # somebody may replace a method


@functools.lru_cache(maxsize=256)
def _assigned(every: tuple[CodeType, ...]) -> frozenset[str]:
    return frozenset(
        str(step.argval)
        for code in every
        for step in dis.get_instructions(code)
        if step.opname == "STORE_ATTR"
    )
