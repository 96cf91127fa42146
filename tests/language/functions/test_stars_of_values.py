"""Stars before what is handed out one by one, and in calls of named tuples and of primitives."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.4])


class State(NamedTuple):
    pos: float
    vel: float


class Tuned(NamedTuple):
    gain: float
    bias: float = 0.5


def product(a, b):
    return a * b + a


def moved(s, d, h):
    return State(*(a + h * b for a, b in zip(s, d, strict=True)))


def generator_into_named(x):
    s = State(x[0], x[1])
    for _ in range(3):
        s = moved(s, State(s.vel, -s.pos), 0.1)
        if s.pos > 2:
            break
    return s.pos + s._replace(vel=0.0).pos * x[2]


def list_into_named(x):
    s = State(x[0], x[1])
    for _ in range(3):
        k = State(s.vel, -s.pos)
        s = State(*[a + 0.1 * (b + 2 * c) for a, b, c in zip(s, k, s, strict=True)])
    return s.pos * s.vel


def array_into_named(x):
    s = State(*x[:2] ** 2)
    return s.pos + s.vel * x[3]


def mapped(x):
    return product(*map(math.sin, [x[0], x[1]])) + product(*(v * v for v in x[:2]))


def values_of_a_dictionary(x):
    d = {"a": x[0], "b": x[1]}
    return product(*d.values()) + State(*d.values()).vel


def pairs(x):
    rows = [x[0], x[1], x[0] * x[2]]
    return sum(product(*p) for p in itertools.pairwise(rows))


def out_of_a_generator(x):
    def parts():
        yield x[0] * x[1]
        yield x[2]

    return product(*parts())


def primitives(x):
    a, b = x[:2], x[2:]
    total = np.hypot(*(a - b)) + np.arctan2(*a) + np.logaddexp(*[2 * v for v in b])
    return total + np.dot(*[a, b]) + np.hypot(*(v * v for v in b))


def largest(x):
    return max(*[v * v for v in x]) - min(*x)


PROGRAMS = [
    generator_into_named, list_into_named, array_into_named, mapped, values_of_a_dictionary,
    pairs, out_of_a_generator, primitives, largest,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f, how):
    check_grads(f, (X,), modes=("reverse", "forward"), on_overwrite=how)


@pytest.mark.parametrize("f", [generator_into_named, mapped, primitives])
def test_second_order(f):
    hessian, h = ad.hessian(f)(X), 1e-5
    gradient = ad.grad(f)
    columns = [(gradient(X + h * e) - gradient(X - h * e)) / (2 * h) for e in np.eye(X.size)]
    np.testing.assert_allclose(hessian, np.stack(columns, 1), rtol=1e-5, atol=1e-7)


def test_the_generator_is_gone_through_in_its_turn():
    """What comes later in the call sees what the generator did, and not the other way round."""

    def f(x):
        y = x.copy()

        def bump():
            y[0] = 5.0
            return y[1]

        return product(*(v for v in y[:1]), bump()) + y[0]

    check_grads(f, (X,), on_overwrite="save")
    np.testing.assert_allclose(ad.grad(f, on_overwrite="save")(X), [X[1] + 1, X[0], 0, 0])


@pytest.mark.parametrize(
    "f", [lambda x: State(*x).pos, lambda x: State(*(v for v in x)).pos], ids=["array", "generator"]
)
def test_too_many_for_a_named_tuple(f):
    with pytest.raises(TypeError):
        f(X)
    with pytest.raises(TypeError, match="4 were given"):
        ad.grad(f)(X)


def test_another_number_for_a_primitive():
    def f(x, n):
        return np.hypot(*x[:n])

    gradient = ad.grad(f)
    np.testing.assert_allclose(gradient(X, 2)[:2], X[:2] / np.hypot(*X[:2]))
    with pytest.raises(ad.DerivativeError, match="made for 2"):
        gradient(X, 1)


def test_one_argument_is_gone_through():
    """`max(*rows)` of one row is the largest of its items: refused, not taken for the row."""

    def f(x, n):
        return max(*[v * v for v in x[:n]])

    gradient = ad.grad(f)
    np.testing.assert_array_equal(gradient(X, 4), [0, 0, 2.6, 0])
    with pytest.raises(ad.DerivativeError, match="at least 2"):
        gradient(X, 1)


def test_defaults_of_named_tuples():
    def f(x):
        return Tuned(*x[:2]).bias * x[0]

    try:
        check_grads(f, (X,))
    except ad.AdtransError as error:
        assert error.diagnostics[0].code == "AD401"
