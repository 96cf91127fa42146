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


class _Shown:
    """A number that notes the texts that it is written into."""

    __slots__ = ()

    def __repr__(self) -> str:
        return _noted(super().__repr__())

    def __str__(self) -> str:
        return _noted(super().__str__())

    def __format__(self, spec: str) -> str:
        return _noted(super().__format__(spec))


def _noted(text: str) -> str:
    if STATE.runs:
        STATE.texts.add(text.strip())
    return text


class Float(_Shown, float):
    """An active float."""

    __slots__ = ("level", "place", "v")


class Float64(_Shown, np.float64):  # type: ignore[misc]  # it is a float, too
    """An active `np.float64`."""

    __slots__ = ("level", "place", "v")


class Float32(_Shown, np.float32):
    """An active `np.float32`."""

    __slots__ = ("level", "place", "v")


class Float16(_Shown, np.float16):
    """An active `np.float16`."""

    __slots__ = ("level", "place", "v")


class LongDouble(_Shown, np.longdouble):
    """An active `np.longdouble`."""

    __slots__ = ("level", "place", "v")


class Complex(_Shown, complex):
    """An active complex number."""

    __slots__ = ("level", "place", "v")


class Complex128(_Shown, np.complex128):
    """An active `np.complex128`."""

    __slots__ = ("level", "place", "v")


class Complex64(_Shown, np.complex64):
    """An active `np.complex64`."""

    __slots__ = ("level", "place", "v")


PLAIN: dict[type, type] = {
    Float: float, Float64: np.float64, Float32: np.float32, Float16: np.float16,
    LongDouble: np.longdouble, Complex: complex, Complex128: np.complex128,
    Complex64: np.complex64,
}  # fmt: skip
"""The plain class of each class of active numbers."""

ACTIVE: dict[type, type] = {**{plain: cls for cls, plain in PLAIN.items()}, **{c: c for c in PLAIN}}
"""The active class for each class of numbers."""

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
