"""What is known about a value before the program runs: the lattice of kinds.

>>> a = Array("float64", (Affine.symbol("x.shape[0]"), Affine.const(3)))
>>> print(a, a.ndim)
float64[x.shape[0], 3] 2
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from adtrans.ir.affine import Affine

# Objects of these classes hold nothing that carries a derivative; `tuple`: the sizes of an array.
_WITHOUT_VALUES = (str, slice, tuple, np.random.Generator, np.random.RandomState)


@dataclass(frozen=True, slots=True)
class Never:
    """No value reaches this place (yet): the bottom of the lattice."""

    def __str__(self) -> str:
        return "never"


@dataclass(frozen=True, slots=True)
class Unknown:
    """Anything: the top of the lattice."""

    def __str__(self) -> str:
        return "unknown"


@dataclass(frozen=True, slots=True)
class Scalar:
    """An immutable number. `dtype` None: a Python number; a NumPy dtype's name: a NumPy scalar;
    "?": one or the other. `value`: what an int is equal to, where that is known; `truth`: which of
    the two a bool is.
    """

    type: Literal["bool", "int", "float", "complex"]
    dtype: str | None = None
    value: Affine | None = None
    truth: bool | None = None

    def __str__(self) -> str:
        name = self.dtype if self.dtype not in (None, "?") else self.type
        known = self.truth if self.value is None else self.value
        return f"{name}" + (f"={known}" if known is not None else "")


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value, or None: what `previous = None` in front of a loop makes of a variable. The value is
    a number, a tuple, a list or a dictionary."""

    item: Scalar | TupleOf | ListOf | DictOf

    def __str__(self) -> str:
        return f"{self.item} or None"


@dataclass(frozen=True, slots=True)
class Array:
    """A plain `np.ndarray`. `dtype` None: unknown. `dims` None: unknown rank, not below `least`.

    A dimension is an affine expression `e`, to be read as `max(e, 0)`, or None when unknown.
    Equal expressions mean equal sizes. `not_one` lists the axes known to be of another size than 1.
    """

    dtype: str | None
    dims: tuple[Affine | None, ...] | None
    not_one: frozenset[int] = frozenset()
    least: int = 0

    @property
    def ndim(self) -> int | None:
        """The rank, where it is known."""
        return None if self.dims is None else len(self.dims)

    @property
    def least_ndim(self) -> int:
        """The smallest rank that it may have."""
        return self.least if self.dims is None else len(self.dims)

    def __str__(self) -> str:
        known = ("?" if d is None else str(d) for d in self.dims or ())
        dims = ", ".join((*["?"] * self.least, "...") if self.dims is None else known)
        return f"{self.dtype or '?'}[{dims}]"


@dataclass(frozen=True, slots=True)
class Mixed(Unknown):
    """A number or an array of numbers, all real, or None (`none`): what a container holds whose
    items are of several kinds. Which of them it is, is not known, but it is nothing that holds
    others. `numbers`: the kinds of those that are numbers. Nothing here tells a size or a value.
    """

    numbers: tuple[Scalar, ...]
    array: Array
    none: bool = False

    def alternatives(self) -> tuple[Scalar | Array, ...]:
        """The kinds of what something can be done with."""
        return (*self.numbers, self.array)

    def __str__(self) -> str:
        return " or ".join((*map(str, self.alternatives()), *(["None"] if self.none else ())))


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple of known length; `cls` is its class where that is one of named tuples."""

    items: tuple[Kind, ...]
    cls: type | None = None

    def position(self, name: str) -> int | None:
        """The place of the item that is read as the attribute `name`."""
        fields: tuple[str, ...] = getattr(self.cls, "_fields", ())
        return fields.index(name) if name in fields else None

    def __str__(self) -> str:
        name = "" if self.cls is None else self.cls.__qualname__
        return f"{name}({', '.join(str(i) for i in self.items)})"


@dataclass(frozen=True, slots=True)
class Container:
    """Something that can be changed and holds items, all of the kind `item`."""

    item: Kind


@dataclass(frozen=True, slots=True)
class ListOf(Container):
    """A list; `items`: the kinds of all of them, of a list of objects that a call passes.

    `frozen`: it may be a tuple that was made of a list; the adjoint is a list.
    """

    items: tuple[Kind, ...] = ()
    frozen: bool = False

    def __str__(self) -> str:
        return f"list[{self.item}]"


@dataclass(frozen=True, slots=True)
class DictOf(Container):
    """A dictionary; `fields` tells for some keys the kind of what they stand for, if anything.
    `key`: the kind of all its keys."""

    fields: tuple[tuple[str | int, Kind], ...] = ()
    key: Kind = Unknown()

    def field(self, key: object) -> Kind:
        """The kind of what a key stands for."""
        return next((k for name, k in self.fields if name == key), self.item)

    def __str__(self) -> str:
        inner = "".join(f"{name!r}: {kind}, " for name, kind in self.fields)
        return f"dict[{inner}{self.item}]"


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A particular object of known identity: a function, class, module, dtype, None, string.

    `name` says what it is ("None", "'edge'", "module numpy", "function helper"). It decides about
    equality where it says everything; else the object does: two functions may have one name.

    >>> Known("'edge'", "edge") == Known("'edge'", "".join(["ed", "ge"]))
    True
    >>> Known("function <lambda>", lambda: 1) == Known("function <lambda>", lambda: 2)
    False
    """

    name: str
    value: object = field(repr=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Known) or self.name != other.name:
            return False
        return self.value is other.value or not hasattr(self.value, "__module__")

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class that is none of the above. `name` is the class's qualified name.

    `fields` holds what is known of its attributes: numbers, arrays and particular objects.
    `followed`: what varies in it is in variables of its own (see `analyses.objects`); `holders`:
    the attributes that are lists or dictionaries of objects.
    """

    name: str
    cls: object = field(compare=False, repr=False)
    fields: tuple[tuple[str, Kind], ...] = ()
    followed: bool = False
    holders: tuple[tuple[str, Kind], ...] = ()

    def attribute(self, name: str) -> Kind | None:
        """The kind of an attribute that is plain data, None where that is not known."""
        return dict(self.fields).get(name)

    def __str__(self) -> str:
        return self.name


Kind: TypeAlias = (
    Never | Unknown | Scalar | Maybe | Array | TupleOf | ListOf | DictOf | Known | Instance
)

NEVER = Never()
UNKNOWN = Unknown()
PY_FLOAT = Scalar("float")
PY_INT = Scalar("int")
PY_BOOL = Scalar("bool")
NONE_KIND = Known("None", None)
TEXT = Instance("str", str)
"""A string, of which it is not known which one."""
SLICE = Instance("slice", slice)
"""What `slice(...)` makes."""
RANGE = Instance("range", range)
"""What `range(...)` makes, where no loop goes over it."""
EXTENTS = Instance("tuple", tuple)
"""The shape of an array of unknown rank: a tuple of ints, it is not known how many."""


def present(kind: Kind) -> Kind:
    """`kind` without the possibility of None, for what an operation was done with.

    >>> print(present(Maybe(PY_FLOAT)))
    float
    """
    return kind.item if isinstance(kind, Maybe) else kind


def is_optional(kind: Kind) -> bool:
    """Whether a value holds others, or is None.

    >>> is_optional(Maybe(TupleOf((PY_FLOAT,)))), is_optional(Maybe(PY_FLOAT))
    (True, False)
    """
    return isinstance(kind, Maybe) and not isinstance(kind.item, Scalar)


def is_differentiable(kind: Kind) -> bool:
    """Whether a value of this kind can carry a derivative at all.

    >>> is_differentiable(PY_FLOAT), is_differentiable(PY_INT), is_differentiable(UNKNOWN)
    (True, False, True)
    """
    match kind:
        case Never() | Known():
            return False
        case Instance():
            return not kind.followed and kind.cls not in _WITHOUT_VALUES
        case Mixed():
            return any(map(is_differentiable, kind.alternatives()))
        case Unknown():
            return True
        case Scalar():
            return kind.type in ("float", "complex")
        case Maybe():
            return is_differentiable(kind.item)
        case Array():
            return kind.dtype is None or kind.dtype.startswith(("float", "complex", "longdouble"))
        case TupleOf():
            return any(is_differentiable(i) for i in kind.items)
        case DictOf():
            return any(is_differentiable(k) for _, k in kind.fields or (("", kind.item),))
        case ListOf():
            return is_differentiable(kind.item)


def is_immutable(kind: Kind) -> bool:
    """Whether no write can change a value of this kind (so that it is kept by value).

    >>> is_immutable(PY_FLOAT), is_immutable(Array("float64", ()))
    (True, False)
    """
    match kind:
        case Never() | Scalar() | Known():
            return True
        case Maybe():
            return is_immutable(kind.item)
        case TupleOf():
            return all(is_immutable(i) for i in kind.items)
        case Instance(cls=cls) if cls in (str, slice, tuple):
            return True
        case Unknown() | Array() | ListOf() | DictOf() | Instance():
            return False


def may_change(kind: Kind) -> bool:
    """Whether even the length of a value may be another one later: of lists, sets and the like.

    >>> may_change(ListOf(PY_FLOAT)), may_change(Array("float64", None)), may_change(UNKNOWN)
    (True, False, True)
    """
    kind = present(kind)
    return not (isinstance(kind, Array | Mixed | TupleOf) or is_immutable(kind))


def is_anything(kind: Kind) -> bool:
    """Whether nothing is known of a value: it may be a container or an object, too.

    >>> is_anything(UNKNOWN), is_anything(Mixed(PY_FLOAT, Array("float64", (None,))))
    (True, False)
    """
    return isinstance(kind, Unknown) and not isinstance(kind, Mixed)
