"""What code that is not followed may do to globals: the names that it, and what it calls, assigns.

>>> scope = {}
>>> exec("def bump():\\n    global n\\n    n = 1\\ndef twice():\\n    bump(); bump()", scope)
>>> [g.name for g in assigned_behind(scope["twice"])]
['n']
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from dis import get_instructions, opmap
from functools import partial
from importlib.util import resolve_name
from inspect import getattr_static
from itertools import islice, pairwise
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import TypeVar

from adtrans.source.global_names import Global
from adtrans.source.held import held
from adtrans.source.libraries import is_library
from adtrans.source.scope import MISSING

_MANY = 500  # functions
_REMEMBERED = 20_000  # code objects
_THINGS = 20_000  # values that they name, numbers among them
_HELD = ("__func__", "func")  # of static and class methods, and cached properties
_CALLED = (
    "setattr", "__dict__", "append", "extend", "insert", "pop", "clear", "update", "fill", "sort",
    "copyto", "put", "setdefault", "__setitem__", "__delitem__", "exec",
)  # fmt: skip
_TABLES = frozenset({"globals", "__globals__", "exec"})
_IMPORTS = opmap["IMPORT_NAME"]
_NAMED = ("LOAD_CONST", "LOAD_GLOBAL", "LOAD_NAME")
_IDENTITY = frozenset({"id", "shares_memory", "may_share_memory"})
_READS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF")
_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")
_FORMS = ("shape", "ndim", "size", "dtype", "keys")
T = TypeVar("T")
CHANGES = ("STORE_ATTR", "DELETE_ATTR", "STORE_SUBSCR", "DELETE_SUBSCR")


def remembered(ask: Callable[[CodeType], T]) -> Callable[[CodeType], T]:
    """What is found in a code object, found once; it is told by identity, as comparing two takes
    as long as going through them."""
    known: dict[int, tuple[CodeType, T]] = {}

    def found(code: CodeType) -> T:
        here = known.get(id(code))
        if here is None:
            if len(known) >= _REMEMBERED:
                known.clear()
            here = known[id(code)] = code, ask(code)
        return here[1]

    functools.update_wrapper(found, ask)
    return found


def asks_identity(code: CodeType) -> bool:
    """Whether code compares two objects by `is`, or `id`; not one with what a global name means,
    or with None.

    >>> asks_identity((lambda a, b: a is b).__code__), asks_identity((lambda a: a is None).__code__)
    (True, False)
    """
    if not _IDENTITY.isdisjoint(code.co_names):
        return True
    found = [i.opname for i in get_instructions(code)]
    before = pairwise(found)
    return any(now == "IS_OP" and first not in _NAMED for first, now in before)


def reached(fn: object) -> Iterator[FunctionType]:
    """The Python functions behind `fn`, and those that they name, in turn."""
    waiting, seen = [fn], set[int]()
    while waiting and len(seen) < _MANY:
        found = waiting.pop()
        inner = [v for n in ("__func__", "__wrapped__") if (v := held(found, n)) is not None]
        found = inner[0] if inner else found
        if not isinstance(found, FunctionType) or id(found) in seen:
            continue
        seen.add(id(found))
        if is_library(found.__module__):
            continue
        yield found
        waiting += (value for _, value in names_of_values(found))


def reached_by_any(fn: object, without: Iterable[object] = ()) -> Iterator[FunctionType]:
    """The same and more: methods of the classes and objects among what is named, and what is inside
    a decorator; not through the functions `without`."""
    waiting = [fn]
    seen = {id(f): f for f in without}  # what is seen stays, so that no other has its id
    functions = 0
    while waiting and functions < _MANY and len(seen) < _THINGS:
        found = waiting.pop()
        if id(found) in seen:
            continue
        seen[id(found)] = found
        if isinstance(found, FunctionType):
            wrapper = hasattr(found, "__wrapped__")  # its module is said to be that of the other
            home = found.__globals__.get("__name__") if wrapper else None
            if not is_library(found.__module__) and not is_library(home):
                functions += 1
                yield found
                waiting += (value for _, value in names_of_values(found))
                waiting += attributes_named(found)
                waiting += (*(found.__defaults__ or ()), *(found.__kwdefaults__ or {}).values())
        waiting += _inside(found)


def _inside(found: object) -> Iterator[object]:
    """What code may call that has something in hand: methods, and what a decorator holds."""
    if isinstance(found, type):
        for c in found.__mro__:
            yield from vars(c).values() if not is_library(c.__module__) else ()
    elif isinstance(found, property):
        yield from (found.fget, found.fset, found.fdel)
    elif isinstance(found, MethodType):
        yield from (found.__func__, found.__self__)
    elif isinstance(found, partial):
        yield from (found.func, *found.args, *found.keywords.values())
    elif isinstance(found, list | tuple | dict | set | frozenset):
        every = found.values() if isinstance(found, dict) else found
        yield from (v for v in islice(every, _MANY) if callable(v))
    elif not isinstance(found, ModuleType):
        if not isinstance(found, FunctionType) and not is_library(type(found).__module__):
            yield type(found)
        yield from (v for n in _HELD if (v := getattr_static(found, n, None)) is not None)
        yield held(found, "__wrapped__")


def attributes_named(fn: FunctionType) -> Iterator[object]:
    """What the attributes mean that the code of a function names, of modules and classes that it
    names as well."""
    names = names_in(fn.__code__)
    for _, value in names_of_values(fn):
        if isinstance(value, ModuleType | type):
            yield from (vars(value)[n] for n in names & vars(value).keys())


def names_of_values(fn: FunctionType) -> Iterator[tuple[str, object]]:
    """The names in the code of a function that mean something outside of it, and what."""
    for code in codes(fn.__code__):
        own = (n for n in code.co_names if n.isidentifier())  # no tool that rewrites assertions
        yield from ((n, fn.__globals__[n]) for n in own if n in fn.__globals__)
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not assigned yet
            continue


def state_read(fn: object) -> str | None:
    """A global or captured variable that a function, or one that it calls by name, reads, and that
    is no function, class or module: it may be another one at the next call.
    """
    lasting = (FunctionType, BuiltinFunctionType, ModuleType, type)
    for f in reached(fn):
        for name, value in names_of_values(f):
            if not isinstance(value, lasting) and not callable(value):
                return name
    return None


def values_written(fn: object) -> Iterator[tuple[str, object]]:
    """The values that a function, or those that it calls by name, may change: those that are named
    where something is assigned to an attribute or an item."""
    for f in reached(fn):
        if _changes(f):
            yield from names_of_values(f)


def written_behind(fn: object) -> Iterator[Global]:
    """The globals whose contents a function, or those that it calls by name, may change."""
    for f in reached(fn):
        for code in codes(f.__code__) if _changes(f) else ():
            yield from (Global(f.__globals__, n) for n in code.co_names if n in f.__globals__)


def named_behind(fn: object) -> Iterator[Global]:
    """The globals that a function names, or those that it calls by name."""
    for f in reached(fn):
        yield from named_by(f)


def read_behind(fn: object) -> Iterator[Global]:
    """The globals that a function, or those that it calls by name, read and do not assign."""
    for f in reached(fn):
        yield from {*named_by(f)} - {*assigned_by(f)}


def named_by(fn: FunctionType) -> Iterator[Global]:
    """The globals that a function names itself."""
    modules = [vars(v) for _, v in names_of_values(fn) if isinstance(v, ModuleType)]
    for code in codes(fn.__code__):
        yield from (Global(t, n) for n in code.co_names for t in (fn.__globals__, *modules))


def finds_modules(fn: FunctionType) -> bool:
    """Whether a function may get at a module by its name, and so at any global."""
    names = names_in(fn.__code__)
    if not names.isdisjoint({"import_module", "__import__", "getmodule"}):
        return True
    found = [value for _, value in names_of_values(fn)]
    by_name = "modules" in names and any(v is sys for v in found)
    return by_name or any(v is sys.modules or v is importlib.import_module for v in found)


def imported_inside(fn: FunctionType) -> set[int]:
    """The namespaces, by identity, of the modules that a function imports itself."""
    return {id(vars(sys.modules[n])) for n, _ in imports_of(fn) if n in sys.modules}


def imports_of(fn: FunctionType) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The modules that the code of a function imports, with the names that it takes from each."""
    package = str(fn.__globals__.get("__package__") or "")
    for code in codes(fn.__code__):
        if _IMPORTS not in code.co_code[::2]:
            continue
        ops = [op for op in get_instructions(code) if op.opname != "EXTENDED_ARG"]
        for level, taken, op in zip(ops, ops[1:], ops[2:], strict=False):
            if op.opname == "IMPORT_NAME":
                dots = level.argval if isinstance(level.argval, int) else 0
                yield absolute(str(op.argval), dots, package), tuple(taken.argval or ())


def module_named(name: str) -> object:
    """A module that is imported, or part of a library that is; else MISSING."""
    top = name.partition(".")[0]
    known = top in sys.modules or top in ("numpy", "scipy")
    if name not in sys.modules and known and is_library(name):
        try:
            importlib.import_module(name)
        except ImportError:
            return MISSING
    return sys.modules.get(name, MISSING)


def whole_modules(fn: FunctionType) -> Iterator[ModuleType]:
    """The modules that a function hands on or keeps: others may read any attribute of them."""
    found = {n: v for n, v in names_of_values(fn) if isinstance(v, ModuleType)}
    for code in codes(fn.__code__) if found else ():
        for op, then in pairwise(get_instructions(code)):
            if op.argval in found and then.opname not in _ATTRIBUTES:
                yield found[op.argval]


def contents_read(fn: FunctionType) -> Iterator[tuple[str, object]]:
    """The globals, captured variables and variables of modules of the user's that a function reads,
    and not for their shape or their keys only."""
    found = dict(names_of_values(fn))
    for code in codes(fn.__code__):
        ops = [*get_instructions(code), None, None]
        for op, then, last in zip(ops, ops[1:], ops[2:], strict=False):
            if op is None or op.opname not in _READS or op.argval not in found:
                continue
            name, value = str(op.argval), found[op.argval]
            if isinstance(value, ModuleType) and then is not None and then.opname in _ATTRIBUTES:
                name, then = f"{name}.{then.argval}", last
                value = vars(value).get(name.rpartition(".")[2])
            if then is None or then.opname not in _ATTRIBUTES or then.argval not in _FORMS:
                yield name, value


def absolute(module: str, level: int, package: str) -> str:
    """The name of a module that an import names, with this many dots in front.

    >>> absolute("numpy", 0, "heat"), absolute("rod", 1, "heat.solvers"), absolute("rod", 9, "heat")
    ('numpy', 'heat.solvers.rod', '')
    """
    try:
        return resolve_name("." * level + module, package or None)
    except (ImportError, TypeError, ValueError):
        return ""


def _changes(fn: FunctionType) -> bool:
    return _code_changes(fn.__code__)


@remembered
def _code_changes(code: CodeType) -> bool:
    every = (op for c in codes(code) for op in get_instructions(c))
    return any(op.opname in CHANGES or str(op.argval) in _CALLED for op in every)


def writes_anything(fn: FunctionType) -> bool:
    """Whether a function assigns more than variables of its own, or updates something in place.

    >>> def f(x): x *= 2.0
    >>> def g(x): return x * 2.0
    >>> writes_anything(f), writes_anything(g)
    (True, False)
    """
    every = [op for code in codes(fn.__code__) for op in get_instructions(code)]
    return _changes(fn) or any(
        op.opname in ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF")
        or op.opname.startswith("INPLACE_")
        or (op.opname == "BINARY_OP" and op.argrepr.endswith("="))
        for op in every
    )


def assigned_behind(fn: object) -> Iterator[Global]:
    """The globals that a function may assign, or those that it calls by name."""
    for f in reached(fn):
        yield from assigned_by(f)


def assigned_by(fn: FunctionType) -> Iterator[Global]:
    """The globals that a function may assign itself."""
    modules = [vars(v) for _, v in names_of_values(fn) if isinstance(v, ModuleType)]
    yield from _assigned_by_name(fn)
    for name, attribute in stores_in(fn.__code__):
        if not attribute:
            yield Global(fn.__globals__, name)
        else:
            yield from (Global(table, name) for table in modules if name in table)


@remembered
def stores_in(code: CodeType) -> tuple[tuple[str, bool], ...]:
    """The globals, and the attributes (True), that a function assigns or deletes."""
    every = (op for c in codes(code) for op in get_instructions(c))
    return tuple(
        (str(op.argval), op.opname.endswith("_ATTR"))
        for op in every
        if op.opname in ("STORE_GLOBAL", "DELETE_GLOBAL", "STORE_ATTR", "DELETE_ATTR")
    )


def _assigned_by_name(fn: FunctionType) -> Iterator[Global]:
    """The globals that a function may assign through the dictionary of a module."""
    every = list(codes(fn.__code__))
    names = {n for code in every for n in code.co_names}
    if names.isdisjoint(_TABLES) or not _changes(fn):
        return
    tables = {id(v.__globals__): v.__globals__ for _, v in names_of_values(fn)
              if isinstance(v, FunctionType)}  # fmt: skip
    tables = {id(fn.__globals__): fn.__globals__} | (tables if "__globals__" in names else {})
    consts = [c for code in every for c in code.co_consts]
    written = {t for c in consts for t in (c if type(c) is tuple else (c,))}
    for table in tables.values():
        found = [n for n in table if n in written]
        if not found:  # under a name that is computed
            lasting = (FunctionType, BuiltinFunctionType, ModuleType, type)
            found = [n for n, v in table.items() if not isinstance(v, lasting)]
        yield from (Global(table, n) for n in found if not n.startswith("__"))


def place_of_code(fn: FunctionType) -> tuple[str, int]:
    """Where a function ends, which is the same for one that is compiled anew with other names."""
    lines = (line for code in codes(fn.__code__) for *_, line in code.co_lines() if line)
    return fn.__code__.co_filename, max(lines, default=fn.__code__.co_firstlineno)


@remembered
def names_in(code: CodeType) -> frozenset[str]:
    """The names of globals and attributes in a function, and in those inside it."""
    return frozenset(n for c in codes(code) for n in c.co_names)


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function, and of those inside it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from codes(const)
