"""Tuples that are handed on stay the tuples that they are, where somebody asks."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


def same(a, b):
    return a is b


def chosen(a, b):
    return a if a is b else (b[1], b[0])


def given_back(t):
    return t


def numbered(t, u):
    return 1.0 if id(t) == id(u) else 2.0


class Held:
    def __init__(self, a):
        self.a = a


def of_numbers(x):
    t = (x[0], x[1])
    u = t
    return (1.0 if same(t, u) else 2.0) * t[0]


def of_arrays(x):
    t = (x * 2.0, x[1])
    u = t
    return np.sum((1.0 if same(t, u) else 2.0) * t[0])


def chosen_by_it(x):
    t = (x[0], x[1])
    u = t
    a, b = chosen(t, u)
    return a * a * b + t[0]


def handed_back(x):
    t = (x[0], x[1])
    u = given_back(t)
    return (1.0 if t is u else 2.0) * t[0] * u[1]


def two(x):
    t = (x[0], x[1])
    u = t
    return t, u, t[0]


def returned_twice(x):
    a, b, c = two(x)
    return (1.0 if a is b else 2.0) * a[0] * c


def returned_and_handed_on(x):
    a, b, c = two(x)
    return (1.0 if same(a, b) else 2.0) * a[0] * c


def by_number(x):
    t = (x[0], x[1])
    u = t
    return numbered(t, u) * t[0] * numbered(t, (x[0], x[1]))


def of_objects(x):
    t = (Held(x[0]), Held(x[1]))
    u = t
    return (1.0 if same(t, u) else 2.0) * t[0].a


PROGRAMS = [of_numbers, of_arrays, chosen_by_it, by_number, of_objects]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_what_depends_on_it(f, mode: str) -> None:
    value, _ = ad.vjp(f, X, on_overwrite=mode)
    assert value == f(X)
    check_grads(f, (X,), on_overwrite=mode)


@pytest.mark.parametrize("f", [handed_back, returned_twice, returned_and_handed_on],
                         ids=lambda f: f.__name__)  # fmt: skip
def test_of_what_a_call_returned_it_is_not_known(f) -> None:
    with pytest.raises(ad.CompileError, match="which tuple"):
        ad.grad(f)(X)
    with pytest.raises(ad.CompileError, match="which tuple"):
        ad.jvp(f, (X,), (X,))
