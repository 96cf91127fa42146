"""Functions and methods that move what objects, containers and arrays hold."""

from __future__ import annotations

import collections
import functools
import itertools
import operator
import string
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder import stores, texts
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE
from adtrans.recorder.moved_items import _dict
from adtrans.recorder.moved_numbers import _sort_key, ordered, to_float
from adtrans.recorder.moving import (
    _ATOMS,
    _CHANGING,
    _ITERATING,
    HOLDERS,
    _objects,
    operators,
)
from adtrans.recorder.numbers import COMPLEX, PLAIN
from adtrans.recorder.recorded_refusals import refuse

_ndarray = np.ndarray


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
        return to_float(found) if type(found) in PLAIN and not isinstance(found, COMPLEX) else (
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


def lettered(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of `np.einsum(a, [0, 1], b, [1])` as those of `np.einsum("AB,B", a, b)`."""
    letters = string.ascii_uppercase + string.ascii_lowercase
    if len(args) < 2 or isinstance(args[0], str):
        return args
    try:
        lists = [*args[1::2], *(args[-1:] if len(args) % 2 else ())]
        texts = ["".join("..." if i is ... else letters[operator.index(i)] for i in axes)
                 for axes in lists]  # fmt: skip
    except (IndexError, TypeError):  # NumPy raises an error in its own words
        return args
    if len(args) % 2:
        return f"{','.join(texts[:-1])}->{texts[-1]}", *args[:-1:2]
    return ",".join(texts), *args[::2]


def _run_code(f: Any) -> Callable[..., Any]:
    """`eval` and `exec`: only with names of their own that nothing active can be reached from."""
    def run(text: Any, *names: Any, **kwargs: Any) -> Any:
        from adtrans.recorder.escapes import reaches

        if not (names or kwargs) or reaches((text, names, kwargs)):
            refuse("code that is made from a text", "`exec` and `eval` run what is not seen",
                   code="AD202")  # fmt: skip
        texts.check(text)
        return f(text, *names, **kwargs)

    return run


def _stop_gradient(x: Any) -> Any:
    from adtrans.recorder.arrays import plain_of

    return x.copy() if isinstance(x, _ndarray) else plain_of(x)


def _looker(f: Any) -> Callable[..., Any]:
    from adtrans.recorder.arrays import plain_of

    return lambda *args, **kwargs: f(*map(plain_of, args), **{n: plain_of(v) for n, v in
                                                              kwargs.items()})  # fmt: skip
