"""Slopes of distances between points, of all pairs at once.

>>> a, b = np.array([[3.0, 0.0]]), np.array([[0.0, 4.0]])
>>> metric_slope(a, b, np.array([[5.0]]), "minkowski", 2.0, None)
array([[[ 0.6, -0.8]]])
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.distance import squareform

from adtrans.runtime.failures import DerivativeError


def _by(top: Any, bottom: Any) -> Any:
    """A quotient, 0 where the denominator is: points that coincide have slope 0."""
    return np.where(bottom == 0, 0.0, top / np.where(bottom == 0, 1.0, bottom))


def _weighted(a: Any, w: Any) -> Any:
    return a if w is None else w * a


def _cosine(u: Any, v: Any, w: Any) -> Any:
    """The slope of `1 - u.v / (|u| |v|)`."""
    uu = np.sqrt(np.sum(_weighted(u * u, w), axis=-1, keepdims=True))
    vv = np.sqrt(np.sum(_weighted(v * v, w), axis=-1, keepdims=True))
    cosine = np.sum(_weighted(u * v, w), axis=-1, keepdims=True) / (uu * vv)
    return _weighted(cosine * u / (uu * uu) - v / (uu * vv), w)


def _correlation(u: Any, v: Any, w: Any) -> Any:
    """The slope of the cosine between what differs from the means."""
    if w is None:
        slope = _cosine(
            u - np.mean(u, axis=-1, keepdims=True), v - np.mean(v, axis=-1, keepdims=True), None
        )
        return slope - np.mean(slope, axis=-1, keepdims=True)
    share = w / np.sum(w)
    slope = _cosine(
        u - np.sum(share * u, axis=-1, keepdims=True),
        v - np.sum(share * v, axis=-1, keepdims=True), w,
    )  # fmt: skip
    return slope - share * np.sum(slope, axis=-1, keepdims=True)


def _chebyshev(off: Any) -> Any:
    """The sign of the first of the largest differences."""
    first = np.argmax(np.abs(off), axis=-1)
    return np.where(np.arange(off.shape[-1]) == first[..., None], np.sign(off), 0.0)


def _jensen_shannon(u: Any, v: Any, d: Any) -> Any:
    """The slope of the root of `(KL(u, m) + KL(v, m)) / 2` with `m` between the normed weights."""
    if np.shape(u)[-1] != np.shape(v)[-1]:
        raise DerivativeError(
            "weights of different lengths have no rule: broadcast them", code="AD601"
        )
    total = np.sum(u, axis=-1, keepdims=True)
    p, q = u / total, v / np.sum(v, axis=-1, keepdims=True)
    each = np.log(_by(p, 0.5 * (p + q)) + (p == 0))  # 0.5 * d of the sum, with respect to p
    each = 0.5 * (each - np.sum(p * each, axis=-1, keepdims=True)) / total
    return _by(0.5 * each, d)


def jensen_shannon_slope(u: Any, v: Any, y: Any, base: Any, axis: int, keepdims: bool) -> Any:
    """The slopes of `jensenshannon(u, v, base, axis=axis, keepdims=keepdims)` by the first."""
    if np.shape(u) != np.shape(v):
        raise DerivativeError(
            "weights of different shapes have no rule: broadcast them", code="AD601"
        )
    d = np.moveaxis(y, axis, -1) if keepdims else np.expand_dims(y, -1)
    found = _jensen_shannon(np.moveaxis(u, axis, -1), np.moveaxis(v, axis, -1), d)
    return np.moveaxis(found if base is None else found / np.log(base), -1, axis)


def pair_slope(u: Any, v: Any, y: Any, metric: str, p: Any, weights: Any) -> Any:
    """The slopes of the distances `y` of points with respect to the first of each pair; `weights`:
    the variances of `seuclidean`, the matrix of `mahalanobis`, of others how much each coordinate
    counts, or None."""
    off, d = u - v, np.expand_dims(y, -1)
    match metric:
        case "euclidean":
            return _by(_weighted(off, weights), d)
        case "sqeuclidean":
            return _weighted(2.0 * off, weights)
        case "cityblock":
            return _weighted(np.sign(off), weights)
        case "minkowski":
            if p == np.inf:
                return _chebyshev(off if weights is None else np.where(weights != 0, off, 0.0))
            return _weighted(np.sign(off) * _by(np.abs(off), d) ** (p - 1), weights)
        case "chebyshev":
            return _chebyshev(off if weights is None else np.where(weights > 0, off, 0.0))
        case "seuclidean":
            return _by(off / weights, d)
        case "mahalanobis":
            return _by(0.5 * off @ (weights + weights.T), d)
        case "cosine":
            return _cosine(u, v, weights)
        case "correlation":
            return _correlation(u, v, weights)
        case "canberra":
            both = np.abs(u) + np.abs(v)
            slope = _by(np.sign(off), both) - _by(np.abs(off) * np.sign(u), both * both)
            return _weighted(slope, weights)
        case "braycurtis":
            both = np.sum(_weighted(np.abs(u + v), weights), axis=-1, keepdims=True)
            return _weighted(np.sign(off) / both - d * np.sign(u + v) / both, weights)
        case "jensenshannon":
            return _jensen_shannon(u, v, d)
        case _:
            raise AssertionError(metric)


def metric_slope(a: Any, b: Any, y: Any, metric: str, p: Any, weights: Any) -> Any:
    """The slopes of `cdist(a, b)` with respect to the first points: an array of three axes."""
    return pair_slope(a[:, None, :], b[None, :, :], y, metric, p, weights)


def metric_pullback(g: Any, a: Any, b: Any, y: Any, metric: str, p: Any, weights: Any) -> Any:
    """The adjoint of the first points of `cdist`."""
    return np.sum(g[:, :, None] * metric_slope(a, b, y, metric, p, weights), axis=1)


def metric_pushforward(
    t: Any, a: Any, b: Any, y: Any, metric: str, p: Any, weights: Any
) -> Any:
    """The tangent of `cdist` for the first points."""
    return np.sum(t[:, None, :] * metric_slope(a, b, y, metric, p, weights), axis=-1)


def pairs_metric_pullback(g: Any, x: Any, y: Any, metric: str, p: Any, weights: Any) -> Any:
    """The adjoint of the points of `pdist`: none is paired with itself, where there are kinks."""
    i, j = np.triu_indices(len(x), 1)
    first = g[:, None] * pair_slope(x[i], x[j], y, metric, p, weights)
    second = g[:, None] * pair_slope(x[j], x[i], y, metric, p, weights)
    found = np.zeros(np.shape(x), first.dtype)
    np.add.at(found, i, first)
    np.add.at(found, j, second)
    return found


def pairs_metric_pushforward(t: Any, x: Any, y: Any, metric: str, p: Any, weights: Any) -> Any:
    """The tangent of `pdist`; distances do not depend on the order of the points."""
    i, j = np.triu_indices(len(x), 1)
    first = pair_slope(x[i], x[j], y, metric, p, weights)
    second = pair_slope(x[j], x[i], y, metric, p, weights)
    return np.sum(t[i] * first + t[j] * second, axis=-1)


def squareform_pullback(g: Any, x: Any) -> Any:
    """The adjoint of `squareform`: of a vector both places, of a matrix the upper triangle."""
    if np.ndim(x) == 1:
        return squareform(g + g.T, checks=False)
    i, j = np.triu_indices(len(x), 1)
    found = np.zeros(np.shape(x), g.dtype)
    found[i, j] = g
    return found


def squareform_pushforward(t: Any) -> Any:
    """The tangent of `squareform`, of which a matrix need not be symmetric."""
    return squareform(t, checks=False)
