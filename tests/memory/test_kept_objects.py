"""Sparse matrices and splines that are overwritten between `vjp` and its pullback."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, RegularGridInterpolator, interp1d
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import aslinearoperator, spsolve

import adtrans as ad

X = np.array([0.5, 1.0, 1.7])
AT = np.arange(4.0)


def matrix():
    return csr_matrix(np.array([[4.0, 1.0, 0.0], [0.0, 5.0, 2.0], [1.0, 0.0, 3.0]]))


def spline():
    return CubicSpline(AT, AT**2)


def line():
    return interp1d(AT, AT**2)


def grid():
    return RegularGridInterpolator((AT,), AT**3)


def times(x, m):
    return np.sum((m @ x) ** 2)


def solved(x, m):
    return np.sum(spsolve(m, x) ** 2)


def made_of_it(x, m):
    a = diags([x], [0]) + m
    b = csr_matrix(m)
    return np.sum((a @ x) ** 2) + np.sum(b @ x * x)


def value_of(x, s):
    return np.sum(s(x) ** 2)


def data(m):
    return m.data


CASES = [
    (times, matrix, data),
    (solved, matrix, data),
    pytest.param(made_of_it, matrix, data, marks=pytest.mark.recorded),
    (value_of, spline, lambda s: s.c),
    (value_of, line, lambda s: s.y),
    (value_of, grid, lambda s: s.values),
]


@pytest.mark.parametrize(("f", "make", "inside"), CASES)
def test_an_argument_is_copied(f, make, inside) -> None:
    m = make()
    _, pullback = ad.vjp(f, X, m, wrt=0)
    expected = pullback(1.0)[0]
    inside(m)[...] *= 2
    np.testing.assert_array_equal(pullback(1.0)[0], expected)
    np.testing.assert_allclose(ad.vjp(f, X, make(), wrt=0)[1](1.0)[0], expected)


L, S, G = matrix(), spline(), grid()
HOME = ModuleType("home")
HOME.L, HOME.S = matrix(), spline()  # type: ignore[attr-defined]

GLOBALS = [
    (lambda x: np.sum((L @ x) ** 2), lambda: L.data, "`L`"),
    (lambda x: np.sum(S(x) ** 2), lambda: S.c, "`S`"),
    (lambda x: np.sum(G(x) ** 2), lambda: G.values, "`G`"),
    (lambda x: np.sum((HOME.L @ x) ** 2), lambda: HOME.L.data, "`L`"),
    (lambda x: np.sum(HOME.S(x) ** 2), lambda: HOME.S.c, "`S`"),
]


@pytest.mark.parametrize(("f", "inside", "name"), GLOBALS)
def test_a_global_has_to_stay(f, inside, name) -> None:
    _, pullback = ad.vjp(f, X)
    expected = pullback(1.0)[0]
    np.testing.assert_array_equal(pullback(1.0)[0], expected)
    inside()[...] *= 2
    with pytest.raises(ad.MutationError, match=f"{name} was changed between"):
        pullback(1.0)
    inside()[...] /= 2
    np.testing.assert_array_equal(pullback(1.0)[0], expected)


def test_what_a_matrix_is_asked_changes_nothing() -> None:
    _, pullback = ad.vjp(lambda x: np.sum((L @ x) ** 2), X)
    expected = pullback(1.0)[0]
    assert L.has_canonical_format
    np.testing.assert_array_equal(pullback(1.0)[0], expected)


def test_an_operator_holds_its_matrix() -> None:
    m = matrix()
    _, pullback = ad.vjp(lambda x, a: np.sum((a @ x) ** 2), X, aslinearoperator(m), wrt=0)
    expected = pullback(1.0)[0]
    m.data *= 2
    np.testing.assert_array_equal(pullback(1.0)[0], expected)
