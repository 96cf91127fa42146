"""Tests of loops that change what the loop reads."""

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.83, 0.5, 0.7])


class State:
    def __init__(self, u):
        self.u = u

    def advance(self):
        self.u = 0.6 * self.u
        return np.max(self.u)

    @property
    def is_small(self):
        self.u = 0.9 * self.u
        return np.max(self.u) < 0.2


def halved(u):
    u *= 0.5
    return np.max(u)


def by_a_property(x):
    state = State(x)
    while not state.is_small:
        state.u = state.u * state.u
    return np.sum(state.u**2)


def by_a_method(x):
    state = State(x)
    while state.advance() > 0.1:
        pass
    return np.sum(state.u**2)


def by_a_function(x):
    u = x.copy()
    for _ in range(3):
        while halved(u) > 0.3:
            u += 0.1 * x
        u += x
    return np.sum(u**2)


def by_a_name(x):
    u, s = x.copy(), 0.0
    while (e := np.sum(u)) > 0.1:
        u *= 0.5
        s += e * e
    return s + e


def by_a_list(x):
    count, s = [x[0]], 0.0

    def more():
        count[0] += 1.0
        return count[0]

    while more() < 4.0:
        s += count[0] * x[1]
    return s + count[0] ** 2


@pytest.mark.parametrize("f", [by_a_property, by_a_method, by_a_function, by_a_name, by_a_list])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    check_grads(f, (X.copy(),), on_overwrite=mode)
