"""The attributes that the methods of a class may assign to the class itself, read off their code.

>>> class Valve:
...     made = 0
...     def __init__(self):
...         type(self).made += 1
...         self.open = True
>>> sorted(stored_in_class(Valve))
['made']
"""

from __future__ import annotations

import dis
import functools
from collections.abc import Iterator
from types import FunctionType

__all__ = ["stored_by", "stored_in_class"]


@functools.lru_cache(maxsize=256)
def stored_in_class(cls: type) -> frozenset[str]:
    """The attributes that some method assigns to anything but its first parameter; of those that
    are added to, where the code does not tell, all."""
    return frozenset(
        attr
        for c in cls.__mro__
        for f in vars(c).values()
        for attr in _stored(f)
    )


def stored_by(fn: FunctionType) -> Iterator[str]:
    """The attributes that a function assigns, or may set by name."""
    for step in dis.get_instructions(fn):
        if step.opname in ("STORE_ATTR", "DELETE_ATTR"):
            yield str(step.argval)
    if not {"setattr", "delattr"}.isdisjoint(fn.__code__.co_names):
        yield from (c for c in fn.__code__.co_consts if isinstance(c, str))


def _stored(member: object) -> Iterator[str]:
    fn = getattr(member, "__func__", member)
    if isinstance(fn, property):
        for part in (fn.fget, fn.fset, fn.fdel):
            yield from _stored(part)
    if not isinstance(fn, FunctionType):
        return
    own = None if isinstance(member, classmethod) else fn.__code__.co_varnames[:1]
    before: dis.Instruction | None = None
    for step in dis.get_instructions(fn):
        if step.opname in ("STORE_ATTR", "DELETE_ATTR") and not _loads(before, own):
            yield str(step.argval)
        before = step


def _loads(step: dis.Instruction | None, own: tuple[str, ...] | None) -> bool:
    """Whether an instruction puts the first parameter on the stack."""
    if step is None or not own or not step.opname.startswith("LOAD_FAST"):
        return False
    last = step.argval[-1] if isinstance(step.argval, tuple) else step.argval
    return bool(last == own[0])
