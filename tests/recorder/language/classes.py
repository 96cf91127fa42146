"""Classes: attributes, descriptors, inheritance, metaclasses, operators."""

from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import typing
import weakref

import numpy as np

from tests.recorder.language.judge import program, world


@program()
def property_with_setter(x):
    class Body:
        def __init__(self, m):
            self._m = m
            self.changes = 0

        @property
        def mass(self):
            return self._m * 2

        @mass.setter
        def mass(self, v):
            self.changes += 1
            self._m = v * v

        @mass.deleter
        def mass(self):
            self._m = 1.0

    b = Body(x[0])
    a = b.mass
    b.mass = x[1]
    b.mass += x[2]
    t = b.mass * a
    del b.mass
    return t + b.mass * x[3] * b.changes


@program()
def descriptor_that_checks(x):
    class Positive:
        def __set_name__(self, owner, name):
            self.name = "_" + name

        def __get__(self, obj, owner=None):
            return self if obj is None else getattr(obj, self.name) * 2

        def __set__(self, obj, v):
            if v <= 0:
                raise ValueError(v)
            setattr(obj, self.name, v + 1.0)

    class Tank:
        level = Positive()
        area = Positive()

        def __init__(self, a, b):
            self.level, self.area = a, b

    t = Tank(x[0], x[1])
    t.level *= x[2]
    try:
        t.area = -x[0]
    except ValueError as e:
        return t.level * t.area + e.args[0] * x[3]


@program()
def non_data_descriptor(x):
    class Lazy:
        def __init__(self, f):
            self.f = f

        def __set_name__(self, owner, name):
            self.name = name

        def __get__(self, obj, owner):
            v = self.f(obj)
            obj.__dict__[self.name] = v
            return v

    class M:
        def __init__(self, v):
            self.v, self.n = v, 0

        @Lazy
        def total(self):
            self.n += 1
            return sum(self.v)

    m = M(x)
    return m.total * m.total * m.n


@program()
def getattr_of_a_proxy(x):
    class Proxy:
        def __init__(self, inner):
            self.__dict__["inner"] = inner

        def __getattr__(self, name):
            return getattr(self.inner, name) * 2.0

        def __setattr__(self, name, v):
            setattr(self.inner, name, v * 3.0)

    class Inner:
        pass

    i = Inner()
    i.a = x[0]
    p = Proxy(i)
    p.b = x[1]
    return p.a * p.b + i.b + hasattr(p, "zz")


@program()
def getattribute_that_counts(x):
    class Counting:
        def __init__(self, v):
            self.v = v
            self.n = 0

        def __getattribute__(self, name):
            if name == "v":
                object.__setattr__(self, "n", object.__getattribute__(self, "n") + 1)
                return object.__getattribute__(self, "v") * 2
            return super().__getattribute__(name)

    c = Counting(x[0])
    return c.v * c.v * c.n


@program()
def metaclass_call(x):
    class Single(type):
        made = {}

        def __call__(cls, *a, **k):
            if cls not in Single.made:
                Single.made[cls] = super().__call__(*a, **k)
            return Single.made[cls]

    class Config(metaclass=Single):
        def __init__(self, k):
            self.k = k * k

    a, b = Config(x[0]), Config(x[1])
    r = a.k * b.k * x[2]
    Single.made.clear()
    return r


@program()
def metaclass_new_and_registry(x):
    class Meta(type):
        def __new__(m, name, bases, ns, scale=1.0):
            c = super().__new__(m, name, bases, ns)
            c.scale = scale
            return c

        def __init__(c, name, bases, ns, scale=1.0):
            super().__init__(name, bases, ns)
            c.names = getattr(c, "names", ()) + (name,)

        @property
        def twice(c):
            return c.scale * 2

        def __getitem__(c, k):
            return c.scale * k

        def __iter__(c):
            yield c.scale
            yield c.scale * 3

        def __len__(c):
            return 2

    class A(metaclass=Meta, scale=x[0]):
        def v(self):
            return self.scale

    class B(A, scale=x[1]):
        pass

    return A.twice * B.twice + A().v() * B[3] + sum(A) + len(B) + len(B.names)


@program(also_hoisted=False)
def init_subclass_and_class_getitem(x):
    class Base:
        kinds = []

        def __init_subclass__(cls, weight=1.0, **k):
            super().__init_subclass__(**k)
            cls.weight = weight
            Base.kinds.append(cls)

        def __class_getitem__(cls, k):
            return cls.weight * k

    class A(Base, weight=x[0]):
        def go(self, v):
            return v * self.weight

    class B(Base, weight=x[1] * 2):
        def go(self, v):
            return v + self.weight

    return sum(k().go(x[2]) for k in Base.kinds) * A[x[3]]


@program()
def super_chains_and_mro(x):
    class A:
        def __init__(self, **k):
            self.log = []
            self.a = k.pop("a", 1.0)
            super().__init__(**k)

        def go(self, v):
            return v * self.a

    class B(A):
        def __init__(self, b=2.0, **k):
            super().__init__(**k)
            self.b = b

        def go(self, v):
            return super().go(v) + self.b

    class C(A):
        def __init__(self, c=3.0, **k):
            super(C, self).__init__(**k)
            self.c = c

        def go(self, v):
            return super().go(v * self.c)

    class D(B, C):
        def go(self, v):
            return 2 * super().go(v) + A.go(self, v)

    return D(a=x[0], b=x[1], c=x[2]).go(x[3])


@program()
def operators_of_all_sorts(x):
    class V:
        __slots__ = ("a", "b")

        def __init__(self, a, b):
            self.a, self.b = a, b

        def __add__(self, o):
            return V(self.a + o.a, self.b + o.b) if isinstance(o, V) else NotImplemented

        def __radd__(self, o):
            return V(self.a + o, self.b)

        def __mul__(self, k):
            return V(self.a * k, self.b * k)

        def __rmul__(self, k):
            return V(self.a * k, self.b * k * 2)

        def __matmul__(self, o):
            return self.a * o.a + self.b * o.b

        def __imul__(self, k):
            self.a *= k
            return self

        def __neg__(self):
            return V(-self.a, -self.b)

        def __pow__(self, n, mod=None):
            return V(self.a**n, self.b**n)

        def __rpow__(self, o):
            return o**self.a

        def __truediv__(self, o):
            return V(self.a / o, self.b / o)

        def __abs__(self):
            return (self.a**2 + self.b**2) ** 0.5

        def __getitem__(self, k):
            return (self.a, self.b)[k]

        def __setitem__(self, k, v):
            if k == 0:
                self.a = v
            else:
                self.b = v

        def __contains__(self, v):
            return v < self.a

        def __bool__(self):
            return bool(self.a > self.b)

        def __len__(self):
            return 2

        def __eq__(self, o):
            return self.a == o.a

        def __lt__(self, o):
            return self.a < o.a

        def __call__(self, v):
            return self.a * v + self.b

        def __float__(self):
            return float(self.a * 3)

        def __divmod__(self, o):
            return self.a // o, self.b * o

        def __round__(self, n=0):
            return self.a * 2

        def __invert__(self):
            return V(self.b, self.a)

        def __rshift__(self, f):
            return f(self)

    u, v = V(x[0], x[1]), V(x[2], x[3])
    w = 2.0 * u + v * 3.0
    w *= x[0]
    w = 1.5 + (-w) / 2.0
    w[1] = w[0] * w[1]
    w[0] += x[1]
    t = u @ w + abs(v) + (2.0**u) + (u**2)[1] + w(x[2]) + float(v) + divmod(u, 2.0)[1]
    if 0.1 in u:
        t = t * 1.1
    if not u:
        t = t + x[0]
    a, b = ~v
    m = max(u, v)
    return (
        t * a * b + (u == v) + round(u) + sorted([v, u])[0].a + m.b + (v >> (lambda q: q.a * q.b))
    )


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


@world()
def class_attributes_changed():
    class Model:
        rate = 0.5
        made = 0
        cache = {}

        def __init__(self, v):
            self.v = v
            Model.made += 1

        @classmethod
        def with_rate(cls, r):
            cls.rate = r
            return cls(r * 2)

        @staticmethod
        def mix(a, b):
            return a * b

        def value(self):
            self.cache["last"] = self.v * self.rate
            return self.mix(self.v, self.rate)

    def f(x):
        m = Model.with_rate(x[0])
        a = m.value()
        Model.rate = x[1] * x[2]
        return a * m.value() * Model.made + m.cache["last"]

    return f, [Model]


@program()
def private_names(x):
    class A:
        __k = 2.0

        def __init__(self, v):
            self.__v = v

        def __twice(self):
            return self.__v * self.__k

        def get(self):
            def inner():
                return self.__twice() + self.__v

            return inner()

    class B(A):
        def __init__(self, v):
            super().__init__(v)
            self.__v = v * 10

        def both(self):
            return self.get() * self.__v

    return B(x[0]).both() + A(x[1])._A__v


@program()
def slots_and_dunder_dict(x):
    class S:
        __slots__ = ("a", "b", "__dict__")

    s = S()
    s.a, s.b, s.c = x[0], x[1], x[2]
    s.__dict__["d"] = x[3]
    vars(s)["e"] = x[0] * 2
    s.__dict__.update(f=x[1] * x[2])
    setattr(s, "g", x[2])
    return s.a * s.b + s.c * s.d + s.e * s.f + getattr(s, "g") + getattr(s, "none", x[3])


@program()
def new_that_makes_another(x):
    class Shape:
        def __new__(cls, kind, *a):
            sub = {"sq": Square, "ci": Circle}[kind]
            return object.__new__(sub)

        def __init__(self, kind, v):
            self.v = v

    class Square(Shape):
        def area(self):
            return self.v**2

    class Circle(Shape):
        def area(self):
            return 3.0 * self.v**2

    return sum(Shape(k, v).area() for k, v in zip(["sq", "ci", "sq", "ci"], x))


@program()
def classes_made_by_type(x):
    def area(self):
        return self.w * self.h

    R = type("R", (), {"h": x[1], "area": area})
    r = R()
    r.w = x[0]
    return r.area() * r.h


@program()
def classes_inside_functions(x):
    def make(k):
        class Layer:
            scale = k * 2

            def __init__(self, b):
                self.b = b

            def __call__(self, v):
                return np.tanh(self.scale * v + self.b + k)

        return Layer

    A, B = make(x[0]), make(x[1])
    return B(x[3])(A(x[2])(0.3))


@program()
def weakrefs(x):
    class Node:
        def __init__(self, v, parent=None):
            self.v = v
            self.parent = weakref.ref(parent) if parent is not None else None

        def total(self):
            p = self.parent() if self.parent else None
            return self.v * (p.total() if p is not None else 1.0)

    a = Node(x[0] * 2)
    b = Node(x[1], a)
    d = weakref.WeakValueDictionary({"b": b})
    k = weakref.WeakKeyDictionary({a: x[2]})
    return b.total() * d["b"].v + k[a]


@world(twice=False)
def bound_methods_kept():
    class Acc:
        def __init__(self):
            self.t = 0.0

        def add(self, v):
            self.t += v
            return self.t

    acc = Acc()
    add = acc.add

    def f(x):
        acc.t = 0.0
        for v in x:
            add(v * v)
        return acc.t * acc.add(x[0])

    return f, [acc]


@program()
def method_of_another_class_borrowed(x):
    class A:
        def go(self, k):
            return self.v * k

    class B:
        go = A.go
        twice = lambda self: self.go(2)  # noqa: E731

        def __init__(self, v):
            self.v = v

    return B(x[0]).go(x[1]) + A.go(B(x[2]), x[3]) + B(x[0]).twice()


@program()
def instance_attribute_that_is_a_function(x):
    class M:
        def __init__(self, act):
            self.act = act
            self.acts = {"sq": lambda v: v * v, "sin": np.sin}

        def __call__(self, v):
            return self.act(v) * self.acts["sq"](v) + self.acts["sin"](v)

    return M(np.tanh)(x[0]) + M(lambda v: v * x[1])(x[2])


@program()
def cached_properties(x):
    class M:
        def __init__(self, v):
            self.v, self.n = v, 0

        @functools.cached_property
        def norm(self):
            self.n += 1
            return sum(a * a for a in self.v) ** 0.5

    m = M(x)
    return m.norm * m.norm * m.n + m.__dict__["norm"]


@program()
def format_repr_str_hash(x):
    class P:
        def __init__(self, v):
            self.v = v

        def __repr__(self):
            return f"P({self.v:.3f})"

        def __format__(self, spec):
            return format(self.v, spec or ".2f")

        def __hash__(self):
            return hash(round(float(self.v), 6))

        def __eq__(self, o):
            return self.v == o.v

    p = P(x[0])
    d = {p: x[1]}
    print(p, f"{p}", f"{p:.4f}", "%s %r" % (p, x[0]), "{:.3e}".format(x[1]), str(x[2]), repr(x[3]))
    return d[P(x[0])] * len(repr(p)) * p.v
