"""Items of what a call returns that do not depend on what the derivative is taken of."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans import vjp
from adtrans.testing import check_grads

U = np.array([[1.0, 2.0, 3.0], [0.5, 0.2, 0.1]])


def split(u, a):
    n = u.shape[1]
    m = 2.0 / (2.0 * np.arange(n) + 1.0)
    return a * u, m, n


def scaled_by_constants(u, a):
    r, m, n = split(u, a)
    for k in range(n):
        r[:, k] *= m[k]
    m[1] = 7.0
    return np.sum(r) + m[0] * a


def one_after_the_other(u, a):
    m = np.ones(3)
    for _ in range(2):
        r, w, _ = split(u, a)
        r *= w * m
        m, u = w, r
    return np.sum(u * u)


def exchanged(u, m):
    m[0] = m[1] * 2.0
    return m, u[0] * 2.0


def written_by_the_callee(u, a):
    m = np.ones(3)
    m, r = exchanged(u, m)
    r *= m
    m[2] = a
    m, r = exchanged(u, m)
    return np.sum(r * m)


class Basis:
    def __init__(self, p, n, a):
        self.p, self.h, self.a = p, 1.0 / n, a
        self.mass = 2.0 / (2.0 * np.arange(p + 1) + 1.0)

    def rhs(self, u):
        r = u * 2.0 * self.a
        for k in range(self.p + 1):
            r[:, k] *= self.h / (2 * self.mass[k])
        return r


def of_an_object(u, a):
    n, q = u.shape
    return np.sum(Basis(q - 1, n, a).rhs(u) ** 2)


@pytest.mark.parametrize(
    "f", [scaled_by_constants, one_after_the_other, written_by_the_callee, of_an_object]
)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    assert vjp(f, U, 0.4, on_overwrite=mode)[0] == f(U, 0.4)
    check_grads(f, (U, 0.4), on_overwrite=mode)
