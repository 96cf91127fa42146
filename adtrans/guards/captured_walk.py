"""What a function names, and the functions that it names, one after the other.

What `captured` compares at each call is found here: globals, cells, attributes of modules
and classes, imports, and what containers of functions hold.
"""

from __future__ import annotations

import builtins
import dataclasses
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from dis import get_instructions
from functools import partial
from operator import is_
from types import CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from adtrans.analyses.kinds import kind_of_value
from adtrans.analyses.objects.classes import can_follow
from adtrans.diagnostics.errors import CompileError
from adtrans.guards.captured_tables import Held
from adtrans.guards.class_shapes import Shape, shape, special
from adtrans.ir.kinds import DictOf, Instance, Kind, Known, ListOf, TupleOf
from adtrans.rules import lookup
from adtrans.source import MISSING, unwrap
from adtrans.source.libraries import is_library
from adtrans.source.reach import codes, imports_of, module_named, remembered, whole_modules

_ROW = 32  # items of a list that are compared
_MANY = 2000  # names; beyond, only the functions asked for are looked into


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


def functions_in(kinds: Mapping[str, Kind]) -> Iterator[Callable[..., Any]]:
    """The functions among the arguments: their code is part of what is compiled."""
    waiting = list(kinds.values())
    while waiting:
        match waiting.pop():
            case Known(value=value) if callable(value) and not isinstance(value, type):
                yield value
            case TupleOf(items=items):
                waiting.extend(items)
            case _:
                pass


_Table = tuple[Mapping[str, object], dict[str, object]]


class Walk:
    """The names met so far, and the functions still to be looked at.

    `libraries`: what is read of the modules of libraries, by the identity of their names.
    """

    def __init__(self) -> None:
        self.taken: dict[type | ModuleType, None] = {}
        self.shapes: dict[type, Shape] = {}
        self.opened: dict[int, object] = {}
        self.texts: dict[str, None] = {}  # strings that may be names of attributes
        self.by_text = False  # some function reads attributes by such a name
        self.named: dict[str, None] = {}  # attributes, by any of the functions
        # A module is a place twice: its own functions read globals there, others attributes.
        # The values of a dictionary of functions, and what a partial application binds: None.
        self.spaces: dict[tuple[int, bool | None], _Table] = {}
        self.cells: dict[int, tuple[CellType, str, object]] = {}
        self.waiting: list[FunctionType] = []
        self.seen: dict[FunctionType, Meant] = {}
        self.count = 0
        self.cut = False
        self.libraries: dict[int, _Table] = {}

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
                self.cells[id(cell)] = cell, name, contents_of(cell)
                self.follow(contents_of(cell), attributes)
            for value in (*(fn.__defaults__ or ()), *(fn.__kwdefaults__ or {}).values()):
                self.follow(value, attributes)  # which default it is, `Meant` knows
                if isinstance(value, ModuleType):
                    self.take_up(value)
            for name in names:
                value = fn.__globals__.get(name, MISSING)
                if value is MISSING and hasattr(builtins, name):
                    self.of_library(builtins, (name,))
                if value is not MISSING or hasattr(builtins, name):
                    self.note(id(fn.__globals__), fn.__globals__, name, value, False)
                    self.follow(value, attributes)
            self.imported(fn, attributes)
            for value in whole_modules(fn):
                self.take_up(value)

    def imported(self, fn: FunctionType, attributes: tuple[str, ...]) -> None:
        """Notes what a function imports itself, of which code is made as of what it captured."""
        for name, taken in imports_of(fn):
            for whole in {name, name.partition(".")[0]}:
                module = module_named(whole)
                if not is_library(name):
                    self.note(id(sys.modules), sys.modules, whole, module, None)
                    self.follow(module, attributes)
                elif isinstance(module, ModuleType):
                    self.take_up(module)
            module = module_named(name)
            if is_library(name) and isinstance(module, ModuleType):
                self.of_library(module, taken)
            table = {} if is_library(name) else _vars(module)
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
        cells = map(contents_of, fn.__closure__ or ())
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
        self.spaces.setdefault((owner, attribute), (table, {}))[1][name] = value
        self.count += 1

    def follow(self, value: object, names: tuple[str, ...]) -> None:
        """Looks into functions, and at the attributes of modules and classes that are named."""
        if isinstance(value, ModuleType):
            if is_library(value.__name__):
                self.of_library(value, names)
            else:
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
            fn = python_function(value)
            if fn is not None:
                self.waiting.append(fn)
        if isinstance(value, property):
            self.follow(value.fget, names)
        elif not isinstance(value, _OTHER) and not is_library(type(value).__module__):
            self.look_into_class(type(value), names, methods=True)  # of an object, what it does
        elif not isinstance(value, _OTHER) and hasattr(value, "__dict__"):
            known = self.libraries.setdefault(id(value), (vars(value), {}))[1]
            methods = (n for n in names if hasattr(type(value), n))  # none is its own so far
            known.update((n, vars(value).get(n, MISSING)) for n in methods)
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
            fn = python_function(value)
            if fn is None or fn not in self.seen:
                self.follow(value, tuple(self.named))

    def of_library(self, module: ModuleType, names: tuple[str, ...]) -> None:
        """Notes what a module of a library has for these names: the code was made for these very
        objects, and somebody may put another one there."""
        table = vars(module)
        known = self.libraries.setdefault(id(table), (table, {}))[1]
        lazy = table.get("__all__", ()) if "__getattr__" in table else ()
        for name in names:
            if name not in known and (name in table or name in lazy):
                with warnings.catch_warnings():  # a name that is deprecated is none of the user's
                    warnings.simplefilter("ignore", DeprecationWarning)
                    known[name] = value = getattr(module, name)  # perhaps imported just now
                self.follow(value, names)

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


@remembered
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
            if op.argval.isidentifier():  # not those of a tool that rewrites assertions
                names[op.argval] = None
        elif op.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"):
            attributes[op.argval] = None
    return tuple(names), tuple(attributes)


def contents_of(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return MISSING


def python_function(value: object) -> FunctionType | None:
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


def _vars(module: object) -> Mapping[str, object]:
    return vars(module) if isinstance(module, ModuleType) else {}
