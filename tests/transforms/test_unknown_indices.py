"""An index of which nothing is known, of an array of which nothing is known: it may name an element
twice."""

from __future__ import annotations

import operator

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

twice = operator.methodcaller("__mul__", 2.0)
same = operator.methodcaller("__getitem__", slice(None))
AT = np.array([0, 0, 1])


@pytest.fixture(autouse=True)
def _rules() -> None:
    ad.rule(twice, signature="f(x)", x="2.0 * y_bar", x_dot="2.0 * dot")
    ad.constant(same)


def read(x):
    t, i = twice(x), same(AT)
    return np.sum(t[i] ** 2)


def written(x):
    t, i = twice(x), same(AT)
    t[i] = x[0] * np.array([1.0, 2.0, 3.0]) + x[1]
    return np.sum(t**2)


def masked(x):
    t, i = twice(x), same(np.array([True, False]))
    return np.sum(t[i] ** 2)


@pytest.mark.parametrize("f", [read, masked])
def test_elements_that_may_be_named_twice(f) -> None:
    x = np.array([1.0, 2.0])
    check_grads(f, (x,))
    check_grads(f, (x,), on_overwrite="save")


@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_of_elements_that_are_written_twice_the_last_one_counts(mode: str) -> None:
    x = np.array([1.0, 2.0])  # the elements of t are 4 and 5
    found = ad.grad(written, on_overwrite=mode)(x)
    np.testing.assert_allclose(found, [2 * 4 * 2 + 2 * 5 * 3, 2 * 4 + 2 * 5])
