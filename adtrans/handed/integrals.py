"""Integrals: the derivative of an integral is that of its ends, and the integral of the derivative.

>>> import adtrans as ad
>>> from scipy.integrate import quad
>>> def f(p, b):
...     return quad(lambda x: p * x * x, 0.0, b)[0]
>>> [round(g, 10) for g in ad.grad(f, wrt=("p", "b"))(3.0, 2.0)]
[2.6666666667, 12.0]
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

from adtrans.api.gradients import Gradient
from adtrans.arguments.inputs import refuse
from adtrans.emit.load import load
from adtrans.handed.base import Handed, Maker
from adtrans.handed.weights import ends_with_weight
from adtrans.ir.kinds import PY_FLOAT, Array, Kind, Scalar
from adtrans.ir.names import NameAllocator
from adtrans.runtime.failures import DerivativeError

_SAME = ("epsabs", "epsrel", "limit", "points")


class IntegralOf(Handed):
    """What `scipy.integrate.quad` returns: the integral, and an estimate of its error."""

    function = "func"
    solution, rest = "found[0]", "found[1]"
    # `points` that vary say that the function has kinks, or jumps, that move: they have no rule
    inert = ("epsabs", "epsrel", "limit", "weight", "maxp1", "limlst", "wopts")

    @property
    def by_primitive(self) -> tuple[str, ...]:
        """The place is integrated over."""
        return ()

    def kinds_given(self, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
        """The place."""
        return {self.recipe.target.params[0]: PY_FLOAT}

    def carries(self, part: str) -> bool:
        """The ends carry a derivative, too."""
        return part in ("a", "b") or part.startswith("args.")

    def pulled(self, y_bar: Any, y: Any, table: Mapping[str, Any], active: tuple[str, ...]
               ) -> dict[str, Any]:  # fmt: skip
        """Integrates the gradients, all of them at once."""
        from scipy.integrate import quad_vec

        a, b = (float(table[self.names[end]]) for end in ("a", "b"))
        found: dict[str, Any] = {}
        inner = tuple(n for n in active if n not in (self.names["a"], self.names["b"]))
        middle = a if np.isfinite(a) else b if np.isfinite(b) else 0.0
        version, _, _, names = self.version(table, (middle,), inner)
        forward, pullback = version.functions
        shapes: list[Any] = []

        def slopes(x: float) -> Any:
            target = self.recipe.target
            given = (x, *(table[n] for n in self.passed))
            values = target.arguments(given, {n: table[n] for n in self.captured})
            positional, keywords = target.call_form(values)
            value, residuals = forward(*positional, **keywords)
            bars = pullback(residuals, type(value)(1.0) if isinstance(value, float) else 1.0)
            bars = bars if len(names) > 1 else (bars,)
            shapes[:] = [np.shape(bar) for bar in bars]
            return np.concatenate([np.ravel(bar) for bar in bars])

        if names:
            given = self.options(table)
            options = {p: given[p] for p in _SAME if given.get(p) is not None}
            if given.get("weight") is None:
                total = float(y_bar) * np.asarray(quad_vec(slopes, a, b, **options)[0])
            else:
                total = float(y_bar) * _weighted(slopes, a, b, middle, given)
            if not shapes:  # the interval is empty
                slopes(middle)
            ends = np.cumsum([int(np.prod(s)) for s in shapes])
            parts = np.split(total if np.ndim(total) else np.zeros(ends[-1]), ends[:-1])
            bars = {n: p.reshape(s) for n, p, s in zip(names, parts, shapes, strict=True)}
            found.update(self.ours(bars, table))
        for end, value, sign in (("a", a, -1.0), ("b", b, 1.0)):
            if np.isfinite(value):
                found[self.names[end]] = float(y_bar) * self.by_end(value, sign, y, table)
        return {n: v for n, v in found.items() if n in active}

    def by_end(self, end: float, sign: float, y: float, table: Mapping[str, Any]) -> float:
        """The derivative by the upper end, or with `sign` -1 by the lower one; NaN where the
        function has no value at it, which matters to nobody if the end does not vary."""
        from scipy.integrate import quad

        given = self.options(table)
        weight, wvar = given.get("weight"), given.get("wvar", 0.0)
        held = {n: table[n] for n in self.captured}

        def f(x: float) -> float:
            try:
                return float(self.fn(x, *(table[n] for n in self.passed), **held))
            except (ArithmeticError, ValueError):  # 1 / x and log(x) at 0, say
                return np.nan

        match weight:
            case None:
                return sign * f(end)
            case "cos" | "sin":
                return sign * f(end) * float(getattr(np, weight)(wvar * end))
            case "cauchy":
                return float(sign * f(end) / (end - wvar))
        # With x = a + (b - a) s the weight is a power of b - a, and one of s that stays.
        a, b = float(table[self.names["a"]]), float(table[self.names["b"]])
        other = a if sign > 0 else b
        logarithms = {
            "alg": (), "alg-loga": ("alg",), "alg-logb": ("alg",),
            "alg-log": ("alg-loga", "alg-logb"),
        }[weight]  # fmt: skip
        size = (1.0 + wvar[0] + wvar[1]) * y
        size += sum(quad(f, a, b, weight=w, wvar=wvar)[0] for w in logarithms)
        first = self.recipe.target.params[0]

        def moved(x: float) -> float:
            return float(self.tangent(table, (x,), {first: (x - other) / (end - other)}))

        return float(sign * size / (b - a) + quad(moved, a, b, weight=weight, wvar=wvar)[0])

    def taken_apart(self, found: Any) -> Any:
        """With `full_output=True` it returns more where it is in trouble."""
        if len(found) > 3:
            raise DerivativeError(f"`quad` could not integrate this: {found[3]}", code="AD604")
        return found

    def pullback_for(self, kinds: Mapping[str, Kind], active: tuple[str, ...]) -> FunctionType:
        """The pullback as source: the integral of each gradient, and the values at the ends."""
        self.check_pure()
        ends = [self.names[e] for e in ("a", "b")]
        of = {n: kinds.get(self.formal[n]) for n in active if n not in ends}
        of = {n: kind for n, kind in of.items() if not _is_ints(kind)}
        wanted = list(of)
        if not all(isinstance(kind, Scalar) or _is_floats(kind) for kind in of.values()):
            refuse("AD410", f"`{self.spelling}` cannot be differentiated twice",
                   "only the derivatives of an integral by numbers and arrays of floats are "
                   "differentiated")  # fmt: skip
        outer = dict(zip(self.passed, self.recipe.target.params[1:], strict=False))
        objects: dict[str, object] = {"fn": self.fn, "np": np}
        positional = ", ".join(self.names.values())
        local = NameAllocator({*self.params, *self.recipe.target.params, *self.formal.values()})
        held = "".join(f", {n}={self.formal[n]}" for n in self.captured)
        lines = [f"def integral_pullback(y_bar, y, {', '.join(self.formal.values())}):"]
        slopes: list[str] = []
        integral = {n: local.fresh(f"integral_{k}") for k, n in enumerate(wanted)}
        by = {n: local.fresh(f"slope_{k}") for k, n in enumerate(wanted)}
        if "weight" in self.names:
            passed = "".join(f", {n}" for n in self.passed) + held
            more, slopes = ends_with_weight(self, objects, kinds, local, passed, held)
            lines += more
        for k, n in enumerate(wanted):
            slope: Any = Gradient(self.recipe, outer.get(n, n), has_aux=False, with_value=False)
            if isinstance(of[n], Scalar):
                objects[integral[n]] = IntegralOf(self.spelling, slope, " ".join(self.layout))
                lines.append(f"    {by[n]} = y_bar * {integral[n]}({positional}{held})[0]")
                continue
            index, found, all_of = (local.fresh(f"{w}_{k}") for w in ("item", "found", "slopes"))
            item, array = self.item_of(slope, index), self.formal[n]
            objects[integral[n]] = IntegralOf(self.spelling, item, " ".join(self.layout))
            lines += [
                f"    {all_of} = np.zeros(np.size({array}))",
                f"    for {index} in range(np.size({array})):",
                f"        {found} = {integral[n]}({positional}{held}, {index}={index})",
                f"        {all_of}[{index}] = y_bar * {found}[0]",
                f"    {by[n]} = np.reshape({all_of}, np.shape({array}))",
            ]
        args = "".join(f", {n}" for n in self.passed)
        results = dict(by)
        if "weight" in self.names:
            results.update(zip(ends, (f"y_bar * {s}" for s in slopes), strict=True))
        else:
            results.update({
                ends[0]: f"-y_bar * fn({ends[0]}{args}{held})",
                ends[1]: f"y_bar * fn({ends[1]}{args}{held})",
            })  # fmt: skip
        found = ", ".join(results.get(n, "None") for n in active)
        lines.append(f"    return {found if len(active) == 1 else f'({found})'}\n")
        return load("\n".join(lines), "integral_pullback", objects)["integral_pullback"]

    def item_of(self, slope: Gradient, index: str) -> FunctionType:
        """One item of a gradient by an array, as a function that is integrated."""
        place, *passed = self.recipe.target.params[: 1 + len(self.passed)]
        local = NameAllocator({place, *passed, *self.captured, index})
        gradient, np_, name = (local.fresh(n) for n in ("gradient", "np", "item_of"))
        given = ", ".join((place, *passed))
        held = "".join(f", {n}={n}" for n in self.captured)
        text = f"def {name}({given}, *, {', '.join((*self.captured, index))}):\n"
        text += f"    return {np_}.ravel({gradient}({given}{held}))[{index}]\n"
        return load(text, name, {np_: np, gradient: slope})[name]


class IntegralWithInfoOf(IntegralOf):
    """The same with `full_output=True`: what is returned has a third item."""

    rest = "found[1], found[2]"

    def primitive(self, fn: Any, arguments: dict[str, Any], args: tuple[Any, ...]) -> Any:
        """Calls it."""
        return super().primitive(fn, {**arguments, "full_output": True}, args)


def _is_floats(kind: Kind | None) -> bool:
    return isinstance(kind, Array) and kind.dtype == "float64"


def _is_ints(kind: Kind | None) -> bool:
    """Whether a value carries no derivative for certain."""
    if isinstance(kind, Scalar):
        return kind.type in ("int", "bool")
    return isinstance(kind, Array) and kind.dtype is not None and kind.dtype.startswith("int")


def _weighted(slopes: Any, a: float, b: float, inside: float, given: Mapping[str, Any]) -> Any:
    """The integrals of all slopes with a weight, one by one."""
    from scipy.integrate import quad

    names = (*_SAME, "weight", "wvar", "wopts", "maxp1", "limlst")
    options = {n: given[n] for n in names if given.get(n) is not None}
    count = len(slopes(inside))
    return np.array([quad(lambda x, k=k: slopes(x)[k], a, b, **options)[0] for k in range(count)])


def Integral(spelling: str) -> Maker:
    """Makes integrals."""
    return Maker(IntegralOf, spelling)


def IntegralWithInfo(spelling: str) -> Maker:
    """Makes integrals with `full_output=True`."""
    return Maker(IntegralWithInfoOf, spelling)
