"""Which names are read as attributes of objects, by the functions that were captured.

    class Planet: ...
    Planet.EARTH = Planet(5.97)          # `p.EARTH` is one of its objects, too: of every `p`

Only where somebody writes `p.EARTH` is that a second way to the object; `Planet.EARTH` is its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dis import Instruction, get_instructions
from types import CellType, CodeType, FunctionType

_READS = ("LOAD_ATTR", "LOAD_METHOD")
_ALL = frozenset({"__dict__", "vars", "getattr", "attrgetter", "__getattribute__", "dir"})
"""Whoever names these may read any attribute."""


def read_of_objects(functions: Iterable[FunctionType]) -> frozenset[str] | None:
    """The attributes that are read of something other than a class with a global name, and every
    text; None where any attribute may be read.

    >>> class Planet: ...
    >>> scope = {"Planet": Planet}
    >>> exec("def weight(p): return p.mass * Planet.EARTH.radius", scope)
    >>> sorted(read_of_objects([scope["weight"]]))
    ['mass', 'radius']
    >>> exec("def anything(p): return vars(p)", scope)
    >>> read_of_objects([scope["anything"]]) is None
    True
    """
    found: set[str] = set()
    for fn in functions:
        cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
        for inner in _with_inner(fn.__code__):
            if not _ALL.isdisjoint(inner.co_names):
                return None
            found.update(c for c in inner.co_consts if isinstance(c, str))
            found.update(_read(inner, fn.__globals__, cells if inner is fn.__code__ else {}))
    return frozenset(found)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from _with_inner(const)


def _read(
    code: CodeType, scope: Mapping[str, object], cells: Mapping[str, CellType]
) -> Iterator[str]:
    before: Instruction | None = None
    for op in get_instructions(code):
        if op.opname in ("EXTENDED_ARG", "CACHE"):
            continue
        if op.opname in _READS and not (before and _is_class(before, scope, cells)):
            yield op.argval
        before = op


def _is_class(
    op: Instruction, scope: Mapping[str, object], cells: Mapping[str, CellType]
) -> bool:
    """Whether an instruction loads a class from the module, or from around the function."""
    if op.opname == "LOAD_GLOBAL":
        return isinstance(scope.get(op.argval), type)
    if op.opname != "LOAD_DEREF" or op.argval not in cells:
        return False
    try:
        return isinstance(cells[op.argval].cell_contents, type)
    except ValueError:  # not bound yet
        return False
