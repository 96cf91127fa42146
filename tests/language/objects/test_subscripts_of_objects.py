"""Objects with `__getitem__` and `__setitem__` that get slices and several subscripts, and with
operators of every kind."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads
from tests.every_mode import check_every_mode

X = np.array([0.6, 0.9, 1.3, 0.7])


class Grid:
    def __init__(self, u):
        self.u = u

    def __getitem__(self, k):
        return self.u[k]

    def __setitem__(self, k, v):
        self.u[k] = v


class Shifted:
    def __init__(self, u, by):
        self.u, self.by = u, by

    def __getitem__(self, k):
        i, j = k
        return self.u[i + self.by, j]

    def __setitem__(self, k, v):
        i, j = k
        self.u[i + self.by, j] = v * self.u[0, 0]


class Counting:
    def __init__(self, u):
        self.u, self.reads = u, 0

    def __getitem__(self, k):
        self.reads += 1
        return self.u[k] * 2.0

    def __setitem__(self, k, v):
        self.u[k] = v * v


class Signal:
    def __init__(self, s):
        self.s = s

    def __or__(self, o):
        return Signal(self.s * o.s + self.s)

    def __and__(self, o):
        return Signal(self.s - o)

    def __rxor__(self, o):
        return Signal(o * self.s)

    def __ior__(self, o):
        self.s = self.s * o
        return self

    def __rshift__(self, f):
        return Signal(f(self.s))

    def __rlshift__(self, o):
        return Signal(o - self.s * self.s)


def assigned(x):
    a = Grid(np.zeros((4, 4)))
    a[1, :] = x
    a[2, 1:3] = x[1:3] * x[0]
    a[:, 0] = x
    a[3:] = 2 * x
    a[0] = x * x
    return np.sum(a.u * a.u)


def read(x):
    a = Grid(np.outer(x, x))
    s = np.sum(a[1, :] * a[:, 2]) + np.sum(a[1:]) * a[0, 1]
    return s + np.sum(a[::2, ::-1]) * a[-1][2]


def moved(x):
    a = Shifted(np.outer(x, x), 1)
    a[0, 1] = a[1, 2] * x[3]
    return a[0, 1] * a[2, 2] + a[-1, 0]


def views(x):
    a = Grid(np.outer(x, x))
    v = a[1, 1:]
    v[0] = x[0]
    w = a[1:, 1]
    return np.sum(w * w)


def computed(x):
    a = Grid(x * 1.0)
    a[a.u > 0.8] = 2 * x[0]
    k = int(x[0] > 0.5)
    a[k + 1 : k + 3] = x[:2] * x[1]
    return np.sum(a[: k + 1] * a.u[1:3])


def in_loops(x):
    a = Grid(np.zeros((4, 4)))
    for i in range(4):
        for j in range(i, 4):
            a[i, j] = x[i] * x[j]
            a[j, i] = a[i, j] * x[0]
    return np.sum(a[:, 1] * a[2, :])


def updated(x):
    a = Counting(np.outer(x, x))
    a[1, 2] += x[0]
    a[0, 1] *= a[1, 2]
    a[int(x[0] < 0.5), 0] -= 2.0
    return np.sum(a.u) * a.reads


def operators(x):
    a = Signal(x[0]) | Signal(x[1]) & x[2]
    a |= x[3]
    b = x[0] ^ a
    return (b >> np.sin).s * a.s + (x[2] << b).s


PROGRAMS = [assigned, read, moved, views, computed, in_loops, updated, operators]


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_mode(f):
    check_every_mode(f, X)


def updated_in_place(x):
    a = Grid(np.outer(x, x))
    a[1, :] += x
    a[0, 1:] *= x[0]
    a[2] -= x
    return np.sum(a.u[:, 1] * a[0, :])


@pytest.mark.recorded
def test_a_view_that_is_updated_and_assigned_to_itself():
    check_grads(updated_in_place, (X,), on_overwrite="save")


def held_outside(grid, x):
    grid[1:, 0] = x[:3] * grid[0, 1]
    return np.sum(grid[:, :2])


@pytest.mark.recorded
def test_an_object_from_outside():
    u = np.outer(X, X)
    want, at = held_outside(Grid(u.copy()), X), Grid(u.copy())
    value, pullback = ad.vjp(held_outside, at, X, wrt="x")
    assert value == want
    done = Grid(u.copy())
    held_outside(done, X)
    assert np.array_equal(at.u, done.u)
    x_bar = pullback(1.0)
    x_bar = x_bar[0] if isinstance(x_bar, tuple) else x_bar
    assert np.allclose(x_bar, [u[0, 1]] * 3 + [0.0])
