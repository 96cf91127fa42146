"""Adjoints of lists: lists of the adjoints of their items.

They have the same structure as the primal at the same point of the program, so that what was
appended is popped and what was popped is appended again. Arrays inside are never changed in place.
The adjoint of a tuple is a plain tuple, also where the tuple is a named one.

>>> zeros_of([1.0, (2.0, "name")])
[0.0, (0.0, None)]
>>> plus([1.0, None], [2.0, 3.0])
[3.0, 3.0]
"""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from adtrans.runtime.broadcasting import unbroadcast
from adtrans.runtime.failures import DerivativeError


def zeros_of(value: Any) -> Any:
    """A zero adjoint (or tangent) for a value of any structure; None for what can have none.

    In a list, None is where a number may be at another time, and integers are among numbers.

    >>> zeros_of([2.0, None])
    [0.0, 0.0]
    """
    if isinstance(value, list | deque):
        return [_zeros_of_item(v) for v in value]
    if isinstance(value, tuple):
        return tuple([zeros_of(v) for v in value])
    if isinstance(value, dict):
        return {k: zeros_of(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        real = value.dtype.kind in "fc"
        return np.zeros(value.shape, value.dtype) if real else None
    return 0.0 if isinstance(value, int | float | complex | np.number) else None


def _zeros_of_item(value: Any) -> Any:
    """The same for what is in a list, where others of other types may be in its place."""
    if value is None:
        return 0.0
    if isinstance(value, np.ndarray) and value.dtype.kind in "iub":
        return np.zeros(value.shape)
    return zeros_of(value)


def thawed(value: Any) -> Any:
    """`value` with lists in the place of tuples.

    >>> thawed([(1.0, 2.0)])
    [[1.0, 2.0]]
    """
    if isinstance(value, list | tuple | deque):
        return [thawed(v) for v in value]
    if isinstance(value, dict):
        return {k: thawed(v) for k, v in value.items()}
    return value


def duplicate(value: Any) -> Any:
    """A copy of an adjoint and of everything that it holds.

    >>> g = {"a": [np.ones(1)]}
    >>> duplicate(g)["a"][0] is g["a"][0]
    False
    """
    if isinstance(value, list | tuple):
        made = [duplicate(v) for v in value]
        return tuple(made) if isinstance(value, tuple) else made
    if isinstance(value, dict):
        return {k: duplicate(v) for k, v in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value


def as_given(values: Any) -> Any:
    """What `f(*values, ...)` or `f(**values, ...)` passes, before later arguments are computed.

    >>> as_given([1.0, 2.0]), as_given({"a": 1.0})
    ((1.0, 2.0), {'a': 1.0})
    """
    return dict(values) if hasattr(values, "keys") else tuple(values)


def plus(a: Any, b: Any) -> Any:
    """The sum of two adjoints of one structure; None is zero."""
    if a is None or b is None:
        return b if a is None else a
    if isinstance(a, dict):
        return {k: plus(a.get(k), b.get(k)) for k in {**a, **b}}
    if isinstance(a, list | tuple):
        made = [plus(x, y) for x, y in zip(a, b, strict=True)]
        return tuple(made) if isinstance(a, tuple) else made
    return a + b


def add_entry(a: dict[Any, Any], key: Any, g: Any) -> None:
    """Adds `g` to what `a` has under `key`, in place; what is not there is zero.

    >>> a = {"x": 1.0}
    >>> add_entry(a, "x", 2.0)
    >>> add_entry(a, "y", 3.0)
    >>> a
    {'x': 3.0, 'y': 3.0}
    """
    a[key] = plus(a.get(key), g)


def check_keys(a: dict[Any, Any], known: tuple[Any, ...]) -> None:
    """Raise `DerivativeError` where a dictionary has other keys than the code was written for.

    >>> check_keys({"x": 1.0}, ("x", "y"))
    """
    others = [k for k in a if k not in known]
    if others:
        raise DerivativeError(
            f"the entry {others[0]!r} was not expected: its kind is not known", code="AD601"
        )


def merge(a: dict[Any, Any], g: dict[Any, Any]) -> None:
    """Adds the entries of `g` to those of `a`, in place.

    >>> a = {"x": 1.0}
    >>> merge(a, {"x": 2.0, "y": 3.0})
    >>> a
    {'x': 3.0, 'y': 3.0}
    """
    for key, value in g.items():
        a[key] = plus(a.get(key), value)


def refill(a: Any, g: Any) -> None:
    """Makes the contents of the list or dictionary `g` those of `a`.

    >>> a, b = {"x": 1.0}, [1.0, 2.0]
    >>> refill(a, {"y": 2.0})
    >>> refill(b, [3.0])
    >>> a, b
    ({'y': 2.0}, [3.0])
    """
    contents = g.copy()
    a.clear()
    if isinstance(a, dict):
        a.update(contents)
    else:
        a.extend(contents)


def add_each(a: list[Any], g: Any) -> None:
    """Adds `g` to each item of `a`, in place.

    >>> a = [1.0, 2.0]
    >>> add_each(a, 0.5)
    >>> a
    [1.5, 2.5]
    """
    a[:] = [x + g for x in a]


def add_each_part(a: list[Any], g: Any) -> None:
    """Adds to each item of `a` what `g` is for its shape, where all were broadcast to that of `g`.

    >>> a = [np.zeros(1), np.zeros(2), 0.0]
    >>> add_each_part(a, np.array([1.0, 2.0]))
    >>> [np.asarray(v).tolist() for v in a]
    [[3.0], [1.0, 2.0], 3.0]
    """
    a[:] = [x + unbroadcast(g, np.shape(x)) for x in a]


def add_items(a: list[Any], g: Any) -> None:
    """Adds to each item of `a` the item of the array `g` at the same place, in place.

    >>> a = [1.0, 2.0]
    >>> add_items(a, np.array([3.0, 4.0]))
    >>> a
    [4.0, 6.0]
    """
    a[:] = [x + y for x, y in zip(a, g.tolist() if g.ndim == 1 else g, strict=True)]


def add_joined(a: list[Any], g: Any) -> None:
    """Adds to each array in `a` its part of `g`, where they were joined along the first axis.

    >>> a = [np.zeros(1), np.zeros(2)]
    >>> add_joined(a, np.array([1.0, 2.0, 3.0]))
    >>> [v.tolist() for v in a]
    [[1.0], [2.0, 3.0]]
    """
    ends = np.cumsum([len(v) for v in a])
    a[:] = [x + g[end - len(x) : end] for x, end in zip(a, ends, strict=True)]


def add_repeated(a: list[Any], g: list[Any]) -> None:
    """Adds to each item of `a` all of `g` at its places in `a * n`, in place.

    >>> a = [0.0, 1.0]
    >>> add_repeated(a, [1.0, 2.0, 3.0, 4.0])
    >>> a
    [4.0, 7.0]
    """
    for k, value in enumerate(g):
        a[k % len(a)] = plus(a[k % len(a)], value)


def add_from(a: list[Any], start: int, g: list[Any]) -> None:
    """Adds the items of `g` to those of `a` from the place `start` on, in place.

    >>> a = [1.0, 2.0, 3.0]
    >>> add_from(a, 1, [10.0, 20.0])
    >>> a
    [1.0, 12.0, 23.0]
    """
    for k, value in enumerate(g, start):
        a[k] = plus(a[k], value)


def taken_off(a: list[Any], n: int) -> list[Any]:
    """The last `n` items, which `a` then has no more: the reverse of `extend`.

    >>> a = [1.0, 2.0, 3.0]
    >>> taken_off(a, 2), a
    ([2.0, 3.0], [1.0])
    """
    start = len(a) - n
    tail = a[start:]
    del a[start:]
    return tail


def put_back(a: list[Any], i: int, value: Any) -> None:
    """`value` where `pop(i)` took an item away: the reverse of `pop`.

    >>> a = [1.0, 2.0]
    >>> put_back(a, -2, 5.0)
    >>> a
    [1.0, 5.0, 2.0]
    """
    a.insert(i if i >= 0 else len(a) + 1 + i, value)


def taken_out(a: list[Any], i: int) -> Any:
    """The item that `insert(i, ...)` put in, which `a` then has no more: the reverse of `insert`.

    >>> a = [1.0, 2.0, 3.0]
    >>> taken_out(a, -1), a
    (2.0, [1.0, 3.0])
    """
    n = len(a) - 1
    return a.pop(min(i, n) if i >= 0 else max(0, n + i))


def order_of(a: Any, reverse: bool = False) -> list[int]:
    """The places of the items of `a` in ascending order.

    >>> order_of([3.0, 1.0, 2.0]), order_of([3.0, 1.0, 2.0], True)
    ([1, 2, 0], [0, 2, 1])
    """
    return sorted(range(len(a)), key=a.__getitem__, reverse=reverse)


def place_of_max(a: Any) -> int:
    """The place of the largest item, the first of equals.

    >>> place_of_max([1.0, 3.0, 3.0])
    1
    """
    return max(range(len(a)), key=a.__getitem__)


def place_of_min(a: Any) -> int:
    """The place of the smallest item, the first of equals.

    >>> place_of_min([1.0, 3.0, 1.0])
    0
    """
    return min(range(len(a)), key=a.__getitem__)


def place_of(a: list[Any], value: Any) -> int:
    """The place of the first item that equals `value`, for `a.remove(value)`.

    Raises:
        ValueError: if there is none.

    >>> place_of([1.0, 3.0, 3.0], 3.0)
    1
    """
    if value not in a:
        raise ValueError("list.remove(x): x not in list")
    return a.index(value)


def keys_of(keys: list[Any]) -> Any:
    """What `d.keys()` is like where it is compared with, or joined to, another set.

    >>> keys_of(["a", "b"]) & keys_of(["b", "c"]), keys_of(["a", "b"]) == keys_of(["b", "a"])
    ({'b'}, True)
    """
    return dict.fromkeys(keys).keys()


def last_key(a: dict[Any, Any]) -> Any:
    """The key that `a.popitem()` removes.

    Raises:
        KeyError: if there is none.

    >>> last_key({"a": 1.0, "b": 2.0})
    'b'
    """
    if not a:
        raise KeyError("popitem(): dictionary is empty")
    return next(reversed(a))


def picked(a: list[Any], order: list[int]) -> list[Any]:
    """The items of `a` in this order.

    >>> picked([1.0, 2.0, 3.0], [2, 0])
    [3.0, 1.0]
    """
    return [a[k] for k in order]


def put_picked(a: list[Any], order: list[int], g: list[Any]) -> None:
    """Adds the adjoint of `picked(..., order)` to `a`, in place.

    >>> a = [0.0, 0.0]
    >>> put_picked(a, [1, 1], [1.0, 2.0])
    >>> a
    [0.0, 3.0]
    """
    for k, value in zip(order, g, strict=True):
        a[k] = plus(a[k], value)


def places_in(
    a: list[Any], start: int | None, stop: int | None, step: int | None, values: list[Any]
) -> list[int]:
    """The places that `a[start:stop:step] = values` writes.

    >>> places_in([1.0, 2.0, 3.0, 4.0], None, None, -2, [5.0, 6.0])
    [3, 1]

    Raises:
        ValueError: if there are more, or less, than `values`.
    """
    places = [*range(*slice(start, stop, step).indices(len(a)))]
    if len(places) != len(values):
        if step is None or step == 1:
            raise DerivativeError("a list gets longer, or shorter, by a slice with a step")
        raise ValueError(
            f"attempt to assign sequence of size {len(values)} to extended slice of size "
            f"{len(places)}"
        )
    return places


def spliced_back(
    a: list[Any], start: int | None, stop: int | None, old: list[Any], n: int
) -> list[Any]:
    """The `n` items that `a[start:stop] = ...` put in, in the place of which `a` gets `old`.

    >>> a = [1.0, 2.0, 3.0, 4.0]
    >>> spliced_back(a, 1, 2, [0.0], 2), a
    ([2.0, 3.0], [1.0, 0.0, 4.0])
    """
    size = len(a) + len(old) - n
    first = 0 if start is None else int(start)
    if first < 0:
        first = max(first + size, 0)
    first = min(first, size)
    taken = a[first : first + n]
    a[first : first + n] = old
    return taken
