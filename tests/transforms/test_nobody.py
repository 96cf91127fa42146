"""`_` of the user's keeps its value beside what generated code has no use for."""

import numpy as np
import pytest

from adtrans import differentiable, jvp, vjp
from adtrans.testing import check_grads

X = np.array([0.7, 1.3])


def fill(a, x):
    a[0] = x[0] * x[1]
    return 4.0


def pair(x):
    return x[0] * 3.0, x[1] * x[0]


def number(x):
    a = np.zeros(2)
    _ = 3.0
    fill(a, x)
    return _ * x[1] + a[0]


def array(x):
    a = np.zeros(2)
    _ = x * 2.0
    fill(a, x)
    return np.sum(_ * x) + a[0]


def parameter(x, _):
    a = np.zeros(2)
    fill(a, x)
    return np.sum(x) * _ + a[0] * _


def looped(x):
    a = np.zeros(2)
    s = 0.0
    for _ in range(3):
        fill(a, x * (_ + 1.0))
        s = s + a[0] * _
    return s


def after_a_loop(x):
    a = np.zeros(2)
    for _ in range(3):
        x = x * 1.5
    fill(a, x)
    return a[0] * _


def unpacked(x):
    first, _ = pair(x)
    a = np.zeros(2)
    fill(a, x)
    return first * a[0] * _


_ = 2.0


def of_the_module(x):
    s = x[0]
    for k in range(3):
        s = np.sin(s * _) + x[1] * k
    return s


def several(x):
    return pair(x)[0], _ * x[1]


@pytest.mark.parametrize("f", [number, array, looped, after_a_loop, unpacked, of_the_module])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    check_grads(f, (X,), on_overwrite=mode)
    assert vjp(f, X)[0] == f(X) == jvp(f, (X,), (X,))[0]


def test_a_parameter():
    check_grads(parameter, (X, 1.5), wrt=(0, 1))


def test_results_that_are_not_asked_for():
    value, pullback = vjp(several, X)
    assert value == several(X)
    np.testing.assert_allclose(pullback((1.0, 2.0)), [[3.0, 4.0]])


def test_where_nobody_reads_it_the_name_is_as_short():
    def f(x):
        a = np.zeros(2)
        for _ in range(2):
            fill(a, x)
        return a[0] * x[1]

    d = differentiable(f)
    d.grad(X)
    assert "_, fill_residuals = fill_forward" in d.source and "unused" not in d.source


def test_where_it_is_read_it_is_another():
    d = differentiable(number)
    d.grad(X)
    assert "unused, fill_residuals = fill_forward" in d.source
