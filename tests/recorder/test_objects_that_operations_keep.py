"""Sparse matrices and splines that an operation needs, and that are written afterwards."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.interpolate import CubicSpline
from scipy.sparse.linalg import spsolve

import adtrans as ad

X = np.array([0.6, 0.9, 1.3])


def of_another(x, m):
    a = sp.csr_matrix(m)
    s = np.sum(a @ x)
    m.data *= 2.0
    return s


def written_before(x, m):
    a = sp.csr_matrix(m)
    m.data[0] = 5.0
    return np.sum((a @ x) ** 2)


def written_behind(x, m):
    y = m @ x
    m.data *= 2.0
    return np.sum(y * y)


def by_another_name(x, m):
    d = m.data
    s = np.sum((m @ x) ** 2)
    d *= 2.0
    return s


def turned(x, m):
    a = m.T
    s = np.sum((a @ x) ** 2)
    m.data *= 2.0
    return s


def of_an_array(x, m):
    d = np.array([1.0, 2.0, 3.0])
    a = sp.csr_matrix((d, np.array([0, 1, 2]), np.array([0, 1, 2, 3])), shape=(3, 3))
    s = np.sum((a @ x) ** 2)
    d *= 2.0
    return s


def of_diagonals(x, m):
    d = np.array([[1.0, 2.0, 3.0]])
    a = sp.dia_matrix((d, [0]), shape=(3, 3))
    s = np.sum((a @ x) ** 2)
    d[:] = 0.0
    return s


def in_a_loop(x, m):
    for k in range(3):
        x = m @ x
        m.data[k] *= 2.0
    return np.sum(x * x)


def by_an_index(x, m):
    s = np.sum((m @ x) ** 2)
    m[0, 0] = 7.0
    return s + np.sum((m @ x) ** 2)


def another_array(x, m):
    s = np.sum((m @ x) ** 2)
    m.data = m.data * 3.0
    return s * np.sum(m @ x)


def solved(x, m):
    y = spsolve(m, x)
    m.data *= 2.0
    return np.sum(y * y)


def spline(x, m):
    s = CubicSpline(np.arange(4.0), np.array([0.0, 1.0, 0.5, 2.0]))
    y = s(x)
    s.c *= 2.0
    return np.sum(y * s(x))


ALL = [
    of_another, written_before, written_behind, by_another_name, turned, of_an_array, of_diagonals,
    in_a_loop, by_an_index, another_array, solved, spline,
]  # fmt: skip


def matrix():
    return sp.csc_matrix(np.diag([2.0, 3.0, 4.0]) + 0.5 * np.eye(3, k=1))


def on_the_diagonal(x, m):
    y = m @ x
    m.setdiag(3.0)
    return np.sum(y * y) + np.sum((m @ x) ** 2)


@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dia", "lil", "dok"])
@pytest.mark.parametrize("f", [by_an_index, on_the_diagonal])
def test_every_form(f, form, how):
    if f is by_an_index and form in ("coo", "dia"):
        pytest.skip("nothing is stored there by an index")
    steps = np.eye(3) * 1e-6
    want = [(f(X + e, matrix().asformat(form)) - f(X - e, matrix().asformat(form))) / 2e-6
            for e in steps]  # fmt: skip
    found = ad.grad(ad.recorded(f), on_overwrite=how)(X.copy(), matrix().asformat(form))
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("f", ALL)
def test_gradients(f, how):
    steps = np.eye(3) * 1e-6
    want = [(f(X + e, matrix()) - f(X - e, matrix())) / 2e-6 for e in steps]
    recorded = ad.recorded(f)
    found = ad.grad(recorded, on_overwrite=how)(X.copy(), matrix())
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
    m = matrix()
    value, pullback = ad.vjp(recorded, X.copy(), m, wrt=0, on_overwrite=how)
    m.data[:] = 0.0  # what is done between the call and its pullback
    np.testing.assert_allclose(pullback(1.0)[0], want, rtol=1e-6, atol=1e-8)
    assert value == f(X, matrix())
