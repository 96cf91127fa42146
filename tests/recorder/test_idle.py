"""What an operation needs may be overwritten once its result is gone, if nothing has read that."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import MutationError

RNG = np.random.default_rng(3)
A, B = RNG.normal(size=(4, 4)), RNG.normal(size=4)


class Solver:
    """Elimination with partial pivoting, in place."""

    def __init__(self, a):
        self.a = a.copy()
        self.swaps = []

    def factor(self):
        n = len(self.a)
        for k in range(n):
            p = k + int(np.argmax(np.abs(self.a[k:, k])))
            self.swaps.append((k, p))
            self.a[[k, p]] = self.a[[p, k]]
            for i in range(k + 1, n):
                row = self.a[i].copy()
                m = row[k] / self.a[k, k]
                self.a[i, k + 1:] = row[k + 1:] - m * self.a[k, k + 1:]
                self.a[i, k] = 0.0
        return self


def log_determinant(a):
    return sum(np.log(np.abs(v)) for v in np.diag(Solver(a).factor().a).copy())


def pivoted_by_square(x):
    y = 2.0 * x
    k = int(np.argmax(y**2))
    y[k] = x[0] + x[1]
    return np.sum(y) * y[k]


def compared(x):
    y = 3.0 * x
    if np.any(np.exp(y) > 100.0):
        y[:] = x
    y += 1.0
    return y.sum()


def used_before(x):
    y = 3.0 * x
    total = np.sum(np.exp(np.sin(y)))
    y[0] = x[1]
    return total + np.sum(y)


def kept(x):
    y = 3.0 * x
    s = y**3
    y[0] = x[1]
    return np.sum(s) + np.sum(y)


def differences(f, x):
    found = np.zeros_like(x)
    for k in np.ndindex(x.shape):
        h = np.zeros_like(x)
        h[k] = 1e-6
        found[k] = (f(x + h) - f(x - h)) / 2e-6
    return found


@pytest.mark.parametrize(
    ("f", "x"), [(log_determinant, A), (pivoted_by_square, B), (compared, B), (compared, 3 * B)]
)
def test_the_result_is_gone_and_was_not_used(f, x):
    value, found = ad.value_and_grad(ad.recorded(f))(x.copy())
    assert value == f(x)
    np.testing.assert_allclose(found, differences(f, x), rtol=1e-5, atol=1e-7)
    v = np.cos(np.arange(x.size, dtype=float)).reshape(x.shape)
    g = ad.recorded(f).grad
    slopes = (g(x + 1e-5 * v) - g(x - 1e-5 * v)) / 2e-5
    found = ad.recorded(f, on_overwrite="save").hvp((x.copy(),), (v,))
    np.testing.assert_allclose(found, slopes, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("f", [used_before, kept])
def test_what_is_used_is_needed(f):
    with pytest.raises(MutationError, match="AD301"):
        ad.recorded(f).grad(B.copy())
    found = ad.grad(ad.recorded(f, on_overwrite="save"))(B.copy())
    np.testing.assert_allclose(found, differences(f, B), rtol=1e-5, atol=1e-7)
