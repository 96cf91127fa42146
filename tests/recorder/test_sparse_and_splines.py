"""Sparse matrices whose entries vary, splines and tables whose values vary: recorded."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.interpolate as ip
import scipy.sparse as sp
import scipy.sparse.linalg as sl

import adtrans as ad

X = np.array([0.9, 1.2, 0.5, 1.7])
T = np.linspace(0.0, 1.0, 4)
PLACES = (np.array([0, 1, 2, 0, 1]), np.array([1, 2, 0, 0, 1]))
KNOTS = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
GRID = (np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 3.0]))


def entries(x):
    return np.concatenate((x, x[:1] * x[1:2]))


def of_entries(x):
    a = sp.csr_matrix((entries(x), PLACES), shape=(3, 3))
    return np.sum((a @ x[:3]) ** 2) + (a.T @ x[1:])[0] + (x[:3] @ a)[1]


def at_one_place_twice(x):
    a = sp.coo_matrix((x, ([0, 1, 0, 0], [1, 1, 1, 0])), shape=(2, 2))
    return np.sum(a.tocsr() @ x[:2]) * a.tocsc()[0, 1] + np.sum(a.toarray() ** 2)


def of_diagonals(x):
    a = sp.diags([x, x[:-1], 2.0], [0, 1, -1], shape=(4, 4))
    return np.sum((a @ x) ** 2) + np.sum((a.tocsr() @ np.outer(x, x[:2])) ** 2)


def of_arrays(x):
    a = sp.csr_array((x, ([0, 1, 2, 0], [1, 2, 0, 0])), shape=(3, 3))
    return np.sum((a + 2.0 * a.T - sp.eye_array(3)) @ x[:3]) + np.sum((a * a).toarray() * 2.0)


def product_of_matrices(x):
    a = sp.csr_matrix((entries(x), PLACES), shape=(3, 3))
    b = sp.diags(x[:3]) @ a @ a.T
    return np.sum((b @ np.arange(3.0)) ** 2) + np.sum(b.diagonal())


def put_together(x):
    a = sp.diags(x[:2])
    both = sp.kron(sp.identity(2), a) + sp.bmat([[a, None], [None, a @ a]])
    return np.sum((both @ np.arange(4.0)) ** 2) + np.sum(sp.hstack([a, a]).toarray() ** 3)


def parts(x):
    a = sp.csr_matrix((entries(x), PLACES), shape=(3, 3))
    whole = a.sum() * a[0, 0] ** 2 + a.multiply(a).toarray()[0, 1]
    return whole + np.sum(a[1].toarray() ** 2) + np.sum(a[:, [1, 2]].toarray() ** 3)


def system(x):
    a = sp.diags([x + 3.0, x[:-1]], [0, 1]).tocsc()
    return np.sum(sl.spsolve(a, x) ** 2) + np.sum(sl.spsolve(a.T.tocsr(), np.outer(x, x[:2])))


def factors(x):
    a = sp.csc_matrix(np.diag(x + 2.0) + np.outer(x, x) * 0.1)
    lu, solve = sl.splu(a), sl.factorized(a)
    return np.sum(lu.solve(x)) * lu.solve(x**2, "T")[0] + solve(x)[1]


def laplacian(x):
    n = 4
    a = sp.lil_matrix((n, n))
    a.setdiag(2.0)
    return np.sum(sl.spsolve(a.tocsc() + sp.diags(x), x) * x)


def b_spline(x):
    s = ip.BSpline(KNOTS, x, 3)
    return s(0.3) * s(x[2] / 2) + np.sum(s.derivative()(np.array([0.2, 0.7])) ** 2)


def fitted(x):
    s = ip.make_interp_spline(T, x, k=3)
    return float(s(0.4)) * float(s(x[0] / 2, nu=1)) + np.sum(s(np.array([0.1, 0.6])) ** 2)


def of_columns(x):
    s = ip.make_interp_spline(T, np.outer(x, x[:2]), k=2)
    return np.sum(s(0.4) ** 2) + np.sum(s(x[:2] / 2) ** 2)


def cubic_of_interp1d(x):
    return np.sum(ip.interp1d(T, x, kind="cubic")(np.array([0.1, 0.45])) ** 2)


def fitpack(x):
    tck = ip.splrep(T, x)
    return ip.splev(0.4, tck) ** 2 + np.sum(ip.splev(x / 2, tck, der=1)) + ip.splint(0.1, 0.8, tck)


def beside_the_ends(x):
    s = ip.InterpolatedUnivariateSpline(T, x**2, ext=3)
    z = ip.InterpolatedUnivariateSpline(T, x, ext=1)
    return np.sum(s(x) * x) + float(z(0.3)) ** 2 + np.sum(z(x))


def through_the_values(x):
    s = ip.UnivariateSpline(T, x, s=0)
    return float(s(0.4)) ** 2 + float(s.derivative()(0.3)) + s.integral(0.0, 0.5)


def table(x):
    s = ip.RegularGridInterpolator(GRID, np.arange(9.0).reshape(3, 3) ** 2)
    return float(s(x[:2])[0]) ** 2 + np.sum(s((x[:2], x[2:])))


def table_that_varies(x):
    s = ip.RegularGridInterpolator((np.array([0.0, 1.0]), np.array([0.0, 2.0])), x.reshape(2, 2))
    return float(s([[0.3, x[2]]])[0]) * x[0]


def table_of_three_axes(x):
    values = np.add.outer(np.outer(x[:2], x[1:3]), x[2:] ** 2)
    s = ip.RegularGridInterpolator((T[:2], T[:2], T[:2]), values)
    return float(s(x[:3] / 6)[0])


ALL: list[Any] = [
    of_entries, at_one_place_twice, of_diagonals, of_arrays, product_of_matrices, put_together,
    parts, system, factors, laplacian, b_spline, fitted, of_columns, cubic_of_interp1d, fitpack,
    beside_the_ends, through_the_values, table, table_that_varies, table_of_three_axes,
]  # fmt: skip


def central(f: Any, h: float = 1e-6) -> Any:
    return np.array([(f(X + h * e) - f(X - h * e)) / (2 * h) for e in np.eye(4)])


@pytest.mark.parametrize("f", ALL)
def test_first_and_second_derivatives(f: Any) -> None:
    x = X.copy()
    value, gradient = ad.value_and_grad(ad.recorded(f))(x)
    assert value == f(X) and type(value) is type(f(X)) and np.array_equal(x, X)
    np.testing.assert_allclose(gradient, central(f), rtol=1e-6, atol=1e-7)
    _, slope = ad.recorded(f).jvp((X,), (X,))
    np.testing.assert_allclose(slope, gradient @ X, rtol=1e-9)
    twice = ad.hvp(ad.recorded(f), (X,), (X,))
    h = 1e-5
    up, down = (ad.recorded(f).grad(X + s * h * X) for s in (1, -1))
    np.testing.assert_allclose(twice, (up - down) / (2 * h), rtol=1e-5, atol=1e-6)


def smoothing(x):
    return float(ip.UnivariateSpline(T, x, s=0.1)(0.4))


def places_vary(x):
    return float(ip.make_interp_spline(np.sort(x), T)(1.0))


def dropped(x):
    return np.sum(sp.diags(x - X).tocsr() @ x)


@pytest.mark.parametrize("f", [smoothing, places_vary, dropped])
def test_a_clear_error(f: Any) -> None:
    with pytest.raises(ad.AdtransError):
        ad.recorded(f).grad(X)
