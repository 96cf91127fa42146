"""Element-wise functions of NumPy.

Where a function has no derivative (kinks, ties, jumps) the rules say: `abs` has 0 at 0; of equal
operands `maximum` and `minimum` pick the first, as Python's `max` and `min` do; `clip` passes the
derivative through at its bounds; jumps count as constant.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> for f in lookup(np.divide).pullback("b", {"a": Name("a"), "b": Name("b")}, {}):
...     print(f)
-y_bar * y / b
-y_bar * a / (b * b)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from adtrans.ir import expr as E
from adtrans.ir.kinds import Known, TupleOf
from adtrans.rules.complexes import is_real
from adtrans.rules.declare import (
    Each,
    Site,
    constant,
    constant_ufunc,
    elementwise,
    masked_without_out,
    rule,
    ufunc,
)
from adtrans.rules.signature import NotLiteral, literal
from adtrans.rules.site import Text

LN2, LN10 = "0.6931471805599453", "2.302585092994046"


def select(*conditions: str, seed: str = "y_bar") -> Callable[[Site], Text]:
    """Formulas that pass the seed on where a condition holds (never `0 * inf`)."""

    def write(site: Site) -> Text:
        if site.is_scalar("y"):
            return tuple(f"{seed} if {c} else 0.0" for c in conditions)
        end = "" if site.is_array("y") else "[()]"
        return tuple(f"np.where({c}, {seed}, 0.0){end}" for c in conditions)

    return write


def none_of_reals(param: str) -> Callable[[Site], Text]:
    """The partial of what is constant for real numbers; `complexes` has that for complex ones."""
    return lambda site: "0.0" if is_real(site.kind(param)) else None


def power_base(site: Site) -> Text:
    """The partial of `a ** b` for `a`."""
    b = site.const("b")
    if isinstance(b, NotLiteral) or not isinstance(b, int | float):
        if site.is_scalar("b"):
            return "b * a ** (b - 1) if b else 0.0 * a"
        return "power_slope(a, b)"
    special: dict[object, Text] = {
        0: "0.0", 1: "1", 2: "2 * a", 0.5: ("0.5 / y", "0.5 / a ** 0.5"),
        -1: ("-y * y", "-1 / (a * a)"),
        -2: ("-2 * y / a", "-2 / a ** 3"),
    }  # fmt: skip
    if b in special:
        return special[b]
    if isinstance(b, int) and b > 0:
        return f"{b} * a ** {b - 1}"
    return (f"{b} * a ** {b - 1!r}", f"{b} * y / a")


def power_exponent(site: Site) -> Text:
    """The partial of `a ** b` for `b`."""
    a = site.const("a")
    if isinstance(a, int | float) and a > 0:
        return f"y * {math.log(a)!r}"
    return "y * log_or_zero(a)"


def clip_low(site: Site) -> Text:
    """Where `np.clip` gives its lower bound: of bounds that have crossed it gives the upper one."""
    if site.const("a_max") is None:
        return select("a < a_min")(site)
    ordered = "a < a_min <= a_max" if site.is_scalar("y") else "(a < a_min) & (a_min <= a_max)"
    return select(ordered)(site)


def clip_high(site: Site) -> Text:
    """Where `np.clip` gives its upper bound."""
    if site.const("a_min") is None:
        return select("a > a_max")(site)
    either = (
        "a > a_max or a_min > a_max" if site.is_scalar("y") else "(a > a_max) | (a_min > a_max)"
    )
    return select(either)(site)


def clip_inside(site: Site) -> Text:
    """Where `np.clip` lets its first argument through."""
    low = "a_min <= a" if site.const("a_min") is not None else ""
    high = "a <= a_max" if site.const("a_max") is not None else ""
    if low and high:
        both = "a_min <= a <= a_max" if site.is_scalar("y") else "(a_min <= a) & (a <= a_max)"
        return select(both, "y == a")(site)
    return select(low or high)(site) if low or high else "1"


def _sinh(site: Site) -> Text:
    """Of real numbers also from the result; of complex ones that would be another branch."""
    own = "np.cosh(x)"
    return (own, "np.hypot(1.0, y)") if is_real(site.kind("x")) else own


UNARY: Mapping[str, Text | Callable[[Site], Text]] = {
    "negative": "-1",
    "positive": "1",
    "absolute": "np.sign(x)",
    "fabs": "np.sign(x)",
    "exp": ("y", "np.exp(x)"),
    "exp2": (f"{LN2} * y", f"{LN2} * np.exp2(x)"),
    "expm1": ("y + 1", "np.exp(x)"),
    "log": ("1 / x", "np.exp(-y)"),
    "log2": (f"1 / ({LN2} * x)", f"np.exp2(-y) / {LN2}"),
    "log10": (f"1 / ({LN10} * x)", f"10.0 ** -y / {LN10}"),
    "log1p": ("1 / (1 + x)", "np.exp(-y)"),
    "sqrt": ("0.5 / y", "0.5 / np.sqrt(x)"),
    "cbrt": ("1 / (3 * y * y)", "1 / (3 * np.cbrt(x) ** 2)"),
    "square": "2 * x",
    "reciprocal": ("-y * y", "-1 / (x * x)"),
    "sin": "np.cos(x)",
    "cos": "-np.sin(x)",
    "tan": ("1 + y * y", "1 / np.cos(x) ** 2"),
    "arcsin": ("1 / np.sqrt(1 - x * x)", "1 / np.cos(y)"),
    "arccos": ("-1 / np.sqrt(1 - x * x)", "-1 / np.sin(y)"),
    "arctan": "1 / (1 + x * x)",  # far out the result tells too little of the operand
    "sinh": _sinh,
    "cosh": "np.sinh(x)",
    "tanh": ("1 - y * y", "1 - np.tanh(x) ** 2"),
    "arcsinh": ("1 / np.sqrt(x * x + 1)", "1 / np.cosh(y)"),
    "arccosh": ("1 / np.sqrt(x * x - 1)", "1 / np.sinh(y)"),
    "arctanh": ("1 / (1 - x * x)", "np.cosh(y) ** 2"),
    "deg2rad": "0.017453292519943295",
    "radians": "0.017453292519943295",
    "rad2deg": "57.29577951308232",
    "degrees": "57.29577951308232",
    "conjugate": "1",
}
"""The partial derivatives of universal functions of one operand."""

for _name, _partial in UNARY.items():
    ufunc(f"np.{_name}(x)", x=_partial, aliases=("np.abs",) * (_name == "absolute"))
for _name in ("conj", "conjugate"):
    elementwise(f"ndarray.{_name}(x)", x="1", call="method", methods=(_name,), result="maybe_same",
                of="x")  # fmt: skip

BINARY: Mapping[str, Mapping[str, Any]] = {
    "add": {"a": "1", "b": "1"},
    "subtract": {"a": "1", "b": "-1"},
    "multiply": {"a": "b", "b": "a"},
    "divide": {"a": "1 / b", "b": ("-y / b", "-a / (b * b)")},
    "remainder": {"a": "1", "b": "-np.floor_divide(a, b)"},
    "fmod": {"a": "1", "b": "-np.trunc(a / b)"},
    "power": {"a": power_base, "b": power_exponent},
    "float_power": {"a": power_base, "b": power_exponent},
    "maximum": {"a": select("a >= b", "y == a"), "b": select("a < b", "y != a")},
    "minimum": {"a": select("a <= b", "y == a"), "b": select("a > b", "y != a")},
    "fmax": {"a": select("y == a"), "b": select("y != a")},
    "fmin": {"a": select("y == a"), "b": select("y != a")},
    "logaddexp": {"a": ("np.exp(a - y)", "np.exp(a - np.logaddexp(a, b))"),
                  "b": ("np.exp(b - y)", "np.exp(b - np.logaddexp(a, b))")},
    "logaddexp2": {"a": ("np.exp2(a - y)", "np.exp2(a - np.logaddexp2(a, b))"),
                   "b": ("np.exp2(b - y)", "np.exp2(b - np.logaddexp2(a, b))")},
    "hypot": {"a": ("a / y", "a / np.hypot(a, b)"), "b": ("b / y", "b / np.hypot(a, b)")},
    "arctan2": {"a": "b / (a * a + b * b)", "b": "-a / (a * a + b * b)"},
    "copysign": {"a": "np.sign(a) * np.sign(y)", "inert": ("b",)},
    "ldexp": {"a": "np.ldexp(y_bar, b)", "inert": ("b",)},
    "nextafter": {"a": "1", "inert": ("b",)},
    "heaviside": {"b": select("a == 0"), "inert": ("a",)},
}  # fmt: skip
"""The formulas of universal functions of two operands."""

for _name, _formulas in BINARY.items():
    ufunc(f"np.{_name}(a, b)", **_formulas)


def _into_outs(call: str) -> dict[str, Any]:
    """What is written where arrays are given for the two results: by position, or all by name."""

    def write(site: Site) -> str | None:
        named = site.bound.get("outs", E.NONE)
        places = ["out1", "out2"]
        if named != E.NONE:
            places = ["outs[0]", "outs[1]"]
        nothing = [_is_none(site, p) for p in places]
        if all(nothing):
            return None
        lines, kept = [f"both = {call}"], []
        for k, (place, none) in enumerate(zip(places, nothing, strict=True)):
            lines.append(f"part{k} = both[{k}]" if none else f"part{k} = {place}")
            kept.append(f"part{k}")
        if not any(nothing):
            lines.append("apart = check_apart(part0, part1)")
        for k, none in enumerate(nothing):
            if not none:
                lines.append(f"part{k}[...] = both[{k}]")
        return "\n".join([*lines, f"written = ({', '.join(kept)})"])

    return {"expansion": write, "returns": "written"}


def _is_none(site: Site, place: str) -> bool:
    """Whether no array is given there."""
    name, _, index = place.partition("[")
    value = site.bound.get(name)
    if index and isinstance(value, E.Sequence):
        value = value.items[int(index[0])]
    kind = site.kind(name)
    if index and isinstance(kind, TupleOf):
        kind = kind.items[int(index[0])]
    return literal(value) is None or (isinstance(kind, Known) and kind.value is None)


_OUTS = "out1=None, out2=None, /, *, outs: 'out'=None)"
rule(f"np.divmod(a, b, {_OUTS}", **_into_outs("np.divmod(a, b)"),
     tuple_result=True, a=Each("y_bar[1]"), b=Each("-y_bar[1] * y[0]"),
     a_dot="(np.zeros_like(y[0]), as_wide_as(dot, y[1]))",
     b_dot="(np.zeros_like(y[0]), -dot * y[0])")  # fmt: skip
rule(f"np.modf(x, {_OUTS}", **_into_outs("np.modf(x)"), tuple_result=True,
     x="y_bar[0]", x_dot="(dot, np.zeros_like(y[1]))")
rule(f"np.frexp(x, {_OUTS}", **_into_outs("np.frexp(x)"), tuple_result=True,
     x="np.ldexp(y_bar[0], -y[1])",
     x_dot="(np.ldexp(dot, -y[1]), np.zeros_like(y[1]))")  # fmt: skip

elementwise("np.i0(x)", x="bessel_i1(x)")
elementwise("np.sinc(x)", x="sinc_slope(x)")
elementwise("np.nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)",
            x=select("np.isfinite(x)"), returns="x",
            expansion=lambda s: None if s.const("copy") is True else
            "mask = ~np.isfinite(x)\n"
            "x[mask] = np.nan_to_num(x[mask], nan=nan, posinf=posinf, neginf=neginf)",
            refuses=lambda s: None if s.const("copy") in (True, False) else
            "`copy=` must be written out here")  # fmt: skip
elementwise("np.real(x: 'val')", x="1", result="maybe_same", of="x")
elementwise("np.real_if_close(x: 'a', tol=100)", x="1", result="maybe_same", of="x")
elementwise("np.where(condition, a=None, b=None, /)", inert=("condition",),
            a="np.where(condition, y_bar, 0.0)", b="np.where(condition, 0.0, y_bar)")  # fmt: skip
elementwise("np.clip(a, a_min: 'a_min|min'=None, a_max: 'a_max|max'=None, out=None, *, where=True, "
            "casting='same_kind', order='K', dtype=None, subok=True)",
            a=clip_inside, a_min=clip_low, a_max=clip_high,
            refuses=masked_without_out)  # fmt: skip
elementwise("ndarray.clip(a, a_min: 'min'=None, a_max: 'max'=None, out=None)", call="method",
            methods=("clip",), a=clip_inside, a_min=clip_low, a_max=clip_high)  # fmt: skip

constant_ufunc("np.sign(x)", reals_only=True)
elementwise("np.imag(val)", val=none_of_reals("val"), result="maybe_view", of="val")
elementwise("np.angle(z, deg=False)", z=none_of_reals("z"), returns="y",
            expansion=lambda s: "y = np.angle(z) * (180.0 / np.pi)"
            if s.const("deg") is True and not is_real(s.kind("z")) else None,
            refuses=lambda s: None if s.const("deg") in (True, False) or is_real(s.kind("z")) else
            "`deg=` has to be written out for complex numbers"
            )  # fmt: skip
for _name in ("floor", "ceil", "rint", "trunc", "signbit", "spacing", "isnan", "isinf",
              "isfinite", "logical_not", "invert", "bitwise_count"):  # fmt: skip
    constant_ufunc(f"np.{_name}(x)")
BINARY_CONSTANT = (
    "floor_divide", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
    "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
    "left_shift", "right_shift", "gcd", "lcm",
)  # fmt: skip
"""Universal functions of two operands that jump or count."""


for _name in BINARY_CONSTANT:
    constant_ufunc(f"np.{_name}(a, b)")
constant(
    "np.fix(x, out=None)", "np.round(a, decimals=0, out=None)",
    "np.around(a, decimals=0, out=None)",
    "np.isposinf(x, out=None)", "np.isneginf(x, out=None)", "np.isclose", "np.allclose",
    "np.array_equal", "np.array_equiv", "np.isreal", "np.iscomplex",
    methods=("round(a, decimals=0, out=None)",),
)  # fmt: skip
