"""Exceptions that a called function raises with values that vary, and that the caller reads."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
SEEN: list[float] = []


class Stop(Exception):
    def __init__(self, x, n=0):
        super().__init__("stopped")
        self.x, self.n = x, n


class Converged(Exception):
    def __init__(self, x, n):
        self.x = x
        self.n = n


class Plain(Exception):
    pass


class Later(Plain):
    pass


def total(x, k):
    y = x * x
    if k > 1:
        raise Plain(np.sum(y), k)
    return y[0]


def newton(x):
    for i in range(50):
        d = (x * x - 2.0) / (2.0 * x)
        x = x - d
        if abs(d) < 1e-6:
            raise Converged(x, i)
    return x


def writes(x, k):
    x[0] = x[1] * x[2]
    if k > 0:
        raise Later(x * 2.0)
    SEEN.append(k)


def halved(x, k):
    return total(x, k) * 0.5


def raised(x):
    try:
        y = total(x, 2)
    except Plain as e:
        y = e.args[0] * e.args[1]
    return y * x[0]


def returned(x):
    try:
        y = total(x, 0)
    except Plain as e:
        y = e.args[0]
    return y * x[0]


def in_a_loop(x):
    s = 0.0
    for k in range(4):
        try:
            s += 2.0 * total(x * k, k)
        except Plain as e:
            s = s + e.args[0] * x[1]
    return s


def by_attributes(x):
    try:
        r = newton(x[0] + 1.0)
    except Converged as e:
        r = e.x * (e.n + 1) * x[2]
    return r * x[1]


def from_further_down(x):
    try:
        y = halved(x, 2)
    except Plain as e:
        y = e.args[0]
    return y


def of_a_class_below(x):
    x, s = x * 1.0, 0.0
    for k in range(2):
        try:
            writes(x, k)
        except Stop:
            s = 7.0
        except Plain as e:
            s = s + np.sum(e.args[0] * x)
    return s * x[0]


def several(x):
    s = 0.0
    for v in x:
        try:
            a = total(x * v, 0)
            b = newton(v + 1.0)
            s = s + a * b
        except (Converged, Stop) as e:
            s = s + e.x * v
    return s


PROGRAMS = [
    raised, returned, in_a_loop, by_attributes, from_further_down, of_a_class_below, several,
]  # fmt: skip


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_what_it_carries_is_followed(f, mode):
    check_grads(f, (X.copy(),), on_overwrite=mode)


def test_effects_happen_once():
    SEEN.clear()
    value, _ = ad.value_and_grad(of_a_class_below)(X.copy())
    assert len(SEEN) == 1
    assert value == of_a_class_below(X.copy())


def test_a_name_that_means_another_function_later():
    before = ad.grad(from_further_down)(X)
    module = sys.modules[__name__]
    kept = module.total

    def other(x, k):
        raise Plain(np.sum(x**3))

    module.total = other
    try:
        np.testing.assert_allclose(ad.grad(from_further_down)(X), 3.0 * X**2)
    finally:
        module.total = kept
    np.testing.assert_array_equal(ad.grad(from_further_down)(X), before)


def guarded(x, k):
    try:
        if k > 1:
            raise Plain(x[0] * x[1])
        return x[0]
    finally:
        SEEN.append(0.0)


def through_a_finally(x):
    try:
        y = guarded(x, 2)
    except Plain as e:
        y = e.args[0]
    return y


def calls_itself(x, k):
    if k == 0:
        raise Plain(np.sum(x * x))
    return calls_itself(x * x, k - 1)


def from_a_recursion(x):
    try:
        y = calls_itself(x, 2)
    except Plain as e:
        y = e.args[0]
    return y


def told_on(x):
    try:
        y = total(x, 2)
    except Plain as e:
        y = e.args[0] * len(str(e.__traceback__))
    return y


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [through_a_finally, from_a_recursion, told_on])
def test_what_is_raised_otherwise_is_refused(f, mode):
    with pytest.raises((CompileError, ad.DerivativeError, ad.MutationError)):
        ad.grad(f, on_overwrite=mode)(X.copy())
