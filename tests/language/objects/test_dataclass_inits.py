"""What the `__init__` of a dataclass does: defaults as the objects they are, `InitVar`, fields that
are no parameters, and classes that inherit it."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 0.7, 1.1, 1.3])


class Mode(enum.IntEnum):
    A = 1
    B = 2


class Word(enum.StrEnum):
    A = "a"


@dataclass
class Gas:
    p: float
    r: float = np.float64(2.5)
    mode: int = Mode.B
    word: str = Word.A
    low: float = -np.inf


def number_of_numpy(x):
    with np.errstate(all="ignore"):
        r = Gas(x[0]).r / 0.0
    return x[0] * x[1] if r > 1e300 else x[2]


def class_of_a_number(x):
    g = Gas(x[0])
    return g.p * g.r + (0.0 if isinstance(g.r, np.floating) else x[1])


def enumeration(x):
    g = Gas(x[0])
    print(repr(g.mode))
    return g.p * (x[1] if isinstance(g.mode, Mode) else x[2])


def enumeration_of_texts(x):
    g = Gas(x[0])
    return g.p * (x[1] if isinstance(g.word, Word) else x[2])


def infinite(x):
    g = Gas(x[0])
    return g.p * x[1] if g.p > g.low else x[2]


class Pair(NamedTuple):
    p: float
    mode: int = Mode.B
    weights: tuple[float, ...] = (2.0, 3.0)


def in_a_named_tuple(x):
    t = Pair(x[0])
    return t.p * (x[1] if isinstance(t.mode, Mode) else x[2]) * t.weights[1]


@dataclass
class Scaled:
    x: float
    scale: InitVar[float] = 2.0

    def __post_init__(self, scale=1.0):  # noqa: RUF033 - what is passed counts
        self.y = self.x * scale


def initial_by_default(x):
    return Scaled(x[0]).y * x[1]


def initial_given(x):
    return Scaled(x[0], x[2]).y * x[1] * Scaled(x[3], scale=x[1]).y


@dataclass
class Log:
    x: float
    seen: list = field(default_factory=list, init=False)
    count: int = field(default=0, init=False)

    def add(self, v):
        self.seen.append(v * self.x)
        self.count += 1


def no_parameter(x):
    d, e = Log(x[0]), Log(x[2])
    d.add(x[1])
    d.add(x[2])
    return d.seen[0] * d.seen[1] * e.x + len(e.seen) + d.count


@dataclass(slots=True)
class Filter:
    gain: float
    taps: tuple = ()
    order: int = field(default=2, init=False)

    def go(self, v):
        return v * self.gain**self.order * 3.0 if self.taps else v * self.gain**self.order


def slots(x):
    return Filter(x[0]).go(x[1]) * Filter(x[2], (1.0,)).go(x[3])


@dataclass
class Plain:
    gain: float
    taps: tuple = (1.0, 2.0)


def changed_class(x):
    Plain.taps = (5.0, 6.0)
    r = Plain(x[0])
    return r.taps[1] * x[1] * r.gain


class Named(Plain):
    name = "n"

    def both(self):
        return self.gain * self.taps[0]


def inherited(x):
    n = Named(x[0])
    return n.both() * x[1] * len(n.name)


class Squared(Plain):
    def __init__(self, gain):
        super().__init__(gain * gain, taps=(gain, 3.0))
        self.more = gain


def through_super(x):
    s = Squared(x[0])
    return s.gain * s.taps[0] * s.more * s.taps[1]


class Direct(Plain):
    def __init__(self, gain):
        Plain.__init__(self, gain)


def by_the_class(x):
    return Direct(x[0]).gain * Direct(x[1]).gain


@dataclass
class Late(Scaled):
    z: float = 1.0

    def __post_init__(self, scale):
        super().__post_init__(scale)
        self.y = self.y * self.z


def inherited_initial(x):
    return Late(x[0], x[1], x[2]).y * Late(x[3]).y


@dataclass
class Silent:
    a: float


class Loud(Silent):
    def __post_init__(self):  # the `__init__` that is inherited does not know it
        self.a = self.a * 100.0


def not_called(x):
    return Loud(x[0]).a * x[1]


@dataclass(frozen=True)
class Fixed:
    a: float
    b: float = field(default=3.0, init=False)


class Below(Fixed):
    pass


def frozen_and_inherited(x):
    return Below(x[0]).a * Below(x[1]).b


@pytest.mark.parametrize(
    "f",
    [
        number_of_numpy, class_of_a_number, enumeration, enumeration_of_texts, infinite,
        in_a_named_tuple, initial_by_default, initial_given, no_parameter, slots, changed_class,
        inherited, through_super, by_the_class, inherited_initial, not_called,
        frozen_and_inherited,
    ],
)  # fmt: skip
def test_objects_are_made_as_python_makes_them(f: Callable[..., object]) -> None:
    Plain.taps = (1.0, 2.0)
    check_grads(f, (X,))


def test_an_argument_that_is_given_twice_raises() -> None:
    def twice(x):
        return Plain(x[0], gain=x[1]).gain  # type: ignore[misc]

    with pytest.raises((TypeError, ad.CompileError)):
        ad.grad(twice)(X)


NOTHING = np.float64(0.0)


def generated(x, k=NOTHING):
    for i in range(2):
        yield x[i] / k


def default_of_a_generator(x):
    with np.errstate(all="ignore"):
        for v in generated(x):
            if v > 1e300:
                return x[0] * x[1]
    return x[2]


def test_a_default_of_a_generator_is_the_object_it_is() -> None:
    try:
        check_grads(default_of_a_generator, (X,))
    except ad.CompileError as error:
        assert error.diagnostics[0].code != "AD901"
