"""Named tuples: tuples whose items have names as well, and that are plain tuples in all else.

>>> from collections import namedtuple
>>> is_named(namedtuple("Pair", "a b")), is_named(tuple)
(True, False)
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from inspect import getattr_static
from types import FunctionType
from typing import Any, NamedTuple


class _Example(NamedTuple):
    item: float


_GETTER = type(vars(_Example)["item"])  # what reads an item

# What `collections.namedtuple` and `typing.NamedTuple` define; any other special method may change
# what an operator or an index means.
_USUAL = frozenset({
    "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__", "__doc__",
    "__firstlineno__", "__getnewargs__", "__match_args__", "__module__", "__new__",
    "__orig_bases__", "__qualname__", "__replace__", "__repr__", "__slots__",
    "__slotnames__", "__static_attributes__",
})  # fmt: skip


def is_named(cls: type[Any]) -> bool:
    """Whether objects of `cls` are tuples with names for their items and nothing else.

    Not if it has attributes beside them, computes some, or gives operators a meaning of their own.
    """
    return issubclass(cls, tuple) and _is_named(cls)


@lru_cache(maxsize=256)
def _is_named(cls: Hashable) -> bool:
    assert isinstance(cls, type)
    fields = getattr(cls, "_fields", None)
    if cls.__bases__ != (tuple,) or not isinstance(fields, tuple):
        return False
    special = {n for n in vars(cls) if n.startswith("__") and n.endswith("__")}
    items = (getattr_static(cls, name, None) for name in fields)
    return special <= _USUAL and all(isinstance(i, _GETTER) for i in items)


def special_of_named(cls: object) -> str | None:
    """A special method that a class of named tuples defines itself, and is no plain one for that.

    >>> class Pair(NamedTuple):
    ...     a: float
    ...     def __add__(self, other): return Pair(self.a + other.a)
    >>> special_of_named(Pair), special_of_named(_Example)
    ('__add__', None)
    """
    if not isinstance(cls, type) or cls.__bases__ != (tuple,) or not hasattr(cls, "_fields"):
        return None
    own = (n for n in vars(cls) if n.startswith("__") and n.endswith("__"))
    return next((n for n in own if n not in _USUAL), None)


def method_of_named(cls: type[Any], name: str) -> FunctionType | None:
    """The method of the user's that a class of named tuples has under a name.

    >>> class Pair(NamedTuple):
    ...     a: float
    ...     def twice(self): return Pair(2 * self.a)
    >>> method_of_named(Pair, "twice").__name__, method_of_named(Pair, "_replace")
    ('twice', None)
    """
    found = getattr_static(cls, name, None)
    own = isinstance(found, FunctionType) and not name.startswith("__")
    return found if own and not hasattr(_Example, name) else None


def property_of_named(cls: type[Any], name: str) -> FunctionType | None:
    """What computes a property of the user's in a class of named tuples."""
    found = getattr_static(cls, name, None)
    get = found.fget if type(found) is property else None
    return get if isinstance(get, FunctionType) else None
