"""Slopes of log-densities.

>>> inside(np.array([-np.inf, 0.5]), np.array([1.0, 2.0]))
array([nan,  2.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.factorizations import to_triangle
from adtrans.runtime.failures import DerivativeError


def inside(y: Any, slope: Any) -> Any:
    """The slope of a log-density `y`, nan where that is `-inf`."""
    return np.where(np.isneginf(y), np.nan, slope)[()]


def where_positive(y: Any, slope: Any) -> Any:
    """The slope of a density `y`, given that of its logarithm; 0 where the density is."""
    return np.where(y == 0, 0.0, y * slope)[()]


def extreme_slope(z: Any, c: Any) -> Any:
    """The slope of the log-density of `genextreme`: with `t = (1 - c z)^(1/c)` that is
    `(1 - c) log(t) - t`.

    >>> extreme_slope(0.0, 0.5), extreme_slope(np.array([0.0]), 0.0)
    (np.float64(0.5), array([0.]))
    """
    return (_extreme_size(z, c) - 1.0 + c) / (1.0 - c * z)


def extreme_shape(z: Any, c: Any) -> Any:
    """The same by the shape."""
    near = np.abs(c * z) < 1e-4
    safe = np.where(near, 1.0, c)
    inner = np.where(near, 0.0, c * z)
    moved = -np.log1p(-inner) / (safe * safe) - z / (safe * (1.0 - inner))
    first = -z * z * (0.5 + c * z * (2.0 / 3.0 + 0.75 * c * z))  # the series of the same
    return ((1.0 - c - _extreme_size(z, c)) * np.where(near, first, moved)
            - _extreme_log(z, c))  # fmt: skip


def _extreme_log(z: Any, c: Any) -> Any:
    near = np.abs(c * z) < 1e-4
    far = np.log1p(-np.where(near, 0.0, c * z)) / np.where(near, 1.0, c)
    return np.where(near, -z * (1.0 + c * z * (0.5 + c * z * (1.0 / 3.0 + 0.25 * c * z))), far)


def _extreme_size(z: Any, c: Any) -> Any:
    return np.exp(_extreme_log(z, c))


def _inverse(whole: Any, singular: Any) -> Any:
    """The inverse of a covariance; where it may be singular, as SciPy takes it."""
    if not singular:
        return np.linalg.inv(whole)
    single = whole.dtype == np.float32
    cut = (1e3 if single else 1e6) * np.finfo(np.float32 if single else np.float64).eps
    return np.linalg.pinv(whole, rcond=cut, hermitian=True)


def _scaled(x: Any, mean: Any, cov: Any, singular: Any = False) -> Any:
    """`inv(cov) @ (x - mean)` for each row."""
    off = x if mean is None else x - mean
    whole = _whole(cov, mean)
    if singular:
        return off @ _inverse(whole, singular)
    if np.ndim(off) < 3:
        return np.transpose(np.linalg.solve(whole, np.transpose(off)))
    return np.einsum("...i,ij->...j", off, np.linalg.inv(whole))


def _whole(cov: Any, mean: Any) -> Any:
    """The matrix whose lower triangle is read; a number or a vector is its diagonal."""
    if np.ndim(cov) == 2:
        return np.tril(cov) + np.transpose(np.tril(cov, -1))
    if np.ndim(mean) != 1:
        raise DerivativeError(
            "`cov` must be a matrix, or the mean a vector, for a derivative", code="AD601"
        )
    return np.diag(cov * np.ones(len(mean)))


def _as_rows(each: Any) -> Any:
    """Vectors as the rows of a matrix."""
    if np.ndim(each) == 1:
        return np.expand_dims(each, 0)
    return each if np.ndim(each) == 2 else np.reshape(each, (-1, np.shape(each)[-1]))


def _of_full_rank(whole: Any, singular: Any) -> Any:
    """The inverse, for the covariance itself: a density jumps where the rank changes."""
    found = _inverse(whole, singular)
    if singular and np.linalg.matrix_rank(found, hermitian=True) < len(whole):
        raise DerivativeError(
            "the covariance is singular here: the density has no derivative by it", code="AD602"
        )
    return found


def multivariate_normal_x(g: Any, x: Any, mean: Any, cov: Any, singular: Any = False) -> Any:
    """The adjoint of the points of `multivariate_normal.logpdf`."""
    return np.reshape(-np.expand_dims(g, -1) * _scaled(x, mean, cov, singular), np.shape(x))


def multivariate_normal_mean(g: Any, x: Any, mean: Any, cov: Any, singular: Any = False) -> Any:
    """The adjoint of the mean."""
    return np.sum(_as_rows(np.expand_dims(g, -1) * _scaled(x, mean, cov, singular)), axis=0)


def multivariate_normal_cov(g: Any, x: Any, mean: Any, cov: Any, singular: Any = False) -> Any:
    """The adjoint of the covariance, of which one triangle is read, or of its diagonal."""
    rows = _as_rows(_scaled(x, mean, cov, singular))
    weighted = _as_rows(np.expand_dims(g, -1) * _scaled(x, mean, cov, singular))
    inner = np.transpose(weighted) @ rows - np.sum(g) * _of_full_rank(_whole(cov, mean), singular)
    if np.ndim(cov) == 2:
        return to_triangle(0.5 * inner, "L")
    along = 0.5 * np.diag(inner)
    return along if np.size(cov) > 1 else np.reshape(np.sum(along), np.shape(cov))


def multivariate_normal_slope(
    x_dot: Any, cov_dot: Any, x: Any, mean: Any, cov: Any, singular: Any = False
) -> Any:
    """The tangent of `multivariate_normal.logpdf` for its points, or for its covariance."""
    scaled = _scaled(x, mean, cov, singular)
    if cov_dot is None:
        return -np.sum(x_dot * scaled, axis=-1)
    whole = _whole(cov_dot, mean)
    drift = np.sum(_of_full_rank(_whole(cov, mean), singular) * whole)
    return 0.5 * (np.sum((scaled @ whole) * scaled, axis=-1) - drift)


def simplex_point(x: Any, alpha: Any) -> Any:
    """All coordinates of a point of `dirichlet.logpdf`, which may be given without the last one."""
    return x if len(x) == len(alpha) else np.append(x, 1.0 - np.sum(x))


def simplex_slope(x: Any, alpha: Any) -> Any:
    """The slopes of the log-density by the coordinates that are given.

    >>> simplex_slope(np.array([0.25]), np.array([2.0, 4.0]))
    array([0.])
    """
    each = (alpha - 1.0) / simplex_point(x, alpha)
    return each if len(x) == len(alpha) else each[:-1] - each[-1]


def regular_size(spread: Any) -> int:
    """The number of rows of a symmetric matrix, of which the lower triangle is read; of one that
    is singular, of which SciPy leaves parts out, there is no derivative here."""
    found = np.linalg.eigvalsh(np.asarray(spread, float))
    if len(found) and np.min(found) <= 1e6 * np.finfo(float).eps * np.max(found):
        raise DerivativeError("the matrix is singular, or nearly so", code="AD604")
    return len(found)
