"""Interpolation with values that vary: `CubicSpline(x, y)(t)` and its like are linear in `y`.

The derivative with respect to a value is a spline itself: the one through 1 there and 0 elsewhere.

>>> import scipy.interpolate
>>> made = spline_made(scipy.interpolate.CubicSpline, np.arange(4.0), np.ones(4))
>>> spline_values(np.array([2.0]), made, (4,), np.array([1.0]), 0, None)
array([0., 2., 0., 0.])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.errors import DerivativeError

_PLAIN = ("interp1d",)  # which know no derivatives


class Interpolant:
    """A spline of SciPy, and how to make others through other values at the same places."""

    def __init__(self, maker: Any, x: Any, y: Any, options: dict[str, Any]) -> None:
        self.maker, self.x, self.options = maker, np.array(x), dict(options)
        self.spline = maker(x, y, **options)
        fill = options.get("fill_value")
        if fill is not None and not isinstance(fill, str):  # elsewhere the values do not matter
            self.options["fill_value"] = 0.0

    def through(self, values: Any) -> Any:
        """The spline through other values, or the splines through columns of them."""
        return self.maker(self.x, values, **self.options)

    def cardinals(self) -> list[Any]:
        """The splines through 1 at one place and 0 at the others."""
        return [self.through(unit) for unit in np.eye(len(self.x))]

    def at(self, spline: Any, t: Any, nu: int, extrapolate: Any) -> Any:
        """The value of a spline, or of a derivative."""
        if self.maker.__name__ in _PLAIN:
            if nu != 0:
                raise DerivativeError("`interp1d` has no rule for places that vary: use "
                                      "`np.interp` or `make_interp_spline`")  # fmt: skip
            return spline(t)
        return spline(t, nu, extrapolate)


def spline_made(maker: Any, x: Any, y: Any, **options: Any) -> Interpolant:
    """What is kept of a spline."""
    return Interpolant(maker, x, y, options)


def spline_at(made: Interpolant, x: Any, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """The value at `t`; `x` and `v` are the points that it goes through."""
    return made.at(made.spline, t, nu, extrapolate)


def spline_along(made: Interpolant, v: Any, t: Any, nu: Any, extrapolate: Any) -> Any:
    """The value at `t` of the spline through the values `v`."""
    return made.at(made.through(v), t, nu, extrapolate)


def spline_values(
    g: Any, made: Interpolant, shape: tuple[int, ...], t: Any, nu: Any, extrapolate: Any
) -> Any:  # fmt: skip
    """The adjoint of the values, an array of this shape."""
    return np.array([np.sum(g * made.at(c, t, nu, extrapolate)) for c in made.cardinals()])


def spline_integral(
    made: Interpolant, x: Any, v: Any, a: Any, b: Any, extrapolate: Any
) -> Any:
    """The integral from `a` to `b`."""
    return made.spline.integrate(a, b, extrapolate)


def integral_along(made: Interpolant, v: Any, a: Any, b: Any, extrapolate: Any) -> Any:
    """The integral of the spline through the values `v`."""
    return made.through(v).integrate(a, b, extrapolate)


def integral_values(
    g: Any, made: Interpolant, shape: tuple[int, ...], a: Any, b: Any, extrapolate: Any
) -> Any:
    """The adjoint of the values."""
    return g * np.array([c.integrate(a, b, extrapolate) for c in made.cardinals()])
