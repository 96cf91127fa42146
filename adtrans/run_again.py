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

import dis
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from adtrans.analyses.kinds.values import plain_attributes
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.diagnostics.span import Span
from adtrans.members import Member
from adtrans.source import is_generated
from adtrans.source.reach import (
    attributes_named,
    codes,
    is_library,
    names_of_values,
    reached,
    reached_by_any,
)

_MANY = 5_000
_BY_VALUE = (bool, int, str, bytes, type(None), slice)
_BY_IDENTITY = (type, ModuleType, FunctionType)


def functions_in(names: Mapping[str, object]) -> list[FunctionType]:
    """The functions that generated code with these globals runs again."""
    inner = (getattr(value, "fn", None) for value in names.values())
    found = [getattr(fn, "runs_again", None) for fn in inner]
    return [fn for fn in found if isinstance(fn, FunctionType)]


@dataclass(frozen=True)
class Read:
    """Contents in a form of their own. What they were read of is kept, for its identity."""

    contents: tuple[object, ...] = ()
    kept: Mapping[int, object] = field(default_factory=dict, compare=False, repr=False)


def read_by(functions: Iterable[FunctionType]) -> Read:
    """What the functions, and those that they name, read from outside, as it is now: something that
    is equal as long as nothing of it changes."""
    known: dict[int, object] = {}
    found = tuple(_frozen(value, known) for f in functions for _, value in _outside(f))
    return Read(found, known)


def _outside(fn: FunctionType) -> Iterator[tuple[str, object]]:
    """The values that a function and those that it names mean by names from outside."""
    for f in reached(fn):
        yield from names_of_values(f)
        yield from (("", value) for value in attributes_named(f))


def _frozen(value: Any, known: dict[int, object]) -> object:
    """Contents in a form of their own, which is compared by `==`."""
    if isinstance(value, float | complex | np.generic):
        return type(value), repr(value)
    if isinstance(value, _BY_VALUE):
        return value
    seen = id(value) in known
    known[id(value)] = value
    if isinstance(value, _BY_IDENTITY) or seen or len(known) > _MANY:
        return id(value)
    if isinstance(value, np.ndarray):
        contents = None if value.dtype.hasobject else value.tobytes()
        return id(value), value.shape, value.strides, str(value.dtype), contents
    if isinstance(value, list | tuple):
        return type(value), tuple(_frozen(v, known) for v in value)
    if isinstance(value, dict):
        return dict, tuple((_frozen(k, known), _frozen(v, known)) for k, v in value.items())
    own = plain_attributes(value)
    return id(value), tuple((name, _frozen(v, known)) for name, v in own.items())


def assigned_between(members: Iterable[Member], fn: object) -> Iterator[Diagnostic]:
    """The errors at calls of what is run again where `fn`, or what it calls, assigns an attribute
    of an object that is read there. Of a function with a rule of the user's it is not known whether
    it is run again."""
    stored: set[str] | None = None
    for m in members:
        for site, app in m.facts.apps.items() if m.facts is not None else ():
            if app.rule.custom is None:
                continue
            again = getattr(app.rule.custom.fn, "runs_again", None)
            if again is None and app.rule.form != "constant":
                again = app.rule.custom.fn
            if not isinstance(again, FunctionType) or _ours(again):
                continue
            stored = {*_stored(fn)} if stored is None else stored
            assert m.facts is not None
            for name, attr in _attributes(again):
                if attr in stored:
                    yield _error(m.facts.structure.stmts[site].span, again, f"{name}.{attr}")


def _attributes(fn: FunctionType) -> list[tuple[str, str]]:
    """The attributes of objects from outside that a function and those that it names read."""
    found: dict[tuple[str, str], None] = {}
    seen: set[int] = set()
    names = {n for f in reached_by_any(fn) if isinstance(f, FunctionType) and not _ours(f)
             for code in codes(f.__code__) for n in code.co_names}  # fmt: skip
    waiting = list(_outside(fn))
    while waiting and len(seen) < _MANY:
        name, value = waiting.pop()
        if id(value) in seen or isinstance(value, (*_BY_VALUE, *_BY_IDENTITY, np.ndarray)):
            continue
        seen.add(id(value))
        if isinstance(value, list | tuple | dict):
            every = value.values() if isinstance(value, dict) else value
            waiting += [(f"{name}[...]", v) for v in every]
            continue
        for attr, held in plain_attributes(value).items():
            if attr in names:
                found[name, attr] = None
            waiting.append((f"{name}.{attr}", held))
    return [*found]


def _stored(fn: object) -> Iterator[str]:
    """The attributes that are assigned by what `fn` may call, but for those of new objects."""
    for f in reached_by_any(fn):
        if not isinstance(f, FunctionType) or _ours(f):
            continue
        own = f.__code__.co_varnames[:1] if f.__name__ == "__init__" else ()
        for code in codes(f.__code__):
            before: dis.Instruction | None = None
            for step in dis.get_instructions(code):
                new = before is not None and before.argval in own
                if step.opname in ("STORE_ATTR", "DELETE_ATTR") and not new:
                    yield str(step.argval)
                before = step
            if not {"setattr", "delattr"}.isdisjoint(code.co_names):
                yield from (c for c in code.co_consts if isinstance(c, str))


def _ours(f: FunctionType) -> bool:
    return is_library(f.__module__) or str(f.__module__).partition(".")[0] == "adtrans"


def _error(span: Span, again: FunctionType, text: str) -> Diagnostic:
    if is_generated(span.file):
        code = again.__code__
        span = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
    return Diagnostic(
        "AD207",
        f"`{text}` is assigned, and read from outside by a function that is run again",
        Label(span, "run again in the pullback"),
        why="the second run would find what was assigned since",
        fixes=[Fix(f"pass `{text}` as an argument")],
    )
