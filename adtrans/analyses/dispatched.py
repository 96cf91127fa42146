"""Which of the functions that `functools.singledispatch` holds a call means, by its first argument.

    @singledispatch                     area(Circle(r))   ->   the function of `Circle`
    def area(s): ...                    area(2.0)         ->   that of `float`, or of `object`

    @area.register
    def _(s: Circle): ...
"""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from adtrans.ir.kinds import Array, DictOf, Instance, Kind, ListOf, Scalar, TupleOf

_made: Any = functools.singledispatch(lambda value: value)
_WRAPPER: types.CodeType = _made.__code__  # that of all of them
_NUMBERS: dict[str, type] = {"bool": bool, "int": int, "float": float, "complex": complex}


def is_dispatcher(obj: object) -> bool:
    """Whether a function is one that `singledispatch` made.

    >>> is_dispatcher(functools.singledispatch(lambda value: value)), is_dispatcher(len)
    (True, False)
    """
    return isinstance(obj, types.FunctionType) and obj.__code__ is _WRAPPER


def meant_for(obj: object, cls: type) -> types.FunctionType | None:
    """The function that is called with an object of a class; None where that is not written in
    Python, or the classes do not tell."""
    try:
        found = vars(obj)["dispatch"](cls)
    except RuntimeError:
        return None
    return found if isinstance(found, types.FunctionType) else None


def implementation(obj: object, kind: Kind) -> types.FunctionType | None:
    """The same for a value of a kind; None where the kind does not tell its class.

    >>> area = functools.singledispatch(lambda value: 0.0)
    >>> square = area.register(float)(lambda value: value * value)
    >>> implementation(area, Scalar("float", "float64")) is square
    True
    """
    cls = _class_of(kind)
    return None if cls is None else meant_for(obj, cls)


def _class_of(kind: Kind) -> type | None:
    match kind:
        case Scalar(type=name, dtype=None):
            return _NUMBERS[name]
        case Scalar(dtype=str() as name) if name != "?":
            return np.dtype(name).type
        case Array():
            return np.ndarray
        case ListOf(frozen=False):
            return list
        case DictOf():
            return dict
        case TupleOf(cls=cls):
            return cls or tuple
        case Instance(cls=type() as cls):
            return cls
        case _:
            return None
