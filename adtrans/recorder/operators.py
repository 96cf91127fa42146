"""Operators, recorded: a short way for numbers, the rules for arrays, dunder methods for objects.

>>> mul(2.0, 3.0), add([1], [2]), lt("a", "b")
(6.0, [1, 2], True)
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.recorder import (
    arrays,
    escapes,
    handing,
    late,
    making,
    objects,
    protocols,
    quick,
    stores,
)
from adtrans.recorder.memory import STATE
from adtrans.recorder.numbers import ACTIVE, COMPLEX, PLAIN, REAL, active, innermost, plain
from adtrans.recorder.recorded_needs import one_statement
from adtrans.recorder.recorded_refusals import left_half_done, refuse
from adtrans.rules import lookup
from adtrans.rules import operator as rule_of

_ndarray = np.ndarray
_CONSTANT = frozenset({float, int, np.float64, bool, np.int64, np.bool_})
_BUILTIN = frozenset({float, int, bool, complex, str, bytes, list, tuple, dict, set, frozenset,
                      type(None), range, slice})  # fmt: skip
_NUMERIC = frozenset({_ndarray, *_CONSTANT, *PLAIN})
_NO_OPTIONS: dict[str, Any] = {}
_Slope = Callable[[Any, Any, Any], Any]

OPERATORS: dict[str, Callable[..., Any]] = {}
"""All operators by their names in rewritten source."""

_SYMBOLS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}  # fmt: skip
_NATIVE = {name: getattr(operator, {"and": "and_", "or": "or_"}.get(name, name))
           for name in _SYMBOLS}  # fmt: skip
_SLOPES: dict[str, tuple[_Slope, _Slope]] = {
    "add": (lambda a, b, y: 1.0, lambda a, b, y: 1.0),
    "sub": (lambda a, b, y: 1.0, lambda a, b, y: -1.0),
    "mul": (lambda a, b, y: b, lambda a, b, y: a),
    "truediv": (lambda a, b, y: 1 / b, lambda a, b, y: -y / b),
}


def _binary(name: str) -> Callable[[Any, Any], Any]:
    f, symbol = _NATIVE[name], _SYMBOLS[name]
    rule = rule_of(symbol, 2)
    known = quick.table(rule)
    left_slope, right_slope = _SLOPES.get(name, (None, None))

    def op(a: Any, b: Any) -> Any:
        ta, tb = type(a), type(b)
        if left_slope is not None and right_slope is not None:
            if ta in REAL and a.level.alive:
                if tb in _CONSTANT:
                    x, level = a.v, a.level
                    y = f(x, b)
                    return active(y, level, level.one(a.place, left_slope(x, b, y)))
                if tb in REAL and b.level.alive:
                    x, z, level = a.v, b.v, a.level
                    if level is b.level:
                        y = f(x, z)
                        place = level.two(
                            a.place, left_slope(x, z, y), b.place, right_slope(x, z, y)
                        )
                        return active(y, level, place)
                    if level.depth > b.level.depth:
                        y = f(x, b)
                        return active(y, level, level.one(a.place, left_slope(x, b, y)))
                    level = b.level
                    y = f(a, z)
                    return active(y, level, level.one(b.place, right_slope(a, z, y)))
            elif tb in REAL and ta in _CONSTANT and b.level.alive:
                z, level = b.v, b.level
                y = f(a, z)
                return active(y, level, level.one(b.place, right_slope(a, z, y)))
        if ta in _BUILTIN and tb in _BUILTIN:
            return f(a, b)
        if ta in _NUMERIC and tb in _NUMERIC:
            y = quick.run(known, f, (a, b), _NO_OPTIONS)
            if y is not NotImplemented:
                return y
        return _general(rule, f, name, a, b)

    op.__name__ = name
    OPERATORS[name] = op
    return op


def _is_numeric(v: Any) -> bool:
    t = type(v)
    return t is _ndarray or t in PLAIN or t in ACTIVE or isinstance(v, int | np.generic)


def _makes_arrays(name: str, a: Any) -> bool:
    """Whether NumPy makes an array of a list or tuple that meets `a`. (Where its numbers multiply
    a sequence, they want to repeat it.)"""
    return type(a) is _ndarray or (name != "mul" and isinstance(plain(a), np.generic))


def _general(rule: Any, f: Any, name: str, a: Any, b: Any) -> Any:
    """An operator on anything that is not a number and a number."""
    ta, tb = type(a), type(b)
    if isinstance(b, list | tuple):
        if _makes_arrays(name, a) and objects.method_of(tb, f"__r{name}__") is None:
            b = making.array(b)
    elif isinstance(a, list | tuple):
        if _makes_arrays(name, b) and objects.method_of(ta, f"__{name}__") is None:
            a = making.array(a)
    if _is_numeric(a) and _is_numeric(b):
        if (ta is _ndarray and a.dtype.kind == "O") or (tb is _ndarray and b.dtype.kind == "O"):
            a = handing.as_objects(a) if handing.is_active(a) else a
            b = handing.as_objects(b) if handing.is_active(b) else b
            return f(a, b)  # its items are added, multiplied and so on one by one
        return arrays.at_length(rule, f, (a, b), {})
    return objects.binary(f, name, a, b)


add, sub, mul, truediv = map(_binary, ("add", "sub", "mul", "truediv"))
floordiv, mod, power, matmul = map(_binary, ("floordiv", "mod", "pow", "matmul"))
for _name in ("and", "or", "xor", "lshift", "rshift"):
    _binary(_name)


def _comes_first(name: str, b: Any) -> bool:
    """Whether Python asks `b` before it lengthens or repeats a list, as it does with all that
    knows the operator as numbers do: NumPy's, and objects with `__radd__`."""
    if _is_numeric(b):
        return isinstance(plain(b), _ndarray | np.generic)
    return objects.method_of(type(b), f"__r{name}__") is not None


def _inplace(name: str) -> Callable[[Any, Any], Any]:
    plain_op, f = OPERATORS[name], getattr(operator, f"i{name}")
    sign = {"add": 1, "sub": -1}.get(name, 0)

    def op(a: Any, b: Any) -> Any:
        ta = type(a)
        if ta in REAL or ta in _CONSTANT:
            return plain_op(a, b)
        if ta is _ndarray:
            return _into(f, plain_op, name, sign, a, b)
        if ta is list:
            if _comes_first(name, b):
                return plain_op(a, b)
            objects.touch(a)
            return f(a, objects.iterate(b)) if name == "add" else f(a, b)
        found = objects.method_of(ta, f"__i{name}__")
        if found is not None:
            result = late.call(found, a, b)
            if result is not NotImplemented:
                return result
        elif hasattr(ta, f"__i{name}__"):
            if isinstance(a, _ndarray) and escapes.reaches((a, b)):
                refuse(f"`{name}` of a {ta.__name__}", "it is no plain array")
            objects.touch(a)
            return f(a, b)
        return plain_op(a, b)

    op.__name__ = f"i{name}"
    OPERATORS[f"i{name}"] = op
    return op


def _into(f: Any, plain_op: Any, name: str, sign: int, a: Any, b: Any) -> Any:
    """An array changed in place."""
    tb = type(b)
    if sign and tb is _ndarray and a.dtype.kind in "fc" and b.dtype.kind in "fc":
        stores.add_into(a, b, sign)
        return a
    numeric = _is_numeric(b) or isinstance(b, list | tuple)
    if not numeric:
        found = protocols.operated(name, a, b, out=(a,))
        if found is not NotImplemented:
            return found
        found = objects.method_of(tb, f"__r{name}__")
        if found is None:
            objects.no_arrays_of_classes(name, a, b)
            return f(a, b)
        return plain_op(a, b)
    memory = STATE.find(a)
    b = innermost(b, STATE.ceiling)
    levels = arrays._levels_of(b) if type(b) in PLAIN or tb is _ndarray else ()
    if isinstance(b, list | tuple):
        b = making.array(b)
        levels = arrays._levels_of(b)
    if a.dtype.kind == "O":
        return f(a, b)
    if not levels and (memory is None or not (memory.levels or memory.needs)):
        return f(a, plain(b))
    if sign:
        stores.add_into(a, b, sign)
        return a
    with one_statement():
        try:
            new = plain_op(a, b)
        except (FloatingPointError, Warning):  # which NumPy raises when it has written
            with np.errstate(all="ignore"):
                f(a, plain(b))
            left_half_done("a write")
            raise
        if not np.can_cast(new.dtype, a.dtype, "same_kind"):
            return f(a.copy(), plain(b))  # the error in NumPy's own words
        stores.setitem(a, ..., new)
    return a


for _name in (*_SYMBOLS,):
    _inplace(_name)


def _unary(name: str, symbol: str) -> Callable[[Any], Any]:
    f, rule = getattr(operator, name), rule_of(symbol, 1)
    slope = {"neg": -1.0, "pos": 1.0}.get(name)

    def op(a: Any) -> Any:
        ta = type(a)
        if ta in REAL and slope is not None and a.level.alive:
            return active(f(a.v), a.level, a.level.one(a.place, slope))
        if ta in _BUILTIN:
            return f(a)
        if _is_numeric(a):
            if ta is _ndarray and a.dtype.kind == "O":
                return f(a)
            return arrays.apply(rule, f, (a,), {})
        return objects.unary(f, name, a)

    op.__name__ = name
    OPERATORS[name] = op
    return op


neg, pos, invert = _unary("neg", "-"), _unary("pos", "+"), _unary("invert", "~")


def absolute(a: Any) -> Any:
    """`abs(a)`"""
    if _is_numeric(a):
        rule = lookup(np.absolute)
        assert rule is not None
        return arrays.apply(rule, abs, (a,), {})
    return objects.unary(abs, "abs", a)


def _comparison(name: str, mirrored: str) -> Callable[[Any, Any], Any]:
    f = getattr(operator, name)

    def op(a: Any, b: Any) -> Any:
        ta, tb = type(a), type(b)
        if ta in _BUILTIN and tb in _BUILTIN:
            return f(a, b)
        if ta in PLAIN:
            a = plain(a)
        if tb in PLAIN:
            b = plain(b)
        if ta is _ndarray or tb is _ndarray:
            return f(arrays.plain_of(a), arrays.plain_of(b))
        return objects.compare(f, name, mirrored, a, b)

    op.__name__ = name
    OPERATORS[name] = op
    return op


lt, gt = _comparison("lt", "gt"), _comparison("gt", "lt")
le, ge = _comparison("le", "ge"), _comparison("ge", "le")
eq, ne = _comparison("eq", "eq"), _comparison("ne", "ne")


def contains(item: Any, holder: Any) -> bool:
    """`item in holder`"""
    if type(holder) is _ndarray:
        return plain(item) in holder
    found = objects.method_of(type(holder), "__contains__")
    if found is not None:
        return bool(late.call(found, holder, item))
    if not hasattr(type(holder), "__contains__") and objects.method_of(type(holder), "__iter__"):
        return any(item is other or eq(item, other) for other in objects.iterate(holder))
    return item in holder


def lacks(item: Any, holder: Any) -> bool:
    """`item not in holder`"""
    return not contains(item, holder)


OPERATORS.update(abs=absolute, contains=contains, lacks=lacks)


def _dunder(op: Callable[[Any, Any], Any], swapped: bool) -> Callable[[Any, Any], Any]:
    """An operator for active numbers where code that is not rewritten uses it."""

    def method(self: Any, other: Any) -> Any:
        if not _is_numeric(other):
            return NotImplemented
        return op(other, self) if swapped else op(self, other)

    return method


def _ufunc(self: Any, ufunc: Any, how: str, *inputs: Any, **options: Any) -> Any:
    rule = lookup(ufunc)
    if how != "__call__" or rule is None:
        refuse(f"`np.{ufunc.__name__}.{how}`", "it is called by code that cannot be followed")
    return arrays.apply(rule, ufunc, inputs, options)


def _teach() -> None:
    for cls in PLAIN:
        members: dict[str, Any] = {
            "__array_ufunc__": _ufunc, "__neg__": neg, "__pos__": pos, "__abs__": absolute,
            "__deepcopy__": lambda self, memo: self, "__copy__": lambda self: self,
            "__reduce__": lambda self: (PLAIN[type(self)], (plain(self).real,))
            if not isinstance(self, COMPLEX) else (PLAIN[type(self)], (plain(self),)),
            "__reduce_ex__": lambda self, protocol: self.__reduce__(),
        }  # fmt: skip
        for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
            members[f"__{name}__"] = _dunder(OPERATORS[name], False)
            members[f"__r{name}__"] = _dunder(OPERATORS[name], True)
        for name, method in members.items():
            setattr(cls, name, method)


_teach()
