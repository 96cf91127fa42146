"""Functions of the user's that a pullback runs again, and what these read from outside.

A checkpoint, and what is handed to `quad` or `brentq`, is run in the pullback once more. What it
reads of globals, cells and attributes has to be then what it was: between `vjp` and its pullback
that is looked at, and inside of the function that is differentiated nothing may assign it.

>>> scope = {"__name__": "heat", "scale": [1.0, 2.0]}
>>> exec("def f(x): return x * scale[1]", scope)
>>> before = read_by([scope["f"]])
>>> scope["scale"][1] = 3.0
>>> before == read_by([scope["f"]])
False
"""

from __future__ import annotations

import functools
import linecache
import re
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from adtrans.analyses.held_by import held_by
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.driver.instances import Member
from adtrans.rules.rule import Rule
from adtrans.source import is_generated
from adtrans.source.class_stores import stored_elsewhere
from adtrans.source.held import held
from adtrans.source.libraries import is_library
from adtrans.source.reach import attributes_named, codes, names_of_values, reached, reached_by_any

_MANY = 5_000
_DEFINED = re.compile(r"\s*def\s+(\w+)")
_BY_VALUE = (bool, int, str, bytes, type(None), slice)
_CONTAINERS = (list, tuple, dict, set, frozenset, deque)
_BY_IDENTITY = (type, ModuleType, FunctionType)
_BEHIND = ("__func__", "fget", "func", "__wrapped__")  # of methods, properties and decorators
_REMEMBERING = type(functools.cache(len))  # what it remembers is no matter of what it returns


def functions_in(names: Mapping[str, object]) -> list[FunctionType]:
    """The functions that generated code with these globals runs again."""
    inner = (getattr(value, "fn", None) for value in names.values() if _is_ours(value))
    found = [getattr(fn, "runs_again", None) for fn in inner]
    return [fn for fn in found if isinstance(fn, FunctionType)]


def spoken_name(functions: Iterable[FunctionType]) -> str:
    """The name that the user knows of the first function that is not generated; a lambda, and one
    with a decorator, may have got another since."""
    own = [f for f in functions if not is_generated(f.__code__.co_filename)]
    for f in own:
        line = linecache.getline(f.__code__.co_filename, f.__code__.co_firstlineno)
        if (written := _DEFINED.match(line)) is not None:
            return written[1]
        return "lambda" if f.__name__ not in line and "lambda" in line else f.__name__
    return "the function"


@dataclass(frozen=True)
class Read:
    """Contents in a form of their own. What they were read of is kept, for its identity."""

    contents: tuple[object, ...] = ()
    kept: Mapping[int, object] = field(default_factory=dict, compare=False, repr=False)


def read_by(functions: Iterable[FunctionType]) -> Read:
    """What the functions, and those that they name, read from outside, as it is now: something that
    is equal as long as nothing of it changes."""
    return contents_of(value for f in functions for _, value in _outside(f))


def contents_of(values: Iterable[object], code: bool = True) -> Read:
    """What values hold, as it is now, with what is inside of them; with `code` also what functions
    among them read from outside, and the methods of their classes."""
    known: dict[int, object] = {}
    found: list[object] = []
    waiting = [*values][::-1]
    while waiting:
        value = waiting.pop()
        if isinstance(value, float | complex | np.generic):
            found.append((type(value), repr(value)))
        elif isinstance(value, _BY_VALUE):
            found.append(value)
        elif id(value) in known or isinstance(value, _BY_IDENTITY):
            inner = [] if id(value) in known else _read_inside(value) if code else _bound(value)
            known[id(value)] = value
            found.append(id(value))
            waiting += inner[::-1]
        else:
            known[id(value)] = value
            own, inner = _parts(value)
            found.append((own, len(inner)))
            waiting += inner[::-1]
    return Read(tuple(found), known)


def _read_inside(value: Any) -> list[object]:
    """What a function of the user's reads from outside, or the methods of a class."""
    if isinstance(value, ModuleType) or is_library(value.__module__):
        return []
    if isinstance(value, FunctionType):
        return [*(v for _, v in _outside_of(value)), *vars(value).values()]
    own = [v for c in value.__mro__ if not is_library(c.__module__) for v in vars(c).values()]
    functions = [f for v in own for f in (v, *(held(v, n) for n in _BEHIND))]
    return [f for f in functions if isinstance(f, FunctionType)]


def _bound(value: Any) -> list[object]:
    """What a function has of the scopes around it, and as defaults."""
    return [v for _, v in held_by(value)] if isinstance(value, FunctionType) else []


def _parts(value: Any) -> tuple[object, list[object]]:
    """What tells a value from others, compared by `==`, and the values that are inside it."""
    if isinstance(value, np.ndarray):
        loose = value.dtype.hasobject
        contents = None if loose else value.tobytes()
        own = id(value), value.shape, value.strides, str(value.dtype), contents
        return own, value.ravel().tolist() if loose else []
    if isinstance(value, bytearray | array):
        return (id(value), bytes(value)), []
    if _is_ours(value):
        return id(value), [held for _, held in _differentiated(value)]
    plain = type(value) in _CONTAINERS or isinstance(value, _REMEMBERING)
    inner = [] if plain else [*(v for item in held_by(value) for v in item), type(value)]
    if isinstance(value, dict):
        return type(value), [*(v for item in value.items() for v in item), *inner]
    if isinstance(value, _CONTAINERS):
        return (type(value), len(value)), [*value, *inner]
    return id(value), inner


def _outside(fn: FunctionType) -> Iterator[tuple[str, object]]:
    """The values that a function and those that it names mean by names from outside."""
    for f in reached(fn):
        yield from _outside_of(f)


def _outside_of(f: FunctionType) -> Iterator[tuple[str, object]]:
    yield from names_of_values(f)
    yield from (("", value) for value in attributes_named(f))
    defaults = (*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values())
    yield from (("", value) for value in defaults)


def _is_ours(value: object) -> bool:
    """Whether a value is a derivative or the like. What it keeps for itself, such as what it has
    compiled and where from, is nothing that the user's function reads."""
    return type(value).__module__.partition(".")[0] == "adtrans"


def _differentiated(value: Any) -> Iterator[tuple[str, object]]:
    """What a derivative reads from outside: what the function does, and what is bound to it."""
    if (wrapped := held(value, "__wrapped__")) is not None:
        yield "", wrapped
    fn = getattr(value, "__differentiates__", None)
    if (target := getattr(getattr(value, "recipe", None), "target", None)) is not None:
        yield from (("", held) for held in (*target.bound, *target.keywords.values()))
        fn = target.fn
    if isinstance(fn, FunctionType):
        yield from _outside(fn)


def perhaps_again(rule: Rule, sure: bool = False) -> Any:
    """The function that a pullback runs again, or may run again, where a call has this rule. With
    `sure`, none for a rule of the user's: of its function it is not known."""
    other = None if sure else taken_by(rule)
    return getattr(rule.custom.fn, "runs_again", other) if rule.custom else None


def taken_by(rule: Rule) -> Any:
    """The function with a rule of its own, which may read what the rule does not know."""
    return None if rule.custom is None or rule.form == "constant" else rule.custom.fn


def calls_again(
    members: Iterable[Member], sure: bool = False
) -> Iterator[tuple[Span, FunctionType]]:
    """The calls of what is run again, or may be run again, and the functions of the user's."""
    for m in members:
        for site, app in m.facts.apps.items() if m.facts is not None else ():
            again = perhaps_again(app.rule, sure)
            if isinstance(again, FunctionType) and not _ours(again):
                assert m.facts is not None
                yield m.facts.structure.stmts[site].span, again


def assigned_between(members: Iterable[Member], fn: object) -> Iterator[Diagnostic]:
    """The errors at calls of what is run again where `fn`, or what it calls, assigns an attribute
    of an object or a class that is read there. Of a function with a rule of the user's it is not
    known whether it is run again."""
    stored: set[str] | None = None
    for span, again in calls_again(members):
        stored = {*_stored(fn)} if stored is None else stored
        for name, attr in _attributes(again):
            if attr in stored:
                yield met_again(span, again, f"{name}.{attr}", "assigned")


def _attributes(fn: FunctionType) -> list[tuple[str, str]]:
    """The attributes of objects from outside that a function and those that it names read."""
    found: dict[tuple[str, str], None] = {}
    seen: dict[int, object] = {}
    names = {n for f in reached_by_any(fn) if isinstance(f, FunctionType) and not _ours(f)
             for code in codes(f.__code__) for n in code.co_names}  # fmt: skip
    waiting = list(_outside(fn))
    while waiting and len(seen) < _MANY:
        name, value = waiting.pop()
        plain = isinstance(value, (*_BY_VALUE, ModuleType, FunctionType, np.ndarray))
        if id(value) in seen or plain:
            continue
        seen[id(value)] = value
        if _is_ours(value):
            waiting += _differentiated(value)
            continue
        for step, part in held_by(value):
            inner = f"{name}{step}" if step[0] == "." else f"{name}[...]"
            if step[0] == "." and step[1:] in names:
                found[name, step[1:]] = None
            waiting.append((inner, part))
    return [*found]


def _stored(fn: object) -> Iterator[str]:
    """The attributes that are assigned by what `fn` may call, but for those of new objects."""
    for f in reached_by_any(fn):
        if not isinstance(f, FunctionType) or _ours(f):
            continue
        own = f.__code__.co_varnames[:1] if f.__name__ == "__init__" else None
        for code in codes(f.__code__):
            yield from stored_elsewhere(code, own)
            if not {"setattr", "delattr"}.isdisjoint(code.co_names):
                yield from (c for c in code.co_consts if isinstance(c, str))


def _ours(f: FunctionType) -> bool:
    return is_library(f.__module__) or str(f.__module__).partition(".")[0] == "adtrans"


def met_again(span: Span, again: FunctionType, text: str, done: str) -> Diagnostic:
    """The error where `text` is assigned or written, and read by a function that is run again."""
    if is_generated(span.file):
        code = again.__code__
        span = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
    return Diagnostic(
        "AD207",
        f"`{text}` is {done}, and read from outside by a function that is run again",
        Label(span, "run again in the pullback"),
        why=f"the second run would find what was {done} since",
        fixes=[Fix(f"pass `{text}` as an argument")],
    )
