"""What is known of code that is not rewritten, as data: containers, packages left alone."""

from __future__ import annotations

import collections
import functools
import io
import itertools
import math
import operator
import types
import weakref
from typing import Any

import numpy as np

from adtrans.recorder.late import call
from adtrans.recorder.numbers import PLAIN, plain

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

LOOKERS = ("logging", "warnings", "pprint", "json", "traceback", "reprlib")
"""Packages whose functions only look at what they are given: their results are constant."""
_SHOWING = ("matplotlib.pyplot", "matplotlib.axes", "matplotlib.figure", "matplotlib.animation",
            "matplotlib.backend", "matplotlib.pylab", "mpl_toolkits.mplot3d.axes3d")  # fmt: skip


def only_looks(f: Any) -> bool:
    """Is a function one that looks at what it is given, prints it or draws it?"""
    module = getattr(f, "__module__", None) or ""
    return module.partition(".")[0] in LOOKERS or module.startswith(_SHOWING)


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


def _objects() -> Any:
    from adtrans.recorder import objects

    return objects

LOOKING_AT_NUMBERS = frozenset({
    "is_integer", "__format__", "__repr__", "__str__", "__hash__", "__bool__", "__int__",
    "__trunc__", "__floor__", "__ceil__", "__round__", "__eq__", "__ne__", "__lt__", "__le__",
    "__gt__", "__ge__", "__sizeof__", "__getnewargs__", "__reduce__", "__reduce_ex__",
    "__dir__", "__class__", "item", "__init__",
})  # fmt: skip
"""Methods of numbers whose results are steps, or no numbers."""
