"""Objects that are combined by operators into trees, and methods whose flags decide the form of
what they return."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 0.7, 1.1])
POINTS = np.array([0.1, 0.5, 0.9])


class Kernel:
    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)


class Sum(Kernel):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __call__(self, u, v):
        return self.a(u, v) + self.b(u, v)


class Product(Kernel):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __call__(self, u, v):
        return self.a(u, v) * self.b(u, v)


class Smooth(Kernel):
    def __init__(self, length, scale=1.0):
        self.length, self.scale = length, scale

    def __call__(self, u, v):
        return self.scale**2 * np.exp(-0.5 * (u[:, None] - v) ** 2 / self.length**2)


class Periodic(Kernel):
    def __init__(self, length, period):
        self.length, self.period = length, period

    def __call__(self, u, v):
        return np.exp(-2.0 * np.sin(np.abs(u[:, None] - v) / self.period) ** 2 / self.length**2)


class Process:
    def __init__(self, kernel, noise):
        self.kernel, self.noise = kernel, noise

    def fit(self, u, y):
        self.u = u
        gram = self.kernel(u, u)
        gram[np.diag_indices_from(gram)] += self.noise**2
        self.weights = np.linalg.solve(gram, y)
        return self

    def predict(self, v, with_spread=False):
        mean = self.kernel(v, self.u) @ self.weights
        if not with_spread:
            return mean
        return mean, np.sqrt(np.diag(self.kernel(v, v)) + self.noise)


def process(x):
    kernel = Smooth(x[0], x[1]) + Periodic(x[2], x[0] + 1.0) * Smooth(2.0 * x[0])
    fitted = Process(kernel, noise=x[1]).fit(POINTS, np.sin(POINTS))
    mean, spread = fitted.predict(POINTS + 0.1, with_spread=True)
    return np.sum(mean) + np.sum(spread) + fitted.predict(POINTS)[0]


class Switch:
    def __init__(self, on):
        self.on = on


def flip(switch, x):
    switch.on = not switch.on
    return x * 2.0


def switched(x):
    s = Switch(True)
    t, y = s, x
    pair = (t, y)
    u, z = pair
    z = flip(u, z)
    return np.sum(z * z) if s.on else np.sum(z * z * z)


@pytest.mark.parametrize("how", ["refuse", "save"])
def test_a_process_with_a_sum_of_products(how):
    check_grads(process, (X,), on_overwrite=how, modes=("reverse", "forward"))


def test_a_flag_that_is_changed_through_what_was_unpacked():
    check_grads(switched, (X,))
    np.testing.assert_allclose(ad.grad(switched)(X), 24.0 * X * X)
