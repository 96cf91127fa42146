"""Roots and fixed points, by the implicit function theorem.

Where `f(x, p) = 0`, a change of `p` by `dp` changes `x` by `-f_p dp / f_x`; in several variables
`f_x` is a matrix. How the root was found does not matter.

>>> import adtrans as ad
>>> from scipy.optimize import brentq
>>> def square_root(p):
...     return brentq(lambda x: x * x - p, 0.0, 10.0, xtol=1e-14)
>>> round(ad.grad(square_root)(4.0), 12)
0.25
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from adtrans.api.checkpoints import check_repeatable
from adtrans.arguments.inputs import refuse
from adtrans.emit.load import load
from adtrans.emit.words import Words
from adtrans.handed.base import Handed, Maker
from adtrans.ir.kinds import PY_FLOAT, UNKNOWN, Array, Kind, Scalar, is_differentiable
from adtrans.rules import registry
from adtrans.rules.rule import Custom, Rule
from adtrans.runtime.failures import DerivativeError

_OBJECTS = {
    "scipy.optimize.root": "x", "scipy.optimize.root_scalar": "root",
    "scipy.optimize.minimize": "x", "scipy.optimize.minimize_scalar": "x",
    "scipy.optimize.least_squares": "x",
}  # fmt: skip
_FUNCTION = {"newton": "func", "fsolve": "func", "fixed_point": "func", "root": "fun",
             "minimize": "fun", "minimize_scalar": "fun", "least_squares": "fun"}  # fmt: skip
_FAR = 1e-2  # of the solution, or of what is `_SMALL`: much more than what a tolerance leaves
_SMALL = 1e-2
_FLAT = "a root of a function that is flat there has no derivative"
_START = {"newton": "x0", "fsolve": "x0", "fixed_point": "x0", "root": "x0"}


class RootOf(Handed):
    """A root of a function. Brackets, starting points and tolerances carry no derivative."""

    sign: ClassVar[float] = 0.0  # what is subtracted from f is this times x

    def __init__(self, spelling: str, fn: Any, layout: str) -> None:
        short = spelling.rpartition(".")[2]
        self.function = _FUNCTION.get(short, "f")  # type: ignore[misc]  # of this one
        if spelling in _OBJECTS:
            self.solution, self.rest = "found[0]", "found[1]"  # type: ignore[misc]  # of this one
        super().__init__(spelling, fn, layout)
        self.inert = tuple(p for p in self.layout if not p.startswith("args"))  # type: ignore[misc]  # same

    def kinds_given(self, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
        """Numbers, or what is like the starting point."""
        start = self.names.get("x0")
        return {self.by_primitive[0]: PY_FLOAT if start is None else kinds.get(start, UNKNOWN)}

    def taken_apart(self, found: Any) -> Any:
        """The place, and the object that has it."""
        field = _OBJECTS.get(self.spelling)
        return found if field is None else (getattr(found, field), found)

    def kind(self, kinds: Mapping[str, Kind]) -> str:
        """A number, or an array like the starting point."""
        start = _START.get(self.spelling.rpartition(".")[2])
        name = self.names.get(start or "")
        if self.spelling.endswith((".fsolve", ".root")):
            return f"np.zeros(np.size({name}))"
        if name is not None and isinstance(kinds.get(name), Array):
            return f"np.zeros(np.shape({name}))"
        if name is not None and self.spelling.endswith(".fixed_point"):
            return "np.float64(1.0)"
        return "1.0"

    def pulled(self, y_bar: Any, y: Any, table: Mapping[str, Any], active: tuple[str, ...]
               ) -> dict[str, Any]:  # fmt: skip
        """One pullback for each equation gives `f_x`, one more the adjoints of the rest."""
        x = np.array(y) if np.ndim(y) else float(y)
        version, args, kwargs, names = self.version(table, (x,), active)
        forward, pullback = version.functions
        value, residuals = forward(*args, **kwargs)
        of_x = self.recipe.target.params[0]

        def bars(seed: Any) -> dict[str, Any]:
            found = pullback(residuals, _like(value, seed))
            return dict(zip(names, found if len(names) > 1 else (found,), strict=True))

        size = np.size(y)
        if np.size(value) != size:
            raise DerivativeError("there are not as many equations as unknowns", code="AD601")
        slope = np.zeros((size, size))
        for k, row in enumerate(np.eye(size)):
            if of_x in names:
                slope[k] = np.reshape(bars(row)[of_x], -1)
        slope -= self.sign * np.eye(size)
        try:
            free = self.freedom(slope, value, y, table)
            moved = restricted(slope, free)
            seed = -free * np.linalg.solve(moved.T, free * np.reshape(y_bar, -1))
        except np.linalg.LinAlgError:
            raise DerivativeError(_FLAT) from None
        return self.ours(bars(seed), table)

    def freedom(self, slope: Any, value: Any, y: Any, table: Mapping[str, Any]) -> Any:
        """1 for each unknown that moves, 0 for one that is held at a bound; raises where `y` is no
        solution, at which SciPy has looked for a root: the next one is somewhere else."""
        x = np.reshape(y, -1)
        step = np.linalg.solve(slope, np.reshape(value, -1) - self.sign * x)
        if not np.linalg.norm(step) <= _FAR * (_SMALL + np.linalg.norm(x)):
            raise DerivativeError(
                f"what `{self.spelling}` has found is no solution, so that it has no derivative",
                code="AD604",
            )
        return np.ones(np.size(y))

    def pullback_for(self, kinds: Mapping[str, Kind], active: tuple[str, ...]) -> FunctionType:
        """The pullback of a root that is a number or a vector, as source."""
        target = self.recipe.target
        of = kinds.get("y")
        if not isinstance(of, Scalar) and not (isinstance(of, Array) and of.ndim == 1):
            refuse("AD410", f"`{self.spelling}` cannot be differentiated twice",
                   "only that of a root that is one number or a vector is")  # fmt: skip
        outer = dict(zip(target.params[1:], self.passed, strict=False))
        ours = {n: outer.get(n, n) for n in target.params[1:]}
        given = {target.params[0]: kinds["y"]}
        formal = {n: self.formal.get(o, o) for n, o in ours.items()}
        given.update({n: kinds[o] for n, o in formal.items() if o in kinds})
        wanted = [
            n for n, o in ours.items() if o in active and is_differentiable(kinds[formal[n]])
        ]
        names = (target.params[0], *wanted)
        version = self.recipe.dispatcher(names).compile(given)
        check_repeatable(version, self.spelling)
        if isinstance(of, Array):
            result = version.compiled.facts.kinds.result
            if not isinstance(result, Array) or result.ndim != 1:
                refuse("AD410", f"`{self.spelling}` cannot be differentiated twice",
                       "the function has to return one vector")  # fmt: skip
        free = _Freedom(self, f"{self.__name__}_freedom")
        own = Rule(free.__name__, f"f(slope, value, y, {', '.join(self.formal.values())})",
                   "constant", impure=True, inert_ok=frozenset({"*"}),
                   custom=Custom(free, "y", name=free.__name__))  # fmt: skip
        registry.add_object(free, own)
        formals = ", ".join(self.formal.values())
        args = ", ".join(["y", *self.passed, *(f"{n}={self.formal[n]}" for n in self.captured)])
        local = Words({*self.formal.values(), "y", "y_bar"})
        np_ = local.of("np", np)
        forward, pullback = (local.of(f.__name__, f) for f in version.functions)
        value, residuals, seed, slope, size, unit, k, held, moved, other = (
            local[n] for n in ("value", "residuals", "seed", "slope", "size", "unit", "k",
                                     "free", "moved", "other"))  # fmt: skip
        own_bar, *bars_of = (local[f"{n}_adjoint"] for n in names)  # the unknown has a name, too
        adjoints = dict(zip(wanted, bars_of, strict=True))
        bars = ", ".join((own_bar, *adjoints.values()))
        rest = ", ".join((other, *adjoints.values()))
        ends = {ours[n]: a for n, a in adjoints.items()}
        results = ", ".join(ends.get(n, "None") for n in active)
        moves = f"{local.of(free.__name__, free)}({slope}, {value}, y, {formals})"
        one = [
            f"    {bars} = {pullback}({residuals}, 1.0)",
            f"    {slope} = {own_bar} - {self.sign}",
            f"    {seed} = -y_bar * {moves} / {slope}",
        ]
        several = [
            f"    {size} = y.shape[0]",
            f"    {slope} = {np_}.zeros(({size}, {size}))",
            f"    for {k} in range({size}):",
            f"        {unit} = {np_}.zeros({size})",
            f"        {unit}[{k}] = 1.0",
            f"        {bars} = {pullback}({residuals}, {unit})",
            f"        {slope}[{k}] = {own_bar}",
            f"    {slope} = {slope} - {self.sign} * {np_}.eye({size})",
            f"    {held} = {moves}",
            f"    {moved} = {slope} * ({held}[:, None] * {held}) + {np_}.diag(1.0 - {held})",
            f"    {seed} = -{held} * {np_}.linalg.solve({moved}.T, {held} * y_bar)",
        ]
        text = "\n".join([
            f"def root_pullback(y_bar, y, {formals}):",
            f"    {value}, {residuals} = {forward}({args})",
            *(several if isinstance(of, Array) else one),
            f"    {rest} = {pullback}({residuals}, {seed})",
            f"    return {results if len(active) == 1 else f'({results})'}\n",
        ])  # fmt: skip
        return load(text, "root_pullback", local.objects)["root_pullback"]


class _Freedom:
    """Which unknowns move, as generated code asks for it: constant, or an error."""

    def __init__(self, root: RootOf, name: str) -> None:
        self.root, self.__name__ = root, name

    def __call__(self, slope: Any, value: Any, y: Any, *values: Any) -> Any:
        table = dict(zip(self.root.params, values, strict=True))
        matrix = np.reshape(slope, (np.size(y), np.size(y)))
        try:
            found = self.root.freedom(matrix, value, y, table)
        except np.linalg.LinAlgError:
            raise DerivativeError(_FLAT) from None
        return found if np.ndim(y) else float(found[0])


def restricted(slope: Any, free: Any) -> Any:
    """The matrix of the unknowns that move; the others are left where they are."""
    return slope * np.outer(free, free) + np.diag(1.0 - free)


class FixedPointOf(RootOf):
    """A point that a function leaves where it is: a root of `f(x) - x`."""

    sign = 1.0


def _like(value: Any, seed: Any) -> Any:
    """A cotangent of the form of what the function returned."""
    if isinstance(value, list | tuple):
        return type(value)(float(s) for s in seed)
    if isinstance(value, np.ndarray):
        return np.reshape(seed, value.shape)
    return float(np.reshape(seed, -1)[0])


def Root(spelling: str) -> Maker:
    """Makes roots."""
    return Maker(RootOf, spelling)


def FixedPoint(spelling: str) -> Maker:
    """Makes fixed points."""
    return Maker(FixedPointOf, spelling)
