"""An independent derivative: the program is run on elements that carry their own tangents.

The arrays are NumPy arrays of objects, so that NumPy itself does what programs are about - views,
aliases, overlaps, duplicate indices, masks, `out=` - and each element takes its derivative along
wherever it is copied. Nothing of adtrans takes part, and nothing is rounded by differences.

>>> def f(x):
...     v = x[1:]
...     v[0] = x[0] * x[1]
...     return np.sum(x) * x[1]
>>> args = (np.array([2.0, 3.0, 5.0]),)
>>> value, slope = directional(f, args, (np.array([1.0, 0.0, 0.0]),))
>>> float(value), float(slope)                     # (x0 + x0 x1 + x2) x0 x1, in x0
(78.0, 63.0)
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


def _of_numbers(operator: Any) -> Any:
    """The operator for two numbers; NumPy goes through the elements of an array."""

    def of(self: Dual, other: Any) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else operator(self, other)

    return of


_HUGE = 1e9  # where these cancel, less than the seventh digit is left


@dataclass(frozen=True, slots=True, eq=False)
class Dual:
    """A number with its derivative; both are complex where the program is on its way."""

    value: Any
    dot: Any

    def __post_init__(self) -> None:
        if not (abs(self.value) < _HUGE and abs(self.dot) < _HUGE):
            raise OverflowError("nothing can be compared where such numbers cancel")

    @_of_numbers
    def __add__(self, other: Any) -> Dual:
        o = dual(other)
        return Dual(self.value + o.value, self.dot + o.dot)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.dot)

    @_of_numbers
    def __sub__(self, other: Any) -> Dual:
        return self + (-dual(other))

    @_of_numbers
    def __rsub__(self, other: Any) -> Dual:
        return dual(other) - self

    @_of_numbers
    def __mul__(self, other: Any) -> Dual:
        o = dual(other)
        return Dual(self.value * o.value, self.dot * o.value + self.value * o.dot)

    __rmul__ = __mul__

    @_of_numbers
    def __truediv__(self, other: Any) -> Dual:
        o = dual(other)
        ratio = self.value / o.value
        return Dual(ratio, (self.dot - ratio * o.dot) / o.value)

    @_of_numbers
    def __rtruediv__(self, other: Any) -> Dual:
        return dual(other) / self

    def __pow__(self, n: int) -> Dual:
        return Dual(self.value**n, n * self.value ** (n - 1) * self.dot)

    def __abs__(self) -> Dual:
        if isinstance(self.value, complex):
            size = abs(self.value)
            return Dual(size, (self.value.conjugate() * self.dot).real / size)
        return self if self.value >= 0 else -self

    def __int__(self) -> int:
        return int(self.value)

    @_of_numbers
    def __lt__(self, other: Any) -> bool:
        return self.value < dual(other).value

    @_of_numbers
    def __le__(self, other: Any) -> bool:
        return self.value <= dual(other).value

    @_of_numbers
    def __gt__(self, other: Any) -> bool:
        return self.value > dual(other).value

    @_of_numbers
    def __ge__(self, other: Any) -> bool:
        return self.value >= dual(other).value


def dual(a: Any) -> Dual:
    """A number as one with a derivative."""
    if isinstance(a, Dual):
        return a
    return Dual(complex(a) if isinstance(a, complex) else float(a), 0.0)


def _function(f: Callable[[Any], Any], slope: Callable[[Any], Any]) -> Any:
    """A holomorphic function of elements, as NumPy has them."""

    def one(a: Any) -> Dual:
        d = dual(a)
        return Dual(f(d.value), slope(d.value) * d.dot)

    return _elementwise(one)


def _part(of: Callable[[complex], Any]) -> Any:
    """A function of elements that is linear over the real numbers."""

    def one(a: Any) -> Dual:
        d = dual(a)
        return Dual(of(complex(d.value)), of(complex(d.dot)))

    return _elementwise(one)


def _elementwise(one: Callable[[Any], Dual]) -> Any:
    whole = np.frompyfunc(one, 1, 1)

    def of(a: Any, **how: Any) -> Any:
        return whole(a, **how)

    return of


def _exp(v: Any) -> Any:
    return cmath.exp(v) if isinstance(v, complex) else math.exp(v)


def _of_objects(made: Any) -> Any:
    """What can hold elements with derivatives; positions remain numbers."""
    return made if made.dtype.kind in "iO" else made.astype(object)


class Namespace:
    """What stands for NumPy: arrays are made of objects."""

    sin = staticmethod(_function(math.sin, math.cos))
    cos = staticmethod(_function(math.cos, lambda v: -math.sin(v)))
    tanh = staticmethod(_function(math.tanh, lambda v: 1.0 - math.tanh(v) ** 2))
    exp = staticmethod(_function(_exp, _exp))
    real = staticmethod(_part(lambda z: z.real))
    imag = staticmethod(_part(lambda z: z.imag))
    conj = staticmethod(_part(lambda z: z.conjugate()))

    @staticmethod
    def array(items: Any) -> Any:
        return _of_objects(np.array(items))

    @staticmethod
    def asarray(items: Any) -> Any:
        return _of_objects(np.asarray(items))

    @staticmethod
    def zeros(shape: Any, dtype: Any = None) -> Any:
        del dtype
        return np.full(shape, 0.0, dtype=object)

    @staticmethod
    def full(shape: Any, value: Any) -> Any:
        return np.full(shape, value, dtype=object)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


def built(text: str) -> Callable[..., Any]:
    """The function `f` that a text defines, for elements with derivatives."""
    space: dict[str, Any] = {"np": Namespace(), "__name__": "dual_program"}
    exec(compile(text, "<dual program>", "exec"), space)
    return space["f"]  # type: ignore[no-any-return]


def directional(
    run: Callable[..., Any], args: tuple[Any, ...], along: tuple[Any, ...]
) -> tuple[float, float]:
    """The value and the derivative along `along` of a function whose `np` is a `Namespace`."""
    found = dual(run(*(seeded(a, d) for a, d in zip(args, along, strict=True))))
    return found.value, found.dot


def seeded(a: Any, d: Any) -> Any:
    """Numbers with their derivatives."""
    if not isinstance(a, np.ndarray):
        return Dual(float(a), float(d))
    made = np.empty(a.shape, dtype=object)
    for at in np.ndindex(a.shape):
        made[at] = Dual(float(a[at]), float(d[at]))
    return made
