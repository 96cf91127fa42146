"""A variable that means objects of one class and then of another, as what a call returns tells."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


class Idle:
    def __init__(self, v):
        self.v = v

    def gain(self, u):
        return 2 * u

    def step(self, u):
        return Busy(self.v * u) if u > 0.7 else self


class Busy:
    def __init__(self, v):
        self.v = v

    def gain(self, u):
        return u * u

    def step(self, u):
        return Idle(self.v + u) if u > 1.0 else Busy(self.v * 1.1)


def states(x):
    state, y = Idle(x[0]), x[1]
    for i in range(3):
        y = state.gain(y)
        state = state.step(x[i])
    return state.v * y


def after(state, u):
    return state.step(u)


def by_a_function(x):
    state = Busy(x[0])
    for u in x:
        state = after(state, u)
    return state.v


def composed(x):
    def around(c, g):
        return lambda v: c * g(v)

    h = lambda v: np.sin(v * x[0])  # noqa: E731
    for i in range(3):
        h = around(x[i], h)
    return h(x[1])


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [states, composed, pytest.param(by_a_function, marks=pytest.mark.slow)]
)
def test_of_which_class_an_object_is(f):
    check_grads(f, (X.copy(),))
