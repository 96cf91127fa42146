"""Steps that are rejected by an exception: integrators, filters, solvers that start again."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 0.4])


class StepRejected(Exception):
    def __init__(self, err, dt):
        super().__init__(f"rejected: {err}")
        self.err = err
        self.dt = dt


class Integrator:
    def __init__(self, y, dt, tol):
        self.y, self.t, self.dt, self.tol, self.rejected = y, 0.0, dt, tol, 0

    def rhs(self, y):
        return -2.0 * y + np.sin(y)

    def step(self):
        k1 = self.rhs(self.y)
        k2 = self.rhs(self.y + self.dt * k1)
        y0 = self.y
        self.y = self.y + 0.5 * self.dt * (k1 + k2)
        err = np.max(np.abs(0.5 * self.dt * (k2 - k1)))
        if err > self.tol:
            self.y = y0
            raise StepRejected(err, self.dt)
        self.t = self.t + self.dt


def integrate(x, k):
    it = Integrator(x, 0.4, 0.02 * k)
    while it.t < 1.0:
        try:
            it.step()
        except StepRejected:
            it.rejected += 1
            it.dt = 0.5 * it.dt
        else:
            it.dt = min(it.dt * 1.3, 0.5)
    return np.sum(it.y**2)


def integrate_err(x, k):
    it = Integrator(x, 0.4, 0.02 * k)
    for _ in range(12):
        try:
            it.step()
        except StepRejected as e:
            it.dt = e.dt * np.sqrt(it.tol / e.err) * 0.9
    return np.sum(it.y**2) * it.t


class Newton:
    def __init__(self, A):
        self.A = A
        self.x = np.zeros(3)
        self.fallbacks = 0

    def solve(self, b):
        try:
            self.x = np.linalg.solve(self.A, b)
        except np.linalg.LinAlgError:
            self.fallbacks += 1
            self.x = np.linalg.solve(self.A + 0.5 * np.eye(3), b)
        return self.x

    def run(self, b):
        for _ in range(3):
            self.x = self.x - 0.1 * self.solve(b * self.x + b)
        return self.x


def newton(x, k):
    A = np.outer(x, x) if k < 1.0 else np.diag(x) + 0.1
    if k < 1.0:
        A = A * 0.0 + np.zeros((3, 3)) * x
    n = Newton(A)
    return np.sum(n.run(x) ** 2)


class BadInnovation(ValueError):
    pass


class Kalman:
    def __init__(self, m, P, gate):
        self.m, self.P, self.gate, self.resets = m, P, gate, 0

    def update(self, z):
        S = self.P + 0.1
        nu = z - self.m
        self.P = self.P * 0.1 / S
        if nu * nu / S > self.gate:
            raise BadInnovation(f"{nu}")
        self.m = self.m + self.P / 0.1 * nu

    def reset(self, z):
        self.m, self.P = 0.5 * (self.m + z), 1.0
        self.resets += 1


def kalman(x, k):
    f = Kalman(x[0], 1.0, k)
    ll = 0.0
    for z in [x[1], x[2] * 4.0, x[0], -x[1]]:
        try:
            f.update(z)
        except BadInnovation:
            f.reset(z)
        finally:
            ll = ll + f.m * f.P
    return ll * (1 + f.resets)


@contextlib.contextmanager
def trial(m):
    saved = m.m, m.P
    try:
        yield m
    except BadInnovation:
        m.m, m.P = saved


def kalman_trial(x, k):
    f = Kalman(x[0], 1.0, k)
    for z in [x[1], x[2] * 4.0, x[0], -x[1]]:
        with trial(f):
            f.update(z)
    return f.m * f.P


class Layer:
    def __init__(self, w):
        self.w = w
        self.cache = None

    def forward(self, v):
        self.cache = v
        v = np.tanh(self.w * v)
        if np.any(v > 0.6):
            raise FloatingPointError
        return v


def layers(x, k):
    net = [Layer(x), Layer(2.0 * x), Layer(k * x)]
    v = x
    for layer in net:
        try:
            v = layer.forward(v)
        except FloatingPointError:
            v = 0.5 * layer.cache
    return np.sum(v) + sum(np.sum(layer.cache**2) for layer in net)


def backtrack(x, k):
    o = Opt(x)
    for _ in range(4):
        try:
            o.step(k)
        except ValueError:
            o.x = o.old + 0.1 * (o.x - o.old)
    return np.sum(o.x**2) * o.f


class Opt:
    def __init__(self, x):
        self.x = x
        self.f = np.sum(x**2)
        self.old = x

    def step(self, lr):
        self.old = self.x
        self.x = self.x - lr * 2.0 * self.x
        f = np.sum(self.x**2)
        if f > self.f:
            raise ValueError("up")
        self.f = f


PROGRAMS = [
    pytest.param(integrate, marks=pytest.mark.recorded),  # what the exception carries is read
    pytest.param(integrate_err, marks=pytest.mark.recorded),
    newton, kalman, kalman_trial, layers, backtrack,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("k", [0.3, 1.5, 10.0])
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_steps_that_are_rejected(f, mode, k):
    check_grads(f, (X.copy(), k), on_overwrite=mode)
