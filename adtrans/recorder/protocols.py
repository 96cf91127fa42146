"""Objects of the user's that NumPy asks for an array, or for what it shall compute instead.

What it would call in C (`__array_ufunc__`, `__array_function__`, `__array__`, a sequence's
`__getitem__`, `__float__`) is called here in its rewritten form, in NumPy's order.

>>> import numpy as np
>>> class Two:
...     def __array__(self, dtype=None, copy=None):
...         return np.array([1.0, 2.0])
>>> Two.__module__ = "shop"  # no class of adtrans
>>> opened([Two(), 3.0])
[array([1., 2.]), 3.0]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from adtrans.recorder.late import call
from adtrans.recorder.moving import LEFT_ALONE
from adtrans.recorder.numbers import ACTIVE, PLAIN, plain
from adtrans.recorder.python_attributes import find_in_class, method_of

_ndarray = np.ndarray
_OF_C: tuple[Any, ...] = (
    _ndarray, np.generic, str, bytes, int, float, complex, list, tuple, dict, set, frozenset, type,
)  # fmt: skip
_USUAL = frozenset({
    *PLAIN, *ACTIVE, _ndarray, int, bool, str, bytes, type(None), range, slice, dict, set, type,
    type(...), np.int64, np.bool_,
})  # fmt: skip
_NAMES = ("__array_ufunc__", "__array_function__", "__array__", "__getitem__", "__float__")


def _asked(cls: type) -> dict[str, Any]:
    """What a class defines in Python of what NumPy calls, now: it may be replaced."""
    if not cls.__flags__ & (1 << 9) or issubclass(cls, _OF_C):  # it is written in C
        return {}
    if (cls.__module__ or "").partition(".")[0] in (*LEFT_ALONE, "adtrans"):
        return {}
    found = {n: f for n in _NAMES if (f := method_of(cls, n)) is not None}
    if method_of(cls, "__len__") is None:
        found.pop("__getitem__", None)  # no sequence
    return found


UFUNCS: dict[str, Any] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide,
    "floordiv": np.floor_divide, "mod": np.remainder, "pow": np.power, "matmul": np.matmul,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "lshift": np.left_shift, "rshift": np.right_shift,
}  # fmt: skip
"""What operators of arrays and of NumPy's numbers compute."""


def operated(name: str, a: Any, b: Any, **into: Any) -> Any:
    """An operator that NumPy computes of an object and an array or number of its own;
    `NotImplemented` where it does not, or where the object is none that it asks."""
    ta, tb = type(a), type(b)
    other = b if _is_numpys(ta) else a
    cls = type(other)
    own = _asked(cls) if _is_numpys(ta) or _is_numpys(tb) else {}
    if "__array_ufunc__" in own:
        return call(UFUNCS[name], a, b, **into)
    if not own or find_in_class(cls, "__array_ufunc__") is not None:
        return NotImplemented
    if getattr(other, "__array_priority__", 0) > 0:
        return NotImplemented
    now = opened(other)
    if now is other:
        return NotImplemented
    if type(now) is list:
        now = call(np.array, now)
    return call(UFUNCS[name], *((a, now) if other is b else (now, b)), **into)


def _is_numpys(cls: type) -> bool:
    return cls is _ndarray or issubclass(PLAIN.get(cls, cls), np.generic)


def met(values: Iterable[Any]) -> bool:
    """Is there such an object in the arguments of a call, or in lists of them?"""
    for v in values:
        t = type(v)
        if t in _USUAL:
            continue
        if t is list or t is tuple:
            if met(v):
                return True
        elif _asked(t):
            return True
    return False


def opened(v: Any, numeric: bool = False) -> Any:
    """A value with arrays and lists in place of such objects; `numeric`: also numbers."""
    t = type(v)
    if t in _USUAL:
        return v
    if t is list or t is tuple:
        return t([opened(i, numeric) for i in v]) if met(v) else v
    own = _asked(t)
    if "__array__" in own:
        found = call(own["__array__"], v)
        return found if type(found) is _ndarray else v
    if "__getitem__" in own and not callable(v):
        from adtrans.recorder.objects import iterate

        return [opened(i, numeric) for i in iterate(v)]
    return call(float, v) if numeric and "__float__" in own else v


def overridden(f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What an object among the arguments computes instead of a function of NumPy's;
    `NotImplemented` where none does."""
    if not met((*args, *kwargs.values())):
        return NotImplemented
    owner = getattr(f, "__self__", f)
    if isinstance(owner, np.ufunc):
        how = "__call__" if owner is f else f.__name__
        outs = kwargs.get("out", ())
        kwargs = kwargs if "out" not in kwargs or isinstance(outs, tuple) else {
            **kwargs, "out": (outs,)}  # fmt: skip
        given = [*args, *kwargs.get("out", ())]
        rest: tuple[Any, ...] = owner, how, *args
        name = "__array_ufunc__"
    elif hasattr(f, "_implementation"):
        given = [*_within((*args, *kwargs.values()))]
        name, rest = "__array_function__", (args, dict(kwargs))
    else:
        return NotImplemented
    able = _in_order([v for v in given if name in _asked(type(v))])
    if name == "__array_function__":
        rest = f, tuple({type(v): 0 for v in given if find_in_class(type(v), name)}), *rest
        kwargs = {}
    for v in able:
        found = call(_asked(type(v))[name], v, *rest, **kwargs)
        if found is not NotImplemented:
            return found
    if able:  # the error in NumPy's own words
        return f(*map(plain, args), **{n: plain(v) for n, v in kwargs.items()})
    return NotImplemented


def _within(values: Iterable[Any]) -> Iterable[Any]:
    for v in values:
        yield v
        if type(v) in (list, tuple):
            yield from _within(v)


def _in_order(values: list[Any]) -> list[Any]:
    """One object of each class, from left to right, subclasses first."""
    found: list[Any] = []
    for v in values:
        if all(type(v) is not type(other) for other in found):
            after = (k for k, other in enumerate(found) if issubclass(type(v), type(other)))
            found.insert(next(after, len(found)), v)
    return found
