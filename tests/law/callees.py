"""Programs whose callees write, return views and aliases, recur, and take defaults."""

from __future__ import annotations

import numpy as np

from tests.law.case import collect

program, PROGRAMS = collect()

VECTOR = np.array([0.6, 0.9, 1.3, 0.7])


def two(x):
    return (x * x, np.sin(x))


def scale_and_shift(a, k=2.0, *, m=1.0):
    a[0] *= k
    a[1:] += m
    return a[1:]


def wr(a):
    a[0] = a[1] * a[2]


def ret(a):
    return a


def retv(a):
    return a[1:]


def both(a, b):
    return (b, a)


def maybe(a, f):
    if f:
        return a
    return a * 1.0


def wr2(a, b):
    a[0] = b[1] * 2.0
    b[2] = a[0] * 3.0


def default(a, b=[1.0, 2.0], c=None):
    if c is None:
        c = a
    return c * b[1]


def accum(a, out):
    for i in range(len(a)):
        out[i] += a[i] ** 2
    return out


def rec(a, i):
    if i >= len(a):
        return
    a[i] = a[i] * a[i - 1]
    rec(a, i + 1)


def swap(a, b):
    return (b, a)


def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)


def even(s, n):
    return s if n == 0 else odd(s * s, n - 1)


def odd(s, n):
    return 1.0 * s if n == 0 else even(s + 1, n - 1)


@program(1.3, 4)
def recursive_number(s, n):
    if n == 0:
        return 1.0
    return s * recursive_number(s, n - 1) + n


@program(VECTOR)
def one_result_unused(x):
    a, b = two(x)
    return a * 2.0


@program(VECTOR, may_refuse=("refuse", "save"))
def view_returned_and_written(x):
    y = x * 1.0
    v = scale_and_shift(y, m=3.0)
    v[0] = x[0]
    return y * y


@program(VECTOR, 0.4, may_refuse=("refuse", "save"))
def keywords_and_defaults(x, w=0.2):
    y = x * 1.0
    scale_and_shift(y, k=w)
    scale_and_shift(a=y, m=w)
    return y


@program(VECTOR, may_refuse=("refuse", "save"))
def written_twice(x):
    y = x * 1.0
    wr(y)
    wr(y)
    return y


@program(VECTOR)
def alias_returned(x):
    y = x * 1.0
    z = ret(y)
    wr(z)
    return y * 2.0


@program(VECTOR, may_refuse=("refuse", "save"))
def view_returned(x):
    y = x * 1.0
    z = retv(y)
    wr(z)
    return y * 2.0


@program(VECTOR, may_refuse=("refuse", "save"))
def aliases_exchanged(x):
    y = x * 1.0
    a, b = both(y, x)
    a = a * 2.0
    wr(b)
    return y * a


@program(VECTOR)
def argument_or_copy(x):
    y = x * 1.0
    z = maybe(y, x[0] > 0.5)
    return z * y


@program(VECTOR, may_refuse=("refuse", "save"))
def argument_for_sure(x):
    y = x * 1.0
    z = maybe(y, True)
    z[0] = 2.0 * x[1]
    return np.sum(y)


@program(VECTOR, may_refuse=("refuse", "save"))
def one_array_for_two(x):
    y = x * 1.0
    wr2(y, y)
    return y


@program(VECTOR, may_refuse=("refuse", "save"))
def overlapping_parts(x):
    y = x * 1.0
    wr2(y[:3], y[1:])
    return y


@program(VECTOR)
def optional_argument(x):
    return default(x) * default(x, [2.0, 3.0]) + default(x, c=x * x)


@program(VECTOR, may_refuse=("refuse", "save"))
def accumulated(x):
    out = np.zeros(4)
    accum(x, out)
    accum(out, out)
    return out


@program(VECTOR)
def accumulated_in_fresh(x):
    return accum(x, np.zeros(4)) * accum(x, np.ones(4))


@program(VECTOR)
def recursive_writes(x):
    y = x * 1.0
    rec(y, 0)
    return y


@program(VECTOR)
def exchanged_in_a_loop(x):
    a, b = (x * 1.0, x * 2.0)
    for i in range(3):
        a, b = swap(a, b)
        a = a * b
    return a


@program(VECTOR)
def integer_recursion(x):
    return x * fact(4)


@program(1.1)
def mutual_recursion(s):
    return even(s, 5)


@program(VECTOR)
def argument_of_mine(x):
    wr(x)
    return np.sum(x * x)


@program(VECTOR, VECTOR * 2)
def both_arguments(x, b):
    wr2(x, b)
    return np.sum(x * b)


@program(VECTOR, may_refuse=("refuse", "save"))
def argument_rebound(x):
    wr(x)
    y = x
    x = x * 2.0
    y[3] = 7.0
    return np.sum(x)
