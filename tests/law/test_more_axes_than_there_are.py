"""Values with more axes than the place they are assigned to: the first have length one."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing.numerical import finite_difference_vjp


def whole(x):
    y = np.zeros(4)
    y[...] = x[None] * x
    return np.sum(y * y)


def part(x):
    y = np.zeros(4)
    y[1:] = x[None, None, 1:] * x[0]
    return np.sum(y * y)


def copied(x):
    y = np.zeros(4)
    np.copyto(y, x[None, ::-1])
    return np.sum(y * x)


def where(x):
    y = x * 1.0
    np.copyto(y, x[None] * x, where=x > 0.5)
    return np.sum(y * y)


def one_for_all(x):
    y = np.zeros(4)
    y[...] = x[None, :1] * 2.0
    y[2:] += x[1]
    return np.sum(y * y)


def one_buffer(x):
    y = np.sin(x)
    y[:2] = y[None, 2:]
    return np.sum(y * x)


def of_a_matrix(x):
    y = np.zeros((2, 4))
    y[:] = x[None, None, :]
    y[:, :2] = x[2:][None, None] * x[0]
    return np.sum(y * y)


@pytest.mark.parametrize("way", ["refuse", "always"])
@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize(
    "f",
    [whole, part, copied, where, one_for_all, one_buffer, of_a_matrix],
    ids=lambda f: f.__name__,
)
def test_values_with_more_axes(f, how, way):
    x, x_dot = np.array([0.3, 0.7, 0.8, 0.9]), np.array([1.0, -2.0, 0.5, 3.0])
    wanted = finite_difference_vjp(f, (x,), 1.0, (0,))[0]
    options = {"on_overwrite": how, "on_unfollowed": way}
    value, found = ad.value_and_grad(f, **options)(x)
    assert value == f(x)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-8)
    _, found = ad.jvp(f, (x,), (x_dot,), **options)
    np.testing.assert_allclose(found, wanted @ x_dot, rtol=1e-6)
