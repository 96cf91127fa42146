"""Functions and classes inside that are not followed: what they see and bind later is not lost."""

# ruff: noqa: UP028 -- how they give their elements is what is tried here

from __future__ import annotations

import contextlib
import functools

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads


def remembered(x):
    c = 1.0

    @functools.lru_cache
    def f(i):
        return c * i

    c = x * x
    return f(2.0)


def generator_with_try(x):
    c = 1.0

    def g():
        try:
            yield c
        finally:
            pass

    c = x * x
    return sum(g())


def generator_in_a_tuple(x):
    c = 1.0
    m = ((c * i for i in range(3)),)
    c = x * x
    return sum(m[0])


def method(x):
    c = 1.0

    class A:
        def m(self):
            return c

    o = A()
    c = x * x
    return o.m()


def lambdas_in_a_list(x):
    c = 1.0
    fs = [lambda v: v * c for i in range(3)]
    c = x * x
    return fs[0](2.0)


def bound_by_a_method(x):
    c = x * x

    class A:
        def m(self):
            nonlocal c
            c = 2.0

    A().m()
    return c * x


def bound_by_a_generator(x):
    c = x * x

    def g():
        nonlocal c
        try:
            c = 2.0
            yield 1
        finally:
            pass

    for _ in g():
        pass
    return c * x


def bound_by_a_manager(x):
    s = 1.0

    @contextlib.contextmanager
    def m(c):
        nonlocal s
        s = s * c
        yield

    with m(x):
        r = s
    return r


def bound_by_what_a_method_calls(x):
    c = 2.0

    def g():
        nonlocal c
        c = c * 2
        return 0.5

    class A:
        def __init__(self):
            self.v = g()

    a = A()
    return x * c * a.v


@pytest.mark.parametrize(
    "f",
    [
        remembered,
        generator_with_try,
        generator_in_a_tuple,
        method,
        lambdas_in_a_list,
        bound_by_a_method,
        bound_by_a_generator,
        bound_by_a_manager,
        bound_by_what_a_method_calls,
    ],
    ids=lambda f: f.__name__,
)
def test_right_or_refused(f) -> None:
    try:
        check_grads(f, (3.0,))
    except ad.CompileError as refused:
        assert {d.code for d in refused.diagnostics} <= {"AD201", "AD202", "AD203", "AD401"}


def a_constant(x):
    scale = 2.0

    @functools.lru_cache
    def weight(i):
        return scale**i

    return x * weight(3)


def a_key(x):
    best = 0.0
    for i in range(3):
        near = min([0.2, 1.1, 2.5], key=lambda t: abs(t - i))
        best = best + near * x
    return best


def counts_of_a_generator(x):
    def g(n):
        for i in range(n):
            yield i

    counts = list(g(3))
    a, b = g(2)
    return x * counts[2] + x * b + a + sum([*g(2)])


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [a_constant, a_key, counts_of_a_generator], ids=lambda f: f.__name__
)
def test_constants_may_be_seen(f) -> None:
    check_grads(f, (3.0,))


def held_back(x):
    @contextlib.contextmanager
    def m(*_):
        try:
            yield
        except ValueError:
            print(end="")

    with m():
        raise ValueError
    return x * 2.0


def test_a_manager_that_holds_an_exception_back_that_is_always_raised() -> None:
    try:
        value, pullback = ad.vjp(held_back, 3.0)
    except ad.AdtransError:
        return
    assert value == 6.0
    np.testing.assert_array_equal(pullback(1.0), [2.0])


def written_before_it_is_bound(x):
    f = [lambda: a.fill(0.5)]
    a = np.full(2, x)
    f[0]()
    return np.sum(a) * x


def filled_before_it_is_bound(x):
    f = [lambda: values.append(0.5)]
    values = []
    f[0]()
    return x * np.sin(values[0] * x)


def entered_before_it_is_bound(x):
    f = [lambda: d.update(a=0.5)]
    d = {"a": x}
    f[0]()
    return d["a"] * x


def put_into_the_dictionary_of_attributes(x):
    class P:
        def __init__(self, v):
            self.v = v

        def m(self, t):
            return self.v * t

    p = P(1.0)
    p.__dict__["v"] = x * x
    return p.m(1.0)


setting = 1.0


def set_to(v):
    global setting
    setting = v


def settings():
    yield setting


@contextlib.contextmanager
def with_setting(v):
    global setting
    setting = v
    yield
    setting = 1.0


def used():
    return setting


def a_generator_that_reads_a_global(x):
    set_to(3.0)
    r = sum(settings()) * x
    set_to(1.0)
    return r


def a_manager_that_sets_a_global(x):
    with with_setting(x * x):
        return used() * 2


@pytest.mark.parametrize(
    "f",
    [
        written_before_it_is_bound,
        filled_before_it_is_bound,
        entered_before_it_is_bound,
        put_into_the_dictionary_of_attributes,
        a_generator_that_reads_a_global,
        a_manager_that_sets_a_global,
    ],
    ids=lambda f: f.__name__,
)
def test_what_they_write_is_right_or_refused(f) -> None:
    set_to(1.0)
    try:
        check_grads(f, (3.0,))
    except ad.CompileError as refused:
        assert {d.code for d in refused.diagnostics} <= {"AD201", "AD202", "AD203", "AD401"}
