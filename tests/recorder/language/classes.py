"""Classes: attributes, descriptors, inheritance, metaclasses, operators."""

from __future__ import annotations

from tests.recorder.language.judge import program


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
