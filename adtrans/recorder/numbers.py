"""Active numbers: numbers that know their place in the record.

Each is an instance of a subclass of the class that the plain run would have, with the same value,
so that control flow, containers, sorting and formatting do what they would do. Programs see the
plain class (`type(x)`), and where a run ends, plain numbers are put in the place of active ones.

`v` is the number without its innermost level: plain, or active in an outer one.

>>> x = Float(2.0)
>>> isinstance(x, float), x < 3.0, repr(x)
(True, True, '2.0')
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.recorder.memory import STATE


def _noted(text: str) -> str:
    if STATE.runs:
        STATE.texts.add(text.strip())
    return text


class Float(float):
    """An active float."""

    __slots__ = ("level", "place", "v")


class Float64(np.float64):
    """An active `np.float64`."""

    __slots__ = ("level", "place", "v")


class Float32(np.float32):
    """An active `np.float32`."""

    __slots__ = ("level", "place", "v")


class Float16(np.float16):
    """An active `np.float16`."""

    __slots__ = ("level", "place", "v")


class LongDouble(np.longdouble):
    """An active `np.longdouble`."""

    __slots__ = ("level", "place", "v")


class Complex(complex):
    """An active complex number."""

    __slots__ = ("level", "place", "v")


class Complex128(np.complex128):
    """An active `np.complex128`."""

    __slots__ = ("level", "place", "v")


class Complex64(np.complex64):
    """An active `np.complex64`."""

    __slots__ = ("level", "place", "v")


PLAIN: dict[type, type] = {
    Float: float, Float64: np.float64, Float32: np.float32, Float16: np.float16,
    LongDouble: np.longdouble, Complex: complex, Complex128: np.complex128,
    Complex64: np.complex64,
}  # fmt: skip
"""The plain class of each class of active numbers."""

def _shown(cls: Any, name: str) -> Any:
    """A method that notes the text that it gives. (No class of their own: NumPy ends in a crash
    where a subclass of its numbers has two bases.)"""
    own = getattr(PLAIN[cls], name)

    def method(self: Any, *spec: str) -> str:
        return _noted(own(self, *spec))

    method.__name__ = name
    return method


for _cls in PLAIN:
    for _name in ("__repr__", "__str__", "__format__"):
        setattr(_cls, _name, _shown(_cls, _name))


ACTIVE: dict[type, type] = {**{plain: cls for cls, plain in PLAIN.items()}, **{c: c for c in PLAIN}}
"""The active class for each class of numbers."""

COMPLEX = (complex, np.complexfloating)
"""The classes that complex numbers are instances of."""

REAL = frozenset({Float, Float64})
"""The classes for which operators on numbers have a short way."""


def active(value: Any, level: Any, place: Any) -> Any:
    """A number with a place in the record of a level; `value` may be active in outer ones."""
    found = ACTIVE[type(value)](value)
    found.v, found.level, found.place = value, level, place
    return found


def plain(x: Any) -> Any:
    """The plain number that an active one stands for; everything else as it is."""
    while type(x) in PLAIN:
        x = x.v
    return x


def below(x: Any, depth: int) -> Any:
    """A number without the levels from `depth` on."""
    while type(x) in PLAIN and (x.level.depth >= depth or not x.level.alive):
        x = x.v
    return x


def innermost(x: Any, ceiling: int) -> Any:
    """A number without levels that have ended, or are not recorded now."""
    while type(x) in PLAIN and not (x.level.alive and x.level.depth < ceiling):
        x = x.v
    return x
