"""Decorated functions that recorded code calls stay compiled, where that is sound."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.recorder import compiled

X = np.linspace(0.5, 1.0, 6)
SCALES = np.ones(6)


@ad.differentiable
def smoothed(u, k):
    u = u.copy()
    for i in range(1, len(u)):
        u[i] = 0.5 * k * u[i - 1] + u[i]
    return u


@ad.differentiable
def score(a, b):
    return a * b + np.sin(a)


@ad.differentiable
def tail(u):
    return u[2:]


@ad.differentiable
def scaled(u):
    return np.sum(u * SCALES)


@ad.differentiable
def halved(u):
    u *= 0.5
    return np.sum(u)


class Simulation:
    def __init__(self, k):
        self.k, self.log = k, []

    def run(self, u):
        for _ in range(3):
            u = smoothed(u, self.k)
            self.log.append(u[0])
        return score(np.sum(u), self.k) + self.log[1]


def simulated(x):
    return Simulation(x[0]).run(2 * x)


def written_afterwards(x):
    y = np.sin(x)
    z = smoothed(y, x[0])
    y[:] = 0.0  # what the pullback needs of it is its own
    return np.sum(z) + np.sum(y)


def a_part_that_is_written(x):
    y = x * x
    tail(y)[0] = 3.0 * x[1]
    return np.sum(y)


def reads_what_varies(x):
    SCALES[:] = 3.0 * x
    return scaled(x)


def writes_its_argument(x):
    y = x * x
    return halved(y) + np.sum(y)


CASES = {
    simulated: 4, written_afterwards: 1, a_part_that_is_written: 0, reads_what_varies: 0,
    writes_its_argument: 0,
}  # fmt: skip


def differences(f, x):
    rows = 1e-6 * np.eye(len(x))
    return np.array([(f(x + h) - f(x - h)) / 2e-6 for h in rows])


@pytest.mark.parametrize(("f", "count"), CASES.items(), ids=[f.__name__ for f in CASES])
def test_the_gradient_is_right_and_so_many_calls_were_compiled(f, count, monkeypatch):
    made = []
    init = compiled.Compiled.__init__
    monkeypatch.setattr(
        compiled.Compiled, "__init__", lambda self, *args: made.append(1) or init(self, *args)
    )
    found = ad.recorded(f).grad(X.copy())
    np.testing.assert_allclose(found, differences(f, X), rtol=1e-5, atol=1e-6)
    assert len(made) == count


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_tangents_and_second_derivatives(f):
    v = np.linspace(1.0, -0.5, 6)
    _, along = ad.recorded(f).jvp((X.copy(),), (v,))
    np.testing.assert_allclose(along, differences(f, X) @ v, rtol=1e-5, atol=1e-6)
    g = ad.recorded(f).grad
    slopes = (g(X + 1e-5 * v) - g(X - 1e-5 * v)) / 2e-5
    found = ad.recorded(f).hvp((X.copy(),), (v,))
    np.testing.assert_allclose(found, slopes, rtol=1e-4, atol=1e-4)
