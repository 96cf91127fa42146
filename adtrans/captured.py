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

import builtins
import dataclasses
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from dis import get_instructions
from functools import cached_property, partial
from itertools import repeat
from operator import is_
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from adtrans.analyses.dispatched import is_dispatcher
from adtrans.analyses.kinds import kind_of_value, may_become_another, outside_key
from adtrans.analyses.objects.classes import can_follow
from adtrans.captured_tables import Held, Registered
from adtrans.class_shapes import Shape, other_bases, shape, special
from adtrans.diagnostics.errors import CompileError
from adtrans.ir.kinds import DictOf, Instance, Kind, Known, ListOf, TupleOf
from adtrans.rules import lookup
from adtrans.source import MISSING, unwrap
from adtrans.source.namespaces import names_of
from adtrans.source.reach import codes, imports_of, is_library
from adtrans.source.read_of_objects import read_of_objects

_ROW = 32  # items of a list that are compared
_MANY = 2000  # names; beyond, only the functions asked for are looked into


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


@dataclass(frozen=True, slots=True)
class Meant:
    """A function, and what it did: somebody may give it other code or other defaults."""

    fn: FunctionType
    code: CodeType
    defaults: tuple[object, ...] | None
    keywords: dict[str, object] | None
    values: tuple[object, ...]

    def holds(self) -> bool:
        fn, known = self.fn, self.keywords
        if fn.__code__ is not self.code or fn.__defaults__ is not self.defaults:
            return False
        now: dict[str, object] | None = fn.__kwdefaults__
        if known is None or now is not known:
            return now is known
        return len(known) == len(self.values) and all(map(is_, known.values(), self.values))


def meant(fn: FunctionType) -> Meant:
    """What a function does now."""
    known = fn.__kwdefaults__
    return Meant(
        fn, fn.__code__, fn.__defaults__, known, () if known is None else (*known.values(),)
    )


@dataclass(frozen=True)
class Captured:
    """All that was captured, the functions it was captured by, what their arguments hold, and
    objects for globals that are followed; `meant`: what the functions did that were met; `cut`:
    whether there were more of them than are looked into; `shapes`: what classes were made of."""

    functions: tuple[FunctionType, ...]
    held: tuple[object, ...]
    spaces: tuple[Space, ...]
    cells: tuple[tuple[CellType, str, object], ...]
    globals: tuple[tuple[str, object], ...] = ()
    meant: tuple[Meant, ...] = ()
    cut: bool = False
    shapes: tuple[Shape, ...] = ()

    def holds(self) -> bool:
        """Whether every name still means the same object."""
        for s in self.spaces:
            if not all(map(is_, map(s.table.get, s.names, repeat(MISSING)), s.values)):
                return False
        if not all(_contents(cell) is value for cell, _, value in self.cells):
            return False
        return all(s.holds() for s in self.shapes) and all(m.holds() for m in self.meant)

    def now(self) -> Captured:
        """The same with the present meanings."""
        return capture(self.functions, self.held, self.globals)

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
        return capture((*self.functions, *more), self.held, self.globals)

    def attributes(self) -> Iterator[tuple[Mapping[str, object], str, object]]:
        """The data that is read as attributes of modules and classes."""
        for s in self.spaces:
            if s.attributes:
                for name, value in zip(s.names, s.values, strict=True):
                    if not callable(value) and not isinstance(value, ModuleType):
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

    def apart(self) -> Iterator[object]:
        """Every captured value, those that a list or dictionary holds with what holds them."""
        for s in self.spaces:
            yield from ([s.table.held] if isinstance(s.table, Held) else s.values)
        yield from (value for _, _, value in self.cells)
        yield from (value for _, value in self.globals)

    def data(self) -> Iterator[object]:
        """Every captured value, and those that parameters have where they are left out."""
        yield from self.values()
        yield from self.defaults()

    def values(self) -> Iterator[object]:
        """Every captured value."""
        yield from (value for _, value in self.items())
        yield from (value for _, value in self.globals)

    def kinds(self) -> tuple[tuple[object, Hashable], ...]:
        """What may get another kind of all this, with what its kind depends on."""
        found = {id(value): value for value in self.data() if may_become_another(value)}
        return tuple((value, outside_key(value)) for value in found.values())

    def defaults(self, without: FunctionType | None = None) -> Iterator[object]:
        """The defaults of the parameters of all functions but one."""
        for m in self.meant:
            if m.fn is not without:
                yield from (*(m.defaults or ()), *m.values)


def held_in(kind: Kind) -> Iterator[object]:
    """The classes of the objects that are known to be in a value of this kind, and the functions,
    classes and modules that these objects hold."""
    match kind:
        case Instance(cls=cls, fields=fields, holders=holders) if isinstance(cls, type):
            yield cls
            inner = [k for _, k in (*fields, *holders)]
        case TupleOf(items=items, cls=named):
            if named is not None:
                yield named
            inner = list(items)
        case ListOf(item=item, items=items):
            inner = [item, *items]
        case DictOf(item=item, fields=entries):
            inner = [item, *(k for _, k in entries)]
        case _:
            return
    for k in inner:
        if isinstance(k, Known) and (callable(k.value) or isinstance(k.value, ModuleType)):
            yield k.value
        yield from held_in(k)


def capture(
    functions: Iterable[Callable[..., Any]],
    held: Iterable[object] = (),
    globals: tuple[tuple[str, object], ...] = (),
) -> Captured:
    """What the functions capture, and what the functions that they name capture.

    `held`: the classes of objects among the arguments, whose methods are captured, too, as those of
    objects that are captured; and the functions and modules that these objects hold. `globals`:
    objects that stand for the globals which are followed as attributes (`source.namespaces`).
    """
    own = tuple(held)
    walk = _Walk({id(vars(g)): names_of(g) or frozenset() for _, g in globals})
    given = tuple(_python(f) for f in functions)
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
        roots, own, spaces, tuple(walk.cells.values()), globals, tuple(walk.seen.values()),
        walk.cut, tuple(walk.shapes.values()),
    )  # fmt: skip


_Table = tuple[Mapping[str, object], dict[str, object]]


class _Walk:
    """The names met so far, and the functions still to be looked at."""

    def __init__(self, followed: Mapping[int, frozenset[str]]) -> None:
        self.taken: dict[type | ModuleType, None] = {}
        self.shapes: dict[type, Shape] = {}
        self.opened: dict[int, object] = {}
        self.texts: dict[str, None] = {}  # strings that may be names of attributes
        self.by_text = False  # some function reads attributes by such a name
        self.named: dict[str, None] = {}  # attributes, by any of the functions
        self.followed = followed
        # A module is a place twice: its own functions read globals there, others attributes.
        # The values of a dictionary of functions, and what a partial application binds: None.
        self.spaces: dict[tuple[int, bool | None], _Table] = {}
        self.cells: dict[int, tuple[CellType, str, object]] = {}
        self.waiting: list[FunctionType] = []
        self.seen: dict[FunctionType, Meant] = {}
        self.count = 0
        self.cut = False

    def run(self, roots: frozenset[FunctionType]) -> None:
        while self.waiting:
            fn = self.waiting.pop()
            if fn in self.seen:
                continue
            if self.count >= _MANY and fn not in roots:
                self.cut = True
                continue
            self.seen[fn] = meant(fn)
            names, attributes = _names(fn.__code__)
            attributes = (*attributes, *self.named_by_text(fn, names))
            new = tuple(a for a in attributes if a not in self.named)
            self.named.update(dict.fromkeys(new))
            for known in tuple(self.taken) if new else ():
                self.follow(known, new)
            for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
                self.cells[id(cell)] = cell, name, _contents(cell)
                self.follow(_contents(cell), attributes)
            for value in (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values()):
                self.follow(value, attributes)  # which default it is, `Meant` knows
            for name in names:
                value = fn.__globals__.get(name, MISSING)
                if value is not MISSING or hasattr(builtins, name):
                    self.note(id(fn.__globals__), fn.__globals__, name, value, False)
                    self.follow(value, attributes)
            self.imported(fn, attributes)

    def imported(self, fn: FunctionType, attributes: tuple[str, ...]) -> None:
        """Notes what a function imports itself, of which code is made as of what it captured."""
        for name, taken in imports_of(fn):
            for whole in {name, name.partition(".")[0]}:
                if not is_library(name):
                    module = sys.modules.get(whole, MISSING)
                    self.note(id(sys.modules), sys.modules, whole, module, None)
                    self.follow(module, attributes)
            table = {} if is_library(name) else _vars(sys.modules.get(name))
            for own in taken:
                if own in table:
                    self.note(id(table), table, own, table[own], None)
                    self.follow(table[own], attributes)

    def named_by_text(self, fn: FunctionType, names: tuple[str, ...]) -> tuple[str, ...]:
        """The attributes that may be meant by `getattr(b, "m")`: every text that is a name, once
        some function reads attributes so."""
        every = list(codes(fn.__code__))
        defaults = (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values())
        values = (fn.__globals__.get(n) for n in names)
        cells = map(_contents, fn.__closure__ or ())
        for value in (*(c for code in every for c in code.co_consts), *defaults, *values, *cells):
            if isinstance(value, str) and value.isidentifier():
                self.texts[value] = None
        self.by_text |= any(not _BY_TEXT.isdisjoint(code.co_names) for code in every)
        return tuple(self.texts) if self.by_text else ()

    def note(
        self,
        owner: int,
        table: Mapping[str, object],
        name: str,
        value: object,
        attribute: bool | None,
    ) -> None:
        if id(table) in self.followed and name in self.followed[id(table)]:
            return
        self.spaces.setdefault((owner, attribute), (table, {}))[1][name] = value
        self.count += 1

    def follow(self, value: object, names: tuple[str, ...]) -> None:
        """Looks into functions, and at the attributes of modules and classes that are named."""
        if isinstance(value, ModuleType):
            if not is_library(value.__name__):
                self.look_into(id(vars(value)), vars(value), names)
        elif isinstance(value, type):
            if not is_library(value.__module__):
                for f in fields(value) if is_dataclass(value) else ():
                    if f.default_factory is not dataclasses.MISSING:
                        self.follow(f.default_factory, names)
                self.look_into_class(value, names)
                self.take_up(value)
        elif isinstance(value, dict | list) and _is_table(value):
            self.contents(value, names)
        elif type(value) is tuple:
            for item in value:
                if callable(item) and not isinstance(item, type):
                    self.follow(item, names)
        elif callable(value):
            if isinstance(value, partial):
                self.contents(value.keywords, names)
            if is_dispatcher(value):
                self.registered(vars(value)["registry"], names)
            fn = _python(value)
            if fn is not None:
                self.waiting.append(fn)
        if isinstance(value, property):
            self.follow(value.fget, names)
        elif not isinstance(value, _OTHER) and not is_library(type(value).__module__):
            self.look_into_class(type(value), names, methods=True)  # of an object, what it does
        self.objects_in(value)

    def objects_in(self, value: object) -> None:
        """Takes up the classes of an object and of those that it holds, and their functions."""
        if isinstance(value, MethodType):
            value = value.__self__
        if id(value) in self.opened:  # objects may hold each other
            return
        if isinstance(value, dict | list | tuple) or can_follow(type(value)):
            self.opened[id(value)] = value
            for held in held_in(kind_of_value(value)):
                self.take_up(held)

    def take_up(self, value: object) -> None:
        """Looks up what a class or module has for all names: any function may get at it, or at an
        object of it. Functions are looked into."""
        if isinstance(value, type):
            if value not in self.taken and not is_library(value.__module__):
                self.taken[value] = None
                self.look_into_class(value, tuple(self.named))
        elif isinstance(value, ModuleType):
            if value not in self.taken:
                self.taken[value] = None
                self.follow(value, tuple(self.named))
        else:
            fn = _python(value)
            if fn is None or fn not in self.seen:
                self.follow(value, tuple(self.named))

    def look_into_class(self, cls: type, names: tuple[str, ...], *, methods: bool = False) -> None:
        """Notes what a class and its bases have for these names; `methods`: no data."""
        for c in cls.__mro__[:-1]:
            if c not in self.shapes:
                self.shapes[c] = shape(c)
            table = vars(c)
            here = [n for n in names if isinstance(table.get(n), _METHODS)] if methods else names
            self.look_into(id(c), table, (*here, *special(c)))

    def contents(self, held: dict[Any, object] | list[Any], names: tuple[str, ...]) -> None:
        """What a container holds, for which the code is made."""
        if (id(held), None) in self.spaces:
            return
        table = Held(held)
        for name in table:
            self.note(id(held), table, name, table[name], None)
        for name in table:
            self.follow(table[name], names)

    def registered(self, registry: Mapping[type, object], names: tuple[str, ...]) -> None:
        """The functions of `functools.singledispatch`, one of which the code was made for."""
        if (id(registry), None) in self.spaces:
            return
        table = Registered(registry)
        for name in table:
            self.note(id(registry), table, name, table[name], None)
            self.follow(table[name], names)

    def look_into(self, owner: int, table: Mapping[str, object], names: tuple[str, ...]) -> None:
        for name in names:
            value = table.get(name, MISSING)
            known = self.spaces.get((owner, True))
            if value is not MISSING and (known is None or name not in known[1]):
                self.note(owner, table, name, value, True)
                self.follow(value, names)


_METHODS = (FunctionType, property, staticmethod, classmethod)
_OTHER = (ModuleType, type, FunctionType, MethodType, partial)


_BY_TEXT = frozenset({"getattr", "hasattr", "attrgetter", "methodcaller", "__getattribute__"})
"""Whoever names these may read an attribute that a text names."""


def _is_table(held: Any) -> bool:
    """Whether a container is a plain one whose functions are known when code is made."""
    if type(held) is list:
        return len(held) <= _ROW and any(map(_has_functions, held))
    return type(held) is dict and any(map(_has_functions, held.values()))


def _has_functions(item: object) -> bool:
    return any(map(callable, item)) if type(item) is tuple else callable(item)


def _names(code: CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The globals and the attributes that a function names, and the functions inside it."""
    names: dict[str, None] = {}
    attributes: dict[str, None] = {}
    for op in get_instructions(code):
        if isinstance(op.argval, CodeType):
            inner = _names(op.argval)
            names.update(dict.fromkeys(inner[0]))
            attributes.update(dict.fromkeys(inner[1]))
        elif op.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            names[op.argval] = None
        elif op.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"):
            attributes[op.argval] = None
    return tuple(names), tuple(attributes)


def _contents(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return MISSING


def _python(value: object) -> FunctionType | None:
    """The Python function behind a callable, None for libraries and for what has a rule."""
    if isinstance(value, type):
        return None
    value = getattr(value, "__differentiates__", value)
    if lookup(value) is not None:
        return None
    try:
        fn = unwrap(value).fn
    except CompileError:
        return None
    return None if is_library(fn.__module__) else fn


def _alike(a: object, b: object) -> bool:
    """Whether code for `a` is also right for `b`."""
    if a is MISSING or b is MISSING or callable(a) or callable(b):
        return False
    if hasattr(type(a), "__get__") or hasattr(type(b), "__get__"):  # properties
        return False
    return kind_of_value(a) == kind_of_value(b) and outside_key(a) == outside_key(b)


def _vars(module: object) -> Mapping[str, object]:
    return vars(module) if isinstance(module, ModuleType) else {}
