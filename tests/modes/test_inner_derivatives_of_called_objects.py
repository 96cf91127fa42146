"""Derivatives inside a function, of objects that are called, in comprehensions too."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

ARGS = (np.array([0.5, 0.7, 1.2]), np.array([0.3, 0.2, 0.9]))


class Called:
    def __init__(self, k, w):
        self.k, self.w = k, w

    def __call__(self, z, c=2.0):
        return np.sum(self.k * z**3 + np.sin(c * self.w * z))


class Layer:
    def __init__(self, W):
        self.W, self.act = W, np.tanh

    def __call__(self, z):
        return self.act(self.W * z)


FIXED = Called(2.0, np.array([0.4, 0.1, 0.2]))


def of_a_variable(x, w):
    s = Called(x[0], w)
    return np.sum(ad.grad(s)(x) ** 2) * s(x)


def kept(x, w):
    s = Called(2.0, w)
    g = ad.grad(s)
    for _ in range(2):
        x = x - 0.1 * g(x)
    return np.sum(x)


def changed_in_between(x, w):
    s = Called(x[0], w)
    g = ad.grad(s)
    a = g(x)
    s.k = w[1]
    return np.sum(a * g(x))


def in_modes(x, w):
    s = Called(x[0], w)
    value, slope = ad.jvp(s, (x,), (w * x,))
    _, back = ad.vjp(s, x)
    return value * slope + np.sum(back(1.0)[0] ** 2)


def matrices(x, w):
    layer = Layer(w)
    y, line = ad.linearize(layer, x)
    return np.sum(ad.jacobian(layer)(x) ** 2) + np.sum(y * line(w * x))


def of_a_global(x, w):
    return np.sum(ad.grad(FIXED)(x) * w)


def one_after_the_other(x, w):
    total = 0.0
    for s in [Called(x[0], w), Called(2.0, x)]:
        total += np.sum(ad.grad(s)(x) * w)
    first = [Called(x[1], w), Called(3.0, x)][0]
    return total + np.sum(ad.grad(first)(w))


def in_comprehensions(x, w):
    parts = {"a": Called(x[0], w), "b": Called(w[1], x)}
    return sum(np.sum(ad.grad(p)(x)) for _, p in parts.items())


def of_lambdas_in_comprehensions(x, w):
    along = sum(ad.jvp(lambda z: np.sum(z**2 * v), (x,), (w,))[1] for v in w if v > 0.25)  # noqa: B023
    return along + sum(ad.grad(lambda z: v * w[0] * z**3)(v) for v in w)  # noqa: B023


def of_lambdas_in_several(x, w):
    k = 7.0
    found = [
        ad.grad(lambda z: np.sum(k * j * w * z**2))(x * k)  # noqa: B023
        for j in (1, 2)
        for k in (2, 3)
    ]
    twice = sum(ad.grad(ad.grad(lambda z: v * z**3))(x[0]) for v in w)  # noqa: B023
    return np.sum(found[1] * found[3]) * k + twice


def of_what_comprehensions_bind_otherwise(x, w):
    s = 1.0
    later = (ad.grad(lambda z: k * s * z**2)(x[0]) for k in w)  # noqa: B023
    s = x[1]
    total = sum(later)
    inside = [ad.grad(lambda z: t * z**2)(x[0]) for k in w if (t := k * x[1]) > 0.0]
    again = [ad.grad(lambda z: np.sum(y * z**2))(x) for y in [w, x] for y in [y * 2.0]]  # noqa: B023
    return total + sum(inside) + np.sum(again[1])


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [kept, of_a_global, of_lambdas_in_comprehensions], ids=lambda f: f.__name__
)
def test_it_is_differentiated_once_more(f) -> None:
    check_grads(f, ARGS)


@pytest.mark.slow
@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [of_a_variable, changed_in_between, in_modes, matrices, one_after_the_other, in_comprehensions,
     of_lambdas_in_several, of_what_comprehensions_bind_otherwise],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_it_is_differentiated_once_more_in_other_ways(f) -> None:
    check_grads(f, ARGS)


def test_a_name_that_may_mean_another_object_later_is_not_taken() -> None:
    def f(x, w):
        total = 0.0
        for k in range(3):
            s = Called(x[k], w)
            if k == 0:
                g = ad.grad(s)
            total += np.sum(g(x))
        return total

    with pytest.raises(CompileError):
        ad.grad(f)(*ARGS)
