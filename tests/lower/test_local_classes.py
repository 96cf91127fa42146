"""Classes that are defined inside a function: followed where one class does for all calls."""

from __future__ import annotations

import dataclasses
import operator
from dataclasses import dataclass, field

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3])


def operators(x):
    class Vec:
        dim = 3

        def __init__(self, v):
            self.v = v

        def __add__(self, other):
            return Vec(self.v + other.v)

        @property
        def norm(self):
            return np.sum(self.v**2)

        @classmethod
        def ones(cls, n):
            return cls(np.ones(n))

        @staticmethod
        def half(t):
            return 0.5 * t

    total = Vec(x) + Vec(x * x) + Vec.ones(3)
    return Vec.half(total.norm) * total.dim


def derived(x):
    class Shape:
        def area(self):
            raise NotImplementedError

        def twice(self):
            return 2 * self.area()

    class Square(Shape):
        def __init__(self, a):
            self.a = a

        def area(self):
            return self.a * self.a

    class Circle(Shape):
        def __init__(self, r):
            super().__init__()
            self.r = r

        def area(self):
            return np.pi * self.r**2

    return sum(s.twice() for s in (Square(x[0]), Circle(x[1]))) * x[2]


def data(x):
    @dataclass(frozen=True)
    class Rate:
        a: float
        b: float = 2.0

        def at(self, t):
            return self.a * t + self.b

    @dataclass
    class Log:
        values: list = field(default_factory=list)

    log = Log()
    rate = Rate(x[0], x[1])
    log.values.append(rate.at(x[2]))
    log.values.append(dataclasses.replace(rate, a=x[2]).at(3.0))
    return log.values[0] * log.values[1]


def set_by_name(x):
    class Box:
        pass

    b = Box()
    setattr(b, "v", x * x)  # noqa: B010
    return np.sum(b.v * getattr(b, "v"))  # noqa: B009


def inside_a_local_function(x):
    def energy(m):
        class Body:
            def __init__(self, m):
                self.m = m

            def energy(self):
                return self.m**2

        return Body(m).energy()

    return energy(x[0]) * energy(x[1])


@pytest.mark.parametrize("f", [operators, derived, data, set_by_name, inside_a_local_function])
def test_objects_of_local_classes_are_followed(f):
    check_grads(f, (X,), modes=("reverse", "forward"))
    check_grads(f, (X,), modes=("reverse",), order=2)


def test_an_object_that_stays_may_be_held_and_handed_on():
    def f(x):
        class Pair:
            def __init__(self, a):
                self.a = a

            def doubled(self):
                return Pair(2 * self.a)

        pairs = [Pair(x).doubled(), Pair(x * x)]
        return sum(np.sum(p.a * p.a) for p in pairs)

    check_grads(f, (X,), modes=("reverse", "forward"))


def counts(x):
    class Counter:
        n = 0

        def __init__(self):
            Counter.n += 1

        def times(self, v):
            return v * self.n

    Counter()
    return Counter().times(x[0])


def of_type(x):
    class Counter:
        n = 0

        def grow(self):
            type(self).n += 1
            return self.n

    c = Counter()
    c.grow()
    return c.grow() * x[0]


def with_list(x):
    class Log:
        values = []  # noqa: RUF012

    Log.values.append(x[0])
    return sum(Log.values)


def captures(x):
    k = x[1]

    class Line:
        def at(self, t):
            return k * t

    return Line().at(x[0])


def kept(x):
    class Line:
        pass

    kinds = [Line]
    kinds[0].slope = 2.0
    return Line.slope * x[0]


@pytest.mark.parametrize("f", [counts, of_type, with_list, captures, kept])
def test_classes_that_differ_from_call_to_call_are_refused_or_right(f):
    """Each call starts with a class of its own."""
    for _ in range(2):
        try:
            found = ad.value_and_grad(f)(X)
        except ad.CompileError:
            continue
        step = np.array([1e-6, 0.0, 0.0])
        assert found[0] == f(X)
        slope = (f(X + step) - f(X - step)) / 2e-6
        np.testing.assert_allclose(found[1][0], slope, rtol=1e-6)


def by_an_alias(x):
    class Box:
        count = 0

        def grow(self):
            c = self.__class__
            c.count = c.count + 1
            return c.count

    b = Box()
    b.grow()
    return b.grow() * x[0]


def grow(box):
    type(box).count = type(box).count + 1
    return type(box).count


def by_a_helper(x):
    class Box:
        count = 0

    b = Box()
    grow(b)
    return grow(b) * x[0]


def by_an_attribute_of_a_method(x):
    class Box:
        def calls(self):
            return 1

    Box.calls.n = getattr(Box.calls, "n", 0) + 1
    return Box.calls.n * x[0] * Box().calls()


def by_the_class_of_a_class_method(x):
    class Box:
        count = 0

        @classmethod
        def grow(kind):
            k = kind
            k.count = k.count + 1
            return k.count

    Box.grow()
    return Box.grow() * x[0]


NOTES = []


def note(t):
    NOTES.append(t)
    return float


def annotated(x):
    class Box:
        k: note("field") = 2.0

        def times(self, t: note("parameter")):
            return t * self.k

    return Box().times(x[0])


def by_a_getter(x):
    class Box:
        count = 0

    b = Box()
    c = operator.attrgetter("__class__")(b)
    c.count = c.count + 1
    return b.count * x[0]


def by_a_pattern(x):
    class Box:
        count = 0

    b = Box()
    match b:
        case object(__class__=c):
            c.count = c.count + 1
    return b.count * x[0]


STATEFUL = [
    by_a_getter,
    by_a_pattern,
    by_an_alias,
    by_a_helper,
    by_an_attribute_of_a_method,
    by_the_class_of_a_class_method,
    annotated,
]


@pytest.mark.parametrize("f", STATEFUL)
def test_a_class_that_may_be_written_to_or_does_more_is_made_in_each_call(f):
    """Each call starts with a class of its own, and defines it."""
    for _ in range(2):
        NOTES.clear()
        value = f(X)
        noted = list(NOTES)
        NOTES.clear()
        try:
            found, slope = ad.value_and_grad(f)(X)
        except ad.CompileError:
            continue
        assert found == value
        assert noted == NOTES
        np.testing.assert_allclose(slope, [value / X[0], 0, 0])


def test_what_the_body_of_a_class_raises_is_raised_where_it_stands():
    def f(x):
        class Box:
            k = 1 / 0

        return x[0] * Box.k

    with pytest.raises(ZeroDivisionError):
        ad.grad(f)(X)


def test_the_class_of_an_object_may_be_compared_called_and_named():
    def f(x):
        class Box:
            k = 2.0

            def __init__(self, v: float):
                self.v = v

            def __add__(self, other) -> Box:
                if type(other) is not type(self):
                    return NotImplemented
                return type(self)(self.v + other.v)

        b = Box(x[0]) + Box(x[1])
        return b.v * Box.k if type(b).__name__ == "Box" else x[2]

    check_grads(f, (X,), modes=("reverse", "forward"))
