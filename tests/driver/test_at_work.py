"""A function that differentiates itself has no end for a compiler: an error, and soon."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad


def levels(v, n):
    if n == 0:
        return np.sum(v**3)
    return np.sum(ad.grad(levels)(v, n - 1) ** 2)


def endless(v):
    return np.sum(ad.grad(endless)(v))


def first(v):
    return np.sum(ad.grad(second)(v))


def second(v):
    return np.sum(ad.grad(first)(v)) if v[0] > 1.0 else np.sum(v)


X = np.array([1.3, 2.1])


@pytest.mark.parametrize(
    "ask",
    [
        lambda: ad.grad(levels, wrt=0)(X, 1),
        lambda: ad.grad(endless)(X),
        lambda: ad.grad(first)(X),
        lambda: ad.jvp(endless, (X,), (X,)),
        lambda: endless(X),
    ],
)
def test_the_derivative_of_itself(ask):
    with pytest.raises(ad.CompileError) as error:
        ask()
    assert "AD410" in {d.code for d in error.value.diagnostics}


def test_where_it_ends_before():
    assert np.allclose(ad.grad(levels, wrt=0)(X, 0), 3 * X**2)
    assert ad.grad(ad.grad(ad.grad(lambda t: t**4)))(2.0) == 48.0
