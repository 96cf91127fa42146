"""Slopes of log-densities.

>>> inside(np.array([-np.inf, 0.5]), np.array([1.0, 2.0]))
array([nan,  2.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.errors import DerivativeError
from adtrans.runtime.factorizations import to_triangle


def inside(y: Any, slope: Any) -> Any:
    """The slope of a log-density `y`, nan where that is `-inf`."""
    return np.where(np.isneginf(y), np.nan, slope)[()]


def where_positive(y: Any, slope: Any) -> Any:
    """The slope of a density `y`, given that of its logarithm; 0 where the density is."""
    return np.where(y == 0, 0.0, y * slope)[()]


def _scaled(x: Any, mean: Any, cov: Any) -> Any:
    """`inv(cov) @ (x - mean)` for each row."""
    off = x if mean is None else x - mean
    if np.ndim(off) < 3:
        return np.transpose(np.linalg.solve(_whole(cov), np.transpose(off)))
    return np.einsum("...i,ij->...j", off, np.linalg.inv(_whole(cov)))


def _whole(cov: Any) -> Any:
    """The matrix whose lower triangle is read."""
    if np.ndim(cov) != 2:
        raise DerivativeError("`cov` must be a matrix for a derivative")
    return np.tril(cov) + np.transpose(np.tril(cov, -1))


def multivariate_normal_x(g: Any, x: Any, mean: Any, cov: Any) -> Any:
    """The adjoint of the points of `multivariate_normal.logpdf`."""
    return np.reshape(-np.expand_dims(g, -1) * _scaled(x, mean, cov), np.shape(x))


def multivariate_normal_mean(g: Any, x: Any, mean: Any, cov: Any) -> Any:
    """The adjoint of the mean."""
    each = np.expand_dims(g, -1) * _scaled(x, mean, cov)
    return np.sum(np.reshape(each, (-1, np.shape(cov)[0])), axis=0)


def multivariate_normal_cov(g: Any, x: Any, mean: Any, cov: Any) -> Any:
    """The adjoint of the covariance, of which one triangle is read."""
    rows = np.reshape(_scaled(x, mean, cov), (-1, np.shape(cov)[0]))
    seeds = np.reshape(g, -1)
    outer = np.transpose(rows * np.expand_dims(seeds, -1)) @ rows
    inner = outer - np.sum(seeds) * np.linalg.inv(_whole(cov))
    return to_triangle(0.5 * inner, "L")


def multivariate_normal_slope(x_dot: Any, cov_dot: Any, x: Any, mean: Any, cov: Any) -> Any:
    """The tangent of `multivariate_normal.logpdf` for its points, or for its covariance."""
    scaled = _scaled(x, mean, cov)
    if cov_dot is None:
        return -np.sum(x_dot * scaled, axis=-1)
    whole = _whole(cov_dot)
    drift = np.sum(np.linalg.inv(_whole(cov)) * whole)
    return 0.5 * (np.sum((scaled @ whole) * scaled, axis=-1) - drift)
