"""Functions of Python that go through items: `iter`, `map`, `zip`, `reduce`, `itertools`."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE
from adtrans.recorder.moving import _objects, operators, wrapped
from adtrans.recorder.recorded_refusals import refuse

_ndarray = np.ndarray


def _from_iterable(items: Any) -> Iterator[Any]:
    for item in _objects().iterate(items):
        yield from _objects().iterate(item)


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
    if own is None:
        return len(x)
    found = operator.index(call(own, x))
    if found < 0:
        raise ValueError("__len__() should return >= 0")
    return found


def _any(items: Any, /) -> bool:
    return any(_objects().truth(v) for v in _objects().iterate(items))


def _all(items: Any, /) -> bool:
    return all(_objects().truth(v) for v in _objects().iterate(items))


def _reduce(f: Any, items: Any, *start: Any) -> Any:
    return functools.reduce(wrapped(f), _objects().iterate(items), *start)


def _accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Iterator[Any]:
    func = operators()["add"] if func is None else wrapped(func)
    return itertools.accumulate(_objects().iterate(iterable), func, initial=initial)


def _groupby(iterable: Any, key: Any = None) -> Any:
    return itertools.groupby(_objects().iterate(iterable), None if key is None else wrapped(key))


def _dict(*args: Any, **kwargs: Any) -> dict[Any, Any]:
    if not args or isinstance(args[0], dict):
        return dict(*args, **kwargs)
    if hasattr(args[0], "keys"):
        holder = args[0]
        keys = _objects().iterate(call(_objects().getattribute(holder, "keys")))
        return {**{k: _objects().getitem(holder, k) for k in keys}, **kwargs}
    pairs = (_objects().iterate(p) for p in _objects().iterate(args[0]))
    return dict(pairs, **kwargs)
