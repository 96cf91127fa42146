"""Primitives that are handed functions which call such primitives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import adtrans as ad
from adtrans.testing import check_grads

P = np.array([0.1, 0.5, 0.3])


def twice_integrated(p):
    return quad(lambda x: quad(lambda y: p[0] * x * y, 0, x)[0], 0, p[1])[0]


def of_a_local_function(p):
    k = p[0] * 2.0

    def inner(x):
        return quad(lambda y: k * y * y * x, 0, x)[0]

    return quad(inner, 0, p[1])[0]


def root_of_an_integral(p):
    def equation(x):
        return quad(lambda y: p[0] * y + 1.0, 0, x)[0] - p[2]

    return brentq(equation, 0.0, 3.0, xtol=1e-14)


def integral_of_roots(p):
    return quad(lambda x: brentq(lambda y: y**3 - p[0] * x, -1.0, 3.0, xtol=1e-14), 0.1, p[1])[0]


def for_each_element(p):
    return np.sum(np.vectorize(lambda x: quad(lambda y: p[0] * x * y, 0, x)[0])(p))


def called_and_handed_on(p):
    def total(x):
        return quad(lambda y: p[0] * y**2, 0, x)[0]

    return total(p[1]) + brentq(lambda x: total(x) - 0.01, 0.0, 3.0, xtol=1e-14)


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f",
    [
        twice_integrated,
        of_a_local_function,
        root_of_an_integral,
        integral_of_roots,
        for_each_element,
        called_and_handed_on,
    ],
)
def test_against_finite_differences(f) -> None:
    check_grads(f, (P,))


def test_an_inner_function_that_prints_is_refused(capsys) -> None:
    def f(p):
        def noted(y):
            print(y)
            return p * y

        return quad(lambda x: quad(noted, 0, x)[0], 0, p)[0]

    with pytest.raises(ad.CompileError, match="AD413"):
        ad.grad(f)(0.5)


class Meter:
    def __init__(self):
        self.calls = 0

    def line(self, y, p):
        self.calls += 1
        return p * y


def test_an_inner_function_that_counts_is_refused() -> None:
    meter = Meter()

    def f(p):
        return quad(lambda x: quad(lambda y: meter.line(y, p), 0, x)[0], 0, 1.0)[0]

    with pytest.raises(ad.AdtransError):
        ad.grad(f)(0.5)
