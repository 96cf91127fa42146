"""Objects of the user's classes: attributes, methods, iteration, contexts, made by rewritten code.

What a class defines in Python is called in its rewritten form; everything else is Python's own.
"""

from __future__ import annotations

import types
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from adtrans.recorder import arrays
from adtrans.recorder.errors import refuse
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import PLAIN, plain

_ndarray = np.ndarray
_FunctionType = types.FunctionType

PLAIN_ITERABLES = frozenset({
    list, tuple, dict, set, frozenset, str, bytes, range, zip, enumerate, map, filter, reversed,
    types.GeneratorType, type({}.keys()), type({}.values()), type({}.items()), deque,
    type(iter([])), type(iter(())), type(iter({})), type(iter(range(0))),
})  # fmt: skip
_ATOMS = frozenset({int, str, bool, type(None), float, bytes, np.float64, np.int64, np.bool_})


def find_in_class(cls: type, name: str) -> Any:
    """What a class or its bases define under a name; None if nothing."""
    for c in cls.__mro__:
        found = c.__dict__.get(name)
        if found is not None:
            return found
    return None


def method_of(cls: type, name: str) -> Any:
    """The function that a class defines in Python under a name; None where it is C's or absent."""
    if cls.__flags__ & (1 << 9) == 0:  # no heap type: it is written in C
        return None
    found = find_in_class(cls, name)
    if type(found) is _FunctionType:
        return found
    if found is None or isinstance(found, types.WrapperDescriptorType | types.MethodDescriptorType):
        return None
    return found if callable(found) and hasattr(found, "__wrapped__") else None


# -- attributes -----------------------------------------------------------------------------------

_SPECIAL: weakref.WeakKeyDictionary[type, dict[str, Any]] = weakref.WeakKeyDictionary()


def _special(cls: type) -> dict[str, Any]:
    """What a class computes in Python where attributes are read: properties, descriptors,
    `__getattr__` (under ""), `__getattribute__` (under "*")."""
    found = _SPECIAL.get(cls)
    if found is None:
        found = {}
        for c in reversed(cls.__mro__):
            for name, value in c.__dict__.items():
                found.pop(name, None)
                if isinstance(value, property) or _is_descriptor(value):
                    found[name] = value
        if method_of(cls, "__getattr__") is not None:
            found[""] = method_of(cls, "__getattr__")
        own = method_of(cls, "__getattribute__")
        if own is not None:
            found["*"] = own
        _SPECIAL[cls] = found
    return found


def _is_descriptor(value: Any) -> bool:
    t = type(value)
    return t.__flags__ & (1 << 9) != 0 and find_in_class(t, "__get__") is not None and (
        type(find_in_class(t, "__get__")) is _FunctionType
    )


def getattribute(obj: Any, name: str) -> Any:
    """`obj.name`"""
    t = type(obj)
    if t.__flags__ & (1 << 9) == 0:  # a class that is written in C
        if t is _ndarray and name == "ctypes" and STATE.find(obj) is not None:
            refuse("the address of an array", "what is written there is not seen")
        return getattr(obj, name)
    if t in PLAIN:
        return _of_number(obj, name)
    if isinstance(obj, type):
        return _of_class(obj, name)
    special = _SPECIAL.get(t)
    if special is None:
        special = _special(t)
    if not special:
        return getattr(obj, name)
    if "*" in special:
        return call(special["*"], obj, name)
    if name in special:
        found = special[name]
        if isinstance(found, property):
            if found.fget is None:
                return getattr(obj, name)
            return _or_getattr(special, obj, name, found.fget, obj)
        data = hasattr(type(found), "__set__") or hasattr(type(found), "__delete__")
        held = getattr(obj, "__dict__", {})
        if data or name not in held:
            return _or_getattr(special, obj, name, type(found).__get__, found, obj, t)
        return held[name]
    if "" in special:
        try:
            return object.__getattribute__(obj, name)
        except AttributeError:
            return call(special[""], obj, name)
    return getattr(obj, name)


def _or_getattr(special: dict[str, Any], obj: Any, name: str, f: Any, *args: Any) -> Any:
    if "" not in special:
        return call(f, *args)
    try:
        return call(f, *args)
    except AttributeError:
        return call(special[""], obj, name)


def _of_class(cls: type, name: str) -> Any:
    """An attribute of a class: a descriptor of it may compute it, or the metaclass."""
    meta = type(cls)
    if meta is not type:
        special = _special(meta)
        if name in special and isinstance(special[name], property):
            return call(special[name].fget, cls)
    found = find_in_class(cls, name)
    if found is not None and _is_descriptor(found):
        return call(type(found).__get__, found, None, cls)
    return getattr(cls, name)


def _of_number(x: Any, name: str) -> Any:
    if name in ("real", "T", "imag", "conjugate", "conj"):
        if isinstance(x, complex):
            return getattr(x, name) if name.startswith("conj") else call(getattr(np, name), x)
        if name in ("real", "T"):
            return x
    if name == "__class__":
        return PLAIN[type(x)]
    if name in ("v", "level", "place"):
        return getattr(plain(x), name)  # there is none: the error of the plain class
    return getattr(x, name)


def setattribute(value: Any, obj: Any, name: str) -> None:
    """`obj.name = value`"""
    t = type(obj)
    if t is _ndarray:
        _array_attribute(obj, name, value)
        return
    own = method_of(t, "__setattr__")
    if own is not None:
        call(own, obj, name, value)
        return
    found = find_in_class(t, name)
    if isinstance(found, property) and found.fset is not None:
        call(found.fset, obj, value)
        return
    if found is not None and type(find_in_class(type(found), "__set__")) is _FunctionType:
        call(type(found).__set__, found, obj, value)
        return
    setattr(obj, name, value)
    if type(value) not in _ATOMS:
        touch(obj)


def _array_attribute(a: Any, name: str, value: Any) -> None:
    if name in ("real", "imag"):
        arrays.setitem(getattr(a, name), ..., value)
    elif name == "flat":
        setitem(value, a.flat, slice(None))
    else:
        setattr(a, name, value)  # `shape`: the memory stays


def delattribute(obj: Any, name: str) -> None:
    """`del obj.name`"""
    own = method_of(type(obj), "__delattr__")
    if own is not None:
        call(own, obj, name)
        return
    found = find_in_class(type(obj), name)
    if isinstance(found, property) and found.fdel is not None:
        call(found.fdel, obj)
    else:
        delattr(obj, name)


def touch(holder: Any) -> None:
    """Note that something was put into what may outlive the run."""
    if STATE.runs:
        STATE.runs[-1].touched[id(holder)] = holder


# -- operators ------------------------------------------------------------------------------------


def binary(f: Any, name: str, a: Any, b: Any) -> Any:
    """`a + b` and the like, of which one is an object."""
    ta, tb = type(a), type(b)
    left = method_of(ta, f"__{name}__")
    right = method_of(tb, f"__r{name}__") if tb is not ta else None
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
    elif ta not in PLAIN and hasattr(ta, f"__{name}__"):
        found = getattr(ta, f"__{name}__")(a, b)
        if found is not NotImplemented:
            return found
    if right is not None:
        found = call(right, b, a)
        if found is not NotImplemented:
            return found
    return f(plain(a), plain(b)) if left is None else _unsupported(f, a, b)


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
        if ta is str or ta is bytes:
            return f(a, b)  # formatted
        boxed = _floats(a), _floats(b)
        if boxed != (None, None):
            return call(f, *[x if y is None else y for x, y in zip((a, b), boxed, strict=True)])
        other = b if ta in PLAIN else a
        if not isinstance(other, int | list | tuple | set | dict | str | type(None)):
            refuse(f"`{name}` of a {type(other).__name__}", "its class is written in C")
        return f(plain(a), plain(b))
    boxed = _floats(a), _floats(b)
    if boxed != (None, None):
        return call(f, *[x if y is None else y for x, y in zip((a, b), boxed, strict=True)])
    return f(a, b)


_BOXED: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
BOXES: dict[int, tuple[Any, Any]] = {}


def _floats(x: Any) -> Any:
    """The active number that an object of a subclass of `float` was made of."""
    found = BOXES.get(id(x))
    return found[1] if found is not None and found[0]() is x else None


def box(x: Any, number: Any) -> None:
    """Note that an object of a subclass of `float` was made of an active number."""
    key = id(x)
    BOXES[key] = weakref.ref(x, lambda _: BOXES.pop(key, None)), number


def unary(f: Any, name: str, a: Any) -> Any:
    """`-a` and the like of an object."""
    own = method_of(type(a), f"__{name}__")
    if own is not None:
        return call(own, a)
    number = _floats(a)
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


def _steps(it: Any) -> Iterator[Any]:
    step = method_of(type(it), "__next__")
    if step is None:
        yield from it
        return
    while True:
        try:
            item = call(step, it)
        except StopIteration:
            return
        yield item


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
        return arrays.getitem(x, arrays.plain_of(index))
    if t is list or t is tuple or t is dict:
        return x[index]
    if t is np.flatiter:
        return _flat_item(x, index)
    if x is np.r_ or x is np.c_:
        return _joined(x, index)
    if isinstance(x, type):
        generic: Any = x
        return generic[index]
    own = method_of(t, "__getitem__")
    if own is not None:
        return call(own, x, index)
    if isinstance(x, dict) and index not in x:
        missing = method_of(t, "__missing__")
        if missing is not None:
            return call(missing, x, index)
        factory = getattr(x, "default_factory", None)
        if factory is not None and type(factory) is not type:
            x[index] = found = call(factory)
            touch(x)
            return found
    if t in PLAIN and issubclass(t, np.generic):
        return arrays.getitem(call(np.asarray, x), arrays.plain_of(index))
    if isinstance(x, memoryview):
        return arrays.getitem(np.asarray(x), index)
    if isinstance(x, _ndarray) and STATE.levels_of(x):
        refuse(f"an element of a {t.__name__}", "it is no plain array")
    return x[index]


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
    arrays.setitem(base, np.unravel_index(places, base.shape), value)


def _unravelled(it: Any, index: Any) -> Any:
    places = np.arange(it.base.size)[index]
    return np.unravel_index(places, it.base.shape)


def setitem(value: Any, x: Any, index: Any) -> None:
    """`x[index] = value`"""
    t = type(x)
    if t is _ndarray:
        if type(index) is int and x.ndim == 1:
            arrays.set_element(x, index, value)
        else:
            arrays.setitem(x, arrays.plain_of(index), value)
        return
    if t is np.flatiter:
        _set_flat(x, index, value)
        return
    if t is memoryview:
        arrays.setitem(np.asarray(x), index, value)
        return
    own = method_of(t, "__setitem__")
    if own is not None:
        call(own, x, index, value)
        return
    if isinstance(x, _ndarray) and (STATE.find(x) is not None or type(value) in PLAIN):
        refuse(f"a write into a {t.__name__}", "it is no plain array")
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
