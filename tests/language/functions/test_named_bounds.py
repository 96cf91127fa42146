"""Slices with a name select what their bounds were when they were made."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4, 0.9])


class Box:
    def __init__(self):
        self.n = 1


def an_attribute(x):
    box = Box()
    s = slice(0, box.n)
    box.n = 3
    return np.sum(x[s] ** 2)


def an_item(x):
    n = [1]
    s = np.s_[: n[0]]
    n[0] = 3
    return np.sum(x[s] ** 2)


def a_length(x):
    q = [1.0]
    s = np.s_[: len(q)]
    q.append(2.0)
    return np.sum(x[s] ** 2)


def bound_again(x):
    n = len(x) - 2
    s = slice(0, n)
    n = n + 2
    return np.sum(x[s] ** 2) + x[n - 1]


def beside_a_number(x):
    n = [1]
    s = np.s_[: n[0], 0]
    n[0] = 3
    return np.sum(x.reshape(2, 2)[s] ** 2)


def in_a_tuple(x):
    n = [1]
    s = (slice(0, n[0]), slice(None, int(n[0] * 2)))
    n[0] = 3
    y = np.zeros((2, 2))
    y[s] = x.reshape(2, 2)[s] ** 2
    return np.sum(y * np.arange(4.0).reshape(2, 2))


def of_the_shape(x):
    s = np.s_[1 : x.shape[0] - 1]
    x = x[1:] * 2.0
    return np.sum(x[s] ** 2)


def by_the_turn(x):
    t, n = 0.0, [1]
    for i in range(2):
        s = slice(i, i + n[0])
        n[0] = 2
        t = t + np.sum(x[s] ** 2)
    return t


def spread_out(x):
    b = (1, 3)
    s = slice(*b)
    y = np.zeros(4)
    y[s] = x[s] ** 2
    return np.sum(y) + np.sum(x[slice(*b)] ** 3)


BOUNDS = [
    an_attribute, an_item, a_length, bound_again, beside_a_number, in_a_tuple, of_the_shape,
    by_the_turn, spread_out,
]  # fmt: skip


@pytest.mark.parametrize("f", BOUNDS)
def test_bounds_are_those_of_the_place(f):
    assert ad.vjp(ad.differentiable(f), X)[0] == f(X)
    check_grads(f, (X,))


def test_what_never_changes_is_written_out():
    def inner(x, n):
        s = np.s_[1 : n - 1]
        y = np.zeros(len(x))
        y[s] = x[s] ** 2
        return np.sum(y)

    assert "x_bar[1:n - 1]" in ad.differentiable(inner).source_for(X, 4)
