"""Checks that generated code makes where the analysis could not decide: of values and counts.

Each costs a comparison. What fails raises `MutationError`, or `DerivativeError`, before a wrong
number can leave. Those of memory are in `memory_checks`.

>>> check_count(3, 2)
Traceback (most recent call last):
    ...
ValueError: too many values to unpack (expected 2)
"""

from __future__ import annotations

import numbers
from collections import deque
from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError, MutationError


def check_plain(value: Any, what: str) -> None:
    """Raise `DerivativeError` for complex numbers, and for objects that operators may mean
    something else for, such as subclasses of arrays; of a tuple, for each item.

    >>> check_plain((-4.0) ** 2.0, "line 3")
    >>> check_plain((-4.0) ** 0.5, "a result of line 3")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
        ...
    adtrans.runtime.failures.DerivativeError: a result of line 3 is complex:
        its derivative was made for real numbers [AD602]
    """
    if type(value) in _PLAIN:
        return
    if isinstance(value, tuple):
        for item in value:
            check_plain(item, what)
    elif isinstance(value, complex | np.complexfloating) or (
        isinstance(value, np.ndarray) and value.dtype.kind == "c"
    ):
        raise DerivativeError(
            f"{what} is complex: its derivative was made for real numbers", code="AD602"
        )
    elif type(value) is not np.ndarray and not is_number(type(value)):
        if any(hasattr(type(value), name) for name in _ARITHMETIC):
            name = type(value).__name__
            raise DerivativeError(
                f"{what} is a `{name}`: its derivative was made for arrays", code="AD601"
            )


def is_number(cls: type) -> bool:
    """Whether objects of a class are numbers whose operators mean what they mean for the numbers of
    Python and NumPy.

    >>> class Steps(int): pass
    >>> class Odd(float):
    ...     def __mul__(self, other): return 3.0
    >>> is_number(Steps), is_number(Odd), is_number(np.float32), is_number(list)
    (True, False, True, False)
    """
    if not issubclass(cls, numbers.Real | np.generic):
        return False
    home = next(c for c in cls.__mro__ if c.__module__ in _NUMBERS)
    return cls is home or all(getattr(cls, n, None) is getattr(home, n, None) for n in _MEANINGS)


_NUMBERS = ("builtins", "numpy", "fractions", "decimal")
_MEANINGS = (
    "__array__", "__array_ufunc__", "__neg__", "__pos__", "__abs__", "__float__",
    *(f"__{r}{n}__" for n in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
      for r in ("", "r", "i")),
)  # fmt: skip
_PLAIN = frozenset({
    float, int, bool, str, list, dict, set, deque, type(None), np.float64, np.float32, np.int64,
})  # fmt: skip
_ARITHMETIC = ("__array__", "__array_ufunc__", "__add__", "__mul__", "__rmul__", "__matmul__")


def check_at_least(size: int, count: int) -> None:
    """Raise what Python raises when `a, b, *rest = values` has too few values.

    >>> check_at_least(2, 2)
    """
    if size < count:
        raise ValueError(f"not enough values to unpack (expected at least {count}, got {size})")


def check_given(size: int, least: int = 1, most: int | None = None) -> None:
    """Raise `DerivativeError` where `a.reshape(*sizes)`, `np.hypot(*pair)` and the like are given
    fewer values than `least` or more than `most`.

    >>> check_given(2)
    >>> check_given(2, 2, 2)
    """
    if size < least or (most is not None and size > most):
        made = f"{least}" if most is not None else f"at least {least}"
        what = f"`*` gives {size or 'no'} values here"
        raise DerivativeError(f"{what}: the derivative was made for {made}", code="AD601")


def check_arity(size: int, least: int, most: int, name: str) -> None:
    """Raise `TypeError`, as Python does, where `name(*values)` gives too few or too many arguments.

    >>> check_arity(3, 2, 3, "model")
    """
    if not least <= size <= most:
        what = f"from {least} to {most}" if least < most else f"{least}"
        raise TypeError(f"{name}() takes {what} values from `*`, but {size} were given")


def check_named(given: Any, keys: tuple[str, ...]) -> None:
    """Raise `DerivativeError` where `f(**given)` passes other names than the derivative was made
    for.

    >>> check_named({"a": 1.0}, ("a",))
    """
    if set(given) != set(keys):
        raise DerivativeError(
            f"`**` passes {sorted(given)} here, and the derivative was made for {sorted(keys)}",
            code="AD601",
        )


def check_spread(values: Any, count: int, name: str) -> None:
    """The same for `name(*values)` where what has no length is left to be counted by Python.

    >>> check_spread(np.zeros(3), 3, "Model")
    """
    if hasattr(values, "__len__"):
        check_arity(len(values), count, count, name)



def check_some(size: int) -> None:
    """Raise what `functools.reduce` raises for nothing without a start.

    >>> check_some(1)
    """
    if not size:
        raise TypeError("reduce() of empty iterable with no initial value")


def check_count(size: int, count: int) -> None:
    """Raise what Python raises when `a, b = values` has not just as many values.

    >>> check_count(2, 2)
    """
    if size > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    if size < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {size})")


class key_walk:
    """Goes along the keys of a dictionary beside a loop over a list of them."""

    def __init__(self, entries: dict[Any, Any]) -> None:
        self.keys, self.there = iter(list(entries)), iter(entries)
        next(self.keys, None)
        next(self.there, None)


def check_walk(walk: key_walk, alone: bool = True) -> None:
    """Raise what Python raises at the next turn of a loop over a dictionary that changed its size.

    `alone`: that the loop goes over nothing else, so that it is certain that Python would.

    >>> d = {"a": 1.0}
    >>> walk = key_walk(d)
    >>> d["b"] = 2.0
    >>> check_walk(walk)
    Traceback (most recent call last):
        ...
    RuntimeError: dictionary changed size during iteration

    Raises:
        MutationError: where the loop would go on with other keys.
    """
    try:
        key = next(walk.there, _END)
    except RuntimeError as error:
        if alone:
            raise
        raise MutationError(f"{error}: its derivative is not known") from error
    if key is not next(walk.keys, _END):
        raise MutationError("the keys of a dictionary were replaced by others during iteration")


_END = object()


def information(found: Any) -> Any:
    """What a solver tells beside its result: constants.

    >>> information(3)
    3
    """
    return found


def whole_number(value: Any) -> Any:
    """`value`, which is an integer.

    >>> whole_number(3)
    3

    Raises:
        DerivativeError: for anything else, for which the code was not written.
    """
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return value
    name = type(value).__name__
    raise DerivativeError(
        f"a number is of type `{name}`: the derivative was made for an int", code="AD601"
    )


