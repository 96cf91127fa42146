"""Functions: arguments, closures, decorators, recursion, dispatch."""

from __future__ import annotations

import functools
import operator

import numpy as np

from tests.recorder.language.judge import program


@program()
def mutual_recursion(x):
    def even(n, v):
        return v if n == 0 else odd(n - 1, v * x[0])

    def odd(n, v):
        return v + x[1] if n == 0 else even(n - 1, v + x[2])

    return even(6, 1.0) * odd(4, x[3])


@program()
def called_objects(x):
    class Poly:
        def __init__(self, *c):
            self.c = c

        def __call__(self, v, *, scale=1.0):
            r = 0.0
            for c in self.c:
                r = r * v + c
            return r * scale

        def derivative(self):
            n = len(self.c) - 1
            return Poly(*[c * (n - k) for k, c in enumerate(self.c[:-1])])

    p = Poly(*x)
    return p(x[0]) * p.derivative()(x[1], scale=x[2]) + sum(map(p, x))


@program()
def composed(x):
    def compose(*fs):
        def run(v):
            for f in reversed(fs):
                v = f(v)
            return v

        return run

    def curry(f):
        return lambda a: lambda b: f(a, b)

    return compose(np.sin, lambda v: v * v, curry(operator.mul)(x[1]))(x[0]) + compose()(x[2])


@program()
def conditional_expressions(x):
    a = x[0] if x[0] > x[1] else x[1] * 2
    b = x[2] and x[3]
    c = None or x[1]
    d = (y := x[0] * 2) + y
    e = 0.5 < x[0] < 1.0 <= x[2] < 2.0
    f = not x[0] > 3 and (x[1] or 1.0)
    while (z := a * 0.5) > 0.3:
        a = z
    return a * b + c * d + e * f + z


@program()
def matched(x):
    class Circle:
        __match_args__ = ("r",)

        def __init__(self, r):
            self.r = r

    def area(s):
        match s:
            case Circle(r):
                return 3.0 * r * r
            case {"w": w, "h": h, **rest}:
                return w * h + sum(rest.values())
            case ["tri", a, b]:
                return a * b / 2
            case [a, *rest] if len(rest) > 1:
                return a * sum(rest)
            case float() | int() as v:
                return v * 5
            case None:
                return 1.0
            case _:
                return 0.0

    shapes = [Circle(x[0]), {"w": x[1], "h": x[2], "z": x[3]}, ("tri", x[0], x[3]),
              [x[0], x[1], x[2]],
              float(x[1]), None, "no"]  # fmt: skip
    return sum(area(s) * (k + 1) for k, s in enumerate(shapes))


@program()
def types_are_asked_for(x):
    a = float(x[0])
    t = 0.0
    if type(a) is float:
        t += a * 2
    if isinstance(x[1], np.float64) and type(x[1]) == np.float64:
        t += x[1] * 3
    if isinstance(a, (int, float)) and not isinstance(a, np.ndarray):
        t += a * a
    d = {float: 1.5, np.float64: 2.5}
    return (
        t * d[type(a)] * d[type(x[0])]
        + (x[0].__class__ is np.float64) * x[2]
        + issubclass(type(x[1]), float)
    )


@program()
def lambdas_in_tables(x):
    ops = {"+": lambda a, b: a + b, "*": lambda a, b: a * b, "^": pow}
    stack = []
    for tok in ["a", "b", "*", "c", "+", 2, "^"]:
        if tok in ops:
            b, a = stack.pop(), stack.pop()
            stack.append(ops[tok](a, b))
        else:
            stack.append({"a": x[0], "b": x[1], "c": x[2]}.get(tok, tok))
    return stack.pop()


@program()
def function_attributes(x):
    def f(v):
        f.total += v * v
        return f.total

    f.total = x[0]
    for v in x:
        f(v)
    return f.total * getattr(f, "total")


@program()
def star_args_by_position(x):
    def f(*args, **kw):
        return g(*args[1:], **kw) * args[0] if len(args) > 1 else args[0] * kw["k"]

    def g(*args, **kw):
        return f(*reversed(args), **kw)

    return f(*x, k=x[0])


@program()
def for_else_while_else(x):
    t = 0.0
    for v in x:
        if v > 5:
            break
        if v < 0.65:
            continue
        t += v
    else:
        t *= x[0]
    k = 0
    while k < 3:
        t += x[k]
        k += 1
    else:
        t = t * t
    for x0 in (x * 2).tolist():
        pass
    return t * x0


@program()
def deleted_names(x):
    a = x[0] * 2
    d = {"a": a, "b": x[1]}
    del a, d["a"]
    try:
        return a
    except NameError:
        return d["b"] * x[2]


@program()
def annotated_and_asserted(x):
    a: float = x[0]
    b: "float"
    b = x[1] * 2
    assert a < b, f"{a} {b}"
    c, d = e = (a * b, a + b)
    f = g = [x[2]]
    f.append(x[3])
    return c * d * e[0] + sum(g)


@program()
def sorted_in_all_ways(x):
    s = sorted(x, key=lambda v: -v * v)
    t = sorted(enumerate(x), key=lambda p: p[1], reverse=True)
    u = sorted([(v, "a") for v in x])
    w = sorted(x.tolist(), key=functools.cmp_to_key(lambda a, b: (a > b) - (a < b)))
    y = sorted({"p": x[0], "q": x[3]}.items(), key=operator.itemgetter(1))
    z = sorted(range(4), key=x.__getitem__)
    return (s[0] * s[1] + t[0][1] * 2 + t[1][0] + u[0][0] * 3 + w[-1] * w[0] + y[0][1] ** 2
            + sum(k * n for k, n in enumerate(z)))  # fmt: skip
