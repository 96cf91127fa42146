"""Closures, lambdas, arguments of all kinds, decorators, recursion, generators."""

from __future__ import annotations

import functools

import numpy as np

import adtrans as ad
from tests.features.model import Section, X

row = Section("Functions")
TOTAL = 0.0


@row("closure over an active value")
def closure(x):
    a = x * x

    def inner(t):
        return np.sum(a * t)

    return inner(x)


@row("closure that sees a variable rebound later")
def closure_late(x):
    def inner():
        return np.sum(a * x)

    a = x * x
    return inner()


@row("closures in a list that see the variable of the loop")
def closures_late_in_a_list(x):
    powers = []
    for k in range(1, 4):
        powers.append(lambda t: t**k)  # noqa: B023
    return sum(f(v) for f, v in zip(powers, x))  # noqa: B905


@row("functions defined in a loop that keep a value: `def f(t, k=k)`")
def defined_in_a_loop(x):
    springs = []
    for k in x:

        def force(t, k=k):
            return k * t * t

        springs.append(force)
    return sum(f(v) for f, v in zip(springs, x[::-1]))  # noqa: B905


def _scaled(a):
    def inner(x):
        return np.sum(a * x * x)

    return inner


@row("a function that was made by another one")
def made(x):
    return _scaled(x[0])(x)


@row("`nonlocal` write")
def nonlocal_write(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v

    for v in x:
        add(v)
    return total


@row("`global` write")
def global_write(x):
    global TOTAL
    TOTAL = x[0] * x[1]
    return TOTAL * x[2]


@row("lambda")
def lambda_(x):
    square = lambda v: v * v
    return np.sum(square(x))


def _apply(f, v):
    return f(v)


def _square(v):
    return v * v


@row("function as an argument")
def argument(x):
    return np.sum(_apply(_square, x))


@row("lambda as an argument")
def lambda_argument(x):
    return np.sum(_apply(lambda v: v * v, x))


@row("lambda over an active value as an argument")
def lambda_active(x):
    return np.sum(_apply(lambda v: v * x[0], x))


@row("function chosen by a branch")
def chosen(x):
    f = np.sin if x[0] > 0.5 else np.cos
    return np.sum(f(x))


@row("function of the program chosen by a branch")
def chosen_own(x):
    f = _square if x[0] > 0.5 else np.cos
    return np.sum(f(x))


@row("functions in a dictionary")
def in_a_dictionary(x):
    table = {"square": _square, "sin": np.sin}
    return np.sum(table["square"](x) + table["sin"](x))


@row("functions in a list that is looped over")
def in_a_list(x):
    total = 0.0
    for f in [_square, np.sin]:
        total = total + np.sum(f(x))
    return total


@row("function as an attribute")
def as_attribute(x):
    class Holder:
        pass

    h = Holder()
    h.f = _square
    return np.sum(h.f(x))


@row("`functools.partial`")
def partial(x):
    return np.sum(functools.partial(np.power, x)(2.0))


def _compose(f, g):
    return lambda v: f(g(v))


@row("composition of functions")
def composition(x):
    return np.sum(_compose(_square, np.sin)(x))


def _varargs(*parts):
    return parts[0] * parts[1]


@row("`*args` of a callee")
def varargs(x):
    return _varargs(x[0], x[1])


def _kwargs(**parts):
    return parts["a"] * parts["b"]


@row("`**kwargs` of a callee")
def kwargs(x):
    return _kwargs(a=x[0], b=x[1])


def _like_variables(t, **params):
    a, b = params["a"], params.get("b", 1.0)
    return a * t + b


@row("`**kwargs` called like variables of the callee")
def kwargs_like_variables(x):
    return np.sum(_like_variables(x, a=x[0], b=x[1]))


class _Rates:
    def __init__(self, scale, **rates):
        self.scale, self.fast = scale, rates.get("fast", 1.0)


class _Weighted(_Rates):
    def __init__(self, *args, **rates):
        super().__init__(*args, **rates)

    def total(self, *values):
        s = 0.0
        for v in values:
            s = s + v * self.fast
        return s * self.scale


@row("`*args` and `**kwargs` of methods, handed on to `super()`")
def collecting_methods(x):
    return _Weighted(x[0], fast=x[1]).total(x[1], x[2])


def _keyword_only(a, *, b=2.0):
    return a * b


@row("keyword-only parameter")
def keyword_only(x):
    return _keyword_only(x[0], b=x[1])


def _positional_only(a, b=2.0, /):
    return a * a * b


@row("positional-only parameter")
def positional_only(x):
    return _positional_only(x[0]) + _positional_only(x[0], x[1])


@row("`*` in a call")
def star_call(x):
    pair = (x[0], x[1])
    return _square(*pair[:1]) * _positional_only(*pair)


@row("`*` before a generator, `map` or an array")
def star_of_values(x):
    pair = _positional_only(*(v * v for v in x[:2])) * np.hypot(*(x[1:] - x[0]))
    return pair + _positional_only(*map(np.sin, [x[1], x[2]])) + max(*x[:2])


@row("`**` in a call")
def star_star_call(x):
    given = {"b": x[1]}
    return _keyword_only(x[0], **given)


def weighted(a, b, c=2.0):
    return a * b + c


@row("names that go with values: `f(**dict(zip(NAMES, x)))`")
def names_and_values(x):
    return weighted(**dict(zip(("a", "b", "c"), x * x, strict=False)))


@row("`*args` of the function itself", 0.7, 1.2)
def own_varargs(x, *rest):
    return x * rest[0] if rest else x * x


def _doubled(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)

    return wrapper


@_doubled
def _decorated(v):
    return v * v


@row("decorator with `__wrapped__`")
def decorated(x):
    return np.sum(_decorated(x))


@functools.lru_cache
def _cached(n):
    return n * 1.5


@row("`functools.lru_cache` on an inactive helper")
def cached(x):
    return np.sum(x**2) * _cached(3)


def _power(v, n):
    return v if n == 1 else v * _power(v, n - 1)


@row("recursion")
def recursion(x):
    return np.sum(_power(x, 3))


def _even(v, n):
    return v if n == 0 else _odd(v * v, n - 1)


def _odd(v, n):
    return v if n == 0 else _even(2.0 * v, n - 1)


@row("mutual recursion")
def mutual_recursion(x):
    return np.sum(_even(x, 3))


def _squares(v):
    for item in v:
        yield item * item


@row("generator that feeds a loop")
def generator(x):
    total = 1.0
    for s in _squares(x):
        total = total * s
    return total


@row("generator that feeds `sum`")
def generator_sum(x):
    return sum(_squares(x))


@row("generator that feeds `list`")
def generator_list(x):
    parts = list(_squares(x))
    return parts[0] * parts[1]


@row("generator defined inside")
def generator_inside(x):
    scale = x[0]

    def terms(start):
        nonlocal scale
        for v in x[start:]:
            scale = scale * 1.5
            yield v * scale

    s = 0.0
    for k, v in enumerate(terms(1)):
        s += k * v * v
    return s * scale


@row("generator expression in `sum`")
def generator_expression(x):
    return sum(v * v for v in x)


@row("generator expression in `np.fromiter`")
def from_iter(x):
    return np.sum(np.fromiter((v * v for v in x), float) * x)


@row("default that is an array")
def default_array(x, w=X):
    return np.sum(x * x * w)


@row("splat into a library function")
def splat_library(x):
    t = (x, 2.0 * x)
    return np.dot(*t)


@row("memoised inner function")
def memoised(x):
    memo = {}

    def f(n):
        if n in memo:
            return memo[n]
        r = x[0] if n < 2 else f(n - 1) * x[1] + f(n - 2)
        memo[n] = r
        return r

    return f(5)


@row("a table of None that a recursion fills")
def table_of_none(x):
    n = len(x)
    table = [[None] * n for _ in range(n)]

    def best(i, j):
        if i == j:
            return x[i] * x[i]
        if table[i][j] is None:
            table[i][j] = max(best(i + 1, j) + x[i] * 0.5, best(i, j - 1) - x[j] * 0.3)
        return table[i][j]

    return best(0, n - 1)


class Gauge:
    def __init__(self, scale):
        self.scale = scale

    def read(self, v):
        return self.scale * v


def gauge(scale):
    return Gauge(scale * scale)


def reading(make, scale, v):
    return make(scale).read(v)


@row("a function that makes objects, as an argument")
def makers(x):
    return reading(gauge, x[0], x[1]) + reading(lambda s: Gauge(s * x[1]), x[0], 2.0)


def one_square(v):
    return v * v


@row("functions in a dictionary, by a variable key")
def table_by_key(x):
    table = {"square": one_square, "sin": np.sin, "twice": lambda v: 2.0 * v}
    s = 0.0
    for name in ["square", "sin", "twice"]:
        s += table[name](x[0]) * x[1]
    return s


@row("functions in a list, at a computed place")
def table_by_place(x):
    table = [one_square, np.sin]
    s = 1.0
    for i in range(3):
        s *= table[i % 2](x[i])
    return s


class Scaled:
    def __init__(self, k):
        self.k = k

    def step(self, v):
        return self.k * v * v


@row("bound method under a name")
def bound_method(x):
    scaled = Scaled(x[0])
    step = scaled.step
    return step(x[1]) * step(x[2])


@row("bound method handed to `map`")
def bound_method_mapped(x):
    scaled = Scaled(x[0])
    return sum(map(scaled.step, x))


@row("keywords out of a dictionary, `np.sum(x, **options)`")
def keywords_of_options(x):
    options = {"axis": 0, "keepdims": True}
    return np.sum(np.sum(np.outer(x, x), **options) * x)


@row("lambdas with defaults in a list")
def lambdas_with_defaults(x):
    powers = [lambda t, k=k: t**k for k in (1, 2, 3)]
    return sum(p(x[0]) for p in powers)


@functools.singledispatch
def _size(v):
    return v * v


@_size.register
def _(v: np.ndarray):
    return np.sum(v * v)


@row("`functools.singledispatch`")
def dispatched(x):
    return _size(x) * _size(x[0])


@row("generator asked by `next` several times")
def asked_by_next(x):
    def squares():
        for v in x:
            yield v * v

    g = squares()
    return next(g) * next(g)


@row("generator that is sent values")
def sent_values(x):
    def mean():
        total, n, result = 0.0, 0, 0.0
        while True:
            v = yield result
            total, n = total + v * v, n + 1
            result = total / n

    g = mean()
    next(g)
    return g.send(x[0]) * g.send(x[1])


TABLE = [one_square, np.sin, lambda v: 2.0 * v]
STEPS = ((np.tanh, 0.5), (one_square, 2.0))


@row("functions in a global list, looped over")
def table_from_outside(x):
    s = 0.0
    for f in TABLE:
        s += f(x[0])
    return s


@row("functions and values together: `zip(x, functions)`")
def basis_functions(x):
    return sum(c * f(x[0]) for c, f in zip(x, TABLE))


@row("functions and numbers in pairs, looped over")
def layers(x):
    for f, w in STEPS:
        x = f(w * x)
    return np.sum(x)


@row("generator expression asked by `next`")
def asked_expression(x):
    squares = (v * v for v in x)
    first = next(squares)
    return first * next(squares) + x[0]


@row("generator function that local functions go through")
def shared_generator(x):
    def terms(n):
        for i in range(n):
            yield x[i] * x[i]

    def total(n):
        return sum(terms(n))

    return total(2) * total(3)


def _in_turn(fs, z):
    for f in fs:
        z = f(z)
    return z


def _in_each(z, *fs):
    return sum(np.sum(f(z)) for f in fs)


@row("list or tuple of functions as an argument")
def functions_handed_on(x):
    k = x[0]
    return np.sum(_in_turn([np.sin, one_square], x) * _in_turn((np.tanh, lambda v: k * v), x))


@row("functions in `*args`")
def functions_as_arguments(x):
    return _in_each(x, np.sin, one_square) * x[0]


def _powers(x, count, signed=False):
    v = x
    for _ in range(count):
        v = v * x
    return -v if signed else v


@row("flags and small integers as arguments")
def flags(x):
    return np.sum(_powers(x, 2) * _powers(x, 3, signed=True))


@row("classes asked for by name: `type(v).__name__`, `hasattr(v, ...)`")
def named_classes(x):
    a = x[0]
    if type(a).__name__ == "Symbol" or hasattr(a, "free_symbols"):
        import sympy as sp

        sin = sp.sin
    else:
        sin = np.sin
    return sin(a) * x[1]


@row("one name for one closure or another (`f = lambda v: k * v` or `partial(g, c)`)")
def closure_by_branch(x):
    k = x[1] * 2.0
    if x[0] > 0.5:
        scale = lambda v: k * v  # noqa: E731 - that is the row
    else:
        scale = functools.partial(np.multiply, x[2])
    return np.sum(scale(x)) * k


@row("`ad.tree.map` with a lambda that captures")
def tree_map_that_captures(x):
    k = x[0] * x[1]
    halves = ad.tree.map(lambda v: v * k, {"a": x[:2], "b": x[2]})
    return np.sum(halves["a"]) * halves["b"]


class _Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    def energy(self, v):
        return 0.5 * self.stiffness * np.sum(v * v)

    def force(self, v):
        return ad.grad(self.energy)(v)


_SPRING = _Spring(3.0)


@row("`ad.grad(self.energy)` inside a method")
def derivative_of_a_method(x):
    return np.sum(_SPRING.force(x * x) * x)


class _Well:
    def __init__(self, depth):
        self.depth = depth

    def __call__(self, v):
        return self.depth * np.sum(v**4)


@row("`ad.grad(well)` of an object that is called")
def derivative_of_an_object(x):
    well = _Well(x[0])
    return np.sum(ad.grad(well)(x) * x)


@row("import inside a function (`import config`, `from config import K`)")
def imported_inside(x):
    from tests.features.model import X as START

    return np.sum(x * START) * START[0]
