"""Functions: arguments, closures, decorators, recursion, dispatch."""

from __future__ import annotations

import functools
import operator

import numpy as np

from tests.recorder.language.judge import program, world


@program(0.6, 1.3)
def defaults_and_keywords(a, b):
    def f(p, q=a, /, r=2.0, *rest, s=b, **more):
        return p * q + r * s + sum(rest) + sum(v * len(k) for k, v in more.items())

    opts = {"s": a * b, "zeta": b}
    return f(a) + f(b, a, b, a, 2.0, s=a) + f(a, **opts) + f(*(a, b), **{"r": a})


@program()
def closures_over_loop_variables(x):
    late = [lambda: v * 2 for v in x]
    bound = [lambda v=v: v * 3 for v in x]
    fs = []
    for k in range(3):

        def f(s, k=k):
            return s * x[k]

        fs.append(f)
    return sum(f() for f in late) + sum(f() for f in bound) + fs[0](fs[1](fs[2](1.0)))


@program()
def nonlocal_counter(x):
    def make(start):
        total = start
        calls = 0

        def add(v):
            nonlocal total, calls
            total += v * v
            calls += 1
            return total

        def read():
            return total * calls

        return add, read

    add, read = make(x[0])
    for v in x:
        add(v)
    return read() * x[1]


RATE = 1.0
TABLE = {"k": 2.0}


@world()
def globals_assigned():
    def reader(v):
        return RATE * v + TABLE["k"]

    def f(x):
        global RATE
        RATE = x[0] * 2
        TABLE["k"] = x[1]
        hs = [reader, lambda v: RATE * v]
        return sum(h(v) for h in hs for v in x)

    return f, [globals()["TABLE"], lambda: RATE]


@program()
def decorators_of_all_sorts(x):
    def logged(f):
        @functools.wraps(f)
        def inner(*a, **k):
            inner.calls += 1
            return f(*a, **k)

        inner.calls = 0
        return inner

    def scaled(by):
        def deco(f):
            return lambda *a: f(*a) * by

        return deco

    class Counted:
        def __init__(self, f):
            self.f, self.n = f, 0
            functools.update_wrapper(self, f)

        def __call__(self, *a):
            self.n += 1
            return self.f(*a) + self.n

    @logged
    @scaled(x[0])
    def f(v):
        return v * v

    @Counted
    def g(v):
        return v * x[1]

    return f(x[2]) + f(x[3]) * f.calls + g(x[0]) * g(x[2])


@program()
def cached_functions(x):
    @functools.lru_cache(maxsize=None)
    def fib(n):
        return x[0] if n == 0 else x[1] if n == 1 else fib(n - 1) + fib(n - 2) * x[2]

    @functools.cache
    def sq(v):
        return v * v

    return fib(9) + sq(x[3]) * sq(x[3])


@program()
def partials(x):
    def f(a, b, c=1.0, *, d=2.0):
        return a * b + c * d

    g = functools.partial(f, x[0], d=x[1])
    h = functools.partial(g, x[2])

    class M:
        def scale(self, k, v):
            return k * v

        twice = functools.partialmethod(scale, 2.0)

    return g(x[3]) * h(c=x[0]) + M().twice(x[1]) + functools.partial(max, x[0])(x[1])


@program()
def reduced(x):
    a = functools.reduce(lambda p, q: p * q + 1.0, x)
    b = functools.reduce(operator.mul, x, 2.0)
    return a * b + functools.reduce(lambda f, g: lambda v: g(f(v)), [np.sin, np.exp])(x[0])


@program()
def operator_functions(x):
    t = operator.add(x[0], x[1]) * operator.mul(x[1], x[2]) - operator.truediv(x[0], x[3])
    t += operator.neg(x[0]) + operator.pow(x[1], 2) + operator.sub(x[2], 1.0)
    t += operator.itemgetter(1, 2)(x)[0] + operator.itemgetter("a")({"a": x[0]})

    class P:
        def __init__(self, v):
            self.v, self.w = v, self

        def m(self, k):
            return self.v * k

    p = P(x[1])
    t += operator.attrgetter("v")(p) + operator.attrgetter("w.v")(p)
    t += operator.methodcaller("m", x[3])(p)
    d = [x[0], x[1]]
    operator.setitem(d, 0, x[2] * 2)
    t += operator.getitem(d, 0) + operator.iadd(x[0], x[1]) + operator.abs(-x[0])
    return t + operator.matmul(x, x) + operator.indexOf([1, 2], 2) + operator.countOf(d, 3)


@program()
def single_dispatch(x):
    @functools.singledispatch
    def area(s):
        return s * 1.0

    @area.register
    def _(s: list):
        return sum(area(i) for i in s) * 2

    @area.register(dict)
    def _(s):
        return area(list(s.values()))

    @area.register(tuple)
    def pair(s):
        return s[0] * s[1]

    return area([x[0], (x[1], x[2]), {"a": x[3], "b": (x[0], x[0])}])


@program()
def single_dispatch_method(x):
    class Visitor:
        def __init__(self, k):
            self.k = k

        @functools.singledispatchmethod
        def visit(self, n):
            return n * self.k

        @visit.register
        def _(self, n: list):
            return sum(self.visit(i) for i in n)

        @visit.register(str)
        def _(self, n):
            return len(n) * self.k

    return Visitor(x[0]).visit([x[1], "abc", [x[2], x[3]]])


@program(0.9)
def recursion_500_deep(a):
    def go(n, v):
        return v if n == 0 else go(n - 1, v * 0.999 + a / 500)

    return go(300, a)
