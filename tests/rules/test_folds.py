"""Methods of universal functions: `out=` of `outer`, folds along an axis, and the functions that
NumPy itself does not fold."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])
K = (np.arange(24.0) * 7 % 25).reshape(2, 3, 4) / 17 + 0.313


@pytest.mark.parametrize("name", ["add", "multiply", "hypot"])
def test_an_outer_product_into_an_array(name):
    ufunc = getattr(np, name)

    def f(x):
        r = np.zeros((4, 4))
        q = ufunc.outer(x, x + 0.1, out=r)
        q[0] = 0.0
        return np.sum(r * r * x)

    for mode in ("refuse", "save"):
        check_grads(f, (X,), on_overwrite=mode, order=2)


@pytest.mark.parametrize("name", ["multiply", "divide", "hypot", "logaddexp", "logaddexp2",
                                  "float_power", "fmin", "subtract"])  # fmt: skip
def test_parts_that_overlap_or_go_back(name):
    ufunc = getattr(np, name)

    def f(k):
        return np.sum(ufunc.reduceat(k, [0, 2, 1], axis=1) ** 2)

    check_grads(f, (K,), order=2)


def test_the_curvature_of_folds():
    for f in (
        lambda k: np.sum(np.float_power.reduce(k, axis=1, keepdims=True) ** 2),
        lambda k: np.sum(np.power.accumulate(k, axis=2) ** 2),
        lambda k: np.sum(np.arctan2.accumulate(k, axis=1) ** 2),
    ):
        check_grads(f, (K,), order=2, rtol=1e-5)


@pytest.mark.parametrize("name", ["power", "arctan2"])
def test_what_numpy_does_not_fold_is_refused(name):
    ufunc = getattr(np, name)
    with pytest.raises(ad.CompileError, match="accumulate"):
        ad.grad(lambda x: ufunc.reduce(x))(X)


def test_factors_that_meet_twice_have_a_curvature():
    def f(x):
        a = x * 1.0
        np.multiply.at(a, [0, 0, 1], x[:3])
        np.maximum.at(a, [1, 2], x[2:])
        return np.sum(a * a)

    check_grads(f, (X,), order=2)


def test_a_product_of_polynomials_along_a_unit_vector():
    """Zeros at the head of a tangent are none of a polynomial's: the tangent was too short."""
    def f(x):
        r = np.polymul(x, [2.0])
        return np.sum(r * r * np.arange(1.0, 5.0))

    assert np.allclose(ad.hessian(f)(X), np.diag(8 * np.arange(1.0, 5.0)))
    check_grads(lambda x: np.sum(np.polymul(x, [3.0, 1.0])), (np.zeros(1),))


def test_covariances_of_two_arrays_have_a_curvature():
    weights = np.arange(6.0)
    check_grads(lambda k: np.sum(np.cov(k[0], k[1] ** 2) ** 2 * weights), (K,), order=2)
    check_grads(lambda k: np.sum(np.corrcoef(k[0], k[1] ** 2) ** 2 * weights), (K,), order=2)


def test_a_singular_matrix_is_an_error_of_adtrans():
    def f(a):
        return np.linalg.slogdet(a)[1]

    for derivative in (ad.grad(f), lambda a: ad.jvp(f, (a,), (np.ones((2, 2)),))):
        with pytest.raises(ad.DerivativeError, match="singular"):
            derivative(np.ones((2, 2)))


def test_borders_are_filled_with_what_varies():
    def f(x):
        a = np.pad(x * x, (1, 2), constant_values=(x[0], x[1]))
        b = np.pad(np.outer(x, x), 1, "linear_ramp", end_values=((x[0], 1.0), (x[2], x[3])))
        return np.sum(a * a) + np.sum(b**3)

    check_grads(f, (X,), order=2)
