"""Functions under `functools.cache`: what they return is shared between calls, and what they do
besides is done once."""

from __future__ import annotations

import copy
import functools

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.9, 1.3, 0.4, 1.1])
CALLS = [0]
COUNT = 0


class Config:
    def __init__(self, n):
        self.n = n
        self.w = np.ones(4) * n


@functools.cache
def nodes(n):
    return np.polynomial.legendre.leggauss(n)


@functools.cache
def ones(n):
    return np.ones(n)


@functools.cache
def numbers(n):
    return [1.0, 2.0, float(n)]


@functools.cache
def table(n):
    return {"a": 1.0, "b": np.ones(4) * n}


@functools.cache
def config(n):
    return Config(n)


@functools.cache
def powers(t):
    return np.array([1.0, t, t * t])


@functools.cache
def scaling(n):
    return lambda v: v * n


@functools.cache
def counted(n):
    CALLS[0] += 1
    return n * 2.0


@functools.cache
def counted_by_name(n):
    global COUNT
    COUNT += 1
    return n * 2.0


@functools.cache
def counted_square(v):
    CALLS[0] += 1
    return v * v


@functools.cache
def printed(v):
    print("computed")
    return v * v


@functools.cache
def drawn(v):
    return v * np.random.rand()


def clear():
    global COUNT
    CALLS[0] = COUNT = 0
    for f in (nodes, ones, numbers, table, config, powers, scaling, counted, counted_by_name,
              counted_square, printed, drawn):  # fmt: skip
        f.cache_clear()


def quadrature(x):
    z, w = nodes(3)
    return np.sum(w * np.sin(z * x[0]))


def of_a_list(x):
    return sum(a * b for a, b in zip(numbers(3), x, strict=False))


def of_a_table(x):
    return table(3)["a"] * x[0] + np.sum(table(3)["b"] * x)


def of_an_object(x):
    c = config(3)
    return c.n * x[0] + np.sum(c.w * x)


def of_the_argument(x):
    return np.sum(powers(x[0]) * powers(x[1]) * powers(x[0]))


def of_a_function(x):
    return np.sum(scaling(3.0)(x))


def copied(x):
    b = ones(4).copy()
    b *= x
    values = copy.deepcopy(numbers(3))
    values.append(x[0])
    return np.sum(b * x) * sum(values) * sum(numbers(3))


def counts(x):
    return x[0] * counted(1) + x[1] * counted(1) * CALLS[0]


def counts_by_name(x):
    return x[0] * counted_by_name(1) + x[1] * counted_by_name(1) * COUNT


READ = [quadrature, of_a_list, of_a_table, of_an_object, of_the_argument, of_a_function, copied]


@pytest.mark.parametrize("f", READ, ids=lambda f: f.__name__)
def test_what_is_only_read(f):
    clear()
    for options in ({}, {"on_overwrite": "save"}):
        check_grads(f, (X,), **options)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [counts, counts_by_name], ids=lambda f: f.__name__)
def test_effects_happen_once(f):
    clear()
    expected = f(X)
    for run in (lambda: ad.vjp(f, X)[0], lambda: ad.jvp(f, (X,), (X,))[0]):
        clear()
        assert run() == expected
        assert CALLS[0] + COUNT == 1
    clear()
    np.testing.assert_allclose(ad.grad(f)(X), [2.0, 2.0, 0.0, 0.0])


def array(x):
    b = ones(4)
    b[:] = x * x
    return np.sum(ones(4))


def view(x):
    b = ones(4)[1:]
    b[:] = x[1:]
    return np.sum(ones(4))


def made():
    return ones(4)


def of_a_callee(x):
    u = made()
    s = np.sum(u * x)
    v = made()
    v += 1.0
    return s


def of_a_tuple(x):
    z, _ = nodes(4)
    z *= 2.0
    return np.sum(nodes(4)[0] * x)


def fill(a, x):
    a[:] = x


def in_a_callee(x):
    fill(ones(4), x * x)
    return np.sum(ones(4) * x)


def in_a_list(x):
    held = []
    held.append(ones(4))
    held[0][:] = x
    return np.sum(ones(4))


def appended(x):
    numbers(3).append(x[0])
    return sum(numbers(3))


def item(x):
    table(3)["a"] = x[0]
    return table(3)["a"] * 2.0


def attribute(x):
    config(2).n = x[0]
    return config(2).n * x[1]


def array_in_an_attribute(x):
    config(2).w[:] = x * x
    return np.sum(config(2).w)


def held_in_an_object(x):
    outer = Config(1)
    outer.w = config(2)
    outer.w.n = x[0]
    return config(2).n * x[1]


def found():
    return config(2)


def returned(x):
    found().n = x[0]
    return found().n * x[1]


def by_argument(x):
    b = powers(x[0])
    b *= 2.0
    return np.sum(powers(x[0]) * b)


WRITTEN = [
    array, view, of_a_callee, of_a_tuple, in_a_callee, in_a_list, appended, item, attribute,
    array_in_an_attribute, held_in_an_object, returned, by_argument,
]  # fmt: skip
ACTING = [counted_square, printed, drawn]


@pytest.mark.parametrize("f", WRITTEN, ids=lambda f: f.__name__)
def test_what_is_written_is_an_error(f):
    for run in (lambda: ad.vjp(f, X), lambda: ad.jvp(f, (X,), (X,))):
        clear()
        with pytest.raises(CompileError) as error:
            run()
        assert {d.code for d in error.value.diagnostics} <= {"AD201", "AD203", "AD302", "AD401"}


@pytest.mark.parametrize("helper", ACTING, ids=lambda f: f.__name__)
def test_effects_of_what_is_followed_are_an_error(helper):
    def twice(x):
        return helper(x[0]) + helper(x[0]) * CALLS[0]

    for run in (lambda: ad.vjp(twice, X), lambda: ad.jvp(twice, (X,), (X,))):
        clear()
        with pytest.raises(CompileError):
            run()
        assert CALLS[0] == 0


@functools.cache
def squared(v):
    return v * v


def test_what_cannot_be_looked_up_in_a_cache():
    for f in (lambda x: np.sum(squared(x)), lambda x: sum(squared([x[0]]))):
        with pytest.raises(CompileError, match="AD201"):
            ad.grad(f)(X)


FACTOR = 2.0
FACTORS = [2.0]


@functools.cache
def scaled(v):
    return FACTOR * v


@functools.cache
def scaled_by_an_item(v):
    return FACTORS[0] * v


def captured(factor):
    @functools.cache
    def inner(v):
        return factor * v

    return inner


@pytest.mark.parametrize("fn", [scaled, scaled_by_an_item, captured(2.0)])
def test_what_was_computed_of_something_else_is_refused(fn):
    with pytest.raises(CompileError, match=r"AD201.*cached function that reads"):
        ad.grad(lambda v: fn(v) * v)(3.0)
    assert ad.grad(lambda v: fn(3.0) * v)(3.0) == 6.0


def american(s0, k, p, n):
    known = {}

    def value(i, j):
        if (i, j) not in known:
            payoff = max(k - s0 * 1.1 ** (2 * j - i), 0.0)
            later = 0.0
            if i < n:
                later = 0.98 * (p * value(i + 1, j + 1) + (1 - p) * value(i + 1, j))
            known[(i, j)] = max(payoff, later)
        return known[(i, j)]

    return value(0, 0)


def test_a_recursion_that_remembers_the_larger_of_two():
    check_grads(american, (1.0, 1.05, 0.55, 4), wrt=(0, 1, 2))


def larger_of(s, n):
    return s if n == 0 else max(0.3 * s, 0.98 * larger_of(s * s, n - 1))


def test_the_larger_of_a_number_and_what_a_recursion_gives_is_a_number():
    check_grads(larger_of, (0.9, 3))
