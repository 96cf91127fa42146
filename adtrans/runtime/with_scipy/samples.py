"""Slopes of what `scipy.stats` computes of samples: of each number with respect to each element.

>>> gmean_slope(np.array([1.0, 4.0]), np.float64(2.0), 0, False)
array([1.  , 0.25])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special

from adtrans.runtime.broadcasting import expand_reduced
from adtrans.runtime.failures import DerivativeError


def _count(x: Any, axis: Any) -> int:
    return np.size(x) if axis is None else np.shape(x)[axis]


def _centred(x: Any, axis: Any) -> Any:
    return x - np.mean(x, axis=axis, keepdims=True)


def _share(x: Any, axis: Any, weights: Any) -> Any:
    """How much each element counts in a mean."""
    if weights is None:
        return 1.0 / _count(x, axis)
    weights = np.asarray(weights)
    if np.shape(weights) != np.shape(x):
        raise DerivativeError("weights of another shape than the sample have no rule: "
                              "`np.broadcast_to` them")  # fmt: skip
    return weights / np.sum(weights, axis=axis, keepdims=True)


def gmean_slope(x: Any, y: Any, axis: Any, keepdims: bool, weights: Any = None) -> Any:
    """`d gmean(x) / d x`."""
    return expand_reduced(y, axis, keepdims, np.ndim(x)) / x * _share(x, axis, weights)


def hmean_slope(x: Any, y: Any, axis: Any, keepdims: bool, weights: Any = None) -> Any:
    """`d hmean(x) / d x`."""
    return (expand_reduced(y, axis, keepdims, np.ndim(x)) / x) ** 2 * _share(x, axis, weights)


def deviation_slope(x: Any, axis: Any, ddof: Any) -> Any:
    """`d std(x) / d x`."""
    off = _centred(x, axis)
    free = _count(x, axis) - ddof
    return off / (free * np.sqrt(np.sum(off * off, axis=axis, keepdims=True) / free))


def sem_slope(x: Any, axis: Any, ddof: Any) -> Any:
    """`d sem(x) / d x`: the deviation by the root of the size."""
    return deviation_slope(x, axis, ddof) / np.sqrt(_count(x, axis))


def variation_slope(x: Any, axis: Any, ddof: Any) -> Any:
    """`d variation(x) / d x`: the deviation by the mean."""
    n = _count(x, axis)
    mean = np.mean(x, axis=axis, keepdims=True)
    off = x - mean
    spread = np.sqrt(np.sum(off * off, axis=axis, keepdims=True) / (n - ddof))
    return deviation_slope(x, axis, ddof) / mean - spread / (n * mean * mean)


def moment_slope(x: Any, axis: Any, order: int, center: Any = None) -> Any:
    """The slope of the moment of an order, about the mean or about a number."""
    if center is not None:
        return order * (x - center) ** (order - 1) / _count(x, axis)
    if order == 1:  # it is 0
        return 0.0 * x
    n, off = _count(x, axis), _centred(x, axis)
    powers = off ** (order - 1)
    return order * (powers - np.mean(powers, axis=axis, keepdims=True)) / n


def skew_slope(x: Any, axis: Any, bias: bool) -> Any:
    """The slope of `m3 / m2 ** 1.5`."""
    n, off = _count(x, axis), _centred(x, axis)
    second = np.mean(off * off, axis=axis, keepdims=True)
    third = np.mean(off * off * off, axis=axis, keepdims=True)
    slope = 3 * (off * off - second) / n / second**1.5 - 3 * third * off / n / second**2.5
    return slope if bias or n <= 2 else slope * (np.sqrt(n * (n - 1)) / (n - 2))


def kurtosis_slope(x: Any, axis: Any, bias: bool) -> Any:
    """The slope of `m4 / m2 ** 2`."""
    n, off = _count(x, axis), _centred(x, axis)
    cubes = off * off * off
    second = np.mean(off * off, axis=axis, keepdims=True)
    third = np.mean(cubes, axis=axis, keepdims=True)
    fourth = np.mean(cubes * off, axis=axis, keepdims=True)
    slope = 4 * (cubes - third) / n / second**2 - 4 * fourth * off / n / second**3
    return slope if bias or n <= 3 else slope * ((n * n - 1) / ((n - 2) * (n - 3)))


def zscore_slope(t: Any, x: Any, axis: Any, ddof: Any) -> Any:
    """What `zscore` does to a tangent, and to a cotangent: its derivative is symmetric."""
    n, off = _count(x, axis), _centred(x, axis)
    spread = np.sqrt(np.sum(off * off, axis=axis, keepdims=True) / (n - ddof))
    along = np.sum(t * off, axis=axis, keepdims=True) / ((n - ddof) * spread * spread)
    return (_centred(t, axis) - off * along) / spread


def entropy_slope(p: Any, q: Any, base: Any, axis: Any) -> Any:
    """The slope of the entropy of weights, or of their divergence from others, once normed.

    Raises:
        DerivativeError: if the two are of different shapes.
    """
    _same_shapes(p, q)
    total = np.sum(p, axis=axis, keepdims=True)
    share = p / total
    if q is None:
        each, parts = -np.log(share), scipy.special.entr(share)
    else:
        other = q / np.sum(q, axis=axis, keepdims=True)
        each, parts = np.log(share) - np.log(other), scipy.special.rel_entr(share, other)
    each = (each - np.sum(parts, axis=axis, keepdims=True)) / total
    return each if base is None else each / np.log(base)


def _same_shapes(p: Any, q: Any) -> None:
    if q is not None and np.shape(p) != np.shape(q):
        raise DerivativeError(
            "`entropy` of different shapes has no rule: broadcast the weights", code="AD601"
        )


def reference_slope(p: Any, q: Any, base: Any, axis: Any) -> Any:
    """The slope of the divergence with respect to the weights that it is measured from."""
    _same_shapes(p, q)
    share = p / np.sum(p, axis=axis, keepdims=True)
    total = np.sum(q, axis=axis, keepdims=True)
    each = 1 / total - share / q
    return each if base is None else each / np.log(base)


def _line(x: Any, y: Any) -> dict[str, tuple[Any, Any]]:
    """The slopes of what `linregress` and `pearsonr` return, with respect to `x` and to `y`."""
    if np.shape(x) != np.shape(y):
        raise DerivativeError("samples of different lengths have no rule here", code="AD601")
    n, dx, dy = len(x), x - np.mean(x), y - np.mean(y)
    xx, xy, yy = np.sum(dx * dx), np.sum(dx * dy), np.sum(dy * dy)
    slope, r = xy / xx, xy / np.sqrt(xx * yy)
    by_x, by_y = (dy - 2 * slope * dx) / xx, dx / xx
    root = np.sqrt(xx * yy)
    r_x, r_y = dy / root - r * dx / xx, dx / root - r * dy / yy
    mean = np.mean(x)
    if n == 2:  # the line goes through both points, whatever they are
        fixed = np.zeros(2)
        return {
            "slope": (by_x, by_y),
            "intercept": (-mean * by_x - slope / n, 1 / n - mean * by_y),
            **dict.fromkeys(("r", "p", "error"), (fixed, fixed)),
        }
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.sqrt((1 - r * r) * yy / xx / (n - 2))
        inner = 0.5 / ((n - 2) * error)  # of (1 - r**2) * yy / xx
        e_x = inner * (-2 * r * r_x * yy / xx - (1 - r * r) * yy * 2 * dx / (xx * xx))
        e_y = inner * (-2 * r * r_y * yy / xx + (1 - r * r) * 2 * dy / xx)
    # the p-value: twice what the density (1 - r**2)**(n/2 - 2) / B(1/2, n/2 - 1) has beyond |r|
    rate = -2 * np.sign(r) * (1 - r * r) ** (n / 2 - 2) / scipy.special.beta(0.5, n / 2 - 1)
    return {
        "slope": (by_x, by_y),
        "intercept": (-mean * by_x - slope / n, 1 / n - mean * by_y),
        "r": (r_x, r_y),
        "p": (rate * r_x, rate * r_y),
        "error": (e_x, e_y),
    }


_FIT = ("slope", "intercept", "r", "p", "error")
_CORRELATION = ("r", "p")


def fit_pullback(g: Any, x: Any, y: Any, which: int, fit: bool) -> Any:
    """The adjoint of the places (`which` 0) or the values of `linregress`, else of `pearsonr`."""
    line, found = _line(np.asarray(x), np.asarray(y)), np.zeros(np.shape(x))
    for seed, what in zip(g, _FIT if fit else _CORRELATION, strict=True):
        if seed is not None:
            found = found + seed * line[what][which]
    return found


def fit_pushforward(t: Any, x: Any, y: Any, which: int, fit: bool) -> Any:
    """The tangents of what `linregress`, else `pearsonr`, returns."""
    line = _line(np.asarray(x), np.asarray(y))
    return tuple([np.sum(t * line[what][which]) for what in (_FIT if fit else _CORRELATION)])
