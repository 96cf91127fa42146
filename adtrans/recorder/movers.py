"""Movers and lookers: functions that only move their arguments or look at them, as data.

Each entry of `SPECIAL` says what is called instead, where the plain call would lose a derivative;
what is in `FREE` is called as it is. A mover hands its arguments on; a looker's result is constant.
"""

from __future__ import annotations

import builtins
import collections
import copy
import functools
import heapq
import inspect
import io
import itertools
import math
import operator
import sys
import types
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from adtrans.recorder import stores, texts
from adtrans.recorder.errors import refuse
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import PLAIN, active, innermost, plain
from adtrans.rules import lookup

_ndarray = np.ndarray

CONTAINERS = frozenset({
    list, tuple, dict, set, frozenset, str, bytes, bytearray, collections.deque,
    collections.OrderedDict, collections.defaultdict, types.GeneratorType,
    range, io.StringIO, types.MappingProxyType, slice,
})  # fmt: skip
HOLDERS: tuple[Any, ...] = (
    list, tuple, dict, set, frozenset, str, bytes, bytearray, collections.deque,
    types.GeneratorType, range, io.StringIO, BaseException, types.MappingProxyType, slice,
    itertools.chain, itertools.islice, itertools.cycle, itertools.repeat, itertools.count,
    itertools.product, itertools.permutations, itertools.combinations,
    itertools.combinations_with_replacement, itertools.zip_longest, itertools.compress,
    itertools.pairwise, types.SimpleNamespace, functools.partial, types.CellType,
    type({}.keys()), type({}.values()), type({}.items()), staticmethod, classmethod, property,
    types.MethodType, type(functools.lru_cache(len)), weakref.ref, operator.itemgetter,
    operator.attrgetter, operator.methodcaller,
)  # fmt: skip
"""Classes written in C that only hold what they are given."""

_ITERATING: tuple[Any, ...] = (
    list, tuple, dict, set, frozenset, bytes, bytearray, collections.deque,
    itertools.chain, itertools.islice, itertools.cycle, itertools.product, itertools.permutations,
    itertools.combinations, itertools.combinations_with_replacement, itertools.zip_longest,
    itertools.compress, itertools.pairwise,
)  # fmt: skip
"""Those that go through what they are given."""

METHODS_OF_OBJECTS = frozenset({
    "__get__", "__set_name__", "__class_getitem__", "__iter__",
    "__reduce_ex__", "__reduce__", "__getstate__", "__setstate__", "__init_subclass__", "__init__",
    "__new__", "__subclasshook__", "__dir__", "__format__", "__sizeof__", "__getattribute__",
    "__setattr__", "__delattr__", "mro", "__subclasses__", "__instancecheck__", "with_traceback",
    "add_note", "__eq__", "__hash__", "__repr__", "__str__", "__ne__",
})  # fmt: skip
_CHANGING = frozenset({
    "append", "extend", "insert", "update", "setdefault", "add", "appendleft", "extendleft",
    "__setitem__", "__init__", "__iadd__", "__ior__",
})  # fmt: skip
_ATOMS = frozenset({int, str, bool, type(None), float, bytes, np.float64})

LEFT_ALONE = (
    "re", "json", "logging", "warnings", "inspect", "typing", "enum", "abc", "importlib", "os",
    "posixpath", "sys", "threading", "packaging", "weakref", "types", "traceback", "linecache",
    "tokenize", "ast", "numbers", "string", "textwrap", "pprint", "reprlib", "datetime", "time",
    "calendar", "pathlib", "tempfile", "shutil", "subprocess", "socket", "uuid", "hashlib",
    "numpy", "scipy", "pandas", "matplotlib", "narwhals", "array_api_compat", "tqdm", "numba",
    "unittest", "pytest", "_pytest", "pluggy", "joblib", "multiprocessing", "concurrent", "random",
)  # fmt: skip
"""Packages whose functions are called as they are where nothing active enters."""

LOOKERS = ("matplotlib", "logging", "warnings", "pprint", "json", "tqdm", "traceback", "reprlib")
"""Packages whose functions only look at what they are given: their results are constant."""


def is_left_alone(f: Any) -> bool:
    """Is a function called as it is where nothing active enters?"""
    module = (getattr(f, "__module__", None) or "").partition(".")[0]
    return module in LEFT_ALONE


MAKERS_OF_CLASSES: dict[str, tuple[str, ...] | None] = {
    "dataclasses": ("dataclass", "make_dataclass", "fields", "is_dataclass", "field"),
    "collections": ("namedtuple",), "typing": None, "enum": None, "abc": None,
    "functools": ("total_ordering", "_compose_mro", "_c3_mro"),
}  # fmt: skip
"""Functions of the standard library that make classes, or look at them, and compute nothing, by
module; None: all of it."""


def makes_classes(f: Any) -> bool:
    """Is a function, or the one that it was made in, one of those?"""
    names = MAKERS_OF_CLASSES.get(getattr(f, "__module__", None) or "", ())
    return names is None or f.__qualname__.partition(".")[0] in names


def operators() -> dict[str, Any]:
    """The operators by their names."""
    from adtrans.recorder.operators import OPERATORS

    return OPERATORS


def wrapped(f: Any) -> Any:
    """A callable for code in C that calls it back: its rewritten form is called."""
    if f is None or isinstance(f, type) or (isinstance(f, types.BuiltinFunctionType) and (
        isinstance(f.__self__, types.ModuleType) and f.__self__ is not math
    )):  # fmt: skip
        if f in (None, str, len, id, repr, type, bool):
            return f
    return lambda *args, **kwargs: call(f, *args, **kwargs)


def identity(v: Any) -> Any:
    """What tells values apart as keys: active numbers also by their place."""
    if type(v) in PLAIN:
        return PLAIN[type(v)], plain(v), id(v.level), id(v) if v.level.forward else v.place
    if isinstance(v, tuple):
        return tuple(map(identity, v))
    return type(v), v


# -- numbers --------------------------------------------------------------------------------------


def to_float(x: Any = 0.0) -> Any:
    """`float(x)`"""
    x = innermost(x, STATE.ceiling)
    if type(x) in PLAIN:
        if isinstance(x, complex):
            return float(plain(x))  # the error in Python's own words
        if PLAIN[type(x)] is float:
            return x
        return active(to_float(x.v), x.level, x.place)
    if type(x) is _ndarray and x.size == 1 and STATE.levels_of(x):
        from adtrans.recorder.arrays import getitem

        return to_float(getitem(x, (0,) * x.ndim))
    own = _objects().method_of(type(x), "__float__")
    if own is not None:
        return call(own, x)
    number = _objects().boxed(x)
    if number is not None:
        return to_float(number)
    if STATE.texts:
        texts.check(x)
    return float(x)


def to_complex(*args: Any) -> Any:
    """`complex(x)`, `complex(x, y)`"""
    if any(type(a) in PLAIN for a in args):
        from adtrans.recorder.arrays import apply

        if len(args) == 1 and isinstance(args[0], complex):
            x = innermost(args[0], STATE.ceiling)
            return active(to_complex(x.v), x.level, x.place) if type(x) in PLAIN else complex(x)
        rule = lookup(complex)
        assert rule is not None
        return apply(rule, complex, args, {})
    for a in args:
        if isinstance(a, str):
            texts.check(a)
    own = _objects().method_of(type(args[0]), "__complex__") if len(args) == 1 else None
    return complex(*args) if own is None else call(own, args[0])


def _numpy_float(cls: Any) -> Callable[..., Any]:
    def convert(x: Any = 0.0) -> Any:
        x = innermost(x, STATE.ceiling)
        if type(x) in PLAIN and not isinstance(x, complex):
            return active(convert(x.v), x.level, x.place)
        if type(x) is _ndarray and STATE.levels_of(x):
            if x.ndim == 0:
                from adtrans.recorder.arrays import getitem

                return convert(getitem(x, ()))
            return call(np.asarray, x, dtype=cls)
        if isinstance(x, list | tuple):
            return convert(call(np.array, x, dtype=cls))
        if isinstance(x, str | bytes):
            texts.check(x)
        return cls(x)

    return convert


def total(items: Any, /, start: Any = 0) -> Any:
    """`sum(items, start)`; of numbers with Python's own rounding."""
    listed = list(_objects().iterate(items))
    if listed and all(type(v) in PLAIN or type(v) in (float, int) for v in (start, *listed)):
        found = innermost_levels([start, *listed])
        if len(found) == 1 and not any(isinstance(v, complex) for v in listed):
            level = found[0]
            if all(type(v) not in PLAIN or type(v.v) not in PLAIN for v in (start, *listed)):
                places = [v.place for v in (start, *listed)
                          if type(v) in PLAIN and v.level.alive]  # fmt: skip
                y = sum([plain(v) for v in listed], plain(start))
                return active(y, level, level.many(places, [1.0] * len(places)))
    add = operators()["add"]
    for item in listed:
        start = add(start, item)
    return start


def innermost_levels(values: list[Any]) -> list[Any]:
    """The levels in which numbers are active first of all."""
    found: dict[int, Any] = {}
    for v in values:
        if type(v) in PLAIN and v.level.alive:
            found[id(v.level)] = v.level
    return [*found.values()]


def _extreme(name: str, better: str) -> Callable[..., Any]:
    f = getattr(builtins, name)

    def run(*args: Any, key: Any = None, **kwargs: Any) -> Any:
        items = [*_objects().iterate(args[0])] if len(args) == 1 else [*args]
        if not items:
            return kwargs["default"] if "default" in kwargs else f(items)
        compare = operators()[better]
        best = items[0]
        measure = best if key is None else call(key, best)
        for item in items[1:]:
            other = item if key is None else call(key, item)
            if _objects().truth(compare(other, measure)):
                best, measure = item, other
        return best

    return run


def ordered(items: Any, /, *, key: Any = None, reverse: bool = False) -> list[Any]:
    """`sorted(items)`"""
    found = [*_objects().iterate(items)]
    found.sort(key=_sort_key(found, key), reverse=reverse)
    return found


def _sort_key(items: list[Any], key: Any) -> Any:
    measure = (lambda v: v) if key is None else wrapped(key)
    if all(_is_plainly_ordered(v) for v in items) and key is None:
        return None
    lt = operators()["lt"]

    class Ordered:
        """An item that is compared by the operators of the recorder."""

        __slots__ = ("by",)

        def __init__(self, v: Any) -> None:
            self.by = measure(v)

        def __lt__(self, other: Any) -> bool:
            return bool(_objects().truth(lt(self.by, other.by)))

    return Ordered


def _is_plainly_ordered(v: Any) -> bool:
    if type(v) is tuple:
        return all(map(_is_plainly_ordered, v))
    return type(v) in PLAIN or type(v) in _ATOMS


def rounded(x: Any, *digits: Any) -> Any:
    """`round(x)`: a step, but for objects."""
    own = _objects().method_of(type(x), "__round__")
    return call(own, x, *digits) if own is not None else round(plain(x), *digits)


def _divmod(a: Any, b: Any) -> Any:
    ops = operators()
    if _objects().method_of(type(a), "__divmod__") is not None:
        return call(type(a).__divmod__, a, b)
    return ops["floordiv"](a, b), ops["mod"](a, b)


def _power(a: Any, b: Any, *modulus: Any) -> Any:
    return pow(a, b, *modulus) if modulus else operators()["pow"](a, b)


# -- iteration ------------------------------------------------------------------------------------


def _objects() -> Any:
    from adtrans.recorder import objects

    return objects


def _from_iterable(items: Any) -> Iterator[Any]:
    for item in _objects().iterate(items):
        yield from _objects().iterate(item)


CLASS_METHODS: dict[tuple[Any, str], Callable[..., Any]] = {
    (itertools.chain, "from_iterable"): _from_iterable,
}
"""Class methods that are written in C, which are another object each time they are read."""

LOOKING_AT_NUMBERS = frozenset({
    "is_integer", "__format__", "__repr__", "__str__", "__hash__", "__bool__", "__int__",
    "__trunc__", "__floor__", "__ceil__", "__round__", "__eq__", "__ne__", "__lt__", "__le__",
    "__gt__", "__ge__", "__sizeof__", "__getnewargs__", "__reduce__", "__reduce_ex__",
    "__dir__", "__class__", "item", "__init__",
})  # fmt: skip
"""Methods of numbers whose results are steps, or no numbers."""


def _cmp_to_key(f: Any) -> Any:
    """`functools.cmp_to_key(f)`, which calls a function back."""
    class Key:
        """An item that is compared by a function."""

        __slots__ = ("obj",)

        def __init__(self, obj: Any) -> None:
            self.obj = obj

        def __lt__(self, other: Any) -> bool:
            return bool(call(f, self.obj, other.obj) < 0)

        def __gt__(self, other: Any) -> bool:
            return bool(call(f, self.obj, other.obj) > 0)

        def __eq__(self, other: object) -> bool:
            return bool(call(f, self.obj, getattr(other, "obj")) == 0)  # noqa: B009

    return Key


def _memoryview(x: Any) -> Any:
    if isinstance(x, _ndarray) and STATE.levels_of(x):
        refuse("`memoryview`", "its elements are read by code that is not seen")
    return memoryview(x)


def _over(f: Any) -> Callable[..., Any]:
    """A function in C that goes through its arguments."""
    def run(*args: Any, **kwargs: Any) -> Any:
        return f(*map(_objects().iterate, args), **kwargs)

    return run


def _with_function(f: Any) -> Callable[..., Any]:
    """A function in C that calls its first argument back, and goes through the others."""
    def run(g: Any, *args: Any, **kwargs: Any) -> Any:
        return f(None if g is None else wrapped(g), *map(_objects().iterate, args), **kwargs)

    return run


def _iter(x: Any, *end: Any) -> Any:
    return iter(wrapped(x), *end) if end else iter(_objects().iterate(x))


def following(it: Any, *default: Any) -> Any:
    """`next(it)`"""
    own = _objects().method_of(type(it), "__next__")
    if own is None:
        if type(it) is np.flatiter:
            at = it.coords
            next(it)
            return _objects().getitem(it.base, at)
        return next(it, *default)
    if not default:
        return call(own, it)
    try:
        return call(own, it)
    except StopIteration:
        return default[0]


def _reversed(x: Any) -> Any:
    if isinstance(x, _ndarray):
        return reversed([*_objects().iterate(x)])
    own = _objects().method_of(type(x), "__reversed__")
    if own is not None:
        return _objects().iterate(call(own, x))
    if _objects().method_of(type(x), "__getitem__") is not None:
        return (_objects().getitem(x, k) for k in reversed(range(_len(x))))
    return reversed(x)


def _len(x: Any) -> int:
    own = _objects().method_of(type(x), "__len__")
    return len(x) if own is None else int(call(own, x))


def _any(items: Any, /) -> bool:
    return any(_objects().truth(v) for v in _objects().iterate(items))


def _all(items: Any, /) -> bool:
    return all(_objects().truth(v) for v in _objects().iterate(items))


def _reduce(f: Any, items: Any, *start: Any) -> Any:
    return functools.reduce(wrapped(f), _objects().iterate(items), *start)


def _accumulate(items: Any, func: Any = None, *, initial: Any = None) -> Iterator[Any]:
    func = operators()["add"] if func is None else wrapped(func)
    return itertools.accumulate(_objects().iterate(items), func, initial=initial)


def _groupby(items: Any, key: Any = None) -> Any:
    return itertools.groupby(_objects().iterate(items), None if key is None else wrapped(key))


def _dict(*args: Any, **kwargs: Any) -> dict[Any, Any]:
    if not args or isinstance(args[0], dict):
        return dict(*args, **kwargs)
    if hasattr(args[0], "keys"):
        holder = args[0]
        keys = _objects().iterate(call(_objects().getattribute(holder, "keys")))
        return {**{k: _objects().getitem(holder, k) for k in keys}, **kwargs}
    pairs = (_objects().iterate(p) for p in _objects().iterate(args[0]))
    return dict(pairs, **kwargs)


# -- objects --------------------------------------------------------------------------------------


def _type(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1:
        return PLAIN.get(type(args[0]), type(args[0]))
    return type(*args, **kwargs)


def _getattr(obj: Any, name: str, *default: Any) -> Any:
    if not default:
        return _objects().getattribute(obj, name)
    try:
        return _objects().getattribute(obj, name)
    except AttributeError:
        return default[0]


def _hasattr(obj: Any, name: str) -> bool:
    try:
        _objects().getattribute(obj, name)
    except AttributeError:
        return False
    return True


def _setattr(obj: Any, name: str, value: Any) -> None:
    _objects().setattribute(value, obj, name)


def _object_setattr(obj: Any, name: str, value: Any) -> None:
    _objects().set_by_default(value, obj, name)


def only_holds(owner: Any) -> bool:
    """Is a class, or what an object is of, one that only holds what it is given?"""
    return isinstance(owner, type) and issubclass(owner, HOLDERS)


def _callable_getter(f: Any, args: tuple[Any, ...]) -> Any:
    obj = args[0]
    kind, parts = f.__reduce__()[:2]
    if isinstance(f, operator.itemgetter):
        found = [_objects().getitem(obj, k) for k in parts]
    elif isinstance(f, operator.attrgetter):
        found = [functools.reduce(_objects().getattribute, p.split("."), obj) for p in parts]
    else:
        if type(kind) is functools.partial:
            name, rest, named = kind.args[0], parts, kind.keywords
        else:
            name, rest, named = parts[0], parts[1:], {}
        return call(_objects().getattribute(obj, name), *rest, **named)
    return found[0] if len(found) == 1 else tuple(found)


def _shown(f: Any, *names: str) -> Callable[..., Any]:
    """A function that makes a text of an object by a method of its class."""
    def run(*args: Any, **kwargs: Any) -> Any:
        for name in names if len(args) == 1 and not kwargs else ():
            own = _objects().method_of(type(args[0]), name)
            if own is not None:
                return call(own, args[0])
        return f(*args, **kwargs)

    return run


def _format(value: Any, form: str = "") -> Any:
    own = _objects().method_of(type(value), "__format__")
    if own is not None:
        return call(own, value, form)
    return format(value, form) if form else _str(value)


_str = _shown(str, "__str__", "__repr__")


def _print(*args: Any, **kwargs: Any) -> None:
    print(*map(_str, args), **kwargs)


def _nditer(*args: Any, **kwargs: Any) -> Any:
    given = args[0] if isinstance(args[0], list | tuple) else args[:1]
    if any(isinstance(v, _ndarray) and STATE.find(v) is not None for v in given):
        refuse("`np.nditer`", "what is written through it is not seen")
    return np.nditer(*args, **kwargs)


def of_container(
    obj: Any, name: str, args: tuple[Any, ...], kwargs: Any, f: Any = None
) -> Any:
    """A method of a container of Python: it moves what it is given. `f`: that of a base."""
    if name == "sort" and isinstance(obj, list):
        key = _sort_key(obj, kwargs.get("key"))
        list.sort(obj, key=key, reverse=kwargs.get("reverse", False))
        return None
    if name == "fromkeys":
        args = tuple(map(_objects().iterate, args))
    if name in _CHANGING:
        if STATE.runs and any(type(a) not in _ATOMS for a in (*args, *kwargs.values())):
            STATE.runs[-1].touched[id(obj)] = obj
        if name in ("extend", "extendleft", "update", "__init__", "__iadd__"):
            if isinstance(obj, collections.Counter):
                pass
            elif isinstance(obj, dict):
                args = tuple([a if isinstance(a, dict) else _dict(a) for a in args])
            else:
                args = tuple(map(_objects().iterate, args))
    elif name in ("union", "intersection", "difference", "symmetric_difference", "join"):
        args = tuple(map(_objects().iterate, args))
    elif name in ("index", "count", "remove") and isinstance(obj, list):
        if any(_objects().method_of(type(v), "__eq__") for v in obj):
            return _found(obj, name, *args)
    f = getattr(obj, name) if f is None else f
    return call(f, *args, **kwargs) if isinstance(f, type) else f(*args, **kwargs)


def _found(obj: list[Any], name: str, item: Any, start: int = 0, stop: int = sys.maxsize) -> Any:
    eq, truth = operators()["eq"], _objects().truth
    places = [
        k for k, v in enumerate(obj)
        if start <= k < stop and (v is item or truth(eq(v, item)))
    ]  # fmt: skip
    if name == "count":
        return len(places)
    if not places:
        return getattr([], name)(item)  # the error in Python's own words
    return places[0] if name == "index" else obj.pop(places[0]) and None


def handed_to(cls: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a class that is written in C: iterated over here, where it does that."""
    return tuple(map(_objects().iterate, args)) if issubclass(cls, _ITERATING) else args


def by_dunder(name: str) -> Any:
    """The operator of `__add__`, `__radd__` and the like; None for other names."""
    if name[:2] != "__" or name[-2:] != "__":
        return None
    known = operators()
    if name[2:-2] in known:
        return known[name[2:-2]]
    other = known.get(name[3:-2]) if name[2] == "r" else None
    return None if other is None else lambda a, b: other(b, a)


def of_array(a: Any, name: str, args: tuple[Any, ...]) -> Any:
    """A method of an array that moves its elements."""
    from adtrans.recorder import arrays

    if name == "item":
        if not args:
            if a.size != 1:
                return a.item()
            index: Any = (0,) * a.ndim
        else:
            index = args[0] if len(args) == 1 else args
            if isinstance(index, int) and a.ndim != 1:
                index = np.unravel_index(range(a.size)[index], a.shape)
        found = arrays.getitem(a, index)
        return to_float(found) if type(found) in PLAIN and not isinstance(found, complex) else (
            found.item()
        )
    if name == "tolist":
        if a.ndim == 0:
            return of_array(a, "item", ())
        if not STATE.levels_of(a):
            return a.tolist()
        if a.ndim == 1:
            return [of_array(a, "item", (k,)) for k in range(len(a))]
        return [of_array(row, "tolist", ()) for row in a]
    if name in ("__deepcopy__", "__copy__"):
        return call(np.copy, a, order="K")
    if name == "__iter__":
        return iter(_objects().iterate(a))
    if name == "__getitem__":
        return arrays.getitem(a, *args)
    if name == "__setitem__":
        return stores.setitem(a, *args)
    return getattr(a, name)(*args)


def _frompyfunc(f: Any, nin: int, nout: int, **kwargs: Any) -> Any:
    return np.frompyfunc(wrapped(f), nin, nout, **kwargs)


def _best(n: int, items: Any, key: Any, reverse: bool) -> list[Any]:
    return ordered(items, key=key, reverse=reverse)[: max(n, 0)]


def _from_iter(items: Any, dtype: Any, count: int = -1, **kwargs: Any) -> Any:
    items = _objects().iterate(items)
    found = [*items] if count < 0 else [*itertools.islice(items, count)]
    if count > len(found):
        return np.fromiter(found, dtype, count, **kwargs)  # the error in NumPy's own words
    return call(np.array, found, dtype=dtype)


def _along_axis(f: Any, axis: int, a: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.apply_along_axis`, row by row."""
    a = call(np.asarray, a)
    axis = range(a.ndim)[axis]
    rows = call(np.moveaxis, a, axis, -1)
    places = [*np.ndindex(*rows.shape[:-1])]
    if not places:
        return np.apply_along_axis(f, axis, a, *args, **kwargs)  # an error
    get = _objects().getitem
    found = [call(np.asarray, call(f, get(rows, p), *args, **kwargs)) for p in places]
    inner = found[0].ndim
    whole = call(np.reshape, call(np.stack, found), rows.shape[:-1] + found[0].shape)
    if whole.dtype != found[0].dtype:
        whole = call(whole.astype, found[0].dtype)
    return call(np.moveaxis, whole, (*range(-inner, 0),), (*range(axis, axis + inner),))


def _astype(x: Any, dtype: Any, *args: Any, **kwargs: Any) -> Any:
    return call(_objects().getattribute(x, "astype"), dtype, *args, **kwargs)


def _run_code(*args: Any, **kwargs: Any) -> Any:
    refuse("code that is made from a text", "`exec` and `eval` run what is not seen", code="AD202")


def _stop_gradient(x: Any) -> Any:
    from adtrans.recorder.arrays import plain_of

    return x.copy() if isinstance(x, _ndarray) else plain_of(x)


def _looker(f: Any) -> Callable[..., Any]:
    from adtrans.recorder.arrays import plain_of

    return lambda *args, **kwargs: f(*map(plain_of, args), **{n: plain_of(v) for n, v in
                                                              kwargs.items()})  # fmt: skip


SPECIAL: dict[Any, Callable[..., Any]] = {
    float: to_float, complex: to_complex, sum: total, min: _extreme("min", "lt"),
    max: _extreme("max", "gt"), sorted: ordered, round: rounded, divmod: _divmod, pow: _power,
    iter: _iter, next: following, reversed: _reversed, len: _len, any: _any, all: _all, type: _type,
    getattr: _getattr, hasattr: _hasattr, setattr: _setattr, dict: _dict, exec: _run_code,
    eval: _run_code, object.__setattr__: _object_setattr,
    list: _over(list), tuple: _over(tuple), set: _over(set), frozenset: _over(frozenset),
    zip: _over(zip), enumerate: lambda x, start=0: enumerate(_objects().iterate(x), start),
    map: _with_function(map), filter: _with_function(filter),
    functools.reduce: _reduce, itertools.accumulate: _accumulate, itertools.groupby: _groupby,
    itertools.starmap: _with_function(itertools.starmap),
    itertools.takewhile: _with_function(itertools.takewhile),
    itertools.dropwhile: _with_function(itertools.dropwhile),
    itertools.filterfalse: _with_function(itertools.filterfalse),
    itertools.tee: _over(itertools.tee),
    **{f: _over(f) for f in (itertools.chain, itertools.islice, itertools.cycle,
                             itertools.product, itertools.permutations, itertools.combinations,
                             itertools.combinations_with_replacement, itertools.zip_longest,
                             itertools.compress, itertools.pairwise)},
    collections.deque: lambda x=(), maxlen=None: collections.deque(_objects().iterate(x), maxlen),
    collections.OrderedDict: lambda *a, **k: collections.OrderedDict(_dict(*a, **k)),
    collections.defaultdict: lambda f=None, *a, **k: collections.defaultdict(f, _dict(*a, **k)),
    np.float64: _numpy_float(np.float64), np.float32: _numpy_float(np.float32),
    heapq.nsmallest: lambda n, iterable, key=None: _best(n, iterable, key, False),
    heapq.nlargest: lambda n, iterable, key=None: _best(n, iterable, key, True),
    np.fromiter: _from_iter, np.apply_along_axis: _along_axis,
    repr: _shown(repr, "__repr__"), str: _str, format: _format, print: _print,
    np.nditer: _nditer, np.frompyfunc: _frompyfunc, math.floor: _looker(math.floor),
    math.ceil: _looker(math.ceil),
    math.trunc: _looker(math.trunc), int: _looker(int), bool: lambda x=False: _objects().truth(x),
    math.isnan: _looker(math.isnan), math.isinf: _looker(math.isinf),
    math.isfinite: _looker(math.isfinite), math.isclose: _looker(math.isclose),
    memoryview: _memoryview, functools.cmp_to_key: _cmp_to_key,
    delattr: lambda obj, name: _objects().delattribute(obj, name),
    operator.countOf: lambda xs, v: _found([*_objects().iterate(xs)], "count", v),
    operator.indexOf: lambda xs, v: _found([*_objects().iterate(xs)], "index", v),
    sys.getsizeof: _looker(sys.getsizeof),
}  # fmt: skip
"""What is called instead of functions that would lose a derivative."""

FREE: tuple[Any, ...] = (
    isinstance, issubclass, id, hash, callable, dir, vars, input,
    open, super, object, slice, range, property, staticmethod, classmethod, chr, ord, hex, oct, bin,
    globals, locals, ascii, __import__, object.__new__, BaseException.__new__, copy.Error,
    operator.is_, operator.is_not, operator.length_hint, warnings.warn, sys.getrefcount,
    np.lib.stride_tricks.as_strided,
    sys.exc_info, sys.getrecursionlimit, functools.partial,
    functools.lru_cache,
    functools.update_wrapper, functools.wraps, itertools.count, itertools.repeat, id,
    types.SimpleNamespace, inspect.isfunction, inspect.ismethod, inspect.isclass,
)  # fmt: skip
"""Called as they are: they move or look, and call nothing of the user's that varies."""


def _operator_functions() -> dict[Any, Callable[..., Any]]:
    ops = operators()
    names = {"and_": "and", "or_": "or"}
    found: dict[Any, Callable[..., Any]] = {}
    for name in dir(operator):
        f = getattr(operator, name)
        short = names.get(name, name)
        if short in ops and callable(f):
            found[f] = ops[short]
    objects = _objects()
    found[operator.getitem] = objects.getitem
    found[operator.setitem] = lambda a, k, v: objects.setitem(v, a, k)
    found[operator.delitem] = objects.delitem
    found[operator.contains] = lambda a, b: ops["contains"](b, a)
    found[operator.truth] = objects.truth
    found[operator.not_] = lambda a: not objects.truth(a)
    found[operator.abs] = found[abs] = sys.modules["adtrans.recorder.operators"].absolute
    return found


@functools.cache
def _all_special() -> dict[int, tuple[Any, Callable[..., Any]]]:
    table = {**SPECIAL, **_operator_functions()}
    found: dict[int, tuple[Any, Callable[..., Any]]] = {id(f): (f, g) for f, g in table.items()}
    for f in FREE:
        found.setdefault(id(f), (f, f))
    return found


def special(f: Any) -> Any:
    """A handler for a mover or looker; None for all else."""
    owner = getattr(f, "__self__", None) if type(f) is types.BuiltinFunctionType else None
    if isinstance(owner, type) and (owner, f.__name__) in CLASS_METHODS:
        g = CLASS_METHODS[owner, f.__name__]
        return lambda _, args, kwargs: g(*args, **kwargs)
    written = texts.handler(f)
    if written is not None:
        return written
    if getattr(f, "recorded_as", None) == "constant":
        return lambda f, args, kwargs: _stop_gradient(*args, **kwargs)
    entry = _all_special().get(id(f))
    if entry is not None and entry[0] is f:
        g = entry[1]
        return lambda _, args, kwargs: g(*args, **kwargs)
    if isinstance(f, operator.itemgetter | operator.attrgetter | operator.methodcaller):
        return lambda f, args, kwargs: _callable_getter(f, args)
    module = (getattr(f, "__module__", None) or "").partition(".")[0]
    if module in LOOKERS and not isinstance(f, type):
        return lambda f, args, kwargs: _looker(f)(*args, **kwargs)
    if isinstance(f, np.vectorize):
        return _vectorized
    return None


def _vectorized(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`np.vectorize(g)(*args)`, element by element."""
    from adtrans.recorder.escapes import reaches

    if not reaches((args, kwargs, f.pyfunc)):
        return f(*args, **kwargs)
    if f.signature is not None or kwargs or f.excluded:
        refuse("`np.vectorize`", "with `signature=`, `excluded=` or keywords it is not followed")
    spread = [call(np.asarray, a) for a in args]
    shape = np.broadcast_shapes(*(a.shape for a in spread))
    spread = [call(np.broadcast_to, a, shape) for a in spread]
    found = [
        call(f.pyfunc, *[_objects().getitem(a, index) for a in spread])
        for index in np.ndindex(*shape)
    ]
    several = bool(found) and isinstance(found[0], tuple)
    columns = [list(c) for c in zip(*found, strict=True)] if several else [found]
    types_ = f.otypes or [None] * len(columns)
    results = [
        call(np.reshape, call(np.array, c, dtype=t), shape)
        for c, t in zip(columns, types_, strict=True)
    ]
    results = [r[()] if r.ndim == 0 and type(r) is not _ndarray else r for r in results]
    return tuple(results) if several else results[0]


def is_handed(f: Any) -> bool:
    """Is a function one that takes a function of the user's, such as `quad`?"""
    from adtrans.rules.handed import taker

    return taker(f) is not None
