"""What of SciPy is followed by how it is written: sparse matrices, splines, integrals, roots."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.integrate import quad, solve_ivp
from scipy.interpolate import CubicSpline, PchipInterpolator, RegularGridInterpolator, interp1d
from scipy.optimize import brentq
from scipy.sparse import bmat, csc_matrix, diags, kron
from scipy.sparse.linalg import splu, spsolve

from tests.features.model import Section

row = Section("SciPy")
PLACES = np.array([0.0, 1.0, 2.5])
TABLE = RegularGridInterpolator(
    (PLACES, PLACES), np.outer(PLACES, PLACES**2), bounds_error=False, fill_value=None
)


@row("a sparse matrix of entries and places, times a vector")
def sparse_product(x):
    a = csc_matrix((x, (np.array([0, 1, 2]), np.array([1, 0, 2]))), shape=(3, 3))
    return np.sum((a @ x) ** 2)


@row("`diags`, sums and `spsolve`")
def sparse_system(x):
    a = diags([x, x[:2]], [0, 1]) + 3.0 * scipy.sparse.identity(3)
    return np.sum(spsolve(a.tocsc(), x) ** 2)


@row("a factorization of a sparse matrix: `splu`")
def sparse_factors(x):
    lu = splu(csc_matrix(np.diag(x) + np.outer(x, x)))
    return np.sum(lu.solve(x)) * lu.solve(x**2)[0]


@row("sparse matrices put together: `bmat`, `kron`")
def sparse_blocks(x):
    a = diags(x)
    both = kron(scipy.sparse.identity(2), a) + bmat([[a, None], [None, a @ a]])
    return np.sum((both @ np.arange(6.0)) ** 2)


@row("an element of a sparse matrix that varies")
def sparse_element(x):
    a = csc_matrix(np.diag(x))
    return a[0, 0] * 2.0


@row("a spline by the values and the places between which it goes")
def spline(x):
    s = CubicSpline(PLACES + 0.1 * x, x, bc_type="natural")
    return np.sum(s(x) ** 2)


@row("a monotone spline, its derivative and integral")
def monotone_spline(x):
    s = PchipInterpolator(PLACES, np.cumsum(x))
    slope = s.derivative()
    return np.sum(slope(x)) * s.integrate(0.2, 2.0)


@row("a spline along one axis of its values")
def spline_of_columns(x):
    s = CubicSpline(PLACES, np.outer(x, x**2), axis=1)
    return np.sum(s(x) ** 2)


@row("`interp1d` by its places and values")
def lines(x):
    s = interp1d(PLACES + 0.1 * x, x, fill_value="extrapolate")
    return np.sum(s(0.5 * x + 0.03) ** 2)


@row("a table on a grid that does not vary, by where it is asked")
def table(x):
    return np.sum(TABLE((x, x**2)) ** 2)


@row("an integral: `quad`")
def integral(x):
    k, b = x[0], x[1]
    return quad(lambda t: np.exp(-k * t), 0.0, b)[0]


@row("an integral with a weight")
def weighted_integral(x):
    k = x[0]
    return quad(lambda t: np.exp(-k * t), 0.0, 1.0, weight="cos", wvar=3.0)[0]


@row("a root: `brentq`")
def root_of(x):
    k = x[0]
    return brentq(lambda t: t**3 + k * t - 2.0, 0.0, 2.0, xtol=1e-14)


@row("a differential equation: `solve_ivp`")
def trajectory(x):
    k = x[1]
    found = solve_ivp(lambda t, y: -k * y, (0.0, 1.0), x, rtol=1e-10, atol=1e-12)
    return np.sum(found.y[:, -1])


@row("some of the eigenvalues: `eigh(subset_by_index=...)`")
def some_eigenvalues(x):
    a = np.outer(x, x**2) + np.diag(x)
    return np.sum(scipy.linalg.eigh(a, eigvals_only=True, subset_by_index=[1, 2]) ** 2)


class _Heat:
    def __init__(self, n):
        self.slope = diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(n, n)).tocsr()
        self.unit = scipy.sparse.identity(n, format="csc")

    def explicit(self, u, dt):
        return u + dt * (self.slope @ u)

    def implicit(self, u):
        return spsolve((self.unit - 0.1 * self.slope).tocsc(), u)


_HEAT = _Heat(3)


@row("a sparse matrix that an object holds, `self.A @ u`")
def sparse_attribute(x):
    heat = _Heat(3)
    return np.sum(heat.explicit(_HEAT.implicit(x), x[0]) ** 2)


@row("a sparse matrix as an argument, scaled by a number that varies", np.array([0.6, 0.9, 1.3]),
     _HEAT.slope)  # fmt: skip
def sparse_argument(x, matrix):
    step = x[0] * matrix
    return np.sum(((scipy.sparse.identity(3) - step) @ x) ** 2)
