"""Objects made by their classes: `__new__` and `__init__` in their rewritten form.

>>> made(complex, (1.0, 2.0), {})
(1+2j)
"""

from __future__ import annotations

import types
from typing import Any

from adtrans.recorder import (
    arrays,
    escapes,
    lent_methods,
    moved_numbers,
    moved_objects,
    moving,
    objects,
    texts,
)
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import PLAIN, plain
from adtrans.recorder.recorded_refusals import refuse
from adtrans.recorder.unseen import opaque
from adtrans.rules import lookup

_FunctionType = types.FunctionType


def made(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`cls(*args, **kwargs)`"""
    meta = type(cls)
    own = objects.method_of(meta, "__call__")
    if own is not None and not moving.is_left_alone(own):
        return call(own, cls, *args, **kwargs)
    if own is not None and not escapes.reaches((args, kwargs)):
        return cls(*args, **kwargs)
    return construct(cls, args, kwargs)


def construct(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `type.__call__` does."""
    rule = lookup(cls) if cls.__module__ != "builtins" else None
    if rule is not None:
        return arrays.apply(rule, cls, args, kwargs)
    if type(objects.find_in_class(cls, "__del__")) is _FunctionType and STATE.runs:
        refuse(f"an object of the class `{cls.__name__}`",
               "its `__del__` runs once nothing holds it, and the record does")  # fmt: skip
    if STATE.runs and cls not in STATE.runs[0].met:
        lent_methods.meet(cls)
    new, init = objects.find_in_class(cls, "__new__"), objects.find_in_class(cls, "__init__")
    new = new.__func__ if isinstance(new, staticmethod) else new
    in_python_new, in_python_init = type(new) is _FunctionType, type(init) is _FunctionType
    if new is object.__new__ and init is object.__init__:
        return cls(*args, **kwargs)
    if not in_python_new and not in_python_init:
        return _made_in_c(cls, args, kwargs)
    if in_python_new:
        found = call(new, cls, *args, **kwargs)
    elif new is object.__new__:
        found = object.__new__(cls)
    else:
        found = new_in_c(cls.__new__, cls, args, kwargs)
    if not isinstance(found, cls):
        return found
    init = objects.find_in_class(type(found), "__init__")
    if type(init) is _FunctionType:
        call(init, found, *args, **kwargs)
    elif init is not object.__init__:
        init(found, *moved_objects.handed_to(cls, args), **kwargs)
        objects.touch(found)
    return found


def _made_in_c(cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A class all of whose construction is written in C."""
    if issubclass(cls, moving.HOLDERS):
        return cls(*moved_objects.handed_to(cls, args), **kwargs)
    if issubclass(cls, float | complex) and args and type(args[0]) in PLAIN:
        return new_in_c(cls.__new__, cls, args, kwargs)
    if issubclass(cls, float | complex):
        texts.check(args)
    return opaque(cls, args, kwargs)


def is_unseen(cls: type) -> bool:
    """Does code in C make the objects of a class, and does more than to hold what it is given?"""
    parts = [objects.find_in_class(cls, name) for name in ("__new__", "__init__")]
    if type(cls) is not type or _FunctionType in map(type, parts):
        return False
    simple = parts == [object.__new__, object.__init__]
    return not simple and not issubclass(cls, (*moving.HOLDERS, float, complex))


def new_in_c(f: Any, cls: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`f(cls, *args, **kwargs)` of a `__new__` that is written in C."""
    if issubclass(cls, float) and args:
        number = moved_numbers.to_float(args[0])
        if type(number) in PLAIN:
            made = f(cls, plain(number))
            objects.box(made, number)
            return made
    if not issubclass(cls, (*moving.HOLDERS, type)) and escapes.reaches((args, kwargs)):
        if f not in (object.__new__, BaseException.__new__):
            refuse(f"`{cls.__name__}`", "it is made by code that is written in C")
    return f(cls, *moved_objects.handed_to(cls, args), **kwargs)
