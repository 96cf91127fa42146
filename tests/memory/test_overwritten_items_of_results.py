"""Items of what a call returns that are overwritten, while others are kept by the pullback."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans import CompileError, vjp
from adtrans.testing import check_grads

F = np.array([[1.0, 2.0, 3.0], [2.0, 2.4, 3.0], [2.0, 4.0, 5.0]])


def moments(f):
    rho = f.sum(axis=0)
    return rho, (f[1] - f[2]) / rho


def second(f):
    rho, u = moments(f)
    u[0] = 0.0
    return np.sum(u * u) + rho[1]


def in_a_loop(f):
    s = 0.0
    for k in range(2):
        rho, u = moments(f)
        f = f * 1.5 + rho
        u[k] = 0.0
        s += np.sum(u)
    return s


def twice(f):
    u = np.exp(f[0])
    return f[0], u, u


def under_another_name(f):
    _, a, b = twice(f)
    a *= 2.0
    return np.sum(b * b)


@pytest.mark.parametrize("f", [second, in_a_loop, under_another_name])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    assert vjp(f, F, on_overwrite=mode)[0] == f(F)
    check_grads(f, (F,), on_overwrite=mode)


def first(f):
    rho, u = moments(f)
    rho[0] = 1.0
    return np.sum(u * u) + rho[1]


def test_the_one_that_is_needed():
    with pytest.raises(CompileError) as caught:
        vjp(first, F)
    assert caught.value.diagnostics[0].code == "AD301"
    check_grads(first, (F,), on_overwrite="save")
