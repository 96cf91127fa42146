"""Classes: attributes, descriptors, inheritance, metaclasses, operators."""

from __future__ import annotations

import functools
import weakref

import numpy as np

from tests.recorder.language.judge import program, world


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
