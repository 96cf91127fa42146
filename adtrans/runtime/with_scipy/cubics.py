"""Splines of cubics that are told by their values and slopes at the places between which they go.

What SciPy computes is the value; the derivative, also that by the places, is that of the functions
in Python here, which are differentiated as they are.

>>> x, v = np.array([0.0, 1.0, 3.0]), np.array([0.0, 1.0, 9.0])
>>> both = np.concatenate((v, cubic_slopes(x, v, 0, 0.0, 0, 0.0)))
>>> cubic_at(x, both, np.array([0.5, 2.0]), 0, None).round(12).tolist()
[0.25, 4.0]
>>> float(cubic_integral(x, both, 0.0, 3.0, None))
9.0
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

NOT_A_KNOT, SLOPE, BEND = range(3)
"""What holds at an end: nothing new at the place next to it; its slope; its second derivative."""


def spline_matched(found: Any, same: Any) -> Any:
    """What was found, with the derivative of what is the same but for rounding."""
    return found


def spline_value(made: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """What the spline of SciPy is at `t`."""
    return made.at(made.asked(), t, nu, extrapolate)


def derivative_value(made: Any, t: Any, nu: Any) -> Any:
    """What its derivative is, which is another spline."""
    return made.asked().derivative(nu)(t)


def integral_value(made: Any, a: Any, b: Any, extrapolate: Any) -> Any:
    """What its integral is."""
    return made.asked().integrate(a, b, extrapolate)


def cubic_spline_at(made: Any, x: Any, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """`spline(t, nu, extrapolate)`."""
    found = spline_value(made, t, nu, extrapolate)
    way = made_extrapolates(made) if extrapolate is None else extrapolate
    return spline_matched(found, np.asarray(cubic_at(x, v, t, nu, way)))


def cubic_spline_derivative(made: Any, x: Any, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """`spline.derivative(nu)(t)`."""
    found = derivative_value(made, t, nu)
    same = cubic_at(x, v, t, nu, made_extrapolates(made))
    return spline_matched(found, np.asarray(same))


def cubic_spline_integral(made: Any, x: Any, v: Any, a: Any, b: Any, extrapolate: Any) -> Any:
    """`spline.integrate(a, b, extrapolate)`."""
    found = integral_value(made, a, b, extrapolate)
    way = made_extrapolates(made) if extrapolate is None else extrapolate
    return spline_matched(found, np.asarray(cubic_integral(x, v, a, b, way)))


def made_extrapolates(made: Any) -> Any:
    """Whether a spline goes on beside its places, as it was made: True, False or `"periodic"`."""
    return made.spline.extrapolate


def _pieces(x: Any, v: Any, t: Any) -> tuple[Any, ...]:
    """For each of `t` the piece that it is in, how far, and the coefficients of the cubic there."""
    n = len(x)
    i = np.clip(np.searchsorted(x, t, side="right") - 1, 0, n - 2)
    h, u = x[i + 1] - x[i], t - x[i]
    m, first, last = (v[i + 1] - v[i]) / h, v[n + i], v[n + i + 1]
    return i, u, v[i], first, (3 * m - 2 * first - last) / h, (first + last - 2 * m) / (h * h)


def cubic_at(x: Any, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """The spline with the values and slopes `v` at the places `x`, or its derivative of order `nu`,
    at `t`."""
    return np.reshape(_along(x, v, np.ravel(t), nu, extrapolate), np.shape(t))


def _along(x: Any, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """The same for the places in one line."""
    if isinstance(extrapolate, str):  # periodic
        t = x[0] + (t - x[0]) % (x[-1] - x[0])
    _, u, c0, c1, c2, c3 = _pieces(x, v, t)
    if nu == 0:
        found = c0 + u * (c1 + u * (c2 + u * c3))
    elif nu == 1:
        found = c1 + u * (2 * c2 + u * (3 * c3))
    elif nu == 2:
        found = 2 * c2 + u * (6 * c3)
    elif nu == 3:
        found = 6 * c3 + 0.0 * u
    else:
        found = 0.0 * u
    if extrapolate is False:
        found = np.where((t >= x[0]) & (t <= x[-1]), found, np.nan)
    return found


def cubic_integral(x: Any, v: Any, a: Any, b: Any, extrapolate: Any) -> Any:
    """The integral from `a` to `b`."""
    n = len(x)
    h = np.diff(x)
    half = 0.5 * h * (v[1:n] + v[: n - 1])
    whole = half + h * h * (v[n : 2 * n - 1] - v[n + 1 :]) / 12
    before = np.concatenate((np.zeros(1), np.cumsum(whole)))
    start, end = np.ravel(a), np.ravel(b)
    found = _until(x, v, before, end, extrapolate) - _until(x, v, before, start, extrapolate)
    return np.reshape(found, ())


def _until(x: Any, v: Any, before: Any, t: Any, extrapolate: Any) -> Any:
    """The integral from the first place to `t`; `before`: that to each of the places."""
    times = 0.0 * t
    if isinstance(extrapolate, str):  # periodic
        times = np.floor((t - x[0]) / (x[-1] - x[0]))
        t = t - times * (x[-1] - x[0])
    i, u, c0, c1, c2, c3 = _pieces(x, v, t)
    return before[i] + u * (c0 + u * (c1 / 2 + u * (c2 / 3 + u * c3 / 4))) + times * before[-1]


def cubic_slopes(x: Any, v: Any, start: int, first: Any, end: int, last: Any) -> Any:
    """Those of `CubicSpline`, for which the second derivatives on both sides of a place agree;
    `first` and `last` are what is said of the ends.

    >>> cubic_slopes(np.arange(4.0), np.arange(4.0) ** 2, 1, 0.0, 2, 2.0).round(6)
    array([0., 2., 4., 6.])
    """
    n, h = len(x), np.diff(x)
    m = np.diff(v) / h
    if n == 2 and start == NOT_A_KNOT:
        start, first = SLOPE, m[0]
    if n == 2 and end == NOT_A_KNOT:
        end, last = SLOPE, m[0]
    if n == 3 and start == NOT_A_KNOT and end == NOT_A_KNOT:
        return _parabola(h, m)
    one, none = np.ones(1), np.zeros(1)
    if start == SLOPE:
        a0, b0, r0 = one, none, first * one
    elif start == BEND:
        a0, b0, r0 = 2 * h[:1], h[:1], 3 * m[:1] * h[:1] - 0.5 * first * h[:1] ** 2
    else:
        d = x[2:3] - x[:1]
        a0, b0 = h[1:2], d
        r0 = ((h[:1] + 2 * d) * h[1:2] * m[:1] + h[:1] ** 2 * m[1:2]) / d
    if end == SLOPE:
        a1, b1, r1 = one, none, last * one
    elif end == BEND:
        a1, b1, r1 = 2 * h[-1:], h[-1:], 3 * m[-1:] * h[-1:] + 0.5 * last * h[-1:] ** 2
    else:
        d = x[-1:] - x[-3:-2]
        a1, b1 = h[-2:-1], d
        r1 = (h[-1:] ** 2 * m[-2:-1] + (2 * d + h[-1:]) * h[-2:-1] * m[-1:]) / d
    bands = np.stack((
        np.concatenate((none, b0, h[:-1])),
        np.concatenate((a0, 2 * (h[:-1] + h[1:]), a1)),
        np.concatenate((h[1:], b1, none)),
    ))  # fmt: skip
    right = np.concatenate((r0, 3 * (h[1:] * m[:-1] + h[:-1] * m[1:]), r1))
    return tridiagonal(bands, right)


def tridiagonal(bands: Any, right: Any) -> Any:
    """The solution of a system with three diagonals, as `scipy.linalg.solve_banded` is given them.

    >>> bands = np.array([[0.0, 1.0], [2.0, 4.0], [3.0, 0.0]])
    >>> tridiagonal(bands, np.array([4.0, 11.0])).tolist()
    [1.0, 2.0]
    """
    return scipy.linalg.solve_banded((1, 1), bands, right)


def bands_turned(bands: Any) -> Any:
    """The diagonals of the transpose."""
    none = np.zeros(1)
    above, below = bands[0, 1:], bands[2, :-1]
    return np.stack((np.concatenate((none, below)), bands[1], np.concatenate((above, none))))


def bands_of_outer(a: Any, b: Any) -> Any:
    """The diagonals of the outer product of two vectors."""
    none = np.zeros(1)
    above, below = a[:-1] * b[1:], a[1:] * b[:-1]
    return np.stack((np.concatenate((none, above)), a * b, np.concatenate((below, none))))


def bands_times(bands: Any, v: Any) -> Any:
    """The product with a vector."""
    none = np.zeros(1)
    above, below = bands[0, 1:] * v[1:], bands[2, :-1] * v[:-1]
    return bands[1] * v + np.concatenate((above, none)) + np.concatenate((none, below))


def _parabola(h: Any, m: Any) -> Any:
    """The slopes at three places of the one parabola through the values."""
    bend = (m[1:] - m[:-1]) / (h[1:] + h[:-1])
    return np.concatenate((m[:1] - bend * h[:1], m[:1] + bend * h[:1], m[1:] + bend * h[1:]))


def periodic_slopes(x: Any, v: Any) -> Any:
    """Those of `CubicSpline` where the first place is the last one, too.

    >>> periodic_slopes(np.arange(4.0), np.array([0.0, 1.0, -1.0, 0.0])).round(6)
    array([ 2., -1., -1.,  2.])
    """
    h = np.diff(x)
    m = np.diff(v) / h
    n = len(x) - 1
    if n == 1:
        return np.concatenate((m, m))
    h0, m0 = np.roll(h, 1), np.roll(m, 1)
    before, after = np.roll(np.eye(n), -1, axis=1), np.roll(np.eye(n), 1, axis=1)
    a = np.diag(2 * (h + h0)) + h[:, None] * before + h0[:, None] * after
    found = np.linalg.solve(a, 3 * (h * m0 + h0 * m))
    return np.concatenate((found, found[:1]))
