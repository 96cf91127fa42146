"""The pullback: seeds in, gradients out, as often as one likes."""

from __future__ import annotations

import linecache
import re

import numpy as np
import pytest

from tests.transforms.made import derivative, pullback

X = np.array([1.0, 2.0, 3.0])


def vector(x):
    y = x * x
    y[0] = 0.0
    return y


def test_seeds_and_residuals_are_left_alone() -> None:
    c = derivative(vector, X)
    _, residuals = c.function(0)(X)
    seed = np.ones(3)
    first = c.function(1)(residuals, seed)
    np.testing.assert_array_equal(seed, np.ones(3))
    first += 100.0
    np.testing.assert_array_equal(c.function(1)(residuals, seed), [0.0, 4.0, 6.0])


def same(x):
    return x


def test_the_gradient_is_not_the_seed() -> None:
    c = derivative(same, X)
    _, residuals = c.function(0)(X)
    seed = np.ones(3)
    assert not np.shares_memory(c.function(1)(residuals, seed), seed)


def twice(x, w):
    return np.sum(x) + np.sum(w)


def test_gradients_do_not_share_memory() -> None:
    c = derivative(twice, X, X.copy(), wrt=("x", "w"))
    _, residuals = c.function(0)(X, X)
    a, b = c.function(1)(residuals, 1.0)
    assert not np.shares_memory(a, b)
    a[0] = 9.0  # and they can be written


def unused(x, w):
    return np.sum(w)


def test_no_dependence_gives_zeros() -> None:
    c = derivative(unused, X, X)
    np.testing.assert_array_equal(c.function(1)(c.function(0)(X, X)[1], 1.0), np.zeros(3))


def early(x, k):
    for i in range(len(x)):
        if i == k:
            return x[i] * x[i]
        x = x * 2.0
    return np.sum(x)


@pytest.mark.parametrize(("k", "expected"), [(0, [2, 0, 0]), (1, [0, 16, 0]), (5, [8, 8, 8])])
def test_the_path_that_was_taken_is_reversed(k: int, expected: list[float]) -> None:
    c = derivative(early, X, 1)
    np.testing.assert_allclose(c.function(1)(c.function(0)(X, k)[1], 1.0), expected)


def accumulation(x):
    a = np.sin(x)
    b = np.cos(x)
    return np.sum(a * b)


def test_first_contributions_assign() -> None:
    text = pullback(derivative(accumulation, X))
    assert "np.zeros" not in text and "unbroadcast" not in text
    assert text.count("+=") + text.count("-=") <= 1


def float32(x):
    return np.sum(x * x)


def test_dtype_and_kind_of_the_argument() -> None:
    for x in (X.astype(np.float32), 3.0):
        c = derivative(float32, x)
        g = c.function(1)(c.function(0)(x)[1], 1.0)
        assert type(g) is type(x) and getattr(g, "dtype", None) == getattr(x, "dtype", None)


def lines(x):
    y = np.sin(x)
    z = np.exp(y)
    z[0] += 2.0 * y[1]
    return np.sum(z * y)


def test_each_line_says_what_it_reverses() -> None:
    source = derivative(lines, X).source
    first = lines.__code__.co_firstlineno
    notes = re.findall(r"# (\d+): (.*)", source)
    assert notes
    for number, text in notes:
        assert text == linecache.getline(__file__, int(number)).strip()
        assert first < int(number) <= first + 4
