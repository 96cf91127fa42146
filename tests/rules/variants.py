"""Other arguments for the calls of the samples: ranks, broadcasting, layouts, dtypes, no elements.

A variant is made of the sample's own arguments, whatever its rule is; NumPy says whether it exists.

>>> import numpy as np
>>> [(v.name, np.shape(v.args[0])) for v in variants([np.ones((2, 3))], (0,), "ranks")][:3]
[('item', (3,)), ('stack', (2, 2, 3)), ('stack2', (2, 2, 2, 3))]
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Variant:
    """Arguments, and the same contents in the plain form that gradients are compared with."""

    name: str
    args: list[Any]
    plain: list[Any] | None = None


def is_array(value: object) -> bool:
    """Whether a value is an array with axes."""
    return isinstance(value, np.ndarray) and value.ndim > 0


def is_real(value: object) -> bool:
    """Whether a value is an array of floats with axes."""
    return is_array(value) and value.dtype.kind == "f"  # type: ignore[attr-defined]


def stacked(a: Any, axis: int = 0) -> Any:
    """Two of them; the second one differs a little."""
    return np.stack([a, beside(a)], axis)


def beside(a: Any) -> Any:
    """Floats near others, each by another factor, so that there are no ties."""
    if a.dtype.kind != "f":
        return a
    factor = 1.01 + 0.007 * a.ndim + 0.0003 * np.arange(a.size).reshape(a.shape)
    return a * factor.astype(a.dtype)


def others(a: Any) -> Any:
    """The same numbers in other places, about."""
    return beside(np.roll(a, 1)) if a.dtype.kind == "f" else a


def cut(axis: int, n: int) -> Callable[[Any], Any]:
    """The first `n` along an axis."""

    def part(a: Any) -> Any:
        if not -a.ndim <= axis < a.ndim:
            return a
        return np.take(a, np.arange(min(n, a.shape[axis])), axis)

    return part


RANKS: dict[str, Callable[[Any], Any]] = {
    "item": lambda a: a[0] if len(a) else a, "stack": stacked,
    "stack2": lambda a: stacked(stacked(a)), "stack3": lambda a: stacked(stacked(stacked(a))),
    "axis0": lambda a: a[None], "axis_last": lambda a: a[..., None],
    "within": lambda a: np.stack([a, others(a)], -1), "turned": lambda a: np.ascontiguousarray(a.T),
    "long": lambda a: np.concatenate([a, others(a)]),
    "one_first": cut(0, 1), "one_last": cut(-1, 1), "two_first": cut(0, 2), "two_last": cut(-1, 2),
    "square": lambda a: beside(np.resize(a, (3, 3))), "vector": lambda a: np.resize(a, (3,)),
    "single": lambda a: np.resize(a, (1,)), "no_axes": lambda a: np.resize(a, ()),
}  # fmt: skip
EMPTY: dict[str, Callable[[Any], Any]] = {
    "none_first": cut(0, 0), "none_last": cut(-1, 0),
    "no_stack": lambda a: np.zeros((0, *a.shape), a.dtype),
    "no_stack2": lambda a: np.zeros((0, 2, *a.shape), a.dtype),
}  # fmt: skip


def strided(a: Any) -> Any:
    """Every second element of a larger array."""
    wide = np.zeros(tuple(2 * n for n in a.shape), a.dtype)
    part = wide[tuple(slice(None, None, 2) for _ in a.shape)]
    part[...] = a
    return part


def read_only(a: Any) -> Any:
    """An array that must not be written."""
    a = a.copy()
    a.flags.writeable = False
    return a


def in_middle(a: Any) -> Any:
    """An array whose axes stand in memory as 1, 0, 2 of three, or with a step."""
    return np.swapaxes(np.swapaxes(a, 0, 1).copy(), 0, 1) if a.ndim > 1 else strided(a)


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "fortran": np.asfortranarray, "strided": strided, "read_only": read_only,
    "backwards": lambda a: np.flip(np.flip(a).copy()), "in_middle": in_middle,

    "spread": lambda a: np.broadcast_to(a[:1], a.shape),
}  # fmt: skip
DTYPES = {"float32": np.float32, "float16": np.float16, "longdouble": np.longdouble}


def mapped(args: list[Any], which: list[int], f: Callable[[Any], Any]) -> list[Any]:
    """A copy of the arguments with `f` applied to some."""
    own = copy.deepcopy(args)
    for k in which:
        own[k] = f(own[k])
    return own


def choices(args: list[Any], active: tuple[int, ...]) -> Iterator[tuple[str, list[int]]]:
    """Which arrays are changed: those that vary, all, or one of several."""
    arrays = [k for k, a in enumerate(args) if is_array(a)]
    vary = [k for k in arrays if k in active and is_real(args[k])]
    if vary:
        yield "", vary
    if arrays != vary:
        yield ":all", arrays
    if len(arrays) > 1:
        for k in arrays:
            yield f":{k}", [k]


def variants(args: list[Any], active: tuple[int, ...], aspect: str) -> Iterator[Variant]:
    """The variants of one aspect; those that change nothing are left out."""
    if aspect in ("ranks", "empty"):
        for name, f in (RANKS if aspect == "ranks" else EMPTY).items():
            for suffix, which in choices(args, active):
                if all(f(args[k]).shape == args[k].shape for k in which) and name != "turned":
                    continue
                yield Variant(name + suffix, mapped(args, which, f))
    elif aspect == "layouts":
        arrays = [k for k, a in enumerate(args) if is_array(a)]
        for name, f in LAYOUTS.items() if arrays else ():
            found = mapped(args, arrays, f)
            plain = [np.array(a, a.dtype.newbyteorder("="), order="C") if is_array(a) else a
                     for a in found]  # fmt: skip
            yield Variant(name, found, plain)
    elif aspect == "dtypes":
        floats = [k for k, a in enumerate(args) if is_real(a)]
        for name, t in DTYPES.items():
            for suffix, which in [("", floats), *((f":{k}", [k]) for k in floats[:-1])]:
                found = mapped(args, which, lambda a, t=t: a.astype(t))
                plain = mapped(found, which, lambda a: a.astype(np.float64))
                if which:
                    yield Variant(name + suffix, found, plain)
    else:
        yield from numbers(args, active)


def numbers(args: list[Any], active: tuple[int, ...]) -> Iterator[Variant]:
    """Numbers of NumPy, arrays without axes, and Python's numbers in the place of others."""
    found = [k for k, a in enumerate(args) if type(a) is float]
    arrays = [k for k, a in enumerate(args) if is_real(a) and k in active]
    if found:
        yield Variant("np.float64", mapped(args, found, np.float64))
        yield Variant("0-d", mapped(args, found, np.array))
        single = mapped(args, found, np.float32)
        yield Variant("np.float32", single, mapped(single, found, float))
    for suffix, which in [("", arrays), *((f":{k}", [k]) for k in arrays if len(arrays) > 1)]:
        if which:
            yield Variant("float" + suffix, mapped(args, which, lambda a: float(a.flat[0])))


ASPECTS = ("ranks", "empty", "layouts", "dtypes", "numbers")
