"""Ordinary differential equations: the adjoint is a differential equation itself, run backwards.

With `y' = f(t, y, p)` and the adjoint `w` of `y`, between two times at which `y` is looked at,
`w' = -f_y^T w`, and the adjoint of `p` grows by the integral of `f_p^T w`; at such a time `w` gets
what the result's adjoint says (Pontryagin; Chen et al., 2018). Both directions are integrated anew,
with tight tolerances: the gradient is that of the exact solution, and differs from that of the
solver's steps by about the solver's error.

>>> import adtrans as ad
>>> import numpy as np
>>> from scipy.integrate import solve_ivp
>>> def f(k):
...     found = solve_ivp(lambda t, y: -k * y, (0.0, 1.0), np.array([2.0]), rtol=1e-9)
...     return found.y[0, -1]
>>> round(float(ad.grad(f)(1.0)), 6), round(float(-2.0 * np.exp(-1.0)), 6)
(-0.735759, -0.735759)
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from adtrans.dispatch.compiled_version import Version
from adtrans.handed.base import Handed, Maker
from adtrans.handed.sensitivities import distinct, tight, trajectory_pullback
from adtrans.ir.kinds import PY_FLOAT, Array, Kind
from adtrans.runtime.failures import DerivativeError


class TrajectoryOf(Handed):
    """What `scipy.integrate.solve_ivp` returns. The initial values, `args`, what the function
    captures and the times at which it is asked carry a derivative; start and end do not.

    `place`: that of the unknowns among what the function is given; `columns`: whether those of the
    result are times; `asked`: the parameter with the times.
    """

    fixed = 2
    place: ClassVar[int] = 1
    columns: ClassVar[bool] = True
    asked: ClassVar[str] = "t_eval"
    function = "fun"
    solution, rest = "found[0]", "found[1]"
    inert: ClassVar[tuple[str, ...]] = (
        "method", "dense_output", "rtol", "atol", "first_step", "max_step", "jac",
        "jac_sparsity", "lband", "uband", "min_step",
    )  # fmt: skip

    @property
    def by_primitive(self) -> tuple[str, ...]:
        """The derivative by the values, and not by the time."""
        return self.recipe.target.params[self.place : self.place + 1]

    @property
    def unknowns(self) -> str:
        """The parameter of the function that is given the values."""
        return self.recipe.target.params[self.place]

    def kinds_given(self, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
        """The time, and the values of the unknowns."""
        unknown: dict[str, Kind] = {self.unknowns: Array("float64", (None,))}
        return {**dict.fromkeys(self.recipe.target.params[:2], PY_FLOAT), **unknown}

    def taken_apart(self, found: Any) -> Any:
        """The values, and the object that has them."""
        return found.y, found

    def given(self, t: Any, values: Any) -> tuple[Any, Any]:
        """What the function is given."""
        return (t, values) if self.place else (values, t)

    def span(self, table: Mapping[str, Any]) -> Any:
        """The start and the end."""
        return table[self.names["t_span"]]

    def carries(self, part: str) -> bool:
        """The initial values carry a derivative, too, and the times at which it is asked."""
        return part in ("y0", self.asked) or part.startswith("args.")

    def kind(self, kinds: Mapping[str, Kind]) -> str:
        """A row for each unknown, a column for each time."""
        return "np.zeros((int(1.5), int(2.5)))"

    def pullback_for(self, kinds: Mapping[str, Kind], active: tuple[str, ...]) -> FunctionType:
        """The pullback as source, by slopes that are integrated with the solution."""
        return trajectory_pullback(self, kinds, active, TrajectoryOf)

    def pulled(self, y_bar: Any, y: Any, table: Mapping[str, Any], active: tuple[str, ...]
               ) -> dict[str, Any]:  # fmt: skip
        """The adjoint equation, from the last time that matters to the first."""
        times, at = self.trajectory(y, table)
        if self.moving(table) and np.any(y_bar[:, 1:-1]):
            raise DerivativeError(
                "`solve_ivp` chooses the times of the columns in between itself, and they move "
                "with what varies: give `t_eval`"
            )
        start = float(self.span(table)[0])
        size = np.shape(y)[0]
        own = (self.names["y0"], self.names.get(self.asked, ""))
        inner = tuple(n for n in active if n not in own)
        version, _, _, names = self.version(table, self.given(start, at(start)), inner)
        rest = [n for n in names if n != self.unknowns]
        shapes = [np.shape(b) for b in self.bars(version, table, start, at(start), names)[1:]]
        counts = [int(np.prod(s)) for s in shapes]

        def slope(t: float, state: Any) -> Any:
            forward, pullback, args, kwargs = self.call(version, table, t, at(t))
            value, residuals = forward(*args, **kwargs)
            found = pullback(residuals, _like(value, state[:size]))
            found = found if len(names) > 1 else (found,)
            return -np.concatenate([np.ravel(b) for b in found])

        state, way = np.zeros(size + sum(counts)), tight(self.options(table))
        now: float | None = None
        for k in np.argsort(times * np.sign(times[-1] - start or 1.0))[::-1]:
            if not np.any(y_bar[:, k]):
                continue
            if now is not None and now != times[k]:
                state = _solved(slope, (now, float(times[k])), state, way)
            now = float(times[k])
            state[:size] += y_bar[:, k]
        if now is not None and now != start:
            state = _solved(slope, (now, start), state, way)
        parts = np.split(state[size:], np.cumsum(counts)[:-1]) if rest else []
        bars = {n: p.reshape(s) for n, p, s in zip(rest, parts, shapes, strict=True)}
        found = self.ours(bars, table)
        if self.names["y0"] in active:
            y0 = table[self.names["y0"]]
            found[self.names["y0"]] = _like(y0, state[:size])
        if own[1] in active:
            slopes = [self.slope(table, float(t), at(t)) @ y_bar[:, k] for k, t in enumerate(times)]
            found[own[1]] = _like(table[own[1]], np.array(slopes))
        return found

    def slope(self, table: Mapping[str, Any], t: float, values: Any) -> Any:
        """What the function returns, as an array."""
        held = {n: table[n] for n in self.captured}
        args = (table[n] for n in self.passed)
        return np.ravel(self.fn(*self.given(t, np.array(values)), *args, **held))

    def pushed(self, dots: Mapping[str, Any], y: Any, table: Mapping[str, Any]) -> Any:
        """The linearised equation, together with the equation itself."""
        times, at = self.trajectory(y, table)
        start, end = (float(t) for t in self.span(table))
        size = np.shape(y)[0]
        own = (self.names["y0"], self.names.get(self.asked, ""))
        inner = {n: d for n, d in dots.items() if n not in own}
        first = np.zeros(size)
        if self.names["y0"] in dots:
            first = first + np.ravel(np.asarray(dots[self.names["y0"]], float))

        def slope(t: float, state: Any) -> Any:
            value = state[:size].copy()
            along = {self.unknowns: state[size:].copy(), **inner}
            dot = self.tangent(table, self.given(t, value), along)
            return np.concatenate([self.slope(table, t, value), np.ravel(dot)])

        both = np.concatenate([np.ravel(np.asarray(table[self.names["y0"]], float)), first])
        from scipy.integrate import solve_ivp

        apart, at_time = distinct(times)  # `odeint` takes one twice, too
        found = solve_ivp(slope, (start, end), both, t_eval=apart, **tight(self.options(table)))
        slopes = found.y[size:, at_time]
        if own[1] in dots:
            for k, (t, dot) in enumerate(zip(times, np.ravel(dots[own[1]]), strict=True)):
                slopes[:, k] += self.slope(table, float(t), at(t)) * dot
        if self.moving(table):  # nobody knows here which columns are used
            slopes[:, 1:-1] = np.nan
        return slopes

    def moving(self, table: Mapping[str, Any]) -> bool:
        """Whether the solver chooses the times at which the solution is given."""
        return self.times(table) is None

    def times(self, table: Mapping[str, Any]) -> Any:
        """The times at which the solution is asked for; None if the solver chooses them."""
        return self.options(table).get("t_eval")

    def trajectory(self, y: Any, table: Mapping[str, Any]) -> tuple[Any, Any]:
        """The times of the columns of the result, and the solution as a function of the time."""
        from scipy.integrate import solve_ivp

        self.check_pure()

        def plain(t: float, values: Any) -> Any:
            return self.slope(table, t, values)

        y0 = np.ravel(np.asarray(table[self.names["y0"]]))
        exact = solve_ivp(
            plain, self.span(table), y0, dense_output=True, **tight(self.options(table))
        )
        asked = self.times(table)
        if asked is not None:
            times = np.asarray(asked, float)[: np.shape(y)[1]]
        else:
            times = np.asarray(self.evaluate(*(table[n] for n in self.params)).t)
        if not exact.success or len(times) != np.shape(y)[1]:
            raise DerivativeError(
                "the differential equation was not solved to the end", code="AD604"
            )
        return times, exact.sol

    def call(self, version: Version, table: Mapping[str, Any], t: float, values: Any) -> Any:
        """The compiled function, and the arguments of one call."""
        target = self.recipe.target
        given = (*self.given(float(t), np.array(values)), *(table[n] for n in self.passed))
        filled = target.arguments(given, {n: table[n] for n in self.captured})
        return (*version.functions, *target.call_form(filled))

    def bars(
        self, version: Version, table: Mapping[str, Any], t: float, values: Any,
        names: tuple[str, ...],
    ) -> Any:  # fmt: skip
        """The adjoints of one call, for a seed of zeros: to see their shapes."""
        forward, pullback, args, kwargs = self.call(version, table, t, values)
        value, residuals = forward(*args, **kwargs)
        found = pullback(residuals, _like(value, np.zeros(np.size(values))))
        if self.unknowns not in names:
            raise DerivativeError("the right-hand side does not depend on the unknowns")
        return found if len(names) > 1 else (found,)


class RowsOf(TrajectoryOf):
    """What `scipy.integrate.odeint` returns: a row for each time, the first of which is the start.
    The times carry no derivative."""

    function = "func"
    solution, rest = "found", ""
    place = 0
    columns = False
    asked = ""
    inert: ClassVar[tuple[str, ...]] = (
        "Dfun", "col_deriv", "ml", "mu", "rtol", "atol", "tcrit", "h0", "hmax", "hmin", "ixpr",
        "mxstep", "mxhnil", "mxordn", "mxords", "printmessg",
    )  # fmt: skip

    def taken_apart(self, found: Any) -> Any:
        """It is the array."""
        return found

    def times(self, table: Mapping[str, Any]) -> Any:
        """All of them are given."""
        return table[self.names["t"]]

    def span(self, table: Mapping[str, Any]) -> Any:
        """The first time and the last one."""
        return self.times(table)[0], self.times(table)[-1]

    def pulled(self, y_bar: Any, y: Any, table: Mapping[str, Any], active: tuple[str, ...]
               ) -> dict[str, Any]:  # fmt: skip
        """As above, where a column is that of one time."""
        return super().pulled(np.transpose(y_bar), np.transpose(y), table, active)

    def pushed(self, dots: Mapping[str, Any], y: Any, table: Mapping[str, Any]) -> Any:
        """The same."""
        return np.transpose(super().pushed(dots, np.transpose(y), table))


class RowsByTimeOf(RowsOf):
    """The same with `tfirst=True`: the function is given the time first."""

    place = 1

    def primitive(self, fn: Any, arguments: dict[str, Any], args: tuple[Any, ...]) -> Any:
        """Calls it."""
        return super().primitive(fn, {**arguments, "tfirst": True}, args)


def _solved(slope: Any, span: tuple[float, float], state: Any, way: dict[str, Any]) -> Any:
    from scipy.integrate import solve_ivp

    found = solve_ivp(slope, span, state, **way)
    if not found.success:
        raise DerivativeError("the adjoint equation was not solved to the end", code="AD604")
    return found.y[:, -1].copy()


def _like(value: Any, seed: Any) -> Any:
    """A cotangent of the form of a value: an array, or a list of numbers."""
    if isinstance(value, list | tuple):
        return type(value)(float(s) for s in seed)
    return np.reshape(seed, np.shape(value))


def Trajectory(spelling: str) -> Maker:
    """Makes solutions of differential equations."""
    return Maker(TrajectoryOf, spelling)


def RowsByTime(spelling: str) -> Maker:
    """Makes them of functions that are given the time first."""
    return Maker(RowsByTimeOf, spelling)


def Rows(spelling: str) -> Maker:
    """Makes solutions of differential equations that are arrays."""
    return Maker(RowsOf, spelling)
