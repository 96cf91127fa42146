"""Attributes that hold one number or text as long as there is an object: `self.layers = 3`.

They are told of objects that are made in the program, where every assignment is seen. Where they
are assigned something else as well, they vary.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from adtrans.analyses.objects.model import Key
from adtrans.ir import expr as E

VARIES: Final = "(varies)", None
Value = tuple[str, object]  # with the name of its type: 1 is not True


def value_of(e: E.Expr) -> Value:
    """What an atom gives to an attribute."""
    if isinstance(e, E.Const) and type(e.value) in (int, str, bool):
        return type(e.value).__name__, e.value
    return VARIES


@dataclass
class AttributeValues:
    """`complete`: the objects of which all is told, with what they begin with."""

    found: dict[tuple[Key, str], Value] = field(default_factory=dict)
    complete: set[Key] = field(default_factory=set)

    def begin(self, key: Key, values: tuple[tuple[str, object], ...] | None) -> None:
        """An object comes into sight; None where not all is known of it."""
        if values is None:
            return
        self.complete.add(key)
        for attr, value in values:
            assert isinstance(value, tuple)
            self.found[key, attr] = value

    def tell(self, key: Key, attr: str, value: Value) -> bool:
        """An attribute is assigned; whether that is new."""
        if key not in self.complete:
            return False
        known = self.found.get((key, attr), value)
        now = value if known == value else VARIES
        new = self.found.get((key, attr)) != now
        self.found[key, attr] = now
        return new

    def unite(self, first: Key, other: Key) -> None:
        """Two objects count as one."""
        if first not in self.complete or other not in self.complete:
            self.complete -= {first, other}
            return
        for attr in {a for k, a in self.found if k in (first, other)}:
            a, b = self.found.get((first, attr)), self.found.get((other, attr))
            self.found[first, attr] = a if a is not None and a == b else VARIES

    def value(self, key: Key, attr: str) -> Value:
        """What an attribute holds all the time."""
        return self.found.get((key, attr), VARIES) if key in self.complete else VARIES

    def of(self, key: Key) -> tuple[tuple[str, object], ...] | None:
        """What is told of an object."""
        if key not in self.complete:
            return None
        return tuple(sorted((a, v) for (k, a), v in self.found.items() if k == key))


def constants(values: tuple[tuple[str, object], ...] | None) -> Mapping[str, object]:
    """The attributes that do not vary."""
    told = {a: v for a, v in values or () if isinstance(v, tuple) and v != VARIES}
    return {a: v[1] for a, v in told.items()}
