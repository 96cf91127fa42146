"""The kinds of concrete objects: arguments of a call, globals, literals.

>>> import numpy as np
>>> kinds = param_kinds({"x": np.ones((4, 3)), "w": np.ones(3), "n": 4, "s": 0.5})
>>> for name, kind in kinds.items():
...     print(name, kind)
x float64[x.shape[0], x.shape[1]]
w float64[x.shape[1]]
n int=n
s float
"""

from __future__ import annotations

import inspect
import sys
import weakref
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import IntEnum
from types import (
    BuiltinFunctionType,
    FunctionType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Literal

import numpy as np

from adtrans.analyses.fixed import is_fixed
from adtrans.analyses.kinds.lattice import dict_of, join, list_of, tuple_of
from adtrans.analyses.kinds.named import is_named_tuple
from adtrans.analyses.kinds.number_containers import (
    holds_numbers,
    joined,
    kind_of_key,
    kind_of_numbers,
)
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import (
    NEVER,
    NONE_KIND,
    SLICE,
    UNKNOWN,
    Array,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Scalar,
    TupleOf,
)
from adtrans.rules import lookup
from adtrans.rules.scipy_sparse import is_sparse
from adtrans.source.held import held
from adtrans.source.libraries import is_library
from adtrans.source.unwrap import is_jitted

__all__ = [
    "kind_of_default", "kind_of_new", "kind_of_value", "param_kinds", "scalar_type",
]  # fmt: skip

_Type = Literal["bool", "int", "float", "complex"]
_TYPES: Mapping[str, _Type] = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}
_PYTHON: Mapping[type, _Type] = {bool: "bool", int: "int", float: "float", complex: "complex"}
_IDENTITIES = (
    type, FunctionType, BuiltinFunctionType, MethodType, ModuleType, np.ufunc, np.dtype, str, bytes,
    type(np.sum),  # the class of most functions of NumPy
)  # fmt: skip

DEEPEST = 12  # containers in containers
HOLDERS = 4  # objects in objects in which lists of objects are looked at
_MOST = 16  # objects in such a list
_NUMERIC = (bool, int, float, complex, np.ndarray, np.generic)

_Dim = Callable[[int, int], "Affine | None"]  # axis and size -> how the size is called


def scalar_type(dtype: np.dtype[np.generic]) -> _Type | None:
    """The type of the elements of an array, None where they are no numbers."""
    return _TYPES.get(dtype.kind)


def kind_of_value(obj: object) -> Kind:
    """The kind of an object, sizes and integers as they are; but for what a list or dictionary
    holds, where others may be when the program runs.

    Two objects of equal kinds are alike for the compiler, except that a `Known` object also has to
    be the same object.

    >>> import numpy as np
    >>> print(kind_of_value(np.zeros((2, 3), dtype="float32")), kind_of_value([1.0, 2.0]))
    float32[2, 3] list[float]
    >>> print(kind_of_value((3, {"n": 3, "w": np.zeros((1, 3))})))
    (int=3, dict['n': int, 'w': float64[1, ?], int or float64[?, ?]])
    """
    return _kind(obj, lambda axis, size: Affine.const(size))


def kind_of_default(obj: object) -> Kind:
    """The kind of the default of a parameter: of a bool it is known which one.

    >>> print(kind_of_default(False), kind_of_default(3))
    bool=False int=3
    """
    return Scalar("bool", truth=obj) if isinstance(obj, bool) else kind_of_value(obj)


def _kind(obj: object, dim: _Dim, around: tuple[object, ...] = ()) -> Kind:
    """`around`: the containers that `obj` was found in. One that holds itself is not followed."""
    cls = type(obj)

    def inner(item: object) -> Kind:
        return _kind(item, lambda a, n: Affine.const(n), (*around, obj))

    def held(item: object) -> Kind:
        return _of_any_function(_of_any_value(_kind(item, _of_any_size, (*around, obj))))

    if cls in weakref.ProxyTypes:
        return UNKNOWN
    if cls in _PYTHON:
        value = Affine.const(obj) if isinstance(obj, int) and cls is int else None
        return Scalar(_PYTHON[cls], None, value)
    if isinstance(obj, np.ndarray) and cls is np.ndarray and scalar_type(obj.dtype) is not None:
        dims = tuple(dim(axis, size) for axis, size in enumerate(obj.shape))
        not_one = frozenset(axis for axis, size in enumerate(obj.shape) if size != 1)
        return Array(_dtype_name(obj.dtype), dims, not_one)
    if isinstance(obj, np.generic) and cls.__module__ == "numpy" and scalar_type(obj.dtype):
        kind = scalar_type(obj.dtype)
        assert kind is not None
        return Scalar(kind, obj.dtype.name)
    if len(around) > DEEPEST or any(obj is o for o in around):
        return UNKNOWN
    if isinstance(obj, tuple) and (cls is tuple or is_named_tuple(obj)):
        return tuple_of(*(inner(item) for item in obj), cls=None if cls is tuple else cls)
    if isinstance(obj, list) and cls is list:
        item: Kind = NEVER
        for element in obj:
            item = join(item, held(element))
        return with_items(list_of(item), obj, held)
    if isinstance(obj, dict) and cls is dict:
        return _dict(obj, lambda k, v: held(v))
    if obj is None:
        return NONE_KIND
    if cls is slice:
        return SLICE
    if isinstance(obj, IntEnum) and is_fixed(obj):
        return Scalar("int", "?", Affine.const(int(obj)))
    if is_identity(obj):
        return Known(_known_name(obj), obj)
    return _instance(obj, around)


def _of_any_size(axis: int, size: int) -> Affine | None:
    return Affine.const(size) if size < 2 else None


def _of_any_value(kind: Kind) -> Kind:
    """The kind of a number, or of a tuple of numbers, without which ones they are."""
    match kind:
        case Scalar():
            return Scalar(kind.type, kind.dtype)
        case TupleOf():
            return replace(kind, items=tuple(map(_of_any_value, kind.items)))
        case _:
            return kind


def _of_any_function(kind: Kind) -> Kind:
    """The kind of what a list or dictionary holds: which function that is may have changed by the
    time that it is read."""
    match kind:
        case Known(value=value) if callable(value):
            return UNKNOWN
        case TupleOf():
            return replace(kind, items=tuple(map(_of_any_function, kind.items)))
        case _:
            return kind


def _instance(obj: object, around: tuple[object, ...]) -> Instance:
    """The kind of an object."""
    cls = type(obj)
    inside = (*around, obj)

    def inner(item: object) -> Kind:
        return _kind(item, lambda a, n: None, inside)

    holders: dict[str, Kind] = {}
    for name, value in plain_attributes(obj).items() if len(around) <= HOLDERS else ():
        if holds_objects(value) and not any(value is o for o in around):
            holders[name] = inner(value)
    name = f"{cls.__module__}.{cls.__qualname__}"
    return Instance(name, cls, fields_of(obj, around), holders=tuple(sorted(holders.items())))


def holds_objects(value: object) -> bool:
    """Whether a list, tuple or dictionary holds objects of users' classes, and nothing but such
    objects if it is a list; few of them.

    >>> holds_objects([1.0, 2.0]), holds_objects([])
    (False, False)
    """
    cls = type(value)
    if cls is dict and isinstance(value, dict):
        items = list(value.values())
        if not all(type(k) in (str, int) for k in value):
            return False
    elif cls in (list, tuple) and isinstance(value, list | tuple):
        items = list(value)
    else:
        return False
    objects = [_is_users(type(i)) for i in items]
    return len(items) <= _MOST and any(objects) and (cls is not list or all(objects))


def _is_users(cls: type) -> bool:
    library = str(cls.__module__).partition(".")[0]
    return library not in ("builtins", "numpy", "scipy") and library not in sys.stdlib_module_names


def with_items(kind: Kind, obj: list[object], inner: Callable[[object], Kind]) -> Kind:
    """The kind of a list with those of its items, if they are objects."""
    if not isinstance(kind, ListOf) or not holds_objects(obj):
        return kind
    return replace(kind, items=tuple(inner(element) for element in obj))


def _dict(obj: dict[object, object], look: Callable[[object, object], Kind]) -> Kind:
    fields: dict[str | int, Kind] = {}
    item: Kind = NEVER
    for key, value in obj.items():
        kind = look(key, value)
        item = join(item, kind)
        if isinstance(key, str | int):
            fields[key] = kind
    of_key = joined(map(kind_of_key, obj))
    return dict_of(item, fields if len(fields) == len(obj) else {}, of_key)


def kind_of_new(cls: object) -> Kind:
    """The kind of an object of the class that has no attributes of its own yet."""
    if not isinstance(cls, type):
        return UNKNOWN
    found = {
        n: _without_symbols(k)
        for n, v in class_attributes(cls).items()
        if isinstance(k := _kind(v, lambda a, n: None), Scalar | Array | Known)
    }
    name = f"{cls.__module__}.{cls.__qualname__}"
    return Instance(name, cls, tuple(sorted(found.items())), followed=True)


def fields_of(obj: object, around: tuple[object, ...] = ()) -> tuple[tuple[str, Kind], ...]:
    """The kinds of the plain attributes of an object; those of objects in it, a few levels deep.

    Classes that compute attributes (`__getattr__`) and attributes that are computed (properties)
    tell nothing. Sizes and values are left out, since another object may have others.
    """
    found: dict[str, Kind] = {}
    for name, value in plain_attributes(obj).items():
        if is_identity(value):
            found[name] = Known(_known_name(value), value)
        elif is_inner(value, around):
            found[name] = _instance(value, (*around, obj))
        elif isinstance(value, _NUMERIC) and not hasattr(value, "__dict__"):
            kind = _kind(value, lambda a, n: None)
            found[name] = (
                _without_symbols(kind) if isinstance(kind, Scalar | Array) else UNKNOWN
            )
        elif holds_numbers(value):
            found[name] = kind_of_numbers(value, _of_leaf)
        else:
            found[name] = UNKNOWN
    return tuple(sorted(found.items()))


def _of_leaf(value: object) -> Kind:
    return _without_symbols(_kind(value, lambda a, n: None))


def is_identity(obj: object) -> bool:
    """Whether all that matters of an object is which one it is."""
    return isinstance(obj, _IDENTITIES) or hasattr(type(obj), "function_for") or is_jitted(obj)


def is_inner(value: object, around: tuple[object, ...]) -> bool:
    """Whether an attribute is an object whose attributes are looked at, too."""
    own = isinstance(getattr(value, "__dict__", None), dict) or hasattr(type(value), "__slots__")
    plain = isinstance(value, np.ndarray | np.generic | list | tuple | dict | set)
    if not own or plain or len(around) > HOLDERS:
        return False
    if callable(value) and not _is_called_by_method(value):
        return False
    library = str(type(value).__module__).partition(".")[0] in ("builtins", "numpy", "scipy")
    return (not library or is_sparse(type(value))) and not any(value is o for o in around)


def _is_called_by_method(value: object) -> bool:
    """Whether an object is called as its class says, in Python, and is no function otherwise."""
    cls = type(value)
    called = inspect.getattr_static(cls, "__call__", None)
    if not isinstance(called, FunctionType) or not _is_users(cls) or is_library(cls.__module__):
        return False
    return lookup(value) is None and held(value, "__wrapped__") is None


def plain_attributes(obj: object) -> dict[str, object]:
    """The attributes that reading gives as they are stored, those of the class included; without
    weak proxies, of what may be gone."""
    cls = type(obj)
    own = getattr(obj, "__dict__", None)
    slots = _slots(cls)
    if (not isinstance(own, dict) and not slots) or hasattr(cls, "__getattr__"):
        return {}
    if cls.__getattribute__ is not object.__getattribute__ and cls is not SimpleNamespace:
        return {}
    found = class_attributes(cls)
    members = (item for base in cls.__mro__ for item in vars(base).items())
    computed = {n for n, v in members if hasattr(type(v), "__set__")}
    if own is not None:
        found.update({n: v for n, v in own.items() if n not in computed})
    found.update({n: getattr(obj, n) for n in slots if hasattr(obj, n)})
    return {n: v for n, v in found.items() if type(v) not in weakref.ProxyTypes}


def _slots(cls: type) -> tuple[str, ...]:
    """The names of the attributes that are kept in slots."""
    return tuple(
        name
        for base in cls.__mro__
        for name, value in vars(base).items()
        if isinstance(value, MemberDescriptorType) and base.__module__ != "builtins"
        if name != "__dict__"  # as a `SimpleNamespace` has it
    )


def class_attributes(cls: type) -> dict[str, object]:
    """The data that objects of the class have by their class."""
    found: dict[str, object] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if not name.startswith("__") and not hasattr(type(value), "__get__"):
                found[name] = value
            else:
                found.pop(name, None)
    return found


def _dtype_name(dtype: np.dtype[np.generic]) -> str:
    """The name of a dtype; those in foreign byte order keep their mark (`>f8`)."""
    return str(dtype.name if dtype.isnative else dtype.str)


def _known_name(obj: object) -> str:
    if isinstance(obj, str | bytes):
        return repr(obj)
    if isinstance(obj, np.dtype):
        return f"dtype {obj.name}"
    words = ((type, "class"), (ModuleType, "module"), (object, "function"))
    word = next(word for cls, word in words if isinstance(obj, cls))
    return f"{word} {getattr(obj, '__qualname__', getattr(obj, '__name__', repr(obj)))}"


def param_kinds(args: Mapping[str, object]) -> Mapping[str, Kind]:
    """The kinds of the arguments of a call, in symbols, so that they fit other calls too.

    A size of 0 or 1 is a constant; any other is the symbol `x.shape[0]` of the first parameter that
    has it, and at least 2. A Python int that is not negative is the symbol of its parameter; a
    negative one is just an int. So a symbol of a parameter is never below 0.
    """
    names: dict[int, Affine] = {}
    return {name: _symbolic(value, name, names) for name, value in args.items()}


def _symbolic(value: object, path: str, names: dict[int, Affine], depth: int = 0) -> Kind:
    def dim(axis: int, size: int) -> Affine:
        if size < 2:
            return Affine.const(size)
        return names.setdefault(size, Affine.symbol(f"{path}.shape[{axis}]"))

    if type(value) is int:
        return Scalar("int", None, Affine.symbol(path) if value >= 0 else None)
    if depth > DEEPEST:
        return UNKNOWN
    cls = type(value)
    if isinstance(value, tuple) and (cls is tuple or is_named_tuple(value)):
        parts = (_symbolic(v, f"{path}[{n}]", names, depth + 1) for n, v in enumerate(value))
        return tuple_of(*parts, cls=None if cls is tuple else cls)
    if isinstance(value, list) and type(value) is list:
        item: Kind = NEVER
        for n, element in enumerate(value):
            item = join(item, _symbolic(element, f"{path}[{n}]", names, depth + 1))
        # Another call may pass a longer list: what is said of its items names no item.
        found = list_of(_of_any_function(_without_symbols(item)))
        return with_items(found, value, lambda v: _kind(v, lambda a, n: None, (value,)))
    if isinstance(value, dict) and cls is dict:
        return _dict(value, lambda k, v: _of_any_function(
            _symbolic(v, f"{path}[{k!r}]", names, depth + 1)))  # fmt: skip
    return _kind(value, dim)


def _without_symbols(kind: Kind) -> Kind:
    match kind:
        case Scalar():
            return Scalar(kind.type, kind.dtype)
        case Array(dims=tuple() as dims):
            kept = tuple(d if d is not None and d.value is not None else None for d in dims)
            return Array(kind.dtype, kept, kind.not_one)
        case TupleOf():
            return replace(kind, items=tuple(_without_symbols(i) for i in kind.items))
        case DictOf():
            fields = tuple((key, _without_symbols(k)) for key, k in kind.fields)
            item, key = _without_symbols(kind.item), _without_symbols(kind.key)
            return replace(kind, item=item, fields=fields, key=key)
        case ListOf():
            return replace(kind, item=_without_symbols(kind.item), items=())
        case _:
            return kind
