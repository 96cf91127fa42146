"""Decorators inside the function, and functions that are made by functions which are made."""

# ruff: noqa: B023 -- which value a variable of a loop has later is what is tried here

from __future__ import annotations

import functools

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.3, 0.7, 1.2])


def doubled(fn):
    @functools.wraps(fn)
    def wrapped(*args):
        return fn(*args) * 2

    return wrapped


def scaled(by):
    def deco(fn):
        def wrapped(v):
            return fn(v) * by

        return wrapped

    return deco


def by_a_function_of_the_module(x, k):
    @doubled
    def g(v):
        return v * v * k

    return np.sum(g(x))


def by_a_call(x, k):
    @scaled(k)
    def g(v):
        return v * v

    return np.sum(g(x))


def inside(x, k):
    def deco(fn):
        def wrapped(v):
            return fn(v) * k

        return wrapped

    def g(v):
        return v * v

    h = deco(g)
    return np.sum(h(x))


def called_by_hand(x, k):
    def deco(fn):
        def wrapped(v):
            return fn(v) * k

        return wrapped

    def g(v):
        return v * v * x[0]

    h = deco(g)
    return np.sum(h(x))


def a_lambda(x, k):
    h = doubled(lambda v: v * k)
    return np.sum(h(x))


def made_in_two_steps(x, k):
    h = scaled(k)(np.sin)
    return np.sum(h(x))


def twice(x, k):
    def deco(fn):
        def wrapped(v):
            return fn(v) * k

        return wrapped

    @deco
    @scaled(2.0)
    def g(v):
        return v * v * x[0]

    return np.sum(g(x))


def stars(fn):
    def wrapped(*a):
        return fn(*a) * 2

    return wrapped


def any_arguments(x, k):
    h = stars(lambda v: v * k)
    return np.sum(h(x))


def apply(f, v):
    return f(v)


def with_a_state_each(x, k):
    def mk(c):
        n = c * k

        def add(v):
            nonlocal n
            n += v * k
            return n

        return add

    a = mk(1.0)
    b = mk(x[0])
    s = 0.0
    for v in x:
        s += a(v) * b(v * v)
    return s


def three_deep(x, k):
    def mk(c):
        def one(d):
            def two(v):
                return v * c * d * k

            return two

        return one

    return np.sum(mk(x[0])(x[1])(x))


def counted(fn):
    calls = 0

    def wrapped(v):
        nonlocal calls
        calls += 1
        return fn(v) * calls

    return wrapped


def that_counts(x, k):
    @counted
    def g(v):
        return v * k

    return np.sum(g(x)) + np.sum(g(x)) * g(1.0)


def memo(fn):
    cache = {}

    def wrapped(n):
        if n not in cache:
            cache[n] = fn(n)
        return cache[n]

    return wrapped


def that_remembers(x, k):
    @memo
    def g(n):
        return x[n] * k

    return g(0) * g(1) + g(0)


def that_writes(x, k):
    a = x * 1.0

    def mk():
        def w(i, v):
            a[i] = v
            return a[i]

        return w

    w = mk()
    w(0, k)
    return np.sum(a * a)


def with_another_inside(x, k):
    def outer(p):
        q = p * k

        def inner(r):
            return apply(lambda s: s * q * r, x)

        q = q * 2
        return inner

    return np.sum(outer(x[0])(x[1]))


def in_a_list(x, k):
    def f(v):
        def g(w):
            return w * k

        k2 = g(v)
        return k2

    hs = [f, np.sin]
    k = k * 2
    return np.sum(hs[0](x))


ACCEPTED = [
    by_a_function_of_the_module,
    by_a_call,
    called_by_hand,
    a_lambda,
    made_in_two_steps,
    twice,
    any_arguments,
    inside,
    with_a_state_each,
    three_deep,
    that_counts,
    that_remembers,
    that_writes,
    with_another_inside,
    in_a_list,
]


@pytest.mark.parametrize("f", ACCEPTED, ids=lambda f: f.__name__)
def test_right(f) -> None:
    check_grads(f, (X, 0.9), wrt=(0, 1))


def shared_by_two_that_a_call_made(x, k):
    total = 0.0

    def mk():
        def add(v):
            nonlocal total
            total += v * k
            return total

        return add

    a = mk()
    b = mk()
    for v in x:
        a(v)
        b(v * v)
    return total**2


def bound_by_the_middle_one(x, k):
    def mk(c):
        def one(d):
            nonlocal c
            c = c * d

            def two(v):
                return v * c * d * k

            return two

        return one

    o = mk(x[0])
    a = o(2.0)
    b = o(3.0)
    return np.sum(a(x) * b(x))


def in_a_list_that_grows(x, k):
    hs = []
    for i in range(2):

        def f(v):
            def g(w):
                return w * k * (i + 1)

            return g(v)

        hs.append(f)
    return sum(np.sum(h(x)) for h in hs)


def bound_after(x, k):
    def deco(fn):
        def wrapped(v):
            return fn(v) * k

        return wrapped

    @deco
    def g(v):
        return v * v * x[0]

    k = k * 2
    return np.sum(g(x))


def that_calls_itself(x, k):
    def deco(fn):
        def wrapped(n):
            return fn(n) * k

        return wrapped

    @deco
    def g(n):
        return x[0] if n == 0 else g(n - 1) * x[1]

    return g(3)


REFUSED = [
    shared_by_two_that_a_call_made, bound_by_the_middle_one, in_a_list_that_grows, bound_after,
    that_calls_itself,
]  # fmt: skip


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_right_or_refused(f) -> None:
    try:
        check_grads(f, (X, 0.9), wrt=(0, 1))
    except ad.CompileError as refused:
        assert {d.code[:3] for d in refused.diagnostics} <= {"AD2", "AD4"}


def named(fn):
    def wrapped(v):
        return fn(v) * len(fn.__name__)

    return wrapped


def looks_at_the_name(x):
    @named
    def g(v):
        return v * v

    return np.sum(g(x))


def test_a_decorator_that_looks_at_the_name_is_given_the_function_itself() -> None:
    try:
        check_grads(looks_at_the_name, (X,))
    except ad.CompileError as refused:
        assert {d.code[:3] for d in refused.diagnostics} <= {"AD2", "AD4"}
