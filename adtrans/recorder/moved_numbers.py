"""Functions of Python that move numbers, or compute with them: `float`, `sum`, `max`, `sorted`."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder import texts
from adtrans.recorder.late import call
from adtrans.recorder.memory import STATE
from adtrans.recorder.moving import _ATOMS, _objects, operators, wrapped
from adtrans.recorder.numbers import COMPLEX, PLAIN, active, innermost, plain
from adtrans.rules import lookup

_ndarray = np.ndarray


def to_float(x: Any = 0.0) -> Any:
    """`float(x)`"""
    x = innermost(x, STATE.ceiling)
    if type(x) in PLAIN:
        if isinstance(x, COMPLEX):
            return float(plain(x))  # the error in Python's own words
        if PLAIN[type(x)] is float:
            return x
        return active(to_float(x.v), x.level, x.place)
    if type(x) is _ndarray and x.size == 1 and STATE.levels_of(x):
        from adtrans.recorder.arrays import getitem

        return to_float(getitem(x, (0,) * x.ndim))
    own = _objects().method_of(type(x), "__float__")
    if own is not None:
        return to_float(_returned(call(own, x), x, "float", float))
    number = _objects().boxed(x)
    if number is not None:
        return to_float(number)
    if STATE.texts:
        texts.check(x)
    return float(x)


def to_complex(real: Any = 0.0, imag: Any = None) -> Any:
    """`complex(x)`, `complex(x, y)`"""
    args = (real,) if imag is None else (real, imag)
    if any(type(a) in PLAIN for a in args):
        from adtrans.recorder.arrays import apply

        if len(args) == 1 and isinstance(args[0], COMPLEX):
            x = innermost(args[0], STATE.ceiling)
            return active(to_complex(x.v), x.level, x.place) if type(x) in PLAIN else complex(x)
        rule = lookup(complex)
        assert rule is not None
        return apply(rule, complex, args, {})
    for a in args:
        if isinstance(a, str):
            texts.check(a)
    own = _objects().method_of(type(args[0]), "__complex__") if len(args) == 1 else None
    if own is None:
        return complex(*args)
    return to_complex(_returned(call(own, args[0]), args[0], "complex", complex))


def _returned(found: Any, x: Any, name: str, cls: type) -> Any:
    """What a special method returned, where Python would take it."""
    if not isinstance(found, cls):
        t, other = type(x).__name__, PLAIN.get(type(found), type(found)).__name__
        raise TypeError(f"{t}.__{name}__ returned non-{name} (type {other})")
    return found


def _numpy_float(cls: Any) -> Callable[..., Any]:
    def convert(x: Any = 0.0) -> Any:
        x = innermost(x, STATE.ceiling)
        if type(x) in PLAIN and not isinstance(x, COMPLEX):
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
    source = iter(_objects().iterate(items))
    listed, later = [], []
    for item in source if _is_number(start) else ():
        if not _is_number(item):  # an array, say: what comes next may overwrite it
            later = [item]
            break
        listed.append(item)
    if listed and not later and _is_number(start):
        found = innermost_levels([start, *listed])
        if len(found) == 1 and not any(isinstance(v, COMPLEX) for v in listed):
            level = found[0]
            if all(type(v) not in PLAIN or type(v.v) not in PLAIN for v in (start, *listed)):
                places = [v.place for v in (start, *listed)
                          if type(v) in PLAIN and v.level.alive]  # fmt: skip
                y = sum([plain(v) for v in listed], plain(start))
                return active(y, level, level.many(places, [1.0] * len(places)))
    add = operators()["add"]
    for item in itertools.chain(listed, later, source):
        start = add(start, item)
    return start


def _is_number(v: Any) -> bool:
    return type(v) in PLAIN or type(v) in (float, int)


def innermost_levels(values: list[Any]) -> list[Any]:
    """The levels in which numbers are active first of all."""
    found: dict[int, Any] = {}
    for v in values:
        if type(v) in PLAIN and v.level.alive:
            found[id(v.level)] = v.level
    return [*found.values()]


_NOTHING = object()


def _extreme(name: str, better: str) -> Callable[..., Any]:
    f = getattr(builtins, name)

    def run(*args: Any, key: Any = None, **kwargs: Any) -> Any:
        items = iter(_objects().iterate(args[0]) if len(args) == 1 else args)
        best = next(items, _NOTHING)
        if best is _NOTHING:
            return kwargs["default"] if "default" in kwargs else f([])
        compare = operators()[better]
        measure = best if key is None else call(key, best)
        for item in items:
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


def rounded(number: Any, ndigits: Any = None) -> Any:
    """`round(x)`: a step, but for objects."""
    own = _objects().method_of(type(number), "__round__")
    digits = () if ndigits is None else (ndigits,)
    return call(own, number, *digits) if own is not None else round(plain(number), *digits)


def _divmod(a: Any, b: Any) -> Any:
    ops = operators()
    if _objects().method_of(type(a), "__divmod__") is not None:
        return call(type(a).__divmod__, a, b)
    return ops["floordiv"](a, b), ops["mod"](a, b)


def _power(base: Any, exp: Any, mod: Any = None) -> Any:
    return operators()["pow"](base, exp) if mod is None else pow(base, exp, mod)
