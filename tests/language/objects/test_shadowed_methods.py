"""Methods that are kept under a name while their object gets another function of that name."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.7, 1.2])


class Model:
    def __init__(self, k):
        self.k = k

    def step(self, x):
        return self.k * x * x


def other(x):
    return 100.0 * x


shadowed, changing = Model(2.0), Model(2.0)
kept, kept_too = shadowed.step, changing.step
shadowed.step = other


def applied(f, x):
    return f(x) + 1.0


def called(x):
    return np.sum(kept(x)) * x[0]


def passed(x):
    return np.sum(applied(kept, x)) * x[0]


@pytest.mark.parametrize("f", [called, passed])
def test_what_is_kept_is_not_what_the_object_has(f):
    with pytest.raises(ad.CompileError) as caught:
        ad.grad(f)(X)
    assert caught.value.diagnostics[0].code == "AD401"


def test_the_object_may_get_it_later():
    def both(x):
        return np.sum(applied(kept_too, x)) * x[0] + np.sum(kept_too(x))

    d = ad.differentiable(both)
    for change in (lambda: None, lambda: setattr(changing, "step", other)):
        change()
        value, pullback = ad.vjp(d, X)
        assert value == both(X)
        expected = 4.0 * X * (1.0 + X[0])
        expected[0] += np.sum(2.0 * X * X + 1.0)
        np.testing.assert_allclose(pullback(1.0)[0], expected)
    del changing.step
    check_grads(both, (X,))
