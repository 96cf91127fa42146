"""Generators inside the function that its other local functions go through."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.2])


def several_with_one(x, k):
    def terms(n):
        for j in range(n):
            yield x[j] * k

    def more(n):
        yield from terms(n)
        yield x[0]

    def total(n):
        """With a text."""
        return sum(more(n))

    def squares(n):
        s = 0.0
        for v in terms(n):
            s += v * v
        return s

    k = k * k
    s = total(2) * squares(3)
    k = x[1]
    return s + total(3) + sum(terms(2))


def counts_outside(x, k):
    c = 0.0

    def terms(n):
        nonlocal c
        for j in range(n):
            c += x[j]
            yield x[j] * k

    def total(n):
        s = 0.0
        for v in terms(n):
            s += v * c
        return s

    return total(2) + total(3) * c


def neighbours(x, k):
    y = x.copy()

    def near(i):
        if i > 0:
            yield i - 1
        if i < 2:
            yield i + 1

    def relaxed(i):
        return sum(y[j] for j in near(i)) * y[i] * k

    z = np.zeros(3)
    for i in range(3):
        z[i] = relaxed(i)
    return np.sum(z * z)


def recursive(x, k):
    def children(i):
        for j in (2 * i + 1, 2 * i + 2):
            if j < 3:
                yield j

    def value(i):
        s = x[i] * x[i]
        for j in children(i):
            s += k * value(j)
        return s

    return value(0)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [several_with_one, counts_outside, neighbours, recursive],
                         ids=lambda f: f.__name__)  # fmt: skip
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_the_derivatives(f, mode: str) -> None:
    check_grads(f, (X, 0.9), wrt=(0, 1), on_overwrite=mode)
    value, _ = ad.vjp(f, X, 0.9, on_overwrite=mode)
    assert value == f(X, 0.9)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [several_with_one, neighbours], ids=lambda f: f.__name__)
def test_second_derivatives(f) -> None:
    check_grads(lambda x: f(x, 0.9), (X,), order=2)


def names_of_its_own(x, k):
    def terms(n):
        for j in range(n):
            yield x[j] * k

    def total(x):
        return sum(terms(2)) * x

    return total(x[2])


def made_before(x, k):
    def total(n):
        return sum(terms(n))

    def terms(n):
        for j in range(n):
            yield x[j] * k

    return total(2)


@pytest.mark.parametrize("f", [names_of_its_own, made_before], ids=lambda f: f.__name__)
def test_what_is_left_where_it_is(f) -> None:
    with pytest.raises(ad.CompileError):
        ad.grad(f)(X, 0.9)
