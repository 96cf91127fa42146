"""What a value holds: everything that somebody who has it in hand gets at without another name.

>>> from collections import deque
>>> from functools import partial
>>> held_by(deque([1.0, 2.0]))
[('[0]', 1.0), ('[1]', 2.0)]
>>> [part for _, part in held_by({"a": (3, 4)}.values())]
[{'a': (3, 4)}]
>>> ("(...)", (7.0,)) in held_by(partial(round, 7.0))
True

Nothing of the user's is run: `__getattr__`, properties and `__iter__` may do anything. What a
module or a class of a library has is no part, and neither are the globals of a function.
"""

from __future__ import annotations

import gc
import weakref
from collections import deque
from collections.abc import Iterator
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any

import numpy as np

from adtrans.analyses.kinds.values import class_attributes
from adtrans.source.held import held
from adtrans.source.libraries import is_library

_ALONE: frozenset[type] = frozenset({
    str, bytes, int, float, complex, bool, type(None), ModuleType, CodeType, np.ufunc, np.dtype,
    type(np.sum), range,
})  # fmt: skip
_OF_NAMED = ("_fields", "_field_defaults")  # what the class of a named tuple is made of
_NEVER = ("logging", "_io", "io", "ast")  # much hangs together there, and nothing of these programs


def is_alone(value: object) -> bool:
    """Whether nothing that can be written is reached through a value.

    >>> is_alone(3.0), is_alone([3.0])
    (True, False)
    """
    return type(value) in _ALONE or isinstance(value, np.generic)


def held_by(value: Any, without: frozenset[int] = frozenset()) -> list[tuple[str, Any]]:
    """The parts of a value, each with the step that leads there from its name: `.a`, `[0]`, and
    `(...)` where there is no way to write it. `without`: the identities of functions and classes
    whose parts are known by other names. For a weak proxy there is what it stands for, if that
    is still there."""
    return [
        (step, _behind(part)) if type(part) in weakref.ProxyTypes else (step, part)
        for step, part in _parts(value, without)
    ]


def _behind(proxy: Any) -> object:
    """What a weak proxy stands for, None if it is gone."""
    try:
        return getattr(proxy.__init__, "__self__", None)  # which is bound to that, not to the proxy
    except ReferenceError:
        return None


def _parts(value: Any, without: frozenset[int]) -> list[tuple[str, Any]]:
    cls = type(value)
    if isinstance(value, dict):
        found = [(f"[{k!r}]" if type(k) in (str, int) else "[...]", v)
                 for k, v in dict.items(value)]  # fmt: skip
        found += [("[...]", k) for k in dict.keys(value) if not is_alone(k)]
        return found if cls is dict else [*found, *_own(value)]
    if isinstance(value, list | tuple | deque):
        plain: Any = next(c for c in (list, tuple, deque) if isinstance(value, c))
        items = plain.__iter__(value)  # not that of the user's class
        found = [(f"[{k}]", v) for k, v in enumerate(items)]
        return found if cls in (list, tuple, deque) else [*found, *_own(value)]
    if isinstance(value, np.ndarray):
        loose = value.tolist() if value.dtype.hasobject else ()
        return [("[...]", loose)] if loose else []
    if isinstance(value, FunctionType | type):
        if id(value) in without or is_library(value.__module__):
            return []
        if isinstance(value, FunctionType):
            return [*_of_function(value), *_own(value)]
        return [(f".{n}", v) for n, v in class_attributes(value).items()]
    if str(cls.__module__).partition(".")[0] in _NEVER:
        return []
    if str(cls.__module__).partition(".")[0] == "adtrans":
        return list(_of_derivative(value))
    if isinstance(value, weakref.ref):
        return [("()", value()), *_own(value)]
    if isinstance(value, memoryview):
        return [(".obj", value.obj)]
    if isinstance(value, np.nditer):
        return [(".operands", value.operands)]
    if isinstance(value, np.flatiter):
        return [(".base", value.base)]
    if isinstance(value, np.broadcast):
        return [(".iters", value.iters)]
    return _of_object(value)


def _of_object(value: Any) -> list[tuple[str, Any]]:
    """The attributes of an object, and what it holds in C."""
    found = _own(value)
    known = {id(v) for _, v in found}
    own = _dictionary(value)
    for part in gc.get_referents(value):
        if part is own or id(part) in known or isinstance(part, type | ModuleType | CodeType):
            continue
        found.append(("(...)", part))
    return found


def _own(value: Any) -> list[tuple[str, Any]]:
    """The attributes that an object has by its dictionary, its slots and its class."""
    cls = type(value)
    found = {} if is_library(cls.__module__) else class_attributes(cls)
    for name in _OF_NAMED if issubclass(cls, tuple) else ():
        found.pop(name, None)
    found.update(_dictionary(value))
    for base in cls.__mro__[:-1]:
        for name, slot in vars(base).items():
            if type(slot) is MemberDescriptorType and not is_library(base.__module__):
                try:
                    found[name] = slot.__get__(value, cls)
                except AttributeError:  # not assigned yet
                    continue
    return [(f".{n}", v) for n, v in found.items()]


def _dictionary(value: Any) -> dict[str, Any]:
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return own if isinstance(own, dict) else {}


def _of_function(fn: FunctionType) -> Iterator[tuple[str, Any]]:
    """What a function sees of the scopes around it, and what its parameters are without arguments.
    """
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            yield f".{name}", cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    yield from (("(...)", v) for v in fn.__defaults__ or ())
    yield from ((f"({n}=...)", v) for n, v in (fn.__kwdefaults__ or {}).items())


def _of_derivative(value: Any) -> Iterator[tuple[str, Any]]:
    """What a derivative, a checkpoint and the like hold of the user's."""
    for name in ("__wrapped__", "__differentiates__"):
        if (inner := held(value, name)) is not None:
            yield f".{name}", inner
    target = getattr(getattr(value, "recipe", None), "target", None)
    if target is not None:
        yield ".fn", target.fn
        yield from (("(...)", v) for v in target.bound)
        yield from ((f"({n}=...)", v) for n, v in target.keywords.items())


def unbound(value: object) -> object:
    """What matters of a name for a method: the object that it is of."""
    while isinstance(value, MethodType | BuiltinFunctionType):
        inner = value.__self__
        if inner is None or isinstance(inner, ModuleType):
            break
        value = inner
    return value
