"""Minima, by the implicit function theorem: where a function has a minimum its slope is zero.

A change of `p` by `dp` changes the place `x` of the minimum of `f(x, p)` by `-f_xp dp / f_xx`. How
the minimum was found does not matter, but it has to be one: where the slope is not zero, because
the search has not ended, there is no derivative. An unknown that is held at a bound stays there.

>>> import adtrans as ad
>>> import numpy as np
>>> from scipy.optimize import minimize
>>> def nearest(p):
...     found = minimize(lambda x, p: np.sum((x - p) ** 2), np.zeros(2), args=(p,), tol=1e-10)
...     return np.sum(found.x ** 2)
>>> ad.grad(nearest)(np.array([1.0, 2.0])).round(6)
array([2., 4.])
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from adtrans.api.derived import recipe_of
from adtrans.api.gradients import Gradient
from adtrans.driver.options import Options
from adtrans.emit.load import load
from adtrans.handed.base import Maker
from adtrans.handed.roots import RootOf, restricted
from adtrans.ir.kinds import Kind
from adtrans.runtime.failures import DerivativeError

_FAR = 1e-2  # of a unit, or of the solution: much more than what a tolerance leaves
_NEAR = 1e-12  # at a bound: as far away as rounding leads


class MinimumOf(RootOf):
    """Where a function has a minimum: a root of its gradient."""

    def __init__(self, spelling: str, fn: Any, layout: str) -> None:
        super().__init__(spelling, fn, layout)
        unknown = self.recipe.target.params[0]
        slope = Gradient(recipe_of(self.least(), Options()), unknown, False, False)
        self.recipe = recipe_of(slope, Options())
        # where a bound holds, the place moves with it
        self.inert = tuple(p for p in self.inert if p != "bounds")  # type: ignore[misc]  # of this one

    def least(self) -> Any:
        """The function that has a minimum."""
        return self.fn

    def kind(self, kinds: Mapping[str, Kind]) -> str:
        """A number, or a vector as long as the starting point."""
        start = self.names.get("x0")
        return "np.float64(1.0)" if start is None else f"np.zeros(np.size({start}))"

    def freedom(self, slope: Any, value: Any, y: Any, table: Mapping[str, Any]) -> Any:
        """Raise where the nearest root of the slope is somewhere else, or beyond a bound."""
        x, value = np.reshape(y, -1), np.reshape(value, -1)
        low, high = self.limits(table, x.size)
        at_low = (np.abs(x - low) <= _NEAR * (1.0 + np.abs(x))) & (value > 0)
        at_high = (np.abs(x - high) <= _NEAR * (1.0 + np.abs(x))) & (value < 0)
        free = 1.0 - (at_low | at_high)
        step = np.linalg.solve(restricted(slope, free), free * value)
        if not np.linalg.norm(step) <= _FAR * (1.0 + np.linalg.norm(x)):
            raise DerivativeError(
                f"`{self.spelling}` has not found a place where the slope is zero, so that the "
                "place has no derivative",
                code="AD604",
            )
        if "bounds" not in self.names and not np.all(free):
            raise DerivativeError(
                "give `bounds=` by itself, so that it is seen whether they vary", code="AD601"
            )
        room = np.minimum(x - low, high - x)
        if np.any(free * np.abs(step) > 0.1 * np.abs(room)):
            raise DerivativeError(
                f"what `{self.spelling}` has found is so near a bound that it cannot be told "
                "whether it is held there"
            )
        return free

    def limits(self, table: Mapping[str, Any], size: int) -> tuple[Any, Any]:
        """The lower and the upper bounds."""
        bounds: Any = self.options(table).get("bounds")
        low, high = -np.inf, np.inf
        if hasattr(bounds, "lb"):
            low, high = bounds.lb, bounds.ub
        elif bounds is not None and self.spelling == "scipy.optimize.minimize":
            pairs = [[-np.inf if a is None else a, np.inf if b is None else b] for a, b in bounds]
            low, high = np.transpose(np.asarray(pairs, float))
        elif bounds is not None:
            low, high = bounds
        return tuple(np.broadcast_to(np.asarray(b, float), size) for b in (low, high))  # type: ignore[return-value]  # two


class LeastSquaresOf(MinimumOf):
    """Where the sum of squares of what a function returns has a minimum."""

    def least(self) -> Any:
        """Half of the sum of squares, with the parameters of the function."""
        fn = self.recipe.target.fn
        given = ", ".join([
            *self.recipe.target.params[: self.fixed + len(self.passed)],
            *(f"{n}={n}" for n in self.captured),
        ])
        head = ", ".join([
            *self.recipe.target.params[: self.fixed + len(self.passed)],
            *(["*"] if self.captured else []), *self.captured,
        ])
        taken = {*self.recipe.target.params}
        name, of, np_ = "half_of_squares", "residuals_of", "np_"
        while of in taken or np_ in taken:
            of, np_ = of + "_", np_ + "_"
        text = (f"def {name}({head}):\n"
                f"    rest = {np_}.asarray({of}({given}))\n"
                f"    return 0.5 * {np_}.sum(rest * rest)\n")  # fmt: skip
        return load(text, name, {of: fn, np_: np})[name]


def Minimum(spelling: str) -> Maker:
    """Makes minima."""
    return Maker(MinimumOf, spelling)


def LeastSquares(spelling: str) -> Maker:
    """Makes minima of sums of squares."""
    return Maker(LeastSquaresOf, spelling)
