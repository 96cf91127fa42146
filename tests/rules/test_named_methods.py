"""Methods of arrays by their names, and options that are known though not written out."""

import numpy as np
import pytest
import scipy.linalg

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.5, 1.2, 0.8, 0.3])
M = np.arange(8.0).reshape(2, 4) + 0.5


def of_the_class(x):
    m = np.ndarray.reshape(x, (2, 2))
    return np.sum(np.ndarray.sum(m, axis=0) ** 2) + np.ndarray.dot(x, x)


def of_universal_functions(x):
    return np.sum(np.exp.__call__(x) * np.multiply.__call__(x, x))


def products(x):
    return np.sum(M.__matmul__(x) ** 2) + np.sum(x.__rmatmul__(M) * M[:, 0])


def arithmetic(x):
    s = x.__add__(x) * x.__neg__() - x.__rsub__(2.0) / x.__rtruediv__(3.0)
    return np.sum(s * np.ndarray.__mul__(x, x) + x.__pow__(2) * x.__abs__())


def compared(x):
    return np.sum(np.where(x.__gt__(0.6), x * x, x))


def joined(x, sub="i,i", axis=0):
    k = "i"
    m = np.concatenate([x.reshape(2, 2), x.reshape(2, 2) * 2.0], axis=axis)
    return np.sum(np.einsum(sub + "->i", x, x) * np.einsum(f"{k},{k}->{k}", x, x)) + np.sum(m * m)


def by_a_parameter(x):
    return _joined_along(x, 1) + _factor(x, True)


def _joined_along(x, a):
    m = np.concatenate([x.reshape(2, 2), x.reshape(2, 2) * 2.0], axis=a)
    return np.sum(m**2 * np.arange(4.0))


def _factor(x, lower):
    m = x.reshape(2, 2)
    return np.sum(scipy.linalg.cholesky(m @ m.T + np.eye(2), lower=lower) ** 3)


def named_ellipsis(x):
    return np.sum(np.einsum(x, [Ellipsis, 0], x, [Ellipsis, 0], [0]) ** 2)


@pytest.mark.parametrize(
    "f", [of_the_class, of_universal_functions, products, arithmetic, compared, joined,
          by_a_parameter, named_ellipsis],
)  # fmt: skip
def test_derivatives(f):
    check_grads(f, (X,))
    assert ad.value_and_grad(f)(X)[0] == f(X)


def test_a_number_of_python_has_methods_of_its_own():
    def f(s, x):
        return np.sum(x) if s.__mul__(x) is NotImplemented else 0.0 * s

    assert f(2.0, X) == np.sum(X)
    try:
        value, _ = ad.value_and_grad(f)(2.0, X)
    except ad.CompileError:
        return
    assert value == np.sum(X)
