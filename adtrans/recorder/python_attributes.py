"""Attributes of objects: what a class computes in Python where they are read, set or deleted is
called in its rewritten form; everything else is Python's own.

>>> getattribute(1.5, "real"), method_of(list, "append") is None
(1.5, True)
"""

from __future__ import annotations

import contextlib
import types
import weakref
from typing import Any

import numpy as np

from adtrans.recorder.frames import before
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import COMPLEX, PLAIN, plain
from adtrans.recorder.recorded_needs import detach
from adtrans.recorder.recorded_refusals import refuse

_ndarray = np.ndarray
_FunctionType = types.FunctionType
_Proxy, _CallableProxy = weakref.ProxyType, weakref.CallableProxyType
_ATOMS = frozenset({int, str, bool, type(None), float, bytes, np.float64, np.int64, np.bool_})


def touch(holder: Any) -> None:
    """Note that something was put into what may outlive the run."""
    if STATE.runs:
        STATE.runs[-1].touched[id(holder)] = holder


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


def forget() -> None:
    """Classes may have changed."""
    _SPECIAL.clear()


def _is_descriptor(value: Any) -> bool:
    t = type(value)
    return t.__flags__ & (1 << 9) != 0 and find_in_class(t, "__get__") is not None and (
        type(find_in_class(t, "__get__")) is _FunctionType
    )


def getattribute(obj: Any, name: str) -> Any:
    """`obj.name`"""
    t = type(obj)
    if t.__flags__ & (1 << 9) == 0:  # a class that is written in C
        if t is _Proxy or t is _CallableProxy:
            return getattribute(obj.__repr__.__self__, name)
        if t is super:
            return _of_super(obj, name)
        if t is _ndarray and name == "ctypes" and STATE.find(obj) is not None:
            refuse(f"`{name}` of an array", "its memory is read by code that is not seen")
        return before(obj) if t is types.FrameType and name == "f_back" else getattr(obj, name)
    if t in PLAIN:
        return _of_number(obj, name)
    if issubclass(t, type):
        return _of_class(obj, name)
    special = _SPECIAL.get(t)
    if special is None:
        special = _special(t)
    if not special:
        return getattr(obj, name)
    if "*" in special:
        return _or_getattr(special, obj, name, special["*"], obj, name)
    return _default(special, obj, name)


def _of_super(at: Any, name: str) -> Any:
    """`super().name`: a property or a descriptor of a base computes it."""
    classes = at.__self_class__.__mro__
    for c in classes[classes.index(at.__thisclass__) + 1 :]:
        if name in c.__dict__:
            found = c.__dict__[name]
            obj, cls = at.__self__, at.__self_class__
            if isinstance(found, property) and found.fget is not None and obj is not cls:
                return call(found.fget, obj)
            if _is_descriptor(found):
                return call(type(found).__get__, found, None if obj is cls else obj, cls)
            break
    return getattr(at, name)


def by_default(obj: Any, name: str) -> Any:
    """`object.__getattribute__(obj, name)`"""
    t = type(obj)
    if t.__flags__ & (1 << 9) == 0 or t in PLAIN or issubclass(t, type):
        return getattribute(obj, name)
    special = {k: v for k, v in _special(t).items() if k}
    if name in special:
        return _default(special, obj, name)
    return object.__getattribute__(obj, name)


def _default(special: dict[str, Any], obj: Any, name: str) -> Any:
    t = type(obj)
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
        return _or_getattr(special, obj, name, object.__getattribute__, obj, name)
    return getattr(obj, name)


def _or_getattr(special: dict[str, Any], obj: Any, name: str, f: Any, *args: Any) -> Any:
    if "" not in special:
        return call(f, *args)
    with contextlib.suppress(AttributeError):
        return call(f, *args)
    return call(special[""], obj, name)  # which does not see that exception


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
        if name == "T":
            return x
        if isinstance(x, COMPLEX):
            return getattr(x, name) if name.startswith("conj") else call(getattr(np, name), x)
        if name == "real":
            return x
    if name == "__class__":
        return PLAIN[type(x)]
    if name == "flat" and isinstance(x, np.generic):
        return getattribute(call(np.asarray, x), name)
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
    elif issubclass(t, type):
        setattr(obj, name, value)
        forget()
        touch(obj)
    else:
        set_by_default(value, obj, name)


def set_by_default(value: Any, obj: Any, name: str) -> None:
    """`object.__setattr__(obj, name, value)`"""
    if issubclass(type(obj), type):
        type.__setattr__(obj, name, value)
        touch(obj)
        return
    found = find_in_class(type(obj), name)
    if isinstance(found, property) and found.fset is not None:
        call(found.fset, obj, value)
        return
    if found is not None and type(find_in_class(type(found), "__set__")) is _FunctionType:
        call(type(found).__set__, found, obj, value)
        return
    if method_of(type(obj), "__setattr__") is None:
        setattr(obj, name, value)
    else:
        object.__setattr__(obj, name, value)
    if type(value) not in _ATOMS:
        touch(obj)


def _array_attribute(a: Any, name: str, value: Any) -> None:
    from adtrans.recorder import objects, stores

    if name in ("real", "imag"):
        stores.setitem(getattr(a, name), ..., value)
    elif name == "flat":
        objects.setitem(value, a.flat, slice(None))
    else:
        memory = STATE.find(a)
        if memory is not None:
            if name == "strides" and memory.levels:
                refuse("new strides of an array", "they let it look at other elements")
            detach(memory, a)
        setattr(a, name, value)  # `shape`: the memory stays


def delattribute(obj: Any, name: str) -> None:
    """`del obj.name`"""
    own = method_of(type(obj), "__delattr__")
    if own is not None:
        call(own, obj, name)
    else:
        delete_by_default(obj, name)


def delete_by_default(obj: Any, name: str) -> None:
    """`object.__delattr__(obj, name)`"""
    found = find_in_class(type(obj), name)
    if isinstance(found, property) and found.fdel is not None:
        call(found.fdel, obj)
    elif found is not None and type(find_in_class(type(found), "__delete__")) is _FunctionType:
        call(type(found).__delete__, found, obj)
    elif issubclass(type(obj), type) or method_of(type(obj), "__delattr__") is None:
        delattr(obj, name)
    else:
        object.__delattr__(obj, name)
