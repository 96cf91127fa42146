"""Values that stay what they are: what a condition says of one may be asked again at any time.

    if HIST:          a list may be empty now and not later, and an object's `__bool__` may count
    if MODE == "fast" a string says the same whenever it is asked
"""

from __future__ import annotations

from enum import Enum
from types import BuiltinFunctionType, EllipsisType, FunctionType, ModuleType, NoneType

import numpy as np

from adtrans.ir import expr as E


def is_fixed(value: object) -> bool:
    """Whether an object never changes, and no code of the user's runs where it is asked.

    >>> is_fixed(2.0), is_fixed((1, "edge")), is_fixed(len), is_fixed(float)
    (True, True, True, True)
    >>> is_fixed([]), is_fixed((1, [])), is_fixed(object())
    (False, False, False)
    """
    if type(value) in (tuple, frozenset):
        assert isinstance(value, tuple | frozenset)
        return all(is_fixed(v) for v in value)
    if isinstance(value, Enum):
        asked = (getattr(type(value), name, None) for name in _ASKED)
        return not any(isinstance(f, FunctionType) and f.__module__ != "enum" for f in asked)
    return type(value) in _FIXED or (isinstance(value, np.number | np.bool_))


def asks_only_fixed(e: E.Expr) -> bool:
    """Whether the objects from outside that an expression asks, for their truth or anything but
    which ones they are, are fixed.

    >>> asks_only_fixed(E.Ref("MODE", "fast")), asks_only_fixed(E.Ref("HIST", []))
    (True, False)
    >>> asks_only_fixed(E.Compare(E.Name("x"), ("is",), (E.Ref("HIST", []),)))
    True
    >>> asks_only_fixed(E.Call(E.Ref("len", len), (E.Ref("HIST", []),)))
    False
    """
    match e:
        case E.Ref():
            return is_fixed(e.value)
        case E.Attribute(base=E.Ref()):
            return False  # what may be assigned
        case E.Call(fn=E.Ref(value=fn), args=args, kwargs=kwargs):
            of = getattr(fn, "__self__", None)  # `HIST.count(1)` asks the list
            given = (*args, *(v for _, v in kwargs))
            return is_fixed(of) and all(asks_only_fixed(a) for a in given)
        case E.Compare(left=left, ops=ops, rights=rights) if {*ops} <= {"is", "is not"}:
            return all(isinstance(p, E.Ref) or asks_only_fixed(p) for p in (left, *rights))
        case _:
            return all(asks_only_fixed(c) for c in E.children(e))


def as_truth(e: E.Expr) -> E.Expr:
    """What an expression is as a condition.

    >>> print(as_truth(E.Ref("HIST", [])))
    bool(HIST)
    """
    return E.Call(E.Ref("bool", bool), (e,))


_FIXED = (
    int, float, complex, bool, str, bytes, NoneType, EllipsisType, type, ModuleType,
    FunctionType, BuiltinFunctionType, np.ufunc,
)  # fmt: skip
_ASKED = ("__bool__", "__len__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__",
          "__contains__")  # fmt: skip
