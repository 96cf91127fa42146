"""What `dataclasses` generates: `__init__` has no source of its own, and calls the user's code."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from typing import Any

from adtrans.recorder import objects
from adtrans.recorder.late import call

_DEFAULT: Any = dataclasses._HAS_DEFAULT_FACTORY  # type: ignore[attr-defined]


def is_init(f: Any, args: tuple[Any, ...]) -> bool:
    """Is a function without source the `__init__` of a dataclass, called on an object of it?"""
    if f.__name__ != "__init__" or not args:
        return False
    return any(c.__dict__.get("__init__") is f and "__dataclass_fields__" in c.__dict__
               for c in type(args[0]).__mro__)  # fmt: skip


@functools.lru_cache(1024)
def _signature(f: Any) -> inspect.Signature:
    return inspect.signature(f)


def init(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """The fields of a dataclass are set, and its `__post_init__` is called in rewritten form."""
    try:
        given = _signature(f).bind(*args, **kwargs)
    except TypeError:
        return f(*args, **kwargs)  # the error in Python's own words
    given.apply_defaults()
    obj, *_ = args
    cls = next(c for c in type(obj).__mro__ if c.__dict__.get("__init__") is f)
    frozen = cls.__dataclass_params__.frozen
    for_post = []
    for field in cls.__dataclass_fields__.values():
        name, kind = field.name, field._field_type.name
        if kind == "_FIELD_CLASSVAR":
            continue
        if field.init:
            value = given.arguments[name]
            if value is _DEFAULT:
                value = call(field.default_factory)
        elif field.default_factory is not dataclasses.MISSING:
            value = call(field.default_factory)
        elif "__slots__" in cls.__dict__ and field.default is not dataclasses.MISSING:
            value = field.default
        else:
            continue
        if kind == "_FIELD_INITVAR":
            for_post.append(value)
        elif frozen:
            object.__setattr__(obj, name, value)
            objects.touch(obj)
        else:
            objects.setattribute(value, obj, name)
    if hasattr(cls, "__post_init__"):
        call(objects.getattribute(obj, "__post_init__"), *for_post)
    return None
