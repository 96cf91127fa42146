"""Splines of cubics that are told by their values and slopes at the places between which they go.

What SciPy computes is the value; the derivative, also that by the places, is that of the functions
in Python here, which are differentiated as they are. The values are columns, one for each line
along which a spline goes.

>>> x, v = np.array([0.0, 1.0, 3.0]), np.array([[0.0], [1.0], [9.0]])
>>> both = np.concatenate((v, cubic_slopes(x, v, 0, 0.0, 0, 0.0)))
>>> cubic_at(x, both, np.array([0.5, 2.0]), 0, True).round(12).tolist()
[[0.25], [4.0]]
>>> cubic_integral(x, both, 0.0, 3.0, True).round(12).tolist()
[[9.0]]
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import scipy.linalg

from adtrans.runtime.failures import DerivativeError

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


def cubic_spline_at(
    made: Any, x: Any, v: Any, given: Any, t: Any, nu: Any, extrapolate: Any
) -> Any:
    """`spline(t, nu, extrapolate)`; `v`: the columns, `given`: the values as they were given."""
    found = spline_value(made, t, nu, extrapolate)
    way = made_extrapolates(made) if extrapolate is None else extrapolate
    return spline_matched(found, shaped_as(cubic_at(x, v, np.ravel(t), nu, way), made, t, given))


def cubic_spline_derivative(
    made: Any, x: Any, v: Any, given: Any, t: Any, nu: Any, extrapolate: Any
) -> Any:
    """`spline.derivative(nu)(t)`; that of order -1 is the antiderivative."""
    found = derivative_value(made, t, nu)
    way = made_extrapolates(made)
    same = cubic_from_start(x, v, np.ravel(t), way) if nu == -1 else (
        cubic_at(x, v, np.ravel(t), nu, way)
    )
    return spline_matched(found, shaped_as(same, made, t, given))


def cubic_spline_integral(
    made: Any, x: Any, v: Any, given: Any, a: Any, b: Any, extrapolate: Any
) -> Any:
    """`spline.integrate(a, b, extrapolate)`."""
    found = integral_value(made, a, b, extrapolate)
    way = made_extrapolates(made) if extrapolate is None else extrapolate
    return spline_matched(found, shaped_as(cubic_integral(x, v, a, b, way), made, a, given))


def line_spline_at(made: Any, x: Any, v: Any, given: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """The same for straight lines between the places."""
    found = spline_value(made, t, nu, extrapolate)
    same = line_at(x, v, np.ravel(t), made_extrapolates(made))
    return spline_matched(found, shaped_as(same, made, t, given))


def made_extrapolates(made: Any) -> Any:
    """Whether a spline goes on beside its places, as it was made: True, False or `"periodic"`."""
    return made.extrapolates


def shaped_as(a: Any, made: Any, t: Any, given: Any) -> Any:
    """What was found in columns, as the spline through the values `given` has it at `t`."""
    return laid_out(a, made, t)


def laid_out(a: Any, made: Any, t: Any) -> Any:
    """What was found in columns for the places `t`: these are axes in the place of the one along
    which the spline goes."""
    lead, trail = made.lines
    n, first = np.ndim(t), len(lead)
    found = np.array(a).reshape((*np.shape(t), *lead, *trail))
    return np.moveaxis(found, range(n), range(first, first + n)) if lead and n else found


def lined_up(g: Any, made: Any, t: Any) -> Any:
    """The adjoint of that: the columns."""
    lead, _ = made.lines
    n, first = np.ndim(t), len(lead)
    turned = np.moveaxis(g, range(first, first + n), range(n)) if lead and n else g
    return np.reshape(turned, (np.size(t), made.columns))


def cubic_powers(u: Any, nu: int) -> Any:
    """1, `u`, its square and its cube, or their derivatives of order `nu`.

    >>> cubic_powers(np.array([2.0, 3.0]), 1).tolist()
    [[0.0, 0.0], [1.0, 1.0], [4.0, 6.0], [12.0, 27.0]]
    """
    if nu < 0:
        raise DerivativeError(
            "only the first antiderivative is differentiated here", code="AD601"
        )
    factors = [math.perm(k, nu) for k in range(4)]
    return np.stack([f * u ** max(k - nu, 0) for k, f in enumerate(factors)])


def _pieces(x: Any, v: Any, t: Any) -> tuple[Any, ...]:
    """For each of `t` the piece that it is in, how far, and the coefficients of the cubic there."""
    n = len(x)
    i = np.clip(np.searchsorted(x, t, side="right") - 1, 0, n - 2)
    h, u = (x[i + 1] - x[i])[:, None], (t - x[i])[:, None]
    m, first, last = (v[i + 1] - v[i]) / h, v[n + i], v[n + i + 1]
    return i, u, v[i], first, (3 * m - 2 * first - last) / h, (first + last - 2 * m) / (h * h)


def _periods(x: Any, t: Any, extrapolate: Any) -> Any:
    """How many periods each of `t` is beyond the first one."""
    return float(isinstance(extrapolate, str)) * np.floor((t - x[0]) / (x[-1] - x[0]))


def cubic_at(x: Any, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """The spline with the values and slopes `v` at the places `x`, or its derivative of order `nu`,
    at the places `t` in a line."""
    t = t - _periods(x, t, extrapolate) * (x[-1] - x[0])
    _, u, c0, c1, c2, c3 = _pieces(x, v, t)
    p = cubic_powers(u, nu)
    found = c0 * p[0] + c1 * p[1] + c2 * p[2] + c3 * p[3]
    inside = ((t >= x[0]) & (t <= x[-1])) | (extrapolate is not False)
    return np.where(inside[:, None], found, np.nan)


def line_at(x: Any, v: Any, t: Any, extrapolate: Any) -> Any:
    """The straight lines between the values `v`; what is beside the places is no matter, where they
    do not go on.

    >>> line_at(np.array([0.0, 2.0]), np.array([[1.0], [5.0]]), np.array([0.5]), True).tolist()
    [[2.0]]
    """
    i = np.clip(np.searchsorted(x, t, side="right") - 1, 0, len(x) - 2)
    share = ((t - x[i]) / (x[i + 1] - x[i]))[:, None]
    inside = ((t >= x[0]) & (t <= x[-1])) | (extrapolate is not False)
    return np.where(inside[:, None], v[i] + share * (v[i + 1] - v[i]), np.nan)


def cubic_integral(x: Any, v: Any, a: Any, b: Any, extrapolate: Any) -> Any:
    """The integral from `a` to `b`, for each column."""
    n = len(x)
    h = np.diff(x)[:, None]
    half = 0.5 * h * (v[1:n] + v[: n - 1])
    whole = half + h * h * (v[n : 2 * n - 1] - v[n + 1 :]) / 12
    before = np.concatenate((np.zeros((1, v.shape[1])), np.cumsum(whole, axis=0)))
    start, end = np.ravel(a), np.ravel(b)
    return _until(x, v, before, end, extrapolate) - _until(x, v, before, start, extrapolate)


def cubic_from_start(x: Any, v: Any, t: Any, extrapolate: Any) -> Any:
    """The integral from the first place to each of `t`, as the antiderivative has it: it goes on
    beside the places where the spline does, but not in periods."""
    found = cubic_integral(x, v, x[0], t, False)
    inside = ((t >= x[0]) & (t <= x[-1])) | (extrapolate is True)
    return np.where(inside[:, None], found, np.nan)


def _until(x: Any, v: Any, before: Any, t: Any, extrapolate: Any) -> Any:
    """The integral from the first place to `t`; `before`: that to each of the places."""
    times = _periods(x, t, extrapolate)
    t = t - times * (x[-1] - x[0])
    i, u, c0, c1, c2, c3 = _pieces(x, v, t)
    more = times[:, None] * before[-1]
    return before[i] + u * (c0 + u * (c1 / 2 + u * (c2 / 3 + u * c3 / 4))) + more


def cubic_slopes(x: Any, v: Any, start: int, first: Any, end: int, last: Any) -> Any:
    """Those of `CubicSpline`, for which the second derivatives on both sides of a place agree;
    `first` and `last` are what is said of the ends.

    >>> v = np.arange(4.0)[:, None] ** 2
    >>> cubic_slopes(np.arange(4.0), v, 1, 0.0, 2, 2.0).round(6).ravel()
    array([0., 2., 4., 6.])
    """
    n, h = len(x), np.diff(x)
    m = np.diff(v, axis=0) / h[:, None]
    few = n == 2 or (n == 3 and start == NOT_A_KNOT and end == NOT_A_KNOT)
    k = min(1, n - 2)
    a0, b0, r0 = _end(h[0], h[k], m[0], m[k], start, few, np.ravel(first), -1.0)
    a1, b1, r1 = _end(h[-1], h[-1 - k], m[-1], m[-1 - k], end, few, np.ravel(last), 1.0)
    bands, right = np.zeros((3, n)), np.zeros(v.shape)
    before, after = h[:-1, None], h[1:, None]
    bands[0, 1], bands[0, 2:] = b0, h[:-1]
    bands[1, 0], bands[1, 1:-1], bands[1, -1] = a0, 2 * (h[:-1] + h[1:]), a1
    bands[2, :-2], bands[2, -2] = h[1:], b1
    right[0], right[1:-1], right[-1] = r0, 3 * (after * m[:-1] + before * m[1:]), r1
    return tridiagonal(bands, right)


def _end(h0: Any, h1: Any, m0: Any, m1: Any, kind: int, few: bool, said: Any, sign: float) -> Any:
    """The equation of the slopes at an end and next to it: both coefficients, and the right side.

    `h0` and `m0` are of the interval there, `h1` and `m1` of the next one. What holds is chosen by
    factors and not by branches, which would take long to differentiate twice. Where there are `few`
    places, the slope is that of the parabola or line through them.
    """
    slope, bend = float(kind == SLOPE), float(kind == BEND)
    through = float(few and kind == NOT_A_KNOT)
    free = 1.0 - slope - bend - through
    d = h0 + h1
    by_slope = slope * said + through * (m0 - (m1 - m0) * h0 / d)
    by_bend = bend * h0 * (3 * m0 + 0.5 * sign * said * h0)
    by_next = free * ((h0 + 2 * d) * h1 * m0 + h0 * h0 * m1) / d
    return (slope + through + 2 * bend * h0 + free * h1, bend * h0 + free * d,
            by_slope + by_bend + by_next)  # fmt: skip


def tridiagonal(bands: Any, right: Any) -> Any:
    """The solution of a system with three diagonals, as `scipy.linalg.solve_banded` is given them.

    >>> bands = np.array([[0.0, 1.0], [2.0, 4.0], [3.0, 0.0]])
    >>> tridiagonal(bands, np.array([[4.0], [11.0]])).tolist()
    [[1.0], [2.0]]
    """
    return scipy.linalg.solve_banded((1, 1), bands, right, check_finite=False)


def bands_turned(bands: Any) -> Any:
    """The diagonals of the transpose."""
    none = np.zeros(1)
    above, below = bands[0, 1:], bands[2, :-1]
    return np.stack((np.concatenate((none, below)), bands[1], np.concatenate((above, none))))


def bands_of_outer(a: Any, b: Any) -> Any:
    """The diagonals of the product of `a` and the transpose of `b`."""
    none = np.zeros(1)
    above, below = np.sum(a[:-1] * b[1:], axis=1), np.sum(a[1:] * b[:-1], axis=1)
    whole = np.sum(a * b, axis=1)
    return np.stack((np.concatenate((none, above)), whole, np.concatenate((below, none))))


def bands_times(bands: Any, v: Any) -> Any:
    """The product with columns."""
    none = np.zeros((1, v.shape[1]))
    above, below = bands[0, 1:, None] * v[1:], bands[2, :-1, None] * v[:-1]
    return bands[1, :, None] * v + np.concatenate((above, none)) + np.concatenate((none, below))


def periodic_slopes(x: Any, v: Any) -> Any:
    """Those of `CubicSpline` where the first place is the last one, too.

    >>> v = np.array([[0.0], [1.0], [-1.0], [0.0]])
    >>> periodic_slopes(np.arange(4.0), v).round(6).ravel()
    array([ 2., -1., -1.,  2.])
    """
    h = np.diff(x)
    m = np.diff(v, axis=0) / h[:, None]
    n = len(x) - 1
    if n == 1:
        return np.concatenate((m, m))
    h0, m0 = np.roll(h, 1), np.roll(m, 1, axis=0)
    before, after = np.roll(np.eye(n), -1, axis=1), np.roll(np.eye(n), 1, axis=1)
    a = np.diag(2 * (h + h0)) + h[:, None] * before + h0[:, None] * after
    found = np.linalg.solve(a, 3 * (h[:, None] * m0 + h0[:, None] * m))
    return np.concatenate((found, found[:1]))
