"""Classes: attributes, methods, inheritance, operators, copies, gradients by attribute."""

from __future__ import annotations

import abc
import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import itertools
import types

import numpy as np

import adtrans as ad
from adtrans import tree
from tests.features.model import Section, X

row = Section("Objects")


class Tank:
    drain = 0.5

    def __init__(self, level, rate=0.25):
        self.level = level
        self.rate = rate

    def step(self, inflow):
        self.level = self.level + self.rate * inflow * self.level

    def fill(self, v):
        self.level[0] = v * v

    def scale(self, k):
        self.level *= k

    @property
    def volume(self):
        return np.sum(self.level * self.level)

    @volume.setter
    def volume(self, v):
        self.level = self.level * v

    def __call__(self, x):
        return np.sum(self.level * x)

    @staticmethod
    def squared(v):
        return v * v

    @classmethod
    def made(cls, x):
        return cls(x * x)


class Leaky(Tank):
    drain = 0.75

    def __init__(self, level, leak):
        super().__init__(level)
        self.leak = leak

    def step(self, inflow):
        super().step(inflow)
        self.level = self.level - self.leak * self.level


class Pump(Tank):
    """It has a form of gradients."""


tree.register(Pump, lambda p: (p.level, p.rate), lambda p, parts: Pump(*parts))


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def total(self):
        found = self.value * self.value
        if self.left is not None:
            found = found + self.left.total()
        if self.right is not None:
            found = found * self.right.total()
        return found


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    def twice(self):
        return 2.0 * self.area()


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


class Vec:
    def __init__(self, data):
        self.data = data

    def __add__(self, other):
        return Vec(self.data + other.data)

    def __mul__(self, k):
        return Vec(self.data * k)

    def __rmul__(self, k):
        return Vec(self.data * k)

    def __matmul__(self, other):
        return np.sum(self.data * other.data)

    def __neg__(self):
        return Vec(-self.data)

    def __getitem__(self, k):
        return self.data[k]

    def __setitem__(self, k, v):
        self.data[k] = v

    def __len__(self):
        return len(self.data)

    def __iadd__(self, other):
        self.data = self.data + other.data
        return self

    def __lt__(self, other):
        return self.data[0] < other.data[0]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, v):
        return v in self.data

    def __bool__(self):
        return bool(self.data[0] > 0.0)

    def __enter__(self):
        self.data = self.data * 2.0
        return self

    def __exit__(self, *error):
        self.data = self.data + 1.0

    def __sub__(self, other):
        return type(self)(self.data) + self.__class__(-other.data)


@row("class with `__init__`, attribute read")
def attribute_read(x):
    t = Tank(x * x)
    return np.sum(t.level) * t.rate


@row("attribute written in a method")
def attribute_written(x):
    t = Tank(x)
    t.step(2.0)
    t.step(x[0])
    return np.sum(t.level)


@row("in-place update of an attribute's array")
def attribute_array(x):
    t = Tank(x * 2.0)
    t.fill(x[1])
    return np.sum(t.level)


@row("augmented assignment to an attribute")
def attribute_augmented(x):
    t = Tank(x * 2.0)
    t.scale(x[0])
    return np.sum(t.level)


@row("property")
def property_read(x):
    return Tank(x).volume


@row("property with a setter")
def property_set(x):
    t = Tank(x)
    t.volume = x[0]
    return np.sum(t.level)


@row("class attribute")
def class_attribute(x):
    return np.sum(x * x) * Tank(x).drain


class Meter:
    last = None
    rate = 0.5

    def read(self, x):
        if self.last is None:
            self.last = x * x
        return self.last * self.rate


@row("class attribute until the object has its own")
def class_default(x):
    m = Meter()
    m.read(x)
    m.rate = x[0]
    return np.sum(m.read(x))


@row("inheritance and `super()`")
def inheritance(x):
    t = Leaky(x * x, x[0])
    t.step(1.0)
    return np.sum(t.level) * t.drain


@row("`__call__`")
def call(x):
    return Tank(x * x)(x)


@row("operators `__add__`, `__mul__`, `__neg__`")
def operators(x):
    return np.sum((Vec(x) + Vec(x * x) * 2.0 + -Vec(x)).data)


@row("`__rmul__`")
def reflected(x):
    return np.sum((2.0 * Vec(x * x)).data)


@row("`__matmul__`")
def matmul(x):
    return Vec(x) @ Vec(x * x)


@row("`__getitem__`")
def getitem(x):
    v = Vec(x * x)
    return v[0] * v[1]


@row("`__setitem__`")
def setitem(x):
    v = Vec(x * x)
    v[0] = x[1] * x[2]
    return np.sum(v.data)


@row("`__len__`")
def length(x):
    v = Vec(x * x)
    return v[0] * len(v)


@row("`__iadd__`")
def in_place_operator(x):
    v = Vec(x)
    v += Vec(x * x)
    return np.sum(v.data)


@row("comparison operators")
def comparison(x):
    a, b = Vec(x), Vec(x * x)
    return a[0] * a[0] if a < b else b[1]


@row("`__iter__`")
def iteration(x):
    total = 1.0
    for v in Vec(x * x):
        total = total * v
    return total


@row("`__contains__`")
def contains(x):
    v = Vec(x * x)
    return v[0] * v[1] if 0.5 not in v else x[0]


@row("`__bool__`")
def truth(x):
    v = Vec(x * x)
    return v[0] * v[1] if v else x[0]


@row("`__enter__` and `__exit__`")
def manager(x):
    v = Vec(x * x)
    with v as w:
        total = v[0] * w.data[1]
    return total * v[2]


@row("`type(self)(...)` and `self.__class__`")
def own_class(x):
    return np.sum((Vec(x) - Vec(x * x)).data)


@row("`@staticmethod`")
def static_method(x):
    return np.sum(Tank.squared(x))


@row("`@classmethod`")
def class_method(x):
    return np.sum(Tank.made(x).level)


@row("`__slots__`")
def slots(x):
    s = Slotted(x[0], x[1])
    s.a = s.a * s.b
    return s.a * s.b


@row("`copy.copy` of an object")
def copied(x):
    t = Tank(x * x)
    u = copy.copy(t)
    u.step(x[0])
    return np.sum(t.level) * np.sum(u.level)


@row("`copy.deepcopy` of an object")
def deep_copied(x):
    t = Tank(x * x)
    u = copy.deepcopy(t)
    u.step(x[0])
    return np.sum(t.level) * np.sum(u.level)


@row("`copy.deepcopy` of lists and dictionaries, and of objects that hold them")
def deep_copied_containers(x):
    state = {"level": x * x, "tanks": [Tank(x * 2.0)]}
    other = copy.deepcopy(state)
    other["tanks"][0].step(x[0])
    other["level"][0] = x[1] * x[2]
    return np.sum(state["level"] * other["level"]) * np.sum(other["tanks"][0].level)


@row("`copy.deepcopy` of an array")
def deep_copied_array(x):
    y = copy.deepcopy(x * x)
    y[0] = x[1] * x[2]
    return np.sum(y)


class _Squared:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def squares(self):
        return self.x * self.x


@row("`functools.cached_property` of an object made inside")
def computed_once(x):
    s = _Squared(x)
    first = np.sum(s.squares)
    s.x = x * 2.0
    return first * np.sum(s.squares * s.x)


class _Plain:
    def __init__(self, x):
        self.x = x

    def flow(self):
        return self.x


class _Damped(_Plain):
    def flow(self):
        return 0.5 * super().flow()


class _Driven(_Plain):
    def flow(self):
        return super().flow() ** 2


class _DampedAndDriven(_Damped, _Driven):
    pass


@row("`super()` in a class whose next one depends on the object")
def next_by_object(x):
    return np.sum(_DampedAndDriven(x).flow() * _Damped(x).flow())


@row("object made inside")
def made_inside(x):
    return Tank(x * x).volume


@row("object passed in, read", X, Tank(2.0 * X))
def passed_in(x, t):
    return np.sum(x * x * t.level)


@row("object passed in, written", X, Tank(2.0 * X))
def passed_in_written(x, t):
    t.step(x[0])
    return np.sum(t.level)


def _filled(x):
    return Tank(x * x, x[0])


@row("object as the result of a callee")
def returned(x):
    t = _filled(x)
    return np.sum(t.level) * t.rate


@row("object of a registered class as the result")
def result(x):
    return Pump(x * x, x[0])


@row("object in a list")
def in_a_list(x):
    tanks = [Tank(x), Tank(x * x)]
    return np.sum(tanks[0].level) * np.sum(tanks[1].level)


@row("objects in a list, looped over")
def in_a_loop(x):
    total = 0.0
    for t in [Tank(x), Tank(x * x)]:
        t.step(1.0)
        total = total + t.volume
    return total


@row("object in an attribute")
def nested(x):
    outer = Tank(Tank(x * x))
    return np.sum(outer.level.level)


@row("one of two objects")
def one_of_two(x):
    a, b = Tank(x), Tank(x * x)
    t = a if x[0] > 0.5 else b
    return np.sum(t.level * x)


@row("one of two objects, written")
def one_of_two_written(x):
    a, b = Tank(x), Leaky(x * x, x[1])
    t = a if x[0] > 0.7 else b
    t.step(x[0])
    return np.sum(a.level) * np.sum(b.level)


@row("objects in a list, at a computed place")
def at_a_computed_place(x):
    tanks = [Tank(x), Tank(x * x)]
    tanks[int(x[0] > 0.5)].step(x[1])
    return tanks[0].volume * tanks[1].volume


@row("objects in a list, looped over together with numbers")
def with_numbers(x):
    total = 0.0
    for t, v in zip([Tank(x), Tank(x * x)], x):
        t.step(v)
        total = total + t.volume
    return total


@row("a loop over objects that is left early")
def left_early(x):
    total = 0.0
    for t in [Tank(x), Tank(x * x)]:
        t.step(x[0])
        total = total + t.volume
        if total > 2.0:
            break
    return total


@row("objects in a dictionary")
def in_a_dictionary(x):
    tanks = {"a": Tank(x), "b": Tank(x * x)}
    for _, t in tanks.items():
        t.step(x[0])
    return tanks["a"].volume * tanks["b"].volume


@row("list of objects as an argument, written", X, [Tank(2.0 * X), Tank(X + 1.0)])
def list_passed_in(x, tanks):
    for t in tanks:
        t.step(x[0])
    return tanks[0].volume * tanks[1].volume


@row("objects in a list that grows")
def in_a_growing_list(x):
    tanks = []
    for v in x:
        tanks.append(Tank(v * v))
    return tanks[0].level * tanks[1].level


@row("objects in a list that grows, their arrays written in place")
def in_a_growing_list_written(x):
    tanks = []
    for v in x:
        tanks.append(Tank(v * x))
    for tank in tanks:
        tank.level += x
        tank.level[0] *= 0.5
    return sum(np.sum(tank.level**2) for tank in tanks)


@row("immutable style: an object replaced in a loop")
def replaced(x):
    t = Tank(x)
    for _ in range(3):
        t = Tank(t.level * x[0], t.rate)
    return t.volume


@row("an object kept while a loop makes the next")
def kept(x):
    t = Tank(x)
    total = 0.0
    for _ in range(3):
        last, t = t, Tank(t.level * x[0])
        total = total + np.sum(last.level * t.level)
    return total


@row("objects in objects with recursion: a tree")
def tree_of_objects(x):
    return Node(x[0], Node(x[1]), Node(x[2], Node(x[0] * x[1]))).total()


@row("abstract base class")
def abstract(x):
    return Square(x[0]).twice() * Square(x[1]).twice()


@row("gradient by an attribute", Tank(2.0 * X), X, wrt="t.level")
def by_attribute(t, x):
    return np.sum(t.level * t.level * x)


@row("gradient by an object of a registered class", Pump(2.0 * X, 0.25))
def by_object(t):
    t.step(t.rate)
    return np.sum(t.level * t.level) * t.rate


row("method of an object as the function", X)(Tank(2.0 * X).__call__)


class Branch:
    def __init__(self, value):
        self.value = value
        self.children = []

    def total(self):
        return self.value + sum(c.total() ** 2 for c in self.children)


@row("lists of children: a tree")
def tree_of_lists(x):
    root, branch = Branch(x[0]), Branch(x[1])
    root.children.append(branch)
    branch.children.append(Branch(x[2] * x[2]))
    branch.children[0].value *= x[0]
    return root.total()


class Register:
    def __init__(self):
        self.entries = {}

    def enter(self, name, v):
        self.entries[name] = Branch(v)


@row("objects in a dictionary of an object")
def register_of_objects(x):
    register = Register()
    for name, v in zip("abc", x):
        register.enter(name, v * v)
    register.entries["a"].value -= register.entries["b"].value
    return sum(e.value**2 for e in register.entries.values())


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __abs__(self):
        return np.sqrt(self.a**2 + self.b**2)

    def __float__(self):
        return float(self.a)

    def __iter__(self):
        yield self.a
        yield self.b


@row("`__abs__`")
def absolute(x):
    return abs(Pair(x[0], x[1])) * abs(Pair(x[2], 1.0))


@row("`__float__`")
def as_float(x):
    return float(Pair(x[0] * x[1], x[1])) * x[2]


@row("`__iter__` as a generator")
def iterated_object(x):
    return sum(v * v for v in Pair(x[0], x[1] * x[2]))


class Rooting:
    def __init__(self, y):
        self.y, self.a = y, 1.0

    def __iter__(self):
        return self

    def __next__(self):
        a = 0.5 * (self.a + self.y / self.a)
        if abs(a - self.a) < 1e-3:
            raise StopIteration
        self.a = a
        return a


@row("`__iter__` that returns `self`, and `__next__`")
def own_iterator(x):
    s = 0.0
    for a in Rooting(x[0]):
        s += a * x[1]
    return s


@row("object unpacked")
def unpacked_object(x):
    a, b = Pair(x[0], x[1] * x[2])
    return a * b * b


@row("`sum` and `list` of an object")
def summed_object(x):
    pair = Pair(x[0], x[1] * x[2])
    return sum(pair) * list(pair)[1]


class Remembered:
    def __init__(self, a):
        self.a = a

    @functools.cached_property
    def norm(self):
        return np.sum(self.a**2)


@row("`functools.cached_property`")
def cached(x):
    r = Remembered(x * x)
    return r.norm * r.norm


@row("`types.SimpleNamespace`")
def namespace(x):
    s = types.SimpleNamespace(a=x[0])
    s.a = s.a * x[1]
    return s.a * s.a


@row("class defined inside")
def local_class(x):
    class Sum:
        def __init__(self):
            self.total = 0.0

        def add(self, v):
            self.total += v * v

    s = Sum()
    for v in x:
        s.add(v)
    return s.total * s.total


class Activated:
    def __init__(self, acts):
        self.acts = acts

    def __call__(self, z):
        for act in self.acts:
            z = act(z)
        return z


@row("functions in a list that an attribute holds")
def activations(x):
    return np.sum(Activated([np.tanh, lambda v: v * v])(2.0 * x))


def _scaled_pair(pair, v):
    p, q = pair
    p.x = q.x * v
    return p


class Scaled:
    def __init__(self, x):
        self.x = x


@row("tuple of objects as an argument")
def pair_handed_on(x):
    pair = (Scaled(x[0]), Scaled(x[1]))
    return _scaled_pair(pair, x[2]).x * pair[0].x


class Springs:
    def __init__(self):
        self.stiffness = np.array([1.0, 2.0, 3.0])
        self.drag = Tank(np.array([0.5, 0.25, 1.0]))

    def __call__(self, x):
        return np.sum(self.stiffness * x * x) + self.drag(x * x)


springs = Springs()


@row("global object that is called, and holds another")
def global_called(x):
    drag = springs.drag
    return springs(x) * drag(x)


class Part:
    def __call__(self, x):
        return self.forward(x)


class Scaling(Part):
    def __init__(self, w):
        self.w = w

    def forward(self, x):
        return self.w * x


class Bent(Part):
    def forward(self, x):
        return np.tanh(x)


class Skipping(Part):
    def __init__(self, inner):
        self.inner = inner

    def forward(self, x):
        return x + self.inner(x)


class Stack(Part):
    def __init__(self, *parts):
        self.parts = list(parts)

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


@row("objects of several classes in a list, called as their base class says")
def network(x):
    net = Stack(Scaling(x), Skipping(Stack(Bent(), Scaling(x * x))), Bent())
    return np.sum(net(x))


parts = [Scaling(np.array([0.5, 1.5, 2.5])), Skipping(Bent()), Bent()]


@row("list of objects of several classes from outside")
def several_classes_given(x):
    for part in parts:
        x = part(x)
    return np.sum(x)


class Spring:
    def __init__(self, k):
        self.__k = k

    def force(self, x):
        return -self.__k * x

    def moved(self, x):
        return _stepped(self.force, x)


def _stepped(f, x):
    return x + 0.1 * f(x + 0.05 * f(x))


@row("method of an object handed to a function")
def method_handed_on(x):
    return np.sum(Spring(x).moved(x * x))


@row("private attribute (`self.__k`)")
def private_attribute(x):
    return np.sum(Spring(x).force(x) * x)


class Chain:
    def __init__(self, *links):
        self.links = list(links)

    def __call__(self, z):
        for link in self.links:
            z = link(z)
        return z


@row("list of objects copied by `list(...)`")
def copied_list_of_objects(x):
    return np.sum(Chain(Activated([np.sin]), Spring(x).force)(x))


@row("`obj.m(*values)`")
def method_with_star(x):
    values = (x[0], x * x)
    return np.sum(Weighted().apply(*values))


class Weighted:
    def apply(self, weight, values=None):
        return weight * values


class Sensor:
    def __init__(self, gain, **more):
        self.gain = gain

    def read(self, v, *, squared=False):
        return self.gain * (v * v if squared else v)


class Shifted(Sensor):
    def __init__(self, gain, shift=0.0, **more):
        super().__init__(gain, **more)
        self.shift = shift

    def read(self, v, **more):
        return super().read(v, **more) + self.shift


class Clipped:
    limit = 2.0

    def clip(self, v):
        return np.minimum(v, self.limit)


class Probe(Shifted, Clipped):
    def __init__(self, gain, shift):
        super().__init__(gain, shift=shift)


@row("`super()` through several bases, with flags handed on")
def several_bases(x):
    p = Probe(x[0], shift=x[1])
    return np.sum(p.clip(p.read(x, squared=True))) + np.sum(p.read(x))


class Charge:
    def __init__(self, q, at):
        self.q, self.at = q, at

    def energy(self, other):
        return self.q * other.q / (0.1 + (self.at - other.at) ** 2)


@row("pairs of objects by `itertools.combinations`")
def pairs_of_objects(x):
    charges = [Charge(1.0 + k, v) for k, v in enumerate(x)]
    return sum(a.energy(b) for a, b in itertools.combinations(charges, 2))


@row("slice of a list of objects (`zip(objects, objects[1:])`)")
def neighbouring_objects(x):
    charges = [Charge(x[0], x[1]), Charge(x[1], x[2]), Charge(1.0, x[0])]
    return sum(a.energy(b) for a, b in zip(charges, charges[1:], strict=False))


class Ticket:
    sold = 0

    def __init__(self, price):
        self.number = Ticket.sold
        Ticket.sold += 1
        self.price = price


@row("counter in a class (`Cls.n += 1`)")
def class_counter(x):
    Ticket.sold = 1
    return np.sum(Ticket(x).price * Ticket(x * x).number * Ticket.sold)


@row("`getattr(obj, name)` in a loop over names")
def attributes_in_turn(x):
    charge, total = Charge(x[0] * x[1], x[2]), 0.0
    for name in ("q", "at"):
        total = 0.5 * total + getattr(charge, name) ** 2
    return total


class _Explicit:
    def __init__(self):
        self.last = 0.0

    def step(self, v):
        self.last = v
        return v + 0.1 * v * v


class _Runner:
    def __init__(self, v, method=_Explicit):
        self.v, self.method = v, method()

    def run(self):
        self.v = self.method.step(self.v)
        return self.v * self.method.last


@row("class as an argument, or as a default")
def class_as_argument(x):
    return _Runner(x[0]).run() + _Runner(x[1], _Explicit).run()


class _Solver:
    def solve(self, v):
        if v > 1.0:
            return v
        self.guess = 0.5 * v
        self.steps = (self.guess, v)
        return self.guess * self.steps[1]


@row("attributes that are set on some paths only")
def set_on_some_paths(x):
    solver = _Solver()
    return sum(solver.solve(v) * x[0] for v in x)


class _Planet:
    def __init__(self, k):
        self.k, self.last = k, 0.0

    def pull(self, v):
        self.last = v * v
        return self.k * self.last


_Planet.EARTH = _Planet(2.0)


@row("object that its class holds (`Planet.EARTH`)")
def class_constant(x):
    return _Planet.EARTH.pull(x[0]) * _Planet.EARTH.last * x[1]


class _Branch:
    def __init__(self, length, below=None):
        self.length, self.below = length, below

    def ends(self):
        return self.below is None


def _grown(x, k):
    return _Branch(x[k]) if k == 0 else _Branch(x[k], _grown(x, k - 1))


def _along(branch):
    if branch.ends():
        return branch.length
    return branch.length * _along(branch.below) + branch.length


@row("tree that a recursion builds, and a method that asks where it ends")
def grown_tree(x):
    return _along(_grown(x, 2))


class _Layer:
    def __init__(self, weights, bias, act):
        self.weights, self.bias, self.act = weights, bias, act

    def __call__(self, v):
        return self.act(v * self.weights + self.bias)


@row("layers made of a list of pairs, with a function each")
def layers_of_pairs(x):
    pairs = [(x, x[0]), (2.0 * x, x[1])]
    v = x
    for layer in [_Layer(w, b, np.tanh) for w, b in pairs]:
        v = layer(v)
    return np.sum(v)


class _Pair:
    def __init__(self, u, v=0.0):
        self.u, self.v = u, v

    def __add__(self, other):
        other = other if isinstance(other, _Pair) else _Pair(other)
        return _Pair(self.u + other.u, self.v + other.v)


@row("operators that take an object or a number (`Pair(a) + b + 2.0`)")
def object_or_number(x):
    p = _Pair(x[0], x[1]) + x[1] + _Pair(2.0, x[0])
    return (p + 2.0).u * p.v


class _Gauge:
    def __init__(self, factor):
        self.factor = factor

    def read(self, v):
        self.factor = self.factor * v
        return self.factor + v


def _read(v, gauge=None):
    if gauge is None:
        gauge = _Gauge(2.0 * v)
    return gauge.read(v) * gauge.factor


@row("object that a call may leave out (`if g is None: g = Gauge()`)")
def object_left_out(x):
    return _read(x[0]) * _read(x[1], _Gauge(x[2])) + _read(x[2], gauge=None)


@dataclasses.dataclass(order=True)
class _Log:
    first: float
    scale: dataclasses.InitVar[float] = 2.0
    seen: list = dataclasses.field(default_factory=list, init=False)

    def __post_init__(self, scale):
        self.first = self.first * scale

    def add(self, v):
        self.seen.append(v * self.first)


@row("dataclass with `InitVar`, `init=False`, `order=True`")
def dataclass_options(x):
    a, b = _Log(x[0]), _Log(x[1], 3.0)
    for v in x:
        (a if a < b else b).add(v)
    return sum(a.seen) + sum(b.seen) * x[2]


class _Point(collections.namedtuple("_Point", "u v")):
    @property
    def product(self):
        return self.u * self.v


@row("class derived from `namedtuple(...)`, with properties")
def derived_named_tuple(x):
    p = _Point(x[0], x[1] * x[2])
    return p.product + p._replace(u=p.v).product


@dataclasses.dataclass
class _Settings:
    rate: float = 1.0
    gain: float = 2.0


class _Configured:
    def __init__(self, **options):
        self.__dict__.update(options)

    def value(self, v):
        return self.rate * v + self.gain


@row("`self.__dict__.update(options)`")
def attributes_updated(x):
    return np.sum(_Configured(rate=x[0], gain=x[1] * x[2]).value(x))


@row("`f(**vars(settings))`, `vars(obj)[name]`")
def attributes_as_arguments(x):
    s = _Settings(x[0], x[1])
    return _Configured(**vars(s)).value(x[2]) * vars(s)["gain"]


@dataclasses.dataclass(frozen=True)
class _State:
    q: float
    p: float
    t: float = 0.0


@row("`dataclasses.replace` several times in a loop")
def state_replaced(x):
    s = _State(x[0], x[1])
    for _ in range(3):
        s = dataclasses.replace(s, p=s.p - x[2] * s.q**3)
        s = dataclasses.replace(s, q=s.q + 0.1 * s.p, t=s.t + 0.1)
    return s.q * s.p * s.t


@row("`f(*objects)`")
def objects_by_a_star(x):
    masses = [Tank(x[0]), Tank(x[1]), Tank(x[2])]
    return sum(_mixed(*pair) for pair in itertools.combinations(masses, 2)) + _mixed(*masses[1:])


def _mixed(a, b):
    return a.level * b.level + a.level


_KINDS = {"tank": Tank, "charge": Charge}


def _made_by_name(name, *values):
    return _KINDS[name](*values)


@row("class out of a global dictionary, by a name that is handed on")
def registry(x):
    return _made_by_name("tank", x[0]).level * _made_by_name("charge", x[1], x[2]).q


@row("classes in a global dictionary, looped over")
def registry_in_turn(x):
    total = 0.0
    for cls in _KINDS.values():
        made = cls(x[0], x[1])
        total = total + (made.level if isinstance(made, Tank) else made.q) * x[2]
    return total


@row("class out of a global dictionary, under another name")
def registry_under_a_name(x):
    cls = _KINDS["tank"]
    return cls(x[0]).level * x[1]


@row("tuples of objects and numbers, in a list that grows")
def objects_beside_numbers(x):
    tanks = []
    for k in range(2):
        tanks.append((Tank(x[k]), x[k + 1]))
    total = 0.0
    for tank, inflow in tanks:
        tank.step(inflow)
        total += tank.level * inflow
    return total


class _Stepped:
    def __init__(self, dt):
        self.dt = dt

    @contextlib.contextmanager
    def finer(self, k):
        before = self.dt
        self.dt = self.dt / k
        try:
            yield
        finally:
            self.dt = before


@row("`contextlib.contextmanager` that is a method, and puts back what it changes")
def managed_by_a_method(x):
    s = _Stepped(x[0])
    with s.finer(x[1]):
        y = s.dt * x[2]
    return y * s.dt


class _Activated:
    def __init__(self, w, act):
        self.w = w
        self.act = act

    def __call__(self, v):
        return self.act(self.w * v)


class _Network:
    def __init__(self, *layers):
        self.layers = [*layers]


@row("layers with different functions in one list")
def layers_with_functions(x):
    net = _Network(_Activated(x[0], np.tanh), _Activated(x[1], np.sin))
    v = x[2]
    for layer in net.layers:
        v = layer(v)
    return v


class _Kept:
    def __init__(self, w):
        self.w = w

    def step(self, v):
        return np.sin(self.w * v) * v


@row("`ad.checkpoint` of a method")
def checkpoint_of_a_method(x):
    kept, v = _Kept(x * x), x
    for _ in range(2):
        v = ad.checkpoint(kept.step)(v)
    return v


@dataclasses.dataclass(order=True)
class _Ranked:
    rank: float
    cost: float


@row("objects that are put in order by a method of their own")
def ordered_objects(x):
    items = [_Ranked(x[k], x[-1 - k] * x[k]) for k in range(len(x))]
    total = 0.0
    for k, item in enumerate(sorted(items)):
        total = total + k * item.cost
    return total * max(items).cost


class _Wave:
    def __init__(self, k):
        self.k = k

    def __call__(self, v):
        return np.sum(np.sin(self.k * v))

    def moved(self, v):
        return v * self.k


class _Moved(_Wave):
    def moved(self, v):
        moved = super().moved
        return moved(moved(v)) * self.k


@row("`ad.grad` of an object that is made where it is used")
def gradient_of_a_new_object(x):
    return ad.grad(_Wave(x[0]))(x)


@row("`super().m` with a name")
def super_with_a_name(x):
    return _Moved(x[0]).moved(x)


class _Shape(enum.Enum):
    TANH = 1
    SIN = 2

    def apply(self, v):
        return np.tanh(v) if self is _Shape.TANH else np.sin(v)


@row("methods of members of an enumeration")
def methods_of_members(x):
    return _Shape.TANH.apply(x) * _Shape.SIN.apply(x)


class _Filter:
    def __init__(self, w):
        self.mean, self.rejected = w, 0

    def update(self, v):
        self.mean = self.mean + 0.5 * (v - self.mean)
        if v > 1.0:
            raise ValueError
        self.mean = self.mean * v

    def __enter__(self):
        self.before = self.mean
        return self

    def __exit__(self, kind, error, trace):
        if kind is ValueError:
            self.mean = self.before
        return kind is ValueError


@row("a method that changes its object and raises, in `try`")
def raised_by_a_method(x):
    f = _Filter(x[0])
    for v in x:
        try:
            f.update(v)
        except ValueError:
            f.rejected += 1
            f.mean = 0.9 * f.mean
    return f.mean * (1 + f.rejected)


@row("`with` over an object that keeps an exception back")
def kept_back(x):
    f = _Filter(x[0])
    for v in x:
        with f:
            f.update(v)
    return f.mean
