"""The globals that functions assign or write, as attributes of an object.

>>> scope = {"__name__": "heat", "count": 1, "other": 2}
>>> heat = namespace(scope, {"count"})
>>> heat.count += 1
>>> scope["count"], stored(heat), name_of(scope)
(2, {'count': 2}, 'heat')
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from adtrans.source.scope import MISSING, resolve

Globals = dict[str, object]
Written = Mapping[int, tuple[Globals, frozenset[str]]]
"""Names of globals that are assigned or written, by the identity of the dictionary of a module."""


@dataclass(frozen=True)
class Global:
    """A name in the dictionary of a module."""

    table: Globals = field(compare=False, repr=False)
    name: str
    owner: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "owner", id(self.table))


def by_module(found: Iterable[Global]) -> Written:
    """Globals, module by module."""
    made: dict[int, tuple[Globals, frozenset[str]]] = {}
    for g in sorted(found, key=lambda g: (name_of(g.table), g.name)):
        _, names = made.get(g.owner, (g.table, frozenset[str]()))
        made[g.owner] = g.table, names | {g.name}
    return made


_NAMES = "__names_of_globals__"
_KNOWN: dict[tuple[int, frozenset[str]], tuple[Globals, Any]] = {}


def namespace(table: Globals, names: Iterable[str]) -> Any:
    """The object whose attributes are these globals; the same one each time."""
    key = id(table), frozenset(names)
    if key not in _KNOWN:
        module = str(table.get("__name__", "globals"))
        found: Any = object.__new__(type("Globals", (), {"__module__": module, _NAMES: key[1]}))
        found.__dict__ = table
        _KNOWN[key] = table, found
    return _KNOWN[key][1]


def stored(obj: object) -> Mapping[str, object]:
    """What an object keeps in its dictionary; of the globals of a module, those that it is for."""
    own = getattr(obj, "__dict__", {})
    names = names_of(obj)
    return own if names is None else {n: own[n] for n in sorted(names) if n in own}


def names_of(obj: object) -> frozenset[str] | None:
    """The globals that an object stands for; None for any other object."""
    found: frozenset[str] | None = vars(type(obj)).get(_NAMES)
    return found


def name_of(table: Globals) -> str:
    """What the object is called in a function."""
    name = str(table.get("__name__", "globals")).rpartition(".")[2].strip("_")
    return name if name.isidentifier() and not keyword.iskeyword(name) else "globals"


def namespaces(written: Written) -> Iterator[tuple[str, Any]]:
    """The objects, each with its name."""
    for table, names in written.values():
        yield name_of(table), namespace(table, names)


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
