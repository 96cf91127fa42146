"""Arrays of objects that are handed to a primitive.

It takes them apart in code that is not seen: where something in them varies they become arrays of
numbers.

>>> list(as_objects(np.array([1.0, 2.0])))
[1.0, 2.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.recorder import escapes, making
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import COMPLEX, PLAIN
from adtrans.recorder.recorded_refusals import refuse
from adtrans.rules.rule import Rule
from adtrans.runtime.fresh_updates import valued

_ndarray = np.ndarray


def given(rule: Rule, v: Any) -> Any:
    """An argument as the formulas of a rule know it."""
    if type(v) is _ndarray and v.dtype.kind == "O" and rule.active_params and not rule.writes:
        return numeric(v)
    return v


def numeric(a: Any) -> Any:
    """An array of numbers in the place of one of objects."""
    try:
        found = making.array(a.tolist()) if escapes.reaches(a) else a
    except (TypeError, ValueError):
        return a
    if found.shape != a.shape or found.dtype.kind == "O":  # its items are arrays, or of a class
        return a
    return found


def as_of_objects(rule: Rule, f: Any, args: Any, kwargs: Any, same: Any) -> Any:
    """What a primitive gives for arrays of objects, with the derivative of the `same` of numbers:
    it adds up in another order, say."""
    from adtrans.recorder.arrays import plain_of

    if isinstance(same, tuple | list) or rule.spelling in ("np.asarray", "np.array"):
        return same
    exact = f(*map(_plain_items, args), **{n: plain_of(v) for n, v in kwargs.items()})
    if type(exact) is _ndarray and exact.dtype.kind == "O":
        return as_objects(same) if type(same) is _ndarray and same.shape == exact.shape else same
    if type(exact) is float or (type(exact) is _ndarray and exact.dtype.kind == "f"):
        return call(valued, exact, same) if np.shape(exact) == np.shape(same) else same
    return same


def _plain_items(a: Any) -> Any:
    from adtrans.recorder.arrays import plain_of

    if type(a) is not _ndarray or a.dtype.kind != "O":
        return plain_of(a)
    made = np.empty(a.shape, object)
    for index in np.ndindex(*a.shape):
        made[index] = plain_of(a[index])
    return made


def as_objects(a: Any) -> Any:
    """An array of objects that has the elements of an array, active as they are."""
    from adtrans.recorder.arrays import getitem

    made = np.empty(a.shape, object)
    for index in np.ndindex(*a.shape):
        found = getitem(a, index)
        made[index] = found if a.dtype.kind == "O" else call(found.item) if type(found) not in (
            PLAIN
        ) else call(_item, found)
    return made


def objects_of(a: Any, own: bool = False) -> Any:
    """An active array or number as an array of numbers of Python; a number of NumPy stays one
    where it is handed over as an object of its own."""
    if is_active(a):
        return as_objects(a)
    if type(a) in PLAIN:
        made = np.empty((), object)
        made[()] = a if own else _item(a)
        return made
    return a


def _item(x: Any) -> Any:
    return call(complex if isinstance(x, COMPLEX) else float, x)


def made(rule: Rule, maker: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What `np.array` and the like make of whatever they are given."""
    from adtrans.recorder import arrays

    dtype = args[1] if len(args) > 1 else kwargs.get("dtype")
    if dtype is not None and args and np.dtype(dtype).kind == "O":
        return f(objects_of(args[0], True), *args[1:], **kwargs)
    axes = kwargs.get("ndmin")
    if axes and args and not isinstance(args[0], list | tuple):
        less = {n: v for n, v in kwargs.items() if n != "ndmin"}
        found = made(rule, maker, f, args, less)
        more = axes - found.ndim
        return arrays.getitem(found, (None,) * more + (...,)) if more > 0 else found
    if args and isinstance(args[0], list | tuple):
        return making.array(*args, maker=maker, **kwargs)
    return arrays.apply(rule, f, args, kwargs)


def viewed(a: Any, *args: Any, **kwargs: Any) -> Any:
    """`a.view(...)`: the same numbers."""
    y = a.view(*args, **kwargs)
    if type(y) is not _ndarray or y.dtype != a.dtype:
        refuse("`ndarray.view`", "it takes the numbers for others")
    return y


def is_active(a: Any) -> bool:
    """Is an array of numbers active?"""
    return type(a) is _ndarray and bool(STATE.levels_of(a))
