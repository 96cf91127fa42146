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
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType

__all__ = ["stored_by", "stored_elsewhere", "stored_in_class"]

_METHODS = (FunctionType, property, staticmethod, classmethod)


def stored_in_class(cls: type) -> frozenset[str]:
    """The attributes that some method assigns to anything but its first parameter; of those that
    are added to, where the code does not tell, all."""
    found = [f for c in cls.__mro__ for f in vars(c).values() if isinstance(f, _METHODS)]
    return frozenset(attr for f in found for attr in _stored(f))


def stored_by(fn: FunctionType) -> Iterator[str]:
    """The attributes that a function assigns to anything but the object it is a method of, or may
    set by name."""
    code = fn.__code__
    yield from stored_elsewhere(code, code.co_varnames[:1] if _is_method(fn) else None)
    if not {"setattr", "delattr"}.isdisjoint(fn.__code__.co_names):
        yield from (c for c in fn.__code__.co_consts if isinstance(c, str))


def _stored(member: object) -> Iterator[str]:
    fn = getattr(member, "__func__", member)
    if isinstance(fn, property):
        for part in (fn.fget, fn.fset, fn.fdel):
            yield from _stored(part)
    if not isinstance(fn, FunctionType):
        return
    yield from _stored_in_code(fn.__code__, isinstance(member, classmethod))


@functools.lru_cache(maxsize=2048)
def _stored_in_code(code: CodeType, of_class: bool) -> tuple[str, ...]:
    return tuple(stored_elsewhere(code, None if of_class else code.co_varnames[:1]))


def _is_method(fn: FunctionType) -> bool:
    """Whether the first parameter is an object of the class that the function stands in."""
    *path, name = fn.__qualname__.split(".")
    if not path or path[-1] == "<locals>":
        return False
    if name == "__init__":
        return True
    owner: object = fn.__globals__.get(path[0])
    for part in path[1:]:
        owner = inspect.getattr_static(owner, part, None)
    return isinstance(owner, type) and vars(owner).get(name) is fn


def stored_elsewhere(code: CodeType, own: tuple[str, ...] | None) -> Iterator[str]:
    """The attributes that are assigned, but not of the parameter `own`."""
    before: dis.Instruction | None = None
    for step in dis.get_instructions(code):
        if step.opname in ("STORE_ATTR", "DELETE_ATTR") and not _loads(before, own):
            yield str(step.argval)
        before = step


def _loads(step: dis.Instruction | None, own: tuple[str, ...] | None) -> bool:
    """Whether an instruction puts the first parameter on the stack."""
    if step is None or not own or not step.opname.startswith("LOAD_FAST"):
        return False
    last = step.argval[-1] if isinstance(step.argval, tuple) else step.argval
    return bool(last == own[0])
