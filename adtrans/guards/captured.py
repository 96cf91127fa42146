"""What a function captured: globals, closure cells and attributes of modules that it names.

Generated code is made for the objects that these names mean when it is compiled. Whether they still
mean them is checked at each call, by identity.

>>> scope = {"k": 2.0}
>>> exec("def f(x): return k * x", scope)
>>> found = capture([scope["f"]])
>>> found.holds()
True
>>> scope["k"] = 3.0
>>> found.holds(), found.now().changes(found)
(False, {'k': (2.0, 3.0)})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from adtrans.analyses.kinds import kind_of_value, may_become_another, outside_key
from adtrans.guards.captured_tables import Held
from adtrans.guards.captured_walk import Meant, Walk, contents_of, python_function
from adtrans.guards.class_shapes import Shape, other_bases
from adtrans.guards.scipy_objects import is_foreign
from adtrans.source import MISSING
from adtrans.source.reach import contents_read
from adtrans.source.read_of_objects import read_of_objects


@dataclass(frozen=True, slots=True)
class Space:
    """Names in one namespace and what they meant. `attributes`: it is that of a module or class.

    `owner` identifies it: that of a class is another object each time one asks for it. `fixed`: the
    code was made for these very values, as for the functions in a dictionary.
    """

    owner: int
    table: Mapping[str, object]
    names: tuple[str, ...]
    values: tuple[object, ...]
    attributes: bool = False
    fixed: bool = False


Lookup = tuple[Callable[..., object], str, object]


@dataclass(frozen=True)
class Captured:
    """All that was captured, the functions it was captured by, what their arguments hold;
    `meant`: what the functions did that were met; `cut`:
    whether there were more of them than are looked into; `shapes`: what classes were made of;
    `libraries`: what is read of modules of libraries, for which the code is made."""

    functions: tuple[FunctionType, ...]
    held: tuple[object, ...]
    spaces: tuple[Space, ...]
    cells: tuple[tuple[CellType, str, object], ...]
    meant: tuple[Meant, ...] = ()
    cut: bool = False
    shapes: tuple[Shape, ...] = ()
    libraries: tuple[Space, ...] = ()

    def holds(self) -> bool:
        """Whether every name still means the same object."""
        for get, name, value in self.lookups:
            if get(name, MISSING) is not value:
                return False
        for cell, _, value in self.cells:
            if contents_of(cell) is not value:
                return False
        for m in self.meant:
            if not m.holds():
                return False
        return not self.shapes or all(s.holds() for s in self.shapes)

    @cached_property
    def lookups(self) -> tuple[Lookup, ...]:
        """How each name is looked up, and what it meant."""
        return tuple(_lookups((*self.libraries, *self.spaces)))

    def now(self) -> Captured:
        """The same with the present meanings."""
        return capture(self.functions, self.held)

    def items(self) -> Iterator[tuple[tuple[int, str], object]]:
        """Every name with the identity of its place, and its meaning."""
        for s in self.spaces:
            for name, value in zip(s.names, s.values, strict=True):
                yield (s.owner, name), value
        for cell, name, value in self.cells:
            yield (id(cell), name), value

    def changes(self, old: Captured) -> dict[str, tuple[object, object]] | None:
        """The old and the new value of each name that changed; None if the code must change too.

        New code is needed for another kind of value, another function, another set of names, and
        where a name has meanings in two places.
        """
        before, after = dict(old.items()), dict(self.items())
        if before.keys() != after.keys() or not all(m.holds() for m in old.meant):
            return None
        if other_bases(old.shapes, self.shapes):
            return None
        if any(get(name, MISSING) is not value for get, name, value in _lookups(old.libraries)):
            return None
        found: dict[str, tuple[object, object]] = {}
        fixed = {s.owner for s in old.spaces if s.fixed}
        times = Counter(name for _, name in before)
        for place, value in before.items():
            new = after[place]
            if new is value:
                continue
            if place[0] in fixed or times[place[1]] > 1 or not _alike(value, new):
                return None
            found[place[1]] = value, new
        return found

    def with_read(self, read: Iterable[FunctionType]) -> Captured:
        """The same with the functions of which code was made as functions asked for, where they
        may have been left out: what is compiled into the code is looked at without a limit."""
        known = {m.fn for m in self.meant}
        more = [f for f in read if f not in known] if self.cut else []
        if not more:
            return self
        return capture((*self.functions, *more), self.held)

    def attributes(self) -> Iterator[tuple[Mapping[str, object], str, object]]:
        """The data that is read as attributes of modules and classes."""
        for s in self.spaces:
            if s.attributes:
                for name, value in zip(s.names, s.values, strict=True):
                    plain = not callable(value) or is_foreign(value)
                    if plain and not isinstance(value, ModuleType):
                        yield s.table, name, value

    @cached_property
    def followed(self) -> frozenset[int]:
        """The functions and classes whose own names are among those captured, by identity."""
        classes = (id(v) for v in self.values() if isinstance(v, type))
        return frozenset((*(id(m.fn) for m in self.meant), *classes))

    @cached_property
    def read_of_objects(self) -> frozenset[str] | None:
        """The attributes that these functions read of objects; None where that is not known."""
        if self.cut:
            return None
        return read_of_objects(m.fn for m in self.meant)

    @cached_property
    def read(self) -> tuple[tuple[str, object], ...]:
        """The containers that functions read under names from outside, and the arrays that others
        than the first read so: in one function, the argument and the array from outside are told
        apart by whoever wrote it, as in `np.sum((x - x0) ** 2)` at `x0`."""
        return tuple(
            (name, value)
            for m in self.meant
            for name, value in contents_read(m.fn)
            if isinstance(value, list | dict)
            or (_has_numbers(value) and m.fn is not self.functions[0])
        )

    def apart(self) -> Iterator[object]:
        """Every captured value, those that a list or dictionary holds with what holds them."""
        for s in self.spaces:
            yield from ([s.table.held] if isinstance(s.table, Held) else s.values)
        yield from (value for _, _, value in self.cells)

    def data(self) -> Iterator[object]:
        """Every captured value, and those that parameters have where they are left out."""
        yield from self.values()
        yield from self.defaults()

    def values(self) -> Iterator[object]:
        """Every captured value."""
        yield from (value for _, value in self.items())

    def kinds(self) -> tuple[tuple[object, Hashable], ...]:
        """What may get another kind of all this, with what its kind depends on."""
        found = {id(value): value for value in self.data() if may_become_another(value)}
        return tuple((value, outside_key(value)) for value in found.values())

    def defaults(self, without: FunctionType | None = None) -> Iterator[object]:
        """The defaults of the parameters of all functions but one."""
        for m in self.meant:
            if m.fn is not without:
                yield from (*(m.defaults or ()), *m.values)


def capture(
    functions: Iterable[Callable[..., Any]],
    held: Iterable[object] = (),
) -> Captured:
    """What the functions capture, and what the functions that they name capture.

    `held`: the classes of objects among the arguments, whose methods are captured, too, as those of
    objects that are captured; and the functions and modules that these objects hold.
    """
    own = tuple(held)
    walk = Walk()
    given = tuple(python_function(f) for f in functions)
    roots = tuple(f for f in given if f is not None)
    walk.waiting.extend(roots)
    for value in own:
        walk.take_up(value)
    walk.run(frozenset(roots))
    spaces = tuple(
        Space(owner, table, tuple(found), tuple(found.values()), form is True, form is None)
        for (owner, form), (table, found) in walk.spaces.items()
    )
    return Captured(
        roots, own, spaces, tuple(walk.cells.values()), tuple(walk.seen.values()),
        walk.cut, tuple(walk.shapes.values()),
        tuple(
            Space(owner, table, tuple(found), tuple(found.values()))
            for owner, (table, found) in walk.libraries.items()
            if found
        ),
    )  # fmt: skip


def _lookups(spaces: Iterable[Space]) -> Iterator[Lookup]:
    for s in spaces:
        for name, value in zip(s.names, s.values, strict=True):
            yield s.table.get, name, value


def _has_numbers(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "fcO"


def _alike(a: object, b: object) -> bool:
    """Whether code for `a` is also right for `b`."""
    if a is MISSING or b is MISSING or callable(a) or callable(b):
        return False
    if hasattr(type(a), "__get__") or hasattr(type(b), "__get__"):  # properties
        return False
    return kind_of_value(a) == kind_of_value(b) and outside_key(a) == outside_key(b)
