"""The pullback of a trajectory as source, to be differentiated again.

The adjoint equation runs backwards along a solution that is known as numbers only. So here the
slopes of the solution are integrated forwards, together with the solution:

    y' = f(t, y, p),    S' = f_y S + (0, f_p),    S = (dy/dy0, dy/dp)

which is a trajectory itself, whose derivative `handed.equations` knows.

>>> import adtrans as ad
>>> import numpy as np
>>> from scipy.integrate import solve_ivp
>>> def f(k):
...     found = solve_ivp(lambda t, y: -k * y, (0.0, 1.0), np.array([2.0]), rtol=1e-9)
...     return found.y[0, -1]
>>> round(float(ad.grad(ad.grad(f))(1.0)), 6), round(float(2.0 * np.exp(-1.0)), 6)
(0.735759, 0.735759)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from adtrans.api.checkpoints import check_repeatable
from adtrans.api.derived import recipe_of
from adtrans.arguments.inputs import refuse
from adtrans.driver.options import Options
from adtrans.emit.load import load
from adtrans.emit.words import Words
from adtrans.handed.read import Read
from adtrans.ir.kinds import (
    NONE_KIND,
    PY_FLOAT,
    Array,
    Kind,
    ListOf,
    Scalar,
    TupleOf,
    is_differentiable,
)
from adtrans.runtime.failures import DerivativeError

if TYPE_CHECKING:
    from adtrans.handed.equations import TrajectoryOf

_VECTOR = Array("float64", (None,))
_STEPS = ("max_step", "first_step")
_TIGHT = {"rtol": 1e-9, "atol": 1e-11}


def trajectory_pullback(
    of: TrajectoryOf, kinds: Mapping[str, Kind], active: tuple[str, ...],
    made: Callable[[str, Any, str], Any],
) -> FunctionType:  # fmt: skip
    """A function of `y_bar`, `y` and the parameters of `of`; `made` makes a trajectory."""
    work = _Work(of, kinds, active)
    local, formal = work.local, of.formal
    words = ("size", "state", "found", "solved", "slopes", "total", "times", "k", "first", "seen")
    size, state, found, solved, slopes, total, times, k, first, seen = (local[w] for w in words)
    start, asked = of.names["y0"], of.names.get(of.asked, "")
    held = "".join(f", {n}={formal[n]}" for n in of.captured)
    steps = [p for p in of.layout if p in _STEPS]
    inner = ["t_span", "y0", "t_eval", "**", *steps]
    inner += [p for p in of.layout if p.startswith("args.")]
    sensitivity = made("scipy.integrate.solve_ivp", work.slopes(size), " ".join(inner))
    options, method = (of.names.get(p, "None") for p in ("**", "method"))
    span, when = work.times(options)
    np_, slope = local.of("np", np), local.of("slope", work.vector)
    integrated = local.of("sensitivity_of", sensitivity)
    span_of, steps_of = local.of("span_of", _SPAN_OF), local.of("steps_of", _STEPS_OF)
    moving = local.of("moving", DerivativeError(
        "`solve_ivp` chooses the times of the columns in between itself, and they move with what "
        "varies: give `t_eval`"
    ))  # fmt: skip
    unsolved = local.of("unsolved", DerivativeError(
        "the differential equation was not solved to the end", code="AD604"
    ))  # fmt: skip
    new, apart = local.new, times if of.columns else local.apart  # `odeint` takes one twice, too
    given = [f"{span_of}({span})", state, apart, f"{steps_of}({options}, {method})"]
    given += [*(of.names[p] for p in steps), *of.passed]
    width = " + ".join((size, *(f"{np_}.size({formal[n]})" for n in work.wanted)))
    lines = [
        f"{times} = {np_}.array({when}, dtype=float)",
        f"{seen} = {'y_bar' if of.columns else 'y_bar.T'}",
        f"if {seen}.shape[1] != {times}.shape[0]:",
        f"    if {np_}.any({seen}[:, 1:-1]):",
        f"        raise {moving}",
        f"    {seen} = {seen}[:, [0, -1]]",
        *([] if of.columns else [
            f"{new} = {np_}.ones({times}.shape[0], dtype=bool)",
            f"{new}[1:] = {times}[1:] != {times}[:-1]",
            f"{apart} = {times}[{new}]",
        ]),
        f"{size} = {seen}.shape[0]",
        f"{first} = {np_}.ravel({np_}.array({start}, dtype=float))",
        f"{state} = {np_}.concatenate([{first}, {np_}.ravel({np_}.eye({size}, {width}))])",
        f"{found} = {integrated}({', '.join(given)}{held}, {size}={size})",
        f"{solved} = {found}[0]",
        f"if {solved}.shape[1] != {apart}.shape[0]:",
        f"    raise {unsolved}",
        f"{slopes} = {np_}.reshape({solved}[{size}:], ({size}, {width}, {solved}.shape[1]))",
        *([] if of.columns else [
            f"{slopes} = {slopes}[:, :, {np_}.cumsum({new}) - 1]"
        ]),
        f"{total} = {np_}.einsum('ijk,ik->j', {slopes}, {seen})",
    ]
    results: dict[str, str] = {}
    if start in active:
        results[start] = work.like_start(start, f"{total}[:{size}]", k)
    at = size
    for n in work.wanted:
        one = isinstance(kinds[formal[n]], Scalar)
        after = f"{at} + {np_}.size({formal[n]})"
        part = f"{total}[{at}]" if one else (
            f"{np_}.reshape({total}[{at}:{after}], {np_}.shape({formal[n]}))")  # fmt: skip
        results[n], at = part, after
    if asked in active and is_differentiable(kinds[asked]):
        moved = local.moved
        args = "".join(f", {n}" for n in of.passed)
        lines += [
            f"{moved} = {np_}.zeros({np_}.size({asked}))",
            f"for {k} in range({np_}.size({asked})):",
            f"    {moved}[{k}] = {np_}.sum(y_bar[:, {k}] * "
            f"{slope}({asked}[{k}], y[:, {k}]{args}{held}))",
        ]
        results[asked] = work.like_start(asked, moved, k)
    answers = ", ".join(results.get(n, "None") for n in active)
    lines.append(f"return {answers if len(active) == 1 else f'({answers})'}")
    text = f"def trajectory_pullback(y_bar, y, {', '.join(formal.values())}):\n    "
    return load(text + "\n    ".join(lines) + "\n", "trajectory_pullback", local.objects)[
        "trajectory_pullback"
    ]


class _Work:
    """What of the arguments is differentiated, and the functions that are integrated."""

    def __init__(
        self, of: TrajectoryOf, kinds: Mapping[str, Kind], active: tuple[str, ...]
    ) -> None:
        self.of, self.kinds = of, kinds
        self.passed = dict(zip(of.passed, of.recipe.target.params[2:], strict=False))
        own = (of.names["y0"], of.names.get(of.asked, ""))
        candidates = [n for n in (*of.passed, *of.captured) if n in active and n not in own]
        self.wanted = [n for n in candidates if is_differentiable(kinds[of.formal[n]])]
        for n in self.wanted:
            kind = kinds[of.formal[n]]
            if not isinstance(kind, Scalar) and not _is_floats(kind):
                self.refuse(f"`{n}` is no number and no array of floats")
        taken = {*of.params, *of.recipe.target.params, *of.formal.values()}
        self.local = Words({*taken, "y", "y_bar"})
        self.times_of = self.local.of("times_of", _TIMES_OF)
        self.taken = taken
        self.vector = self.as_vector()

    def refuse(self, why: str) -> None:
        """This one is not differentiated twice."""
        refuse("AD410", f"`{self.of.spelling}` cannot be differentiated twice", why)

    @property
    def head(self) -> str:
        """The parameters after the time and the unknowns."""
        names = list(self.passed.values())
        return "".join(f", {n}" for n in names) + ", *" * bool(self.of.captured) + "".join(
            f", {n}" for n in self.of.captured)  # fmt: skip

    @property
    def held(self) -> str:
        """What is passed on to the function, as it calls its parameters."""
        return "".join((*(f", {n}" for n in self.passed.values()),
                        *(f", {n}={n}" for n in self.of.captured)))  # fmt: skip

    def as_vector(self) -> FunctionType:
        """The function, of the time and the unknowns, with an array for what it returns."""
        own = Words(self.taken)
        fn, np_ = own.of("fn", self.of.fn), own.of("np", np)
        first, second = self.of.given(own.time, own.values)
        text = (
            f"def slope({own.time}, {own.values}{self.head}):\n"
            f"    {own.found} = {fn}({first}, {second}{self.held})\n"
            f"    return {np_}.ravel({np_}.array({own.found}, dtype=float))\n"
        )
        return load(text, "slope", own.objects)["slope"]

    def slopes(self, size: str) -> FunctionType:
        """The right-hand side for the solution and its slopes."""
        of, kinds = self.of, self.kinds
        recipe = recipe_of(self.vector, Options())
        target = recipe.target
        given: dict[str, Kind] = {target.params[0]: PY_FLOAT, target.params[1]: _VECTOR}
        given |= {p: kinds[of.formal[n]] for n, p in self.passed.items()}
        given |= {n: kinds[of.formal[n]] for n in of.captured}
        wanted = [self.passed.get(n, n) for n in self.wanted]
        version = recipe.dispatcher((target.params[1], *wanted)).compile(given)
        check_repeatable(version, of.spelling)
        own = Words((*self.taken, size))
        np_ = own.of("np", np)
        forward, pullback = (own.of(f.__name__, f) for f in version.functions)
        t, state, value, residuals, along, rows, i, unit, bar = (own[n] for n in (
            "t", "state", "value", "residuals", "along", "rows", "i", "unit", "bar"))  # fmt: skip
        bars = [bar, *(own[f"{n}_adjoint"] for n in wanted)]
        numbers = [isinstance(kinds[of.formal[n]], Scalar) for n in self.wanted]
        flat = [f"{np_}.array([{b}])" if one else f"{np_}.ravel({b})"
                for b, one in zip(bars[1:], numbers, strict=True)]  # fmt: skip
        star = "" if of.captured else ", *"
        lines = [
            f"def sensitivity({t}, {state}{self.head}{star}, {size}):",
            f"    {value}, {residuals} = {forward}({t}, {state}[:{size}]{self.held})",
            f"    {along} = {np_}.reshape({state}[{size}:], ({size}, -1))",
            f"    {rows} = {np_}.zeros({along}.shape)",
            f"    for {i} in range({size}):",
            f"        {unit} = {np_}.zeros({size})",
            f"        {unit}[{i}] = 1.0",
            f"        {', '.join(bars)} = {pullback}({residuals}, {unit})",
            f"        {rows}[{i}] = {np_}.concatenate([{', '.join((bar, *flat))}])",
            f"    {along} = {rows}[:, :{size}] @ {along}",
            f"    {along}[:, {size}:] += {rows}[:, {size}:]",
            f"    return {np_}.concatenate([{value}, {np_}.ravel({along})])\n",
        ]
        return load("\n".join(lines), "sensitivity", own.objects)["sensitivity"]

    def times(self, options: str) -> tuple[str, str]:
        """Start and end, and the times at which it is asked."""
        of = self.of
        if "t_span" not in of.names:
            t = of.names["t"]
            return f"({t}[0], {t}[-1])", t
        span, asked = of.names["t_span"], of.names.get(of.asked, "")
        if asked and self.kinds.get(asked) != NONE_KIND:
            return span, asked
        return span, f"{self.times_of}({options}, {span})"

    def like_start(self, name: str, found: str, k: str) -> str:
        """A vector in the form of an argument, which may be a list or a tuple."""
        np_ = self.local.of("np", np)
        match self.kinds[name]:
            case TupleOf(items=items):
                return "(" + "".join(f"({found})[{i}], " for i in range(len(items))) + ")"
            case ListOf():
                return f"[({found})[{k}] for {k} in range(len({name}))]"
            case Scalar():
                return f"({found})[0]"
            case _:
                return f"{np_}.reshape({found}, {np_}.shape({name}))"


def _is_floats(kind: Kind | None) -> bool:
    return isinstance(kind, Array) and kind.dtype == "float64"


def tight(options: Mapping[str, Any] | None, method: Any = None) -> dict[str, Any]:
    """How an equation is solved exactly: by steps of high order, or in the way that was chosen if
    that is one for stiff equations.

    >>> tight({"method": "RK45", "max_step": 0.5})["method"], tight(None, "Radau")["method"]
    ('DOP853', 'Radau')
    """
    given = options or {}
    method = given.get("method", method)
    explicit = method in (None, "RK45", "RK23")
    steps = {p: given[p] for p in _STEPS if p in given}
    return {**steps, "method": "DOP853" if explicit else method, **_TIGHT}


def distinct(times: Any) -> tuple[Any, Any]:
    """Times each of which stands there once, in their order, and where each of `times` is in them.

    >>> distinct(np.array([2.0, 2.0, 1.0]))
    (array([2., 1.]), array([0, 0, 1]))
    """
    new = np.append(True, times[1:] != times[:-1])[: len(times)]
    return times[new], np.cumsum(new) - 1


def _times_of(options: dict[str, Any] | None, span: Any) -> Any:
    """Where the solution is asked for: if nothing says so, at the start and at the end."""
    found = (options or {}).get("t_eval")
    return np.array(span if found is None else found, dtype=float)


_SPAN_OF = Read("span_of", "span", lambda span: (float(span[0]), float(span[1])))
_STEPS_OF = Read("steps_of", "options, method", tight)
_TIMES_OF = Read("times_of", "options, span", _times_of)
