"""Methods of `contextlib.contextmanager` that change an object and put it back."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


class Solver:
    def __init__(self, dt):
        self.dt = dt
        self.depth = 0

    @contextlib.contextmanager
    def finer(self, k):
        before = self.dt
        self.dt = self.dt / k
        try:
            yield self
        finally:
            self.dt = before

    @contextlib.contextmanager
    def inside(self):
        self.depth += 1
        yield self.depth
        self.depth -= 1

    def step(self, x):
        return x - self.dt * np.sin(x)

    def run(self, x):
        for k in range(2):
            with self.finer(x[k] + 1):
                x = self.step(x)
                if x[0] > 100:
                    return x
        with self.inside() as depth:
            x = x * depth
        return self.step(x)


class Steeper(Solver):
    def step(self, x):
        return x - self.dt * np.cos(x)


def around_a_step(x):
    s = Solver(x[0])
    with s.inside() as depth, s.finer(depth + x[1]) as q:
        y = q.step(x) * s.depth
    return np.sum(s.step(y)) + s.depth


def in_a_method(x):
    return np.sum(Solver(x[0]).run(x))


def of_a_derived_class(x):
    return np.sum(Steeper(x[0]).run(x))


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [around_a_step, in_a_method, pytest.param(of_a_derived_class, marks=pytest.mark.slow)]
)
def test_what_is_changed_and_put_back(f):
    check_grads(f, (X.copy(),))
