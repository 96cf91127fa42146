"""How an integral with a weight changes with its ends, as source that is differentiated again.

A weight that stays where it is gives the value at the end. One of powers and logarithms of the
distances from the ends moves with them: with `x = a + (b - a) s` it is a power of `b - a`, and one
of `s`, which stays.

>>> import adtrans as ad
>>> from scipy.integrate import quad
>>> def f(b):
...     return quad(lambda x: x, 0.0, b, weight="alg", wvar=(0.0, 1.0))[0]  # b**3 / 6
>>> round(float(ad.grad(ad.grad(f))(2.0)), 8)
2.0
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any

from adtrans.api.gradients import Gradient
from adtrans.emit.load import load
from adtrans.handed.read import fixed
from adtrans.ir.kinds import Kind, ListOf, TupleOf
from adtrans.ir.names import NameAllocator

if TYPE_CHECKING:
    from adtrans.handed.integrals import IntegralOf


def ends_with_weight(
    of: IntegralOf, objects: dict[str, object], kinds: Mapping[str, Kind], local: NameAllocator,
    given: str, held: str,
) -> tuple[list[str], list[str]]:  # fmt: skip
    """Statements that come first, and what the integral grows by with `a` and with `b`; `given`:
    what the function is passed after the place, `held`: what it captures. Puts what they call into
    `objects`."""
    weight, wvar = of.names["weight"], of.names.get("wvar", "0.0")
    ends = [of.names["a"], of.names["b"]]
    slopes = [local.fresh(f"by_{e}") for e in ends]
    objects[still := local.fresh("fixed")] = fixed  # where it varies, the primitive has refused it
    lines: list[str] = []
    pair = isinstance(kinds.get(wvar), TupleOf | ListOf)
    if "wvar" in of.names:
        numbers = ", ".join(f"{still}({wvar}[{k}])" for k in (0, 1))
        lines.append(f"    {wvar} = {f'({numbers})' if pair else f'{still}({wvar})'}")
    if not pair:
        for end, sign, slope in zip(ends, ("-", ""), slopes, strict=True):
            value = f"{sign}fn({end}{given})"
            lines += [
                f"    {slope} = 0.0",
                f"    if np.isfinite({end}):",
                f"        if {weight} == 'cos':",
                f"            {slope} = {value} * np.cos({wvar} * {end})",
                f"        elif {weight} == 'sin':",
                f"            {slope} = {value} * np.sin({wvar} * {end})",
                "        else:",
                f"            {slope} = {value} / ({end} - {wvar})",
            ]
        return lines, slopes
    made = type(of)
    size, moved, plain, width = (local.fresh(n) for n in ("size", "moved_of", "plain_of", "width"))
    objects[plain] = made(of.spelling, of.fn, " ".join(of.layout))
    function, end_name, other_name = _moved(of, local)
    objects[moved] = made(of.spelling, function, " ".join(of.layout))
    passed = ", ".join(of.names.values())

    def logarithm(kind: str) -> str:
        values = (f"'{kind}'" if n == weight else n for n in of.names.values())
        return f"{plain}({', '.join(values)}{held})[0]"

    lines += [
        f"    {size} = (1.0 + {wvar}[0] + {wvar}[1]) * y",
        f"    if {weight} == 'alg-log':",
        f"        {size} = {size} + {logarithm('alg-loga')} + {logarithm('alg-logb')}",
        f"    elif {weight} != 'alg':",
        f"        {size} = {size} + {logarithm('alg')}",
        f"    {width} = {ends[1]} - {ends[0]}",
    ]
    for end, other, sign, slope in zip(ends, ends[::-1], ("-", ""), slopes, strict=True):
        lines.append(
            f"    {slope} = {sign}{size} / {width} + {moved}({passed}{held}, {end_name}=1.0 * {end}"
            f", {other_name}=1.0 * {other})[0]"
        )
    return lines, slopes


def _moved(of: IntegralOf, local: NameAllocator) -> tuple[FunctionType, str, str]:
    """The slope of the function by its place, as that moves with one end; and how that end and the
    other one are called."""
    target = of.recipe.target
    place, *passed = target.params[: 1 + len(of.passed)]
    end, other = local.fresh("end"), local.fresh("other_end")
    gradient, name = local.fresh("gradient"), local.fresh("moved")
    slope: Any = Gradient(of.recipe, place, has_aux=False, with_value=False)
    given = ", ".join((place, *passed))
    held = "".join(f", {n}={n}" for n in of.captured)
    text = f"def {name}({given}, *, {', '.join((*of.captured, end, other))}):\n"
    text += f"    return {gradient}({given}{held}) * (({place} - {other}) / ({end} - {other}))\n"
    return load(text, name, {gradient: slope})[name], end, other
