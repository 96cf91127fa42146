"""Lists of arrays in attributes, whose arrays change places at each step."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.1, -0.4])


class Wave:
    def __init__(self, x):
        self.bufs = [x.copy(), np.zeros(x.size)]

    def advance(self, a, b):
        a[1:-1] = b[1:-1] + 0.1 * (b[2:] - 2 * b[1:-1] + b[:-2])
        a[0] = b[0]
        a[-1] = b[-1]


class Repacked(Wave):
    def step(self):
        b, a = self.bufs
        self.advance(a, b)
        self.bufs = [a, b]


class ByPlace(Wave):
    def step(self):
        b, a = self.bufs
        a[1:-1] = b[1:-1] + 0.1 * (b[2:] - 2 * b[1:-1] + b[:-2])
        a[0] = b[0]
        a[-1] = b[-1]
        self.bufs = [self.bufs[1], self.bufs[0]]


class Turned(Wave):
    def step(self):
        a = self.bufs[1]
        a[:] = self.bufs[0] * 2.0
        self.bufs = self.bufs[::-1]


class InPlace(Wave):
    def step(self):
        self.bufs[1][:] = 2.0 * self.bufs[0]
        self.bufs = [self.bufs[1], self.bufs[0]]


class Three:
    def __init__(self, x):
        self.bufs = [x.copy(), np.zeros(x.size), np.ones(x.size)]

    def step(self):
        b, a, c = self.bufs
        a[:] = b * c
        c[1] += a[0] * b[2]
        self.bufs = [self.bufs[1], self.bufs[2], self.bufs[0]]


def after_steps(cls):
    def f(x, n):
        w = cls(x)
        for k in range(n):
            w.step()
            if k == 1:
                w.bufs[0][1] = x[0] * x[2]
        return np.sum(w.bufs[0] ** 2) + np.sum(w.bufs[1])

    return f


@pytest.mark.parametrize("cls", [Repacked, ByPlace, Turned, InPlace])
@pytest.mark.parametrize("n", [0, 1, 4])
def test_two_buffers_change_places(cls, n):
    check_grads(after_steps(cls), (X, n))


@pytest.mark.parametrize("n", [1, 4])
def test_three_buffers_change_places(n):
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(after_steps(Three))(X, n)
    assert {d.code for d in caught.value.diagnostics} == {"AD301", "AD302"}
    check_grads(after_steps(Three), (X, n), on_overwrite="save")


def test_names_from_before_see_what_is_written():
    def f(x):
        w = ByPlace(x)
        u, v = w.bufs
        for _ in range(3):
            w.step()
        return np.sum(u * v)

    check_grads(f, (X,))
