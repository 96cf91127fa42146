"""Closures that live on while a variable that they see is bound again: they see the new value."""

# ruff: noqa: B007, B020, B023, C408 -- what these warn of is what is tried here

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.2])


def apply(fn, v):
    return fn(v)


def bound_twice_before(x, k):
    x = x * 2
    k = k + 1.0
    fs = [np.sin, lambda q: q * x[0] * k]
    return np.sum(fs[1](x)) + apply(lambda v: v * k, x[1])


def bound_under_a_branch_before(x, k):
    if k > 0:
        k = k * x[1]

    def g(v):
        return v * k

    return np.sum(apply(g, x))


def bound_in_the_same_loop(x, k):
    s = 0.0
    for _ in range(3):
        k = k * 1.5
        fs = [lambda v: v * k]
        s = s + np.sum(apply(fs[0], x))
    return s


def bound_after(x, k):
    fs = [lambda v: v * k]
    k = k * 2.0
    return np.sum(apply(fs[0], x))


def bound_by_a_loop_before(x, k):
    for k in (k, 2 * k):
        pass
    fs = [lambda q: q * k]
    return np.sum(apply(fs[0], x))


def bound_in_finally(x, k):
    try:
        k = k * 2
        fs = {"a": lambda q: q * k}
    finally:
        k = k + 1
    return np.sum(apply(fs["a"], x))


def written_after(x, k):
    a = x * 1.0
    fs = [lambda q: q * a[1]]
    a[1] = k
    return np.sum(apply(fs[0], x))


def called_where_it_is_made(x, k):
    def outer():
        def inner(v):
            return v * k

        return inner(x)

    a = np.sum(outer())
    k = k * 3
    return a + np.sum(outer())


def used_up_where_it_is_made(x, k):
    def outer():
        return sum(v * k for v in x) * sorted(x, key=lambda v: -v * k)[0]

    a = outer()
    k = k * 2
    return outer() * k + a


def made_for_good(x, k):
    k = k * 2

    def make():
        return lambda v: v * k

    return np.sum(make()(x)) * k


ACCEPTED = [
    bound_twice_before,
    bound_under_a_branch_before,
    bound_in_the_same_loop,
    bound_after,
    bound_by_a_loop_before,
    written_after,
    called_where_it_is_made,
    used_up_where_it_is_made,
    made_for_good,
]


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", ACCEPTED, ids=lambda f: f.__name__)
def test_right(f, mode) -> None:
    check_grads(ad.differentiable(f, on_overwrite=mode), (X, 0.9), wrt=(0, 1))


def left_by_a_call(x, k):
    def make():
        def inner(v):
            return v * k

        return inner

    h = make()
    k = k * 3
    return np.sum(h(x))


def left_in_a_dictionary(x, k):
    made = {}

    def register(name):
        made[name] = lambda v: v * k

    register("a")
    k = k * 2
    return np.sum(made["a"](x))


def left_by_a_call_in_a_loop(x, k):
    s = 0.0
    for _ in range(2):

        def make():
            return lambda v: v * k

        h = make()
        k = k * 3
        s += np.sum(h(x))
    return s


def a_generator_that_waits(x, k):
    def terms():
        return (v * k for v in x)

    waiting = terms()
    k = k + 1
    return sum(waiting)


def left_in_a_keyword(x, k):
    def make():
        return dict(a=lambda v: v * k)

    h = make()
    k = k * 3
    return np.sum(h["a"](x))


def left_by_a_choice(x, k):
    def make():
        def f(v):
            return v * k

        return max(f, f, key=id)

    h = make()
    k = k * 3
    return np.sum(h(x))


@pytest.mark.parametrize(
    "f",
    [
        left_in_a_keyword,
        left_by_a_choice,
        bound_in_finally,
        left_by_a_call,
        left_in_a_dictionary,
        left_by_a_call_in_a_loop,
        a_generator_that_waits,
    ],
    ids=lambda f: f.__name__,
)
def test_what_a_call_leaves_behind_does_not_keep_the_value_of_that_call(f) -> None:
    try:
        check_grads(f, (X, 0.9), wrt=(0, 1))
    except ad.CompileError as refused:
        assert {d.code[:3] for d in refused.diagnostics} <= {"AD2", "AD4"}
