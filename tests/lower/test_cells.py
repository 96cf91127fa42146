"""Closures that are handed on while they bind variables of the function around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.7, 1.3, 0.4, 0.9])


def smoother(alpha):
    state = 0.0

    def step(v):
        nonlocal state
        state = alpha * state + (1 - alpha) * v
        return state

    return step


def made_elsewhere(x):
    f = smoother(x[0])
    return sum(f(v) ** 2 for v in x)


def two_with_variables_of_their_own(x):
    f, g = smoother(x[0]), smoother(x[1])
    s = 0.0
    for v in x:
        s += f(v) * g(v)
    return s


def one_in_each_turn(x):
    s = 0.0
    for k in range(3):
        f = smoother(x[k])
        s += f(x[0]) * f(x[1])
    return s


def in_a_list(x):
    steps = [smoother(0.5), smoother(x[0])]
    s = 0.0
    for v in x:
        for f in steps:
            s += f(v) ** 2
    return s


def pair(val):
    def scale(k):
        nonlocal val
        val = val * k

    def get():
        return val

    return scale, get


def two_that_share_a_variable(x):
    scale, get = pair(x)
    s = np.sum(get() ** 2)
    scale(x[1])
    return s + np.sum(get() ** 3)


def late_in_a_list(x):
    fs = []
    for k in range(3):
        fs.append(lambda z: z ** (k + 1))  # noqa: B023
    return sum(f(v) for f, v in zip(fs, x))  # noqa: B905


def late_what_varies(x):
    fs, s = {}, 0.0
    for name, a in zip("uv", x):  # noqa: B905
        w = a * a

        def f(z):
            return z * w * len(name) + a  # noqa: B023

        fs[name] = f
        s += fs["u"](x[3])
    return s * fs["u"](x[2]) + fs["v"](1.5)


def late_and_changed_in_between(x):
    fs = []
    for i in range(4):
        if i % 2:
            c = x[i]
            fs.append(lambda z: np.sin(c * z))  # noqa: B023
    return fs[0](x[0]) + 2.0 * fs[1](x[2])


def twice(f, v):
    return f(f(v))


def bound_again_behind_it(x):
    k = x[0]
    g = lambda v: v * k  # noqa: E731
    first = twice(g, x[1])
    k = x[2]
    return first + twice(g, x[1])


def walk(visit, x, lo, hi):
    if hi - lo == 1:
        visit(x[lo])
        return
    mid = (lo + hi) // 2
    walk(visit, x, lo, mid)
    walk(visit, x, mid, hi)


def handed_to_a_recursion(x):
    total = 0.0

    def visit(v):
        nonlocal total
        total += v * v

    walk(visit, x, 0, 4)
    return total * x[0]


def ring(n):
    buf, pos = np.zeros(n), 0

    def push(v):
        nonlocal pos
        buf[pos % n] = v
        pos += 1
        return np.sum(2.0 * buf)

    return push


def array_and_position(x):
    push = ring(3)
    s = 0.0
    for v in x:
        s += push(v * v)
    return s


def accumulator(acc):
    def step(v):
        nonlocal acc
        acc += v
        return np.sum(acc)

    return step


def array_of_the_caller(x):
    y = 2.0 * x
    step = accumulator(y)
    a = step(x[1]) * step(x[2])
    return a * y[0]


def bound_in_pairs(x):
    a, b = x[0], x[1]

    def swap(v):
        nonlocal a, b
        a, b = b * v, a
        return a - b

    return call(swap, x[2]) * call(swap, x[3]) + a * b


def call(f, v):
    return f(v)


PROGRAMS = [
    made_elsewhere, two_with_variables_of_their_own, one_in_each_turn, in_a_list,
    two_that_share_a_variable, bound_again_behind_it, handed_to_a_recursion, array_and_position,
    array_of_the_caller, bound_in_pairs, late_in_a_list, late_what_varies,
    late_and_changed_in_between,
]  # fmt: skip


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_such_closures_are_followed(f: Callable[..., Any], mode: str) -> None:
    check_grads(f, (X,), on_overwrite=mode)


def test_a_second_derivative() -> None:
    check_grads(made_elsewhere, (X,), order=2)
