"""Movers and lookers: functions that only move their arguments or look at them, as data.

Each entry of `SPECIAL` says what is called instead, where the plain call would lose a derivative;
what is in `FREE` is called as it is. A mover hands its arguments on; a looker's result is constant.
"""

from __future__ import annotations

import collections
import copy
import functools
import heapq
import inspect
import itertools
import math
import operator
import sys
import traceback
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder import cached_functions, elementwise_calls, frames, texts
from adtrans.recorder.lookers import shown
from adtrans.recorder.moved_items import (
    _accumulate,
    _all,
    _any,
    _cmp_to_key,
    _dict,
    _from_iterable,
    _groupby,
    _iter,
    _len,
    _memoryview,
    _over,
    _reduce,
    _reversed,
    _with_function,
    following,
)
from adtrans.recorder.moved_numbers import (
    _divmod,
    _extreme,
    _numpy_float,
    _power,
    ordered,
    rounded,
    to_complex,
    to_float,
    total,
)
from adtrans.recorder.moved_objects import (
    _along_axis,
    _best,
    _callable_getter,
    _format,
    _found,
    _from_iter,
    _getattr,
    _hasattr,
    _looker,
    _object_setattr,
    _print,
    _run_code,
    _setattr,
    _shown,
    _stop_gradient,
    _str,
    _type,
)
from adtrans.recorder.moving import _objects, only_looks, operators

_ndarray = np.ndarray

CLASS_METHODS: dict[tuple[Any, str], Callable[..., Any]] = {
    (itertools.chain, "from_iterable"): _from_iterable,
}
"""Class methods that are written in C, which are another object each time they are read."""

SPECIAL: dict[Any, Callable[..., Any]] = {
    collections.namedtuple: frames.namedtuple, sys._getframe: frames.user_frame,
    inspect.currentframe: frames.user_frame, inspect.stack: frames.stack,
    **{f: frames.from_here(f) for f in (traceback.extract_stack, traceback.format_stack,
                                        traceback.print_stack)},
    float: to_float, complex: to_complex, sum: total, min: _extreme("min", "lt"),
    max: _extreme("max", "gt"), sorted: ordered, round: rounded, divmod: _divmod, pow: _power,
    iter: _iter, next: following, reversed: _reversed, len: _len, any: _any, all: _all, type: _type,
    getattr: _getattr, hasattr: _hasattr, setattr: _setattr, dict: _dict, exec: _run_code(exec),
    eval: _run_code(eval), object.__setattr__: _object_setattr,
    list: _over(list), tuple: _over(tuple), set: _over(set), frozenset: _over(frozenset),
    zip: _over(zip),
    enumerate: lambda iterable, start=0: enumerate(_objects().iterate(iterable), start),
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
    collections.deque: lambda iterable=(), maxlen=None: collections.deque(
        _objects().iterate(iterable), maxlen
    ),
    collections.OrderedDict: lambda *a, **k: collections.OrderedDict(_dict(*a, **k)),
    collections.defaultdict: lambda f=None, *a, **k: collections.defaultdict(f, _dict(*a, **k)),
    np.float64: _numpy_float(np.float64), np.float32: _numpy_float(np.float32),
    heapq.nsmallest: lambda n, iterable, key=None: _best(n, iterable, key, False),
    heapq.nlargest: lambda n, iterable, key=None: _best(n, iterable, key, True),
    np.fromiter: _from_iter, np.apply_along_axis: _along_axis,
    repr: _shown(repr, "__repr__"), str: _str, format: _format, print: _print,
    np.nditer: elementwise_calls.nditer, np.nested_iters: elementwise_calls.nested_iters,
    math.floor: _looker(math.floor),
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
"""What is called instead of functions that would lose a derivative; it takes the same keywords."""

FREE: tuple[Any, ...] = (
    isinstance, issubclass, id, hash, callable, dir, vars, input,
    open, super, object, slice, range, property, staticmethod, classmethod, chr, ord, hex, oct, bin,
    globals, locals, ascii, __import__, object.__new__, BaseException.__new__, copy.Error,
    operator.is_, operator.is_not, operator.length_hint, warnings.warn, sys.getrefcount,
    np.frompyfunc,
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
    if type(owner) is cached_functions.KIND and f.__name__ in ("cache_info", "cache_clear"):
        ask = cached_functions.info if f.__name__ == "cache_info" else cached_functions.clear
        return lambda _, args, kwargs: ask(owner)
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
    if only_looks(f) and not isinstance(f, type):
        return shown
    if isinstance(f, np.vectorize):
        return elementwise_calls.vectorized
    if elementwise_calls.is_of_python(f):
        return lambda f, args, kwargs: elementwise_calls.by_elements(f, "__call__", args, kwargs)
    return None


def is_handed(f: Any) -> bool:
    """Is a function one that takes a function of the user's, such as `quad`?"""
    from adtrans.rules.higher_order import taker

    return taker(f) is not None
