"""What a class is made of: its bases and the names that it has, as they were when code was made.

A name that is put into a class later may hide one of its bases, or what an object keeps:

>>> class Base:
...     def step(self): ...
>>> class Heun(Base): ...
>>> found = shape(Heun)
>>> found.holds()
True
>>> Heun.step = lambda self: None
>>> found.holds()
False
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import FunctionType

_METHODS = (FunctionType, property, staticmethod, classmethod)


@dataclass(frozen=True, slots=True)
class Shape:
    """A class, the order in which names are looked up, and the names that it has itself."""

    cls: type
    order: tuple[type, ...]
    table: Mapping[str, object]
    names: list[str]

    def holds(self) -> bool:
        """Whether no name was added or taken away, and no base."""
        return self.cls.__mro__ is self.order and list(self.table) == self.names


def shape(cls: type) -> Shape:
    """What a class is made of now."""
    return Shape(cls, cls.__mro__, vars(cls), list(vars(cls)))


def other_bases(before: Iterable[Shape], now: Iterable[Shape]) -> bool:
    """Whether a class that is in both has other bases, or the same ones in another order."""
    orders = {s.cls: s.order for s in now}
    return any(orders.get(s.cls, s.order) != s.order for s in before)


def special(cls: type) -> tuple[str, ...]:
    """The methods that operators and calls reach without naming them, None in place of one too.

    >>> class Box:
    ...     def __mul__(self, other): ...
    ...     def half(self): ...
    >>> special(Box)
    ('__mul__',)
    """
    return tuple(
        n for n, v in vars(cls).items() if n[:2] == "__" and _does(v) and n not in _DOES_NOTHING
    )


_DOES_NOTHING = ("__doc__", "__module__", "__class_getitem__", "__init_subclass__")


def _does(value: object) -> bool:
    return value is None or isinstance(value, _METHODS) or callable(value)
