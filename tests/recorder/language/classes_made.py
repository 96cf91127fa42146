"""Classes: attributes, descriptors, inheritance, metaclasses, operators."""

from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import typing

import numpy as np

from tests.recorder.language.judge import program


@program()
def reflected_by_numpy_numbers(x):
    class Unit:
        __array_ufunc__ = None

        def __init__(self, v):
            self.v = v

        def __rmul__(self, o):
            return Unit(self.v * o)

        def __rsub__(self, o):
            return o - self.v

        def __rtruediv__(self, o):
            return o / self.v

    u = np.float64(2.0) * Unit(x[0])
    w = x * Unit(x[1])
    return (x[2] - u) + np.sum(w.v) * (1.0 / u)


@program()
def total_ordered(x):
    @functools.total_ordering
    class Q:
        def __init__(self, v):
            self.v = v

        def __eq__(self, o):
            return self.v == o.v

        def __lt__(self, o):
            return self.v < o.v

    a, b = Q(x[0]), Q(x[1])
    best = b if b >= a else a
    qs = sorted([Q(v) for v in x], reverse=True)
    return best.v * qs[0].v + qs[1].v ** 2 + (min(qs).v if a <= b else 0.0)


@program()
def dataclasses_of_all_sorts(x):
    @dataclasses.dataclass
    class Base:
        a: float
        items: list = dataclasses.field(default_factory=list)
        total: float = dataclasses.field(init=False, default=0.0)

        def __post_init__(self):
            self.total = self.a * 2 + sum(self.items)

    @dataclasses.dataclass
    class Derived(Base):
        b: float = 3.0

        def __post_init__(self):
            super().__post_init__()
            self.total *= self.b

    @dataclasses.dataclass(frozen=True, order=True)
    class Point:
        u: float
        v: float = 1.0

        def moved(self, d):
            return dataclasses.replace(self, u=self.u + d)

    d = Derived(x[0], [x[1], x[2]], b=x[3])
    p = Point(x[0], x[1]).moved(x[2])
    q = max(p, Point(x[1]))
    e = dataclasses.asdict(d)
    f = dataclasses.astuple(q)
    return d.total * p.u * q.v + e["total"] * f[0] + e["items"][1] + len(dataclasses.fields(d))


@program()
def dataclass_with_slots(x):
    @dataclasses.dataclass(slots=True, frozen=True)
    class S:
        a: float
        b: float = 2.0
        c: float = dataclasses.field(default=1.0, kw_only=True)

        def __post_init__(self):
            object.__setattr__(self, "b", self.b * self.a)

    @dataclasses.dataclass(eq=False)
    class Squared:
        v: dataclasses.InitVar[float]
        w: float = 0.0

        def __post_init__(self, v):
            self.w = v * v

    s = S(x[0], x[1], c=x[2])
    return s.a * s.b * s.c + Squared(x[3]).w + (s == S(x[0], x[1], c=x[2]))


class Kind(enum.Enum):
    """Instruments."""

    CALL = 1.0
    PUT = -1.0

    @property
    def sign(self):
        return self.value

    def pay(self, s, k):
        return max(self.value * (s - k), 0.0)


class Level(enum.IntEnum):
    """Levels."""

    LOW = 1
    HIGH = 3


@program()
def enums(x):
    book = {Kind.CALL: x[0], Kind.PUT: x[1]}
    t = 0.0
    for k in Kind:
        t += k.sign * book[k] * x[2] + k.pay(x[2], x[3])
    return (
        t * Level.HIGH
        + Kind(1.0).value * x[0]
        + Kind["PUT"].pay(x[0], 2.0)
        + (Kind.CALL is Kind.PUT)
    )


@program()
def abstract_and_protocol(x):
    class Curve(abc.ABC):
        @abc.abstractmethod
        def df(self, t): ...

        def fwd(self, a, b):
            return self.df(a) / self.df(b)

        @property
        @abc.abstractmethod
        def name(self): ...

    class Flat(Curve):
        name = "flat"

        def __init__(self, r):
            self.r = r

        def df(self, t):
            return np.exp(-self.r * t)

    class Prices(typing.Protocol):
        def df(self, t: float) -> float: ...

    @typing.runtime_checkable
    class HasDf(typing.Protocol):
        def df(self, t): ...

    def value(c: Prices, t):
        assert isinstance(c, HasDf)
        return c.df(t)

    c = Flat(x[0])
    return c.fwd(x[1], x[2]) * value(c, x[3]) + isinstance(c, Curve)
