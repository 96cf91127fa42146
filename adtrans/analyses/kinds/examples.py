"""Examples of a kind: positive numbers and well-conditioned matrices, or irregular ones."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np

from adtrans.analyses.kinds.values import scalar_type
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import Array, Kind, Known, ListOf, Maybe, Never, Scalar, TupleOf

_LARGEST = 4_000_000  # elements that an outer product of the arguments would have
_LONGEST = 2000  # items of a list
_SQUARE = 1000  # rows of a matrix that may be inverted

# Sizes of the symbols in each run: in rising, falling and mixed order, so that `min(n, m)` fits
# neither; the tiny ones, down to 1, count only if the primitive accepts them.
SIZES = (
    (4, 5, 6, 7, 8, 9, 10, 11),
    (11, 9, 8, 6, 5, 4, 7, 3),
    (7, 12, 4, 10, 5, 13, 3, 9),
)
TINY = ((2, 3, 5, 4, 7, 6, 8, 9), (1, 1, 1, 1, 1, 1, 1, 1))
OTHER = (13, 6, 3, 10, 4, 9, 5, 8)  # of several symbols only
_FLOATS = (1.3, 0.7, 2.1, 1.6, 1.2)
_INTS = (3, 1, 2, 3, 1)
_LENGTHS = (4, 7, 5, 3, 1, 6)
AnyArray = np.ndarray[tuple[int, ...], np.dtype[np.generic]]


class Impossible(Exception):
    """No example of this kind can be made."""


def affines_in(kind: Kind) -> Iterator[Affine]:
    """The sizes and integers that are known of a kind."""
    for k in values_in(kind):
        match k:
            case Scalar(value=Affine() as value):
                yield value
            case Array(dims=tuple() as dims):
                yield from (d for d in dims if d is not None)
            case _:
                pass


def values_in(kind: Kind) -> Iterator[Kind]:
    """The kinds of the items of tuples and lists, and of theirs; of anything else its own."""
    match kind:
        case TupleOf():
            for i in kind.items:
                yield from values_in(i)
        case ListOf():
            yield from values_in(kind.item)
        case Maybe():
            yield from values_in(kind.item)
        case _:
            yield kind


def value_of(e: Affine, numbers: Mapping[str, int]) -> int:
    return sum(c * numbers[s] for s, c in e.terms) + e.constant


class Examples:
    """Makes examples: positive numbers and well-conditioned matrices, or (`odd`) irregular ones."""

    def __init__(
        self, sizes: Mapping[str, int], run: int, odd: bool, all_sizes: int | None = None,
        scale: int = 1,
    ) -> None:  # fmt: skip
        self.scale = scale  # of what has no symbol
        self.sizes, self.run, self.odd, self.all_sizes = sizes, run, odd, all_sizes
        self.rng = np.random.default_rng(run + 10 * odd)
        self.unknown = itertools.count()
        self.numbers = itertools.count()  # how many may be equal is no fact of a result
        self.within = False  # indices are 0, which is one of every axis
        self.elements = 1

    def of(self, kind: Kind) -> object:
        match kind:
            case Scalar():
                return self.number(kind)
            case Array():
                return self.array(kind)
            case TupleOf():
                return tuple(self.of(i) for i in kind.items)
            case ListOf(item=Never()):
                return []
            case ListOf():
                return self.items(kind.item)
            case Known():
                return kind.value
            case _:
                raise Impossible

    def items(self, kind: Kind) -> list[object]:
        """Of a list: together they are as one array to what is done with it."""
        before, total, made = self.elements, 0, []
        if (length := _LENGTHS[self.run] * self.scale) > _LONGEST:
            raise Impossible
        for _ in range(length):
            self.elements = before
            made.append(self.of(kind))
            total += self.elements
        self.elements = total
        return made

    def number(self, kind: Scalar) -> object:
        value: object
        match kind.type:
            case "bool":
                value = self.run % 2 == 0
            case "int":
                value = self.integer(kind.value)
            case "float":
                value = 0.0 if self.odd else _FLOATS[self.place()]
            case "complex":
                value = complex(_FLOATS[self.place()], 0.5)
        return value if kind.dtype is None else np.dtype(kind.dtype).type(value)

    def place(self) -> int:
        """Which example the next number is: several are not all equal in all runs."""
        return (self.run + next(self.numbers)) % len(_FLOATS)

    def integer(self, value: Affine | None) -> int:
        if value is None:
            return 0 if self.odd else _INTS[self.place()]
        if self.all_sizes is not None and value.terms:
            return self.all_sizes
        return value_of(value, self.sizes)

    def array(self, kind: Array) -> object:
        assert kind.dims is not None and kind.dtype is not None
        shape = tuple(self.size(d) for d in kind.dims)
        self.elements *= max(int(np.prod(shape)), 1)
        if self.elements > _LARGEST or (len(shape) > 1 and shape[-1] == shape[-2] > _SQUARE):
            raise Impossible
        dtype = np.dtype(kind.dtype)
        match scalar_type(dtype):
            case "bool":
                return self.rng.random(shape) < (0.3 + 0.15 * (self.run % 5))
            case "int":
                largest = 1 if self.within else 3 if self.odd else 2
                return self.rng.integers(0, largest, shape).astype(dtype)
            case "float" | "complex":
                return np.asarray(self.floats(shape)).astype(dtype)
            case _:
                raise Impossible

    def size(self, dim: Affine | None) -> int:
        if self.all_sizes is not None:
            return self.all_sizes if dim is None or dim.value is None else max(dim.value, 0)
        if dim is None:  # a different number for each, which no expression fits
            if self.run == 4:
                return 1
            return self.scale * (3 + (5 * next(self.unknown) + 4 * self.run) % 11)
        return max(value_of(dim, self.sizes), 0)

    def floats(self, shape: tuple[int, ...]) -> object:
        if self.odd:
            noise = self.rng.standard_normal(shape)
            return np.round(2 * noise) if len(shape) < 2 else np.round(2 * noise) + 0.1 * noise
        values = 0.5 + self.rng.random(shape)
        if values.ndim >= 2 and shape[-1] == shape[-2]:
            turned = np.swapaxes(values, -1, -2)
            values = (values + turned) / 2 + 2 * shape[-1] * np.eye(shape[-1])
        return values
