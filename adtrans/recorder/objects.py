"""Objects of the user's classes: attributes, methods, iteration, contexts, made by rewritten code.

What a class defines in Python is called in its rewritten form; everything else is Python's own.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any

import numpy as np

from adtrans.recorder import arrays, escapes, protocols, stores, texts
from adtrans.recorder.boxes import box, boxed
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import PLAIN, plain
from adtrans.recorder.python_attributes import (
    by_default,
    delattribute,
    delete_by_default,
    find_in_class,
    getattribute,
    method_of,
    set_by_default,
    setattribute,
    touch,
)
from adtrans.recorder.recorded_refusals import refuse

_ndarray = np.ndarray

__all__ = [
    "box", "boxed", "by_default", "delattribute", "delete_by_default", "find_in_class",
    "getattribute", "method_of", "set_by_default", "setattribute", "touch",
]  # fmt: skip

PLAIN_ITERABLES = frozenset({
    list, tuple, dict, set, frozenset, str, bytes, range, zip, enumerate, map, filter, reversed,
    types.GeneratorType, type({}.keys()), type({}.values()), type({}.items()), deque,
    type(iter([])), type(iter(())), type(iter({})), type(iter(range(0))),
})  # fmt: skip
_ATOMS = frozenset({int, str, bool, type(None), float, bytes, np.float64, np.int64, np.bool_})


# -- operators ------------------------------------------------------------------------------------


def binary(f: Any, name: str, a: Any, b: Any) -> Any:
    """`a + b` and the like, of which one is an object."""
    ta, tb = type(a), type(b)
    if name == "mod" and (ta is str or ta is bytes):
        return texts.percent(a, b)
    left = None if ta in PLAIN else method_of(ta, f"__{name}__")
    if left is None:
        found = protocols.operated(name, a, b)
        if found is not NotImplemented:
            return found
    right = None if tb is ta or tb in PLAIN else method_of(tb, f"__r{name}__")
    if left is None and right is None:
        return _of_others(f, name, a, b)
    if right is not None and tb is not ta and issubclass(tb, ta) and right is not method_of(
        ta, f"__r{name}__"
    ):
        found = call(right, b, a)
        if found is not NotImplemented:
            return found
        right = None
    if left is not None:
        found = call(left, a, b)
        if found is not NotImplemented:
            return found
    elif ta is _ndarray and getattr(tb, "__array_ufunc__", 0) is not None:
        if not getattr(b, "__array_priority__", 0) > 0:
            return _by_elements(f, name, a, b)
    elif name in ("add", "mul") and isinstance(a, Sequence):
        pass  # joined or repeated only after the other was asked
    elif ta not in PLAIN and hasattr(ta, f"__{name}__"):
        found = getattr(ta, f"__{name}__")(a, b)
        if found is not NotImplemented:
            return found
    if right is not None:
        found = call(right, b, a)
        if found is not NotImplemented:
            return found
    if left is None or boxed(a) is not None or boxed(b) is not None:
        return _of_others(f, name, a, b)
    found = protocols.operated(name, a, b)
    if found is not NotImplemented:
        return found
    return _unsupported(f, a, b)


def _by_elements(f: Any, name: str, a: Any, b: Any) -> Any:
    """An array and an object: NumPy asks the object for each element."""
    if STATE.levels_of(a):
        refuse("an array and an object", "NumPy hands its elements to the object one by one",
               fix=f"give its class `__array_ufunc__ = None`, so that its `__r{name}__` gets the "
               "array")  # fmt: skip
    return f(a, b)


def _unsupported(f: Any, a: Any, b: Any) -> Any:
    sign = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "matmul": "@", "pow": "** or pow()",
            "floordiv": "//", "mod": "%"}.get(f.__name__, f.__name__)  # fmt: skip
    raise TypeError(
        f"unsupported operand type(s) for {sign}: '{type(a).__name__}' and '{type(b).__name__}'"
    )


def _of_others(f: Any, name: str, a: Any, b: Any) -> Any:
    """Neither is a class of the user's: containers, strings, classes of libraries."""
    ta, tb = type(a), type(b)
    if ta in PLAIN or tb in PLAIN:
        numbers = boxed(a), boxed(b)
        if numbers != (None, None):
            return call(f, *[x if y is None else y for x, y in zip((a, b), numbers, strict=True)])
        other = b if ta in PLAIN else a
        if not isinstance(other, int | list | tuple | set | dict | str | type(None)):
            refuse(f"`{name}` of a {type(other).__name__}", "its class is written in C")
        found = f(plain(a), plain(b))
        if isinstance(found, _ndarray) and found.dtype.kind in "fc":
            refuse(f"`{name}` of a {type(other).__name__}", "make an array of it first")
        return found
    numbers = boxed(a), boxed(b)
    if numbers != (None, None):
        return call(f, *[x if y is None else y for x, y in zip((a, b), numbers, strict=True)])
    no_arrays_of_classes(name, a, b)
    return f(a, b)


def no_arrays_of_classes(name: str, *given: Any) -> None:
    """Refuse what NumPy does for subclasses of its arrays, where anything varies."""
    others = [v for v in given if isinstance(v, _ndarray) and type(v) is not _ndarray]
    if others and any(isinstance(v, _ndarray) and STATE.levels_of(v) for v in given):
        refuse(f"`{name}` of a {type(others[0]).__name__}", "it is no plain array")


def unary(f: Any, name: str, a: Any) -> Any:
    """`-a` and the like of an object."""
    own = method_of(type(a), f"__{name}__")
    if own is not None:
        return call(own, a)
    no_arrays_of_classes(name, a)
    number = boxed(a)
    return f(a) if number is None else call(f, number)


def compare(f: Any, name: str, mirrored: str, a: Any, b: Any) -> Any:
    """`a < b` and the like."""
    ta, tb = type(a), type(b)
    left, right = method_of(ta, f"__{name}__"), method_of(tb, f"__{mirrored}__")
    if left is None and right is None:
        return f(a, b)
    if right is not None and ta is not tb and issubclass(tb, ta):
        found = call(right, b, a)
        if found is not NotImplemented:
            return found
    if left is not None:
        found = call(left, a, b)
        if found is not NotImplemented:
            return found
    elif hasattr(ta, f"__{name}__"):
        found = getattr(ta, f"__{name}__")(a, b)
        if found is not NotImplemented:
            return found
    if right is not None:
        found = call(right, b, a)
        if found is not NotImplemented:
            return found
    if name in ("eq", "ne"):
        return (a is b) == (name == "eq")
    sign = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}[name]
    raise TypeError(f"'{sign}' not supported between instances of '{ta.__name__}' and "
                    f"'{tb.__name__}'")  # fmt: skip


def truth(x: Any) -> bool:
    """`bool(x)`"""
    t = type(x)
    if t in _ATOMS or t in PLAIN or t.__flags__ & (1 << 9) == 0:
        return bool(x)
    for name in ("__bool__", "__len__"):
        own = method_of(t, name)
        if own is not None:
            found = call(own, x)
            if name == "__bool__" and not isinstance(found, bool):
                return bool(x)  # the error in Python's own words
            return bool(found)
        if find_in_class(t, name) is not None:
            return bool(x)
    return True


# -- iteration ------------------------------------------------------------------------------------


def iterate(x: Any) -> Any:
    """What a loop goes over instead of `x`."""
    t = type(x)
    if t in PLAIN_ITERABLES:
        return x
    if isinstance(x, _ndarray):
        return _elements(x) if x.ndim == 1 and x.dtype.kind in "fc" else x
    if isinstance(x, np.flatiter):
        return _flat(x)
    own = method_of(t, "__iter__")
    if own is not None:
        found = call(own, x)
        return found if type(found) in PLAIN_ITERABLES else _steps(found)
    if not hasattr(t, "__iter__") and method_of(t, "__getitem__") is not None:
        return _by_index(x)
    return _steps(x) if method_of(t, "__next__") is not None else x


def _elements(a: Any) -> Iterator[Any]:
    for k in range(len(a)):
        yield arrays.element(a, k)


def _flat(it: Any) -> Iterator[Any]:
    while it.index < it.base.size:
        at = it.coords
        next(it)
        yield arrays.getitem(it.base, at)


def _steps(it: Any) -> Generator[Any, Any, Any]:
    step, send = method_of(type(it), "__next__"), method_of(type(it), "send")
    if step is None:
        return (yield from it)
    sent = None
    while True:
        try:
            item = call(step, it) if sent is None or send is None else call(send, it, sent)
        except StopIteration as stop:
            return stop.value
        sent = yield item


def _by_index(x: Any) -> Iterator[Any]:
    k = 0
    while True:
        try:
            item = call(type(x).__getitem__, x, k)
        except IndexError:
            return
        yield item
        k += 1


def spread(x: Any) -> Any:
    """What `f(*x)` and `[*x]` spread."""
    return iterate(x)


def unpack(x: Any) -> Any:
    """What `a, b = x` takes apart."""
    return iterate(x)


def unpacked(x: Any, pattern: Any) -> Iterator[Any]:
    """The items of what is looped over, each ready to be unpacked by a pattern of names."""
    for item in iterate(x):
        yield _by(item, pattern)


def _by(item: Any, pattern: Any) -> Any:
    parts = iterate(item)
    if not any(type(p) is tuple for p in pattern):
        return parts
    parts = [*parts]
    tail = len(pattern)
    if "*" in pattern:
        star = pattern.index("*")
        behind = tail - star - 1
        if len(parts) < tail - 1:
            return parts
        forms = [*pattern[:star], *([None] * (len(parts) - tail + 1)), *pattern[tail - behind :]]
    elif len(parts) != tail:
        return parts
    else:
        forms = [*pattern]
    return [_by(p, f) if type(f) is tuple else p for p, f in zip(parts, forms, strict=True)]


# -- items ----------------------------------------------------------------------------------------


def _joined(x: Any, index: Any) -> Any:
    """`np.r_[...]` and `np.c_[...]`: ranges are arrays that do not vary."""
    parts = index if isinstance(index, tuple) else (index,)
    if any(isinstance(p, str) for p in parts):
        return call(type(x).__getitem__, x, index)
    return call(x.__getitem__, tuple([x[plain(p)] if isinstance(p, slice) else p for p in parts]))


def getitem(x: Any, index: Any) -> Any:
    """`x[index]`"""
    t = type(x)
    if t is _ndarray:
        if type(index) is int:
            return arrays.element(x, index)
        return arrays.getitem(x, _place(index))
    if t is list or t is tuple or t is dict:
        return x[index]
    if t is np.flatiter:
        return _flat_item(x, index)
    if x is np.r_ or x is np.c_:
        return _joined(x, index)
    if t in PLAIN and issubclass(t, np.generic):
        return arrays.getitem(call(np.asarray, x), arrays.plain_of(index))
    if t is memoryview:
        return arrays.getitem(np.asarray(x), index)
    own = method_of(t, "__getitem__")
    if own is not None:
        return call(own, x, index)
    if issubclass(t, type):
        found = find_in_class(x, "__class_getitem__")
        inner = getattr(found, "__func__", None)
        generic: Any = x
        return generic[index] if inner is None else call(inner, x, index)
    if isinstance(x, dict) and index not in x:
        missing = method_of(t, "__missing__")
        if missing is not None:
            return call(missing, x, index)
        factory = getattr(x, "default_factory", None)
        if factory is not None and type(factory) is not type:
            x[index] = found = call(factory)
            touch(x)
            return found
    if isinstance(x, _ndarray) and STATE.levels_of(x):
        refuse(f"an element of a {t.__name__}", "it is no plain array")
    return x[index]


def _place(index: Any) -> Any:
    """An index of an array, in which objects are asked once for the integer that they stand for."""
    t = type(index)
    if t is slice or t is int:
        return index
    if t is tuple:
        return tuple(map(_place, index))
    own = method_of(t, "__index__")
    return arrays.plain_of(index) if own is None else call(own, index)


def _flat_item(it: Any, index: Any) -> Any:
    it[index]  # which sends it back to its start
    return arrays.getitem(it.base, _unravelled(it, index))


def _set_flat(it: Any, index: Any, value: Any) -> None:
    """`a.flat[index] = value`: what is missing of the values is taken from their start again."""
    base = it.base
    if isinstance(value, _ndarray) and np.may_share_memory(base, value):
        refuse("a write by flat position", "it reads what it has just stored", code="AD302")
    places = np.arange(base.size)[index]
    if np.ndim(value) and np.size(value):
        value = call(np.ravel, call(np.asarray, value))
        if places.size != value.size:
            value = arrays.getitem(value, np.arange(places.size) % value.size)
        value = call(np.reshape, value, np.shape(places))
    stores.setitem(base, np.unravel_index(places, base.shape), value)


def _unravelled(it: Any, index: Any) -> Any:
    places = np.arange(it.base.size)[index]
    return np.unravel_index(places, it.base.shape)


_HOLDING = (list, dict, deque, types.MappingProxyType)


def setitem(value: Any, x: Any, index: Any) -> None:
    """`x[index] = value`"""
    t = type(x)
    if t is _ndarray:
        if type(index) is int and x.ndim == 1:
            stores.set_element(x, index, value)
        else:
            stores.setitem(x, _place(index), value)
        return
    if t is np.flatiter:
        _set_flat(x, index, value)
        return
    if t is memoryview:
        stores.setitem(np.asarray(x), index, value)
        return
    own = method_of(t, "__setitem__")
    if own is not None:
        call(own, x, index, value)
        return
    if not issubclass(t, _HOLDING) and hasattr(t, "__setitem__") and (
        escapes.reaches(value) or (isinstance(x, _ndarray) and STATE.find(x) is not None)
    ):
        refuse(f"a write into a {t.__name__}", "it is done by code that is not seen")
    if t in PLAIN:
        x = plain(x)  # the error names its class
    x[index] = iterate(value) if type(index) is slice else value
    if type(value) not in _ATOMS:
        touch(x)


def delitem(x: Any, index: Any) -> None:
    """`del x[index]`"""
    own = method_of(type(x), "__delitem__")
    if own is not None:
        call(own, x, index)
    else:
        del x[index]


# -- with -----------------------------------------------------------------------------------------


class _Manager:
    """A context manager whose methods are called in their rewritten form."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def __enter__(self) -> Any:
        return call(type(self.inner).__enter__, self.inner)

    def __exit__(self, *error: Any) -> Any:
        return truth(call(type(self.inner).__exit__, self.inner, *error))


def manager(x: Any) -> Any:
    """What a `with` enters instead of `x`."""
    t = type(x)
    if method_of(t, "__enter__") is None and method_of(t, "__exit__") is None:
        return x
    return _Manager(x)


def decorator(f: Any) -> Callable[[Any], Any]:
    """A decorator that is called in its rewritten form."""
    return lambda target: call(f, target)
