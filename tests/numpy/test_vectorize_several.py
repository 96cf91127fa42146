"""`np.vectorize` of functions of several results."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.3, 1.2, 0.7])


def pair(v, k=2.0):
    if v > 0.8:
        return v**2, np.sin(v) * k
    return v * 3.0, v


def counted(v):
    return v**2, 3


def integer_first(v):
    return v**2, (0 if v < 5 else v)


def unpacked(x, s):
    a, b = np.vectorize(pair)(x)
    b[0] = a[1] * s
    return a * b


def of_two(x, s):
    return np.vectorize(pair, otypes=[float, float])(x, s * x[0])[1]


def captured(x, s):
    def both(v):
        return v * s, v * x[0]

    a, b = np.vectorize(both)(x * x)
    return a * b


def with_a_count(x, s):
    a, n = np.vectorize(counted)(x)
    return a * n * s


def of_a_number(x, s):
    a, b = np.vectorize(pair)(s)
    return a * b + x


@pytest.mark.parametrize("f", [
    captured, *(pytest.param(f, marks=pytest.mark.slow) for f in
                (unpacked, of_two, with_a_count, of_a_number)),
])  # fmt: skip
def test_an_array_for_each_result(f) -> None:
    check_grads(f, (X.copy(), 0.7), wrt=(0, 1))
    value, _ = ad.vjp(f, X.copy(), 0.7)
    assert np.array_equal(value, f(X.copy(), 0.7))


@pytest.mark.slow
@pytest.mark.parametrize("f", [unpacked, captured])
def test_twice(f) -> None:
    check_grads(f, (X.copy(), 0.7), wrt=(0, 1), order=2)


def test_what_the_first_element_decides() -> None:
    def first(x):
        a, n = np.vectorize(integer_first)(x)
        return np.sum(a * n)

    check_grads(first, (X.copy(),))
    check_grads(first, (X[::-1].copy(),))
