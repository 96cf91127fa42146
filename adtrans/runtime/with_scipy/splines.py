"""Interpolation with values that vary: `CubicSpline(x, y)(t)` and its like are linear in `y`.

Those that are told by their values and slopes at the places are in `cubics`.

The derivative with respect to a value is a spline itself: the one through 1 there and 0 elsewhere.

>>> import scipy.interpolate
>>> made = spline_made(scipy.interpolate.CubicSpline, np.arange(4.0), np.ones(4))
>>> spline_values(np.array([2.0]), made, (4,), np.array([1.0]), 0, None)
array([0., 2., 0., 0.])
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError

_PLAIN = ("interp1d",)
_POLYNOMIALS = ("BarycentricInterpolator", "KroghInterpolator")


def _held(spline: Any) -> list[Any]:
    """The arrays that a spline of SciPy evaluates."""
    names = ("x", "t", "c", "xi", "yi", "_x", "_t", "_c")
    return [a for n in names if isinstance(a := getattr(spline, n, None), np.ndarray)]


class Interpolant:
    """A spline of SciPy, and how to make others through other values at the same places."""

    def __init__(self, maker: Any, x: Any, given: tuple[Any, ...], options: dict[str, Any]) -> None:
        self.maker, self.x, self.options = maker, np.array(x), dict(options)
        self.spline = maker(x, *given, **options)
        self.name = maker.__name__
        shape, axis = np.shape(given[0]), options.get("axis", -1 if self.name in _PLAIN else 0)
        axis %= max(len(shape), 1)
        self.lines = shape[:axis], shape[axis + 1 :]
        self.columns = math.prod((*shape[:axis], *shape[axis + 1 :]))
        # some keep the very arrays that they were given
        theirs = [np.asarray(a) for a in (x, *given)]
        self.kept = [(held, np.array(held)) for held in _held(self.spline)
                     if any(np.may_share_memory(held, a) for a in theirs)]  # fmt: skip
        fill = options.get("fill_value")
        if fill is not None and not isinstance(fill, str):  # elsewhere the values do not matter
            self.options["fill_value"] = 0.0

    @property
    def extrapolates(self) -> Any:
        """Whether it goes on beside the places; those of FITPACK always do, as they are made."""
        if self.name in _PLAIN:
            return bool(self.spline._extrapolate)
        return getattr(self.spline, "extrapolate", True)

    def through(self, values: Any) -> Any:
        """The spline through other values, or the splines through columns of them."""
        if self.name == "BarycentricInterpolator":  # what it multiplies is found in random order
            return self.maker(self.x, values, wi=self.spline.wi)
        return self.maker(self.x, values, **self.options)

    def cardinals(self, count: int) -> list[Any]:
        """The splines through 1 at one place and 0 at the others."""
        return [self.through(unit) for unit in np.eye(count)]

    def at(self, spline: Any, t: Any, nu: int, extrapolate: Any) -> Any:
        """The value of a spline, or of a derivative."""
        if self.name in _PLAIN:
            return spline(t) if nu == 0 else _slope(spline, t, nu)
        if self.name in _POLYNOMIALS:
            return spline(t) if nu == 0 else spline.derivative(t, nu)
        if self.name == "splrep":
            from scipy.interpolate import splev

            return np.zeros(np.shape(t)) if nu > spline[2] else splev(t, spline, nu)
        if self.name.endswith("UnivariateSpline"):
            beyond = nu > spline._eval_args[2]  # the degree
            return np.zeros(np.shape(t)) if beyond else spline(t, nu)
        return spline(t, nu, extrapolate)

    def asked(self) -> Any:
        """The spline that the program has, for what the program asks of it."""
        if not all(np.array_equal(now, then, equal_nan=True) for now, then in self.kept):
            raise DerivativeError(f"what a `{self.name}` was made of, and looks at, has been "
                                  "overwritten since: make it of a copy", code="AD606")  # fmt: skip
        return self.spline


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


def spline_made(maker: Any, x: Any, *given: Any, **options: Any) -> Interpolant:
    """What is kept of a spline."""
    return Interpolant(maker, x, given, options)


def spline_at(made: Interpolant, x: Any, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """The value at `t`; `x` and `v` are the points that it goes through."""
    return made.at(made.asked(), t, nu, extrapolate)


def spline_derivative(made: Interpolant, x: Any, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """The value at `t` of another spline, the derivative: rounded differently than `spline_at`."""
    if nu < 0:
        raise DerivativeError(
            "an antiderivative has to be asked for as an integral here", code="AD601"
        )
    return made.asked().derivative(nu)(t)


def spline_along(made: Interpolant, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """The slope for values that move by `v`: the spline through these at `t`, and 0 beside the
    places where a spline is nan there."""
    found = made.at(made.through(v), t, nu, extrapolate)
    if not np.isnan(found).any():
        return found
    # beside the places there is nan whatever the values are, which are not looked at there
    beside = np.isnan(made.at(made.through(np.zeros(np.shape(v))), t, nu, extrapolate))
    return np.where(beside, 0.0, found)


def spline_values(
    g: Any, made: Interpolant, shape: tuple[int, ...], t: Any, nu: Any, extrapolate: Any
) -> Any:  # fmt: skip
    """The adjoint of the values, an array of this shape."""
    parts = (made.at(c, t, nu, extrapolate) for c in made.cardinals(shape[0]))
    return np.array([np.sum(g * np.where(np.isnan(c), 0.0, c)) for c in parts])


def spline_integral(
    made: Interpolant, x: Any, v: Any, a: Any, b: Any, extrapolate: Any
) -> Any:
    """The integral from `a` to `b`."""
    return made.asked().integrate(a, b, extrapolate)


def integral_along(made: Interpolant, v: Any, a: Any, b: Any, extrapolate: Any) -> Any:
    """The integral of the spline through the values `v`."""
    found = made.through(v).integrate(a, b, extrapolate)
    beside = np.isnan(found) and np.isnan(
        made.through(np.zeros(np.shape(v))).integrate(a, b, extrapolate))
    return np.zeros(np.shape(found))[()] if beside else found


def integral_values(
    g: Any, made: Interpolant, shape: tuple[int, ...], a: Any, b: Any, extrapolate: Any
) -> Any:
    """The adjoint of the values."""
    found = np.array([c.integrate(a, b, extrapolate) for c in made.cardinals(shape[0])])
    return g * np.where(np.isnan(found), 0.0, found)
