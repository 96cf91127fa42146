"""What objects hold, and what classes are made of, may change between two calls."""

from __future__ import annotations

import types

import numpy as np
import pytest

import adtrans as ad
from adtrans.guards.captured import capture

X = np.array([0.6, 0.9])


def checked(f, *more):
    """A check of the gradient of `f` as it is when the check is called."""
    gradient = ad.value_and_grad(f)

    def check():
        steps = 1e-6 * np.eye(2)
        numeric = [(f(X + h, *more) - f(X - h, *more)) / 2e-6 for h in steps]
        value, found = gradient(X, *more)
        assert value == pytest.approx(f(X, *more))
        np.testing.assert_allclose(found, numeric, rtol=1e-6)
        slope = ad.jvp(f, (X, *more), (np.ones(2), *[None] * len(more)))[1]
        np.testing.assert_allclose(slope, np.sum(numeric), rtol=1e-6)
        return value

    return check


K = 2.0


def act(v):
    return v * v * K


class Layer:
    def __init__(self, act):
        self.act = act

    def go(self, v):
        return self.act(v)


class Slots:
    __slots__ = ("act",)


def in_slots():
    made = Slots()
    made.act = act
    return made


class Registry:
    first = Layer(act)


layer, layers, table, slots = Layer(act), [Layer(act)], {"a": Layer(act)}, in_slots()
space = types.SimpleNamespace(act=act, inner=Layer(act))
HOLDERS = {
    "attribute": lambda x: np.sum(layer.act(x)),
    "method": lambda x: np.sum(layer.go(x)),
    "list": lambda x: np.sum(layers[0].act(x)),
    "dictionary": lambda x: np.sum(table["a"].go(x)),
    "class": lambda x: np.sum(Registry.first.act(x)),
    "slot": lambda x: np.sum(slots.act(x)),
    "namespace": lambda x: np.sum(space.act(x)) + np.sum(space.inner.act(x)),
}


@pytest.fixture
def changed(monkeypatch):
    """Gives `K` another value, and then `act` other code."""

    def steps():
        yield
        monkeypatch.setitem(globals(), "K", 5.0)
        yield
        monkeypatch.setattr(act, "__code__", (lambda v: v**4).__code__)
        yield

    return steps()


@pytest.mark.parametrize("name", HOLDERS)
@pytest.mark.recorded
def test_functions_that_objects_hold(name, changed):
    check = checked(HOLDERS[name])
    assert len({check() for _ in changed}) == 3


@pytest.mark.parametrize(
    "f, more",
    [
        (lambda x, q: np.sum(q.act(x)), layer),
        (lambda x, q: np.sum(q.go(x)), layer),
        (lambda x, q: np.sum(q[0].go(x)), layers),
        (lambda x, q: np.sum(q["a"].act(x)), table),
        (lambda x, q: np.sum(q.act(x)), space),
    ],
)
@pytest.mark.recorded
def test_functions_that_arguments_hold(f, more, changed):
    check = checked(f, more)
    assert len({check() for _ in changed}) == 3


def test_functions_around_a_closure(changed):
    held = Layer(act)
    check = checked(lambda x: np.sum(held.act(x)))
    assert len({check() for _ in changed}) == 3


def classes():
    """A class, one that inherits from it, and an object: new ones for each test."""

    class Base:
        c = 2.0

        def m(self, v):
            return v * self.c

        @property
        def p(self):
            return self.c * 2.0

        @staticmethod
        def s(v):
            return v * v

        @classmethod
        def k(cls, v):
            return v * cls.c

        def __mul__(self, other):
            return other * self.c

        def __getitem__(self, i):
            return self.c + i

    class Derived(Base):
        pass

    class Stored(Base):
        def __init__(self, q=3.0):
            self.q = q

    return Base, Derived, Stored


def constructor(self):
    self.c = 5.0


def other_base(Base, Derived):
    class Other(Base):
        def m(self, v):
            return v**3

    Derived.__bases__ = (Other,)


def method(o):
    return lambda x: np.sum(o.m(x) * x)


def prop(o):
    return lambda x: o.p * np.sum(x * x)


OVERRIDES = {
    "method": ("m", lambda self, v: v**3, method),
    "property": ("p", property(lambda self: 11.0), prop),
    "data over a property": ("p", 11.0, prop),
    "static": ("s", staticmethod(lambda v: v**3), lambda o: lambda x: np.sum(o.s(x))),
    "operator": ("__mul__", lambda self, v: v**3, lambda o: lambda x: np.sum((o * x) * x)),
    "item": ("__getitem__", lambda self, i: 9.0, lambda o: lambda x: o[1] * np.sum(x * x)),
    "data": ("c", 7.0, method),
    "property over data": ("c", property(lambda self: 9.0), method),
}


@pytest.mark.parametrize("name", OVERRIDES)
def test_names_that_hide_those_of_a_base(name):
    _, Derived, _ = classes()
    o = Derived()
    attribute, value, use = OVERRIDES[name]
    check = checked(use(o))
    before = check()
    setattr(Derived, attribute, value)
    assert check() != before
    delattr(Derived, attribute)
    assert check() == before


def test_a_method_of_an_argument_that_hides_that_of_a_base():
    _, Derived, _ = classes()
    check = checked(lambda x, o: np.sum(o.m(x) * x), Derived())
    before = check()
    Derived.m = lambda self, v: v**3
    assert check() != before


def test_a_constructor_that_hides_that_of_a_base():
    _, Derived, _ = classes()
    check = checked(lambda x: np.sum(Derived().m(x)))
    before = check()
    Derived.__init__ = constructor
    assert check() != before
    del Derived.__init__
    assert check() == before


def test_other_bases():
    Base, Derived, _ = classes()
    o = Derived()
    checks = [checked(lambda x: np.sum(o.m(x))), checked(lambda x: np.sum(Derived().m(x)))]
    before = [check() for check in checks]
    other_base(Base, Derived)
    for check, value in zip(checks, before, strict=True):
        assert check() != value


def test_a_property_over_what_an_object_keeps():
    _, _, Stored = classes()
    o = Stored()
    check = checked(lambda x: o.q * np.sum(o.m(x) * x))
    before = check()
    Stored.q = property(lambda self: 8.0)
    assert check() == pytest.approx(before * 8.0 / 3.0)


def test_attributes_that_a_text_names():
    Base, _, _ = classes()
    b = Base()
    check = checked(lambda x: np.sum(getattr(b, "m")(x) * x))  # noqa: B009
    before = check()
    Base.m = lambda self, v: v**3
    assert check() != before


HELD = [
    lambda o: [o],
    lambda o: [o, o.__class__(), o.__class__()],
    lambda o: {"a": o},
    lambda o: {"a": {"b": o}},
    lambda o: (o,),
    lambda o: [(o, 1.0)],
    lambda o: [o, *(o.__class__() for _ in range(20))],
]
READ = [
    lambda held: lambda x: np.sum(held[0].m(x)),
    lambda held: lambda x: np.sum(held[0].m(x)),
    lambda held: lambda x: np.sum(held["a"].m(x)),
    lambda held: lambda x: np.sum(held["a"]["b"].m(x)),
    lambda held: lambda x: np.sum(held[0].m(x)),
    lambda held: lambda x: np.sum(held[0][0].m(x)),
    lambda held: lambda x: np.sum(held[0].m(x)),
]


@pytest.mark.parametrize("n", range(7))
def test_objects_in_containers_become_others(n):
    Base, Derived, _ = classes()
    Derived.m = lambda self, v: v**3
    o = Base()
    check = checked(READ[n](HELD[n](o)))
    before = check()
    o.__class__ = Derived
    if n not in (1, 6):
        assert check() != before
    else:
        with pytest.raises(ad.AdtransError):  # of two classes
            check()
    o.__class__ = Base
    assert check() == before
    o.m = lambda v: v**5
    with pytest.raises(ad.AdtransError):  # never the method of the class
        check()


@pytest.mark.parametrize("n", range(7))
def test_methods_of_objects_in_containers(n):
    Base, _, _ = classes()
    check = checked(READ[n](HELD[n](Base())))
    before = check()
    Base.m = lambda self, v: act(v)
    assert check() != before
    Base.m = lambda self, v: v**3
    after = check()
    Base.m = lambda self, v: v**4
    assert check() != after


@pytest.mark.parametrize("n", [0, 2, 3, 5])
def test_other_objects_in_containers(n):
    Base, Derived, _ = classes()
    Derived.m = lambda self, v: v**3
    held = HELD[n](Base())
    check = checked(READ[n](held))
    before = check()
    other = HELD[n](Derived())
    if isinstance(held, list):
        held[0] = other[0]
    else:
        held.update(other)
    assert check() != before


class Node:
    def __init__(self):
        self.other = None

    def __call__(self, x):
        return x * x

    def twice(self, x):
        return self(self(x))


def test_objects_that_hold_each_other() -> None:
    a, b = Node(), Node()
    a.other, b.other = b, a
    a.again = b.twice
    found = capture([lambda x: a(b(x))])
    assert found.holds()
