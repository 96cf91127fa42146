"""Lists and tuples of numbers as operands of operators: an array on the other side makes arrays of
them."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 1.2, 0.8, 0.3])
LIST = [1.0, 2.0, 3.0, 4.0]
WHOLE = [1, 2, 3, 4]
ROWS = [[1.0, 2.0], [3.0, 4.0]]
TUPLE = (1, 2, 3, 4)


def of_tuples(x):
    return np.sum(x * (1, 2, 3, 4) + x ** (1, 2, 3, 4) + (1, 2, 3, 4) / x) + np.sum(TUPLE**x)


def of_nested_tuples(x):
    return np.sum(x * ((1,), (2,))) + np.sum(x ** ((1,), (2,)))


def of_lists(x):
    return np.sum(x * [1, 2, 3, 4] * x) + np.sum([[1], [2]] - x * x) + np.sum(x + [[1.0], [2.0]])


def of_globals(x):
    return np.sum(x * x * LIST) + x @ LIST + WHOLE @ x + np.sum((x.reshape(2, 2) @ ROWS) ** 2)


def of_powers(x):
    return np.sum(x**WHOLE) + np.sum(WHOLE / x) + np.sum(x ** [1, 2, 3, 4])


def of_variables(x, w=(1, 2, 3, 4)):
    u = [1, 2, 3, 4]
    v = [[1], [2]]
    return np.sum(x * u * x) + np.sum(x * v * x) + np.sum(x**w * x)


def of_what_changes(x):
    w = []
    for i in range(4):
        w.append(i * 2)
    y = x * w
    w[0] = 7.0
    return np.sum(y * y * w)


def of_rows(x):
    w = [x[:2], x[2:]]
    w.append(x[1:3])
    return np.sum(x[:2] * w) + np.sum(x[:0] * [])


def in_place(x):
    z = x.reshape(2, 2).copy()
    z @= [[1, 2], [3, 4]]
    z[:, 1] -= [1, 2]
    return np.sum(z * z)


ALL = [of_tuples, of_nested_tuples, of_lists, of_globals, of_powers, of_variables,
       of_what_changes, of_rows, in_place]  # fmt: skip


@pytest.mark.parametrize("f", ALL)
def test_derivatives(f):
    check_grads(f, (X,))
    value, _ = ad.value_and_grad(f)(X)
    assert value == f(X)


@pytest.mark.parametrize("f", [of_tuples, of_lists, of_globals])
def test_second_derivatives(f):
    check_grads(ad.grad(f), (X,))


def test_numbers_repeat_tuples_as_python_does():
    def f(x):
        return x[0] * sum((x.size, 2) * 2)

    assert ad.grad(f)(X).tolist() == [12.0, 0.0, 0.0, 0.0]
