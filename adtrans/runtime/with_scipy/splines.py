"""Derivatives of splines that do not vary, at places that do.

>>> import scipy.interpolate
>>> line = scipy.interpolate.CubicSpline(np.arange(4.0), np.arange(4.0) ** 3)
>>> slope_inside(line, np.array([1.0, 2.0]), 1)
array([ 3., 12.])
"""

from __future__ import annotations

from typing import Any

import numpy as np


def _slope(spline: Any, t: Any, nu: int) -> Any:
    """A derivative of an `interp1d`: beside the places there are its fill values, or the last
    piece goes on.

    >>> import scipy.interpolate
    >>> line = scipy.interpolate.interp1d(np.arange(3.0), np.array([0.0, 1.0, 4.0]))
    >>> _slope(line, np.array([0.5, 1.5]), 1), _slope(line, 0.5, 2)
    (array([1., 3.]), array(0.))
    """
    t, x = np.asarray(t, float), spline.x
    inside = (t >= x[0]) & (t <= x[-1]) if not spline._extrapolate else np.full(t.shape, True)
    if hasattr(spline, "_spline"):
        found = spline._spline(t, nu)
        found = np.reshape(found, t.shape)
    elif spline._kind == "linear" and nu == 1:
        at = np.clip(np.searchsorted(x, t), 1, len(x) - 1)
        found = (spline.y[at] - spline.y[at - 1]) / (x[at] - x[at - 1])
    else:
        found = np.zeros(t.shape)
    return np.where(inside, found, 0.0)


def _fitted_slope(spline: Any, t: Any, nu: int, ext: Any) -> Any:
    """A derivative of a `UnivariateSpline`: beside its places it goes on, or is constant.

    >>> import scipy.interpolate
    >>> line = scipy.interpolate.UnivariateSpline([0.0, 1.0], [0.0, 2.0], k=1, s=0, ext=3)
    >>> _fitted_slope(line, np.array([0.5, 2.0]), 1, None), _fitted_slope(line, 0.5, 2, None)
    (array([2., 0.]), array(0.))
    """
    knots, _, degree = spline._eval_args
    t = np.asarray(t)
    found = np.reshape(spline(t, nu, 0), t.shape) if nu <= degree else np.zeros(t.shape)
    if (spline.ext if ext is None else ext) in (0, "extrapolate"):
        return found
    return np.where((t >= knots[0]) & (t <= knots[-1]), found, 0.0)


def slope_inside(spline: Any, x: Any, nu: Any, extrapolate: Any = None) -> Any:
    """A derivative of a spline that does not vary: 0 beside its places, where it does not go on and
    is nan at each place.

    >>> import scipy.interpolate
    >>> line = scipy.interpolate.PPoly([[3.0], [1.0]], [0.0, 1.0], extrapolate=False)
    >>> line(np.array([0.5, 2.0]), 1), slope_inside(line, np.array([0.5, 2.0]), 1)
    (array([ 3., nan]), array([3., 0.]))
    """
    if hasattr(spline, "_extrapolate"):  # of an `interp1d`
        return _slope(spline, x, nu)
    if hasattr(spline, "_eval_args"):
        return _fitted_slope(spline, x, nu, extrapolate)
    found = spline(x, nu, extrapolate)
    if spline.extrapolate if extrapolate is None else extrapolate:
        return found
    ends = spline.t[[spline.k, -spline.k - 1]] if hasattr(spline, "t") else spline.x[[0, -1]]
    return np.where((x < ends[0]) | (x > ends[1]), 0.0, found)[()]
