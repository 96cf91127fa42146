"""Functions that keep values in defaults, several made of one."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3, 0.7])


def picked(x):
    fs = [lambda t, k=k: k * t * t for k in range(3)]
    return fs[1](x[0]) + fs[2](x[1])


def looped_over(x):
    fs = [lambda t, k=k, n=2: k * t**n * x[3] for k in range(3)]
    return sum(f(x[0]) for f in fs)


def appended(x):
    fs, total = [], 0.0
    for k in range(3):
        fs.append(lambda t, k=k: k * t * t)
    for f in fs:
        total += f(x[1])
    return total


def keeping_what_varies(x):
    fs = [lambda t, a=a: a * t * x[3] for a in x]
    return fs[0](x[1]) * fs[2](2.0)


def in_a_dictionary(x):
    fs = {}
    for i, v in enumerate(x):
        fs[i] = lambda t, v=v: v * t
    more = {k: (lambda t, k=k: k * t) for k in (1, 2)}
    return fs[0](x[1]) * fs[3](2.0) + more[2](x[0])


def keeping_an_array(x):
    y = x.copy()
    fs = [lambda t, y=y, k=k: t * y[k] for k in range(2)]
    y[0] = x[2] ** 2
    return fs[0](x[0]) + fs[1](x[1])


def together(x):
    fs = [lambda t, k=k: k * t * t for k in range(4)]
    return sum(f(v) for f, v in zip(fs, x))  # noqa: B905


def defined_in_a_loop(x):
    fs = []
    for k in range(3):
        w = x[k] * 2.0

        def f(t, k=k, *, w=w, n=2):
            y = t**n
            for _ in range(k):
                y = y * w
            return y

        fs.append(f)
    return sum(f(v) for f, v in zip(fs, x))  # noqa: B905


def defined_in_branches_of_nested_loops(x):
    fs = {}
    for i in range(2):
        for j in range(2):
            if i == j:
                def f(t, a=x[i]):
                    return a * t
            else:
                def f(t, a=x[i], b=x[j]):
                    return a * b * t
            fs[i, j] = f
    return fs[0, 0](x[1]) + fs[1, 1](x[0]) * fs[0, 1](x[3])


FOLLOWED = [
    picked,
    looped_over,
    appended,
    keeping_what_varies,
    in_a_dictionary,
    keeping_an_array,
    together,
    defined_in_a_loop,
    defined_in_branches_of_nested_loops,
]


@pytest.mark.parametrize("f", FOLLOWED)
def test_lambdas_that_keep_values_are_followed(f):
    saving = ad.differentiable(f, on_overwrite="save")
    check_grads(saving, (X,), modes=("reverse", "forward"))
    assert ad.vjp(saving, X)[0] == f(X)


def passing_another_value(x):
    fs = [lambda t, k=k: k * t for k in range(3)]
    return fs[1](x[0], 5.0) + fs[2](x[1])


def passing_another_value_before_a_literal(x):
    fs = [lambda t, k=k, n=2: k * t**n for k in range(3)]
    return fs[1](x[0], 3) * fs[2](x[1])


def passing_another_value_to_a_definition(x):
    fs = []
    for a in x:

        def f(t, a=a, n=2):
            return a * t**n

        fs.append(f)
    return fs[1](x[0], 3) * fs[2](x[1])


def sees_a_variable_of_the_comprehension(x):
    fs = [lambda t, k=k: k * t + j for k in range(2) for j in (1.0, 2.0)]  # noqa: B023
    return fs[0](x[0]) + fs[3](x[1])


def sees_a_variable_that_is_bound_later(x):
    a = x[0]
    fs = [lambda t, k=k: k * t * a for k in range(3)]
    a = x[1]
    return fs[1](x[0]) + fs[2](x[1])


@pytest.mark.parametrize(
    "f",
    [
        passing_another_value,
        passing_another_value_before_a_literal,
        passing_another_value_to_a_definition,
        sees_a_variable_of_the_comprehension,
        sees_a_variable_that_is_bound_later,
    ],
)
def test_what_differs_for_them_is_refused_or_right(f):
    try:
        check_grads(f, (X,), modes=("reverse", "forward"))
    except ad.CompileError:
        return
    assert ad.vjp(f, X)[0] == f(X)
