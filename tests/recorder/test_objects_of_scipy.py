"""Objects of SciPy, recorded: splines, factorisations, distributions, matrices that do not vary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.interpolate as ip
import scipy.linalg as la
import scipy.sparse as sp
import scipy.sparse.linalg as sl
import scipy.stats as st

import adtrans as ad

K = np.array([0.0, 1.0, 2.5, 3.0])
AT = np.array([0.9, 1.2, 0.5, 1.7])
DIAGONAL = np.diag(np.arange(1.0, 5.0))


def spline(x):
    return ip.CubicSpline(K, x)(1.3) + np.sum(ip.CubicSpline(K, x, bc_type="natural")(x))


def integral_of_a_spline(x):
    return ip.CubicSpline(K, x).integrate(0.2, x[1] + 1.5)


def slope_of_a_spline(x):
    return ip.CubicSpline(K, x).derivative()(1.3) + ip.CubicSpline(K, x)(0.4, 2)


def at_a_place(x):
    return ip.CubicSpline(np.arange(4.0), K)(x[0]) * x[1]


def monotone(x):
    return np.sum(ip.PchipInterpolator(K, x)(np.array([0.3, 1.7])))


def linear(x):
    return np.sum(ip.interp1d(K, x)(np.array([0.3, 1.7])))


def frozen(x):
    return np.sum(st.norm(loc=x[0], scale=x[1]).logpdf(x)) + st.norm(x[0]).cdf(0.3)


def many_variables(x):
    return st.multivariate_normal(mean=x, cov=np.eye(4)).logpdf(np.ones(4))


def lu(x):
    a = np.outer(x, x) + np.eye(4) * 3
    return np.sum(la.lu_solve(la.lu_factor(a), x))


def cholesky(x):
    a = np.outer(x, x) + np.eye(4) * 3
    c = la.cho_factor(a, lower=True)
    return np.sum(la.cho_solve(c, x)) + np.sum(np.log(np.diag(c[0])))


def sparse_factors(x):
    return np.sum(sl.splu(sp.csc_matrix(DIAGONAL)).solve(x) ** 2)


def sparse_products(x):
    a = sp.csr_matrix(DIAGONAL)
    return np.sum((a.T @ x) * a.dot(x))


ALL: list[Any] = [
    spline, integral_of_a_spline, slope_of_a_spline, at_a_place, monotone, linear, frozen,
    many_variables, lu, cholesky, sparse_factors, sparse_products,
]  # fmt: skip


@pytest.mark.parametrize("f", ALL)
def test_recorded(f: Any) -> None:
    value, gradient = ad.recorded(f).value_and_grad(AT)
    assert value == f(AT) and type(value) is type(f(AT))
    h = 1e-6
    expected = [(f(AT + h * e) - f(AT - h * e)) / (2 * h) for e in np.eye(4)]
    np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-7)
    _, slope = ad.recorded(f).jvp((AT,), (AT,))
    np.testing.assert_allclose(slope, gradient @ AT, rtol=1e-9, atol=1e-12)
