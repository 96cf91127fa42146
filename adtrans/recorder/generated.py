"""Methods that the standard library makes of a text, without a source: those of data classes and
named tuples. They move what they are given; what they call of the user's is called recorded.

>>> import collections
>>> P = collections.namedtuple("P", "a b")
>>> known(P.__new__, (P, 1, 2)) is None, known(len, ()) is None
(False, True)
"""

from __future__ import annotations

import dataclasses
import inspect
import types
from collections.abc import Callable
from typing import Any

from adtrans.recorder import escapes, objects
from adtrans.recorder.late import call
from adtrans.recorder.recorded_needs import WRITTEN
from adtrans.recorder.recorded_refusals import refuse

_Handler = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]


class ClassMaker:
    """What a class statement calls instead of its metaclass: the user's is called recorded."""

    def __init__(self, *given: Any) -> None:
        self.given = {"metaclass": given[0]} if given else {}
        self.kind: Any = type

    def __prepare__(self, name: str, bases: tuple[Any, ...], **kwargs: Any) -> Any:
        self.kind, names, _ = types.prepare_class(name, bases, {**self.given, **kwargs})
        return names

    def __call__(self, name: str, bases: tuple[Any, ...], names: Any, **kwargs: Any) -> Any:
        for base in bases:
            found = objects.find_in_class(base, "__init_subclass__")
            inner = getattr(found, "__func__", None)
            if type(inner) is types.FunctionType and id(inner.__code__) not in WRITTEN:
                if escapes.reaches((kwargs, inner)):
                    refuse("a class with `__init_subclass__`", "Python calls it as it is written")
        return call(self.kind, name, bases, names, **kwargs)


_LOOKING = frozenset({
    "__repr__", "__eq__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__setattr__",
    "__delattr__",
})  # fmt: skip


def known(f: Any, args: tuple[Any, ...]) -> _Handler | None:
    """What is done with such a function; None for any other."""
    if type(f) is not types.FunctionType or f.__code__.co_filename[:1] != "<" or not args:
        return None
    first = args[0]
    if f.__name__ == "__new__" and isinstance(first, type) and issubclass(first, tuple):
        return _as_it_is if hasattr(first, "_fields") else None
    if isinstance(first, tuple) and hasattr(first, "_extra_fields"):
        return _with_more if f.__name__ in ("__init__", "__setattr__") else None
    cls = _class_of(f, first)
    if cls is None:
        return None
    if f.__name__ == "__init__":
        return lambda f, args, kwargs: _initialized(cls, f, args, kwargs)
    return _as_it_is if f.__name__ in _LOOKING else None


def _as_it_is(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return f(*args, **kwargs)


def _with_more(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """A method of one of SciPy's tuples that have attributes as well, which it sets."""
    f(*args, **kwargs)
    objects.touch(args[0].__dict__)


def _class_of(f: Any, obj: Any) -> Any:
    """The data class that a method of an object was made for."""
    for cls in type(obj).__mro__:
        if cls.__dict__.get(f.__name__) is f:
            return cls if "__dataclass_fields__" in cls.__dict__ else None
    return None


def _initialized(cls: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """The `__init__` of a data class, with the user's factories and `__post_init__` recorded."""
    given = inspect.signature(f).bind(*args, **kwargs).arguments
    obj = args[0]
    frozen = cls.__dataclass_params__.frozen
    handed = []
    for field in cls.__dataclass_fields__.values():
        kind = field._field_type.name
        if kind == "_FIELD_CLASSVAR":
            continue
        if field.init and field.name in given:
            value = given[field.name]
        elif field.default_factory is not dataclasses.MISSING:
            value = call(field.default_factory)
        elif field.default is not dataclasses.MISSING and (
            field.init or "__slots__" in cls.__dict__
        ):
            value = field.default
        else:
            continue
        if kind == "_FIELD_INITVAR":
            handed.append(value)
        elif frozen:
            objects.set_by_default(value, obj, field.name)
        else:
            objects.setattribute(value, obj, field.name)
    if hasattr(obj, "__post_init__"):
        call(objects.getattribute(obj, "__post_init__"), *handed)
