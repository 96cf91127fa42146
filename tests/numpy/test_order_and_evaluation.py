"""The order in which arrays lie in memory where `order=` asks for it, and that of evaluation."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.runtime.failures import MutationError
from adtrans.testing import check_grads

X = np.array([0.7, 1.3, 0.4, 0.9])


def made(x):
    a = np.zeros((2, 2))
    a[0, 0], a[0, 1] = x[0], x[1]
    return a


def a_product(x):
    b = np.multiply(made(x), 2.0, order="F")
    r = b.ravel()
    r[1] = 0.0
    return np.sum(b * b) + np.sum(r)


def a_sine(x):
    b = np.sin(made(x), order="F")
    r = b.reshape(-1)
    r *= 2.0
    return np.sum(b * b)


def clipped(x):
    b = np.clip(made(x), 0.0, 1.0, order="F")
    r = b.reshape(-1)
    r *= 2.0
    return np.sum(b * b)


@pytest.mark.parametrize("f", [a_product, a_sine, clipped])
def test_what_lies_otherwise_is_no_view(f):
    with pytest.raises(MutationError, match="AD206"):
        ad.grad(f)(X)


def in_the_usual_order(x):
    b = np.multiply(made(x), 2.0, order="C")
    r = b.ravel()
    r[1] = 0.0
    return np.sum(b * b) + np.sum(r)


def test_the_usual_order_stays_a_view():
    check_grads(in_the_usual_order, (X,))


def by_a_length(x):
    q = [x[0]]
    y = np.ones(4)
    y[len(q)] += x[2] * q.pop()
    return np.sum(y * np.arange(4.0))


def by_two_lengths(x):
    q = [1.0]
    y = np.ones((3, 3))

    def more():
        q.append(1.0)
        return x[0]

    y[len(q), len(q)] *= more()
    return np.sum(y * np.arange(9.0).reshape(3, 3))


def by_a_part(x):
    q = [x[0], x[1]]
    y = np.ones(4)
    y[len(q) - 1 : len(q) + 1] += x[2] * q.pop()
    return np.sum(y * np.arange(4.0))


@pytest.mark.parametrize("f", [by_a_length, by_two_lengths, by_a_part])
def test_places_are_computed_before_what_is_added(f):
    assert ad.vjp(ad.differentiable(f), X)[0] == f(X)
    check_grads(f, (X,))
