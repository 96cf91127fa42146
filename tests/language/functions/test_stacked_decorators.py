"""Functions under two decorators, the outer one of which collects its arguments."""

import functools

import numpy as np
import pytest

import adtrans as ad

X = np.array([1.0, 2.0, 3.0])


def doubled(h):
    @functools.wraps(h)
    def inner(x):
        return h(x) * 2.0

    return inner


def tripled(h):
    @functools.wraps(h)
    def inner(*args, **kwargs):
        return h(*args, **kwargs) * 3.0

    return inner


@tripled
@doubled
def collects_first(x):
    return np.sum(x**2)


@tripled
@tripled
def collects_twice(x):
    return np.sum(x**2)


@doubled
@tripled
def collects_last(x):
    return np.sum(x**2)


@tripled
@tripled
def with_a_default(x, power=3):
    return np.sum(x**power)


@pytest.mark.parametrize("f", [collects_first, collects_twice, collects_last, with_a_default])
def test_asked_for_and_called(f):
    expected = ad.grad(lambda x: f(x))(X)
    found = ad.grad(f)(X)
    (found,) = found if isinstance(found, tuple) else (found,)  # a tuple collects the arguments
    np.testing.assert_array_equal(found, expected)
    step = 1e-6 * np.array([0.0, 1.0, 0.0])
    difference = (f(X + step) - f(X - step)) / 2e-6
    np.testing.assert_allclose(found[1], difference, rtol=1e-6)
    _, y_dot = ad.jvp(lambda x: f(x), (X,), (step * 1e6,))
    np.testing.assert_allclose(y_dot, difference, rtol=1e-6)


@doubled
def total(x):
    return np.sum(x)


def test_a_function_that_takes_no_names_is_given_none():
    def f(*args, **kwargs):
        return total(*args, **kwargs)

    np.testing.assert_array_equal(ad.grad(f)(X)[0], [2.0, 2.0, 2.0])
    with pytest.raises((TypeError, ad.CompileError)):
        ad.grad(f)(X, axis=0)
