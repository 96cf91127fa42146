"""Globals: names in the dictionaries of modules."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, TypeAlias

from adtrans.source.scope import MISSING, resolve

Globals: TypeAlias = "dict[str, Any]"


@dataclass(frozen=True)
class Global:
    """A name in the dictionary of a module."""

    table: Globals = field(compare=False, repr=False)
    name: str
    owner: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "owner", id(self.table))


def place_of(fn: Any, text: str) -> tuple[Globals, str] | None:
    """The dictionary and the name that a free name (`count`, `heat.count`) means in a function;
    None for what is no global."""
    first, *rest = text.split(".")
    if first in fn.__code__.co_freevars or (not rest and first not in fn.__globals__):
        return None
    table: Globals = fn.__globals__
    value = resolve(fn, first)
    for attr in rest:
        if not isinstance(value, ModuleType):
            return None
        table, first = vars(value), attr
        value = table.get(attr, MISSING)
    return None if value is MISSING else (table, first)
