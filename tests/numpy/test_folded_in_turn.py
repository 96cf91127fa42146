"""`reduce`, `max` with a default and `np.atleast_1d`: what they are given is evaluated in turn."""

from functools import reduce

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def joined(a, b):
    return a * b + a


def first_value_before(x):
    y = [x[0], x[1], x[2]]
    return reduce(lambda a, b: a * b + a, (y.pop() * 2 for _ in range(2)), y[-1])


def first_value_of_a_name(x):
    k = 1.0
    return reduce(lambda a, b: a * b + a, ((k := v * k) for v in x), k)


def first_value_computed(x):
    return reduce(joined, (v * v for v in x * x[0]), np.sin(x[0] * x[1]))


def default_that_fails(x):
    try:
        return max((v for v in x if v > 0.0), default=x[10])
    except IndexError:
        return x[0] * x[0]


def default_of_a_generator(x):
    return max((v * x[1] for v in x if v > 100.0), default=x[1] * x[2])


def default_of_a_list(x):
    return max([joined(v, x[1]) for v in x if v > 0.0], default=x[1] * x[2])


def shown_before(x):
    s = [x[0], x[1]]
    a, b = np.atleast_1d(s[-1], s.pop())
    return np.sum(a) * np.sum(b) * len(s)


def scaled_meanwhile(x):
    s = [x[0]]

    def bump():
        s[0] = s[0] * 3
        return x[1]

    a, b = np.atleast_1d(s, bump())
    return np.sum(a) * np.sum(b)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [first_value_before, first_value_of_a_name, first_value_computed, default_that_fails,
     default_of_a_generator, default_of_a_list, shown_before, scaled_meanwhile],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_values_and_gradients(f):
    assert ad.value_and_grad(f)(X)[0] == f(X)
    assert ad.jvp(f, (X,), (np.ones(4),))[0] == f(X)
    check_grads(f, (X,))


def printing(x):
    return reduce(joined, (said(v) for v in x), said(x[2]))


def said(v):
    print(v)
    return v


def test_what_is_printed(capsys):
    printing(X)
    wanted = capsys.readouterr().out
    try:
        ad.grad(printing)(X)
    except ad.CompileError:
        return
    assert capsys.readouterr().out == wanted
