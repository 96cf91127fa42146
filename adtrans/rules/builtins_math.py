"""Builtins of Python and the `math` module.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import math
>>> print(lookup(math.sin).pullback("x", {"x": Name("x")}, {})[0])
y_bar * math.cos(x)
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.rules.declare import Each, Site, constant, elementwise, linear, rule
from adtrans.rules.numpy_elementwise import LN2, LN10, power_base, power_exponent
from adtrans.rules.site import Text

# --- builtins --------------------------------------------------------------------------------

elementwise("abs(x, /)", x="np.sign(x)")
elementwise("pow(a, b, mod=None)", a=power_base, b=power_exponent,
            refuses=lambda s: None if s.const("mod") is None else "`mod` has no rule")  # fmt: skip


def _number(site: Site) -> Text:
    return "y_bar" if site.is_scalar("x") else "np.reshape(y_bar, np.shape(x))"


linear("float(x=0.0, /)", x=_number, x_dot="float(dot)")
linear("builtins.float.__float__(x, /)", x="y_bar", x_dot="float(dot)", cheap=True)
rule("divmod(a, b, /)", tuple_result=True, a=Each("y_bar[1]"), b=Each("-y_bar[1] * y[0]"),
     a_dot="(0.0 * y[1], as_wide_as(dot, y[1]))",  # the quotient may be an array
     b_dot="(0.0 * y[1], -dot * y[0])")  # fmt: skip
for _name in ("np.float64", "np.float32", "np.float16", "np.longdouble"):
    linear(f"{_name}(x=0.0, /)", x=lambda s: "y_bar", x_dot=f"{_name}(dot)",
           result="maybe_same", of="x")  # fmt: skip

constant("len", "isinstance", "issubclass", "bool", "int", "range", "str", "repr",
    "hasattr",
         "callable", "ord", "chr", "round", cheap=True)  # fmt: skip
constant("slice", cheap=True, inert=())
constant("type(x, /)", cheap=True)
constant("id", "hash", "print", "format", "input", "open", "dir", "any", "all", "ascii",
    "bin",
         "hex", "oct", impure=True)  # fmt: skip
for _name in ("debug", "info", "warning", "error", "critical", "exception", "log", "isEnabledFor"):
    constant(methods=[f"Logger.{_name}"], impure=True)
    if _name != "isEnabledFor":
        constant(f"logging.{_name}", impure=True)
constant("logging.getLogger", "warnings.warn", impure=True)
constant("np.int8", "np.int16", "np.int32", "np.int64", "np.intp", "np.longlong", "np.uint8",
         "np.uint16", "np.uint32", "np.uint64", "np.ulonglong", "np.bool_",
         cheap=True, result="maybe_same", of="arg0")
constant("np.str_", cheap=True)

# What is found is a place; where there is no mask there is none.
constant("bisect.bisect", "bisect.bisect_left", "bisect.bisect_right", "np.ma.getmask",
         "np.ma.is_masked", "builtins.str.format")  # fmt: skip

# --- math ------------------------------------------------------------------------------------

for _call, _partial in {
    "exp": ("y", "math.exp(x)"), "exp2": f"{LN2} * y", "expm1": ("y + 1", "math.exp(x)"),
    "log2": f"1 / ({LN2} * x)", "log10": f"1 / ({LN10} * x)", "log1p": "1 / (1 + x)",
    "sqrt": ("0.5 / y", "0.5 / math.sqrt(x)"), "cbrt": "1 / (3 * y * y)", "sin": "math.cos(x)",
    "cos": "-math.sin(x)", "tan": ("1 + y * y", "1 / math.cos(x) ** 2"),
    "asin": "1 / math.sqrt(1 - x * x)", "acos": "-1 / math.sqrt(1 - x * x)",
    "atan": "1 / (1 + x * x)",
    "sinh": "math.cosh(x)", "cosh": "math.sinh(x)", "tanh": ("1 - y * y", "1 - math.tanh(x) ** 2"),
    "asinh": "1 / math.sqrt(x * x + 1)", "acosh": "1 / math.sqrt(x * x - 1)",
    "atanh": "1 / (1 - x * x)", "fabs": "math.copysign(1.0, x) if x else 0.0",
    "erf": "1.1283791670955126 * math.exp(-x * x)",
    "erfc": "-1.1283791670955126 * math.exp(-x * x)",
    "degrees": "57.29577951308232", "radians": "0.017453292519943295",
}.items():  # fmt: skip
    elementwise(f"math.{_call}(x, /)", x=_partial)


elementwise("math.gamma(x, /)", x="y * digamma(x)")
elementwise("math.lgamma(x, /)", x="digamma(x)")
elementwise("math.nextafter(a, b, /, *, steps=None)", a="1", inert=("b",))
rule("math.modf(x, /)", tuple_result=True, x="y_bar[0]", x_dot="(dot, 0.0)")
rule("math.frexp(x, /)", tuple_result=True, x="math.ldexp(y_bar[0], -y[1])",
     x_dot="(math.ldexp(dot, -y[1]), 0.0)")  # fmt: skip


def _whole(site: Site, name: str, array: str) -> str:
    """The adjoint of all numbers of an array, or of a list or tuple."""
    return array if site.is_array(name) else f"adjoint_like({array}, {name})"


def _at(site: Site, name: str, i: int) -> str:
    """One number of a sequence, which may be written out or not."""
    return f"{name}[{i}]" if site.items(name) is not None else f"np.take({name}, {i})"


def _apart(mine: str, other: str, seed: str) -> Callable[[Site, int], Text]:
    """How `math.dist` changes with one coordinate, or with all of an array."""

    def write(site: Site, i: int) -> Text:
        if i >= 0:
            return f"{seed} * ({mine}[{i}] - {_at(site, other, i)}) / y"
        slope = f"(np.subtract({mine}, {other}) / y)"
        return f"np.dot({slope}, dot)" if seed == "dot" else _whole(site, mine, f"y_bar * {slope}")

    return write


rule("math.dist(p: seq, q: seq, /)", ranks={"p": (0, 1), "q": (0, 1)},
     p=_apart("p", "q", "y_bar"), q=_apart("q", "p", "y_bar"),
     p_dot=_apart("p", "q", "dot"), q_dot=_apart("q", "p", "dot"))  # fmt: skip


def _other_factor(other: str, seed: str) -> Callable[[Site, int], Text]:
    def write(site: Site, i: int) -> Text:
        if i >= 0:
            return f"{seed} * {_at(site, other, i)}"
        if seed == "dot":
            return f"np.dot({other}, dot)"
        return _whole(site, "q" if other == "p" else "p", f"y_bar * np.asarray({other})")

    return write


rule("math.sumprod(p: seq, q: seq, /)", p=_other_factor("q", "y_bar"),
     q=_other_factor("p", "y_bar"), p_dot=_other_factor("q", "dot"),
     q_dot=_other_factor("p", "dot"))  # fmt: skip


def _leg(seed: str) -> Callable[[Site, int], Text]:
    """How the hypotenuse changes with one coordinate, or with all of them."""

    def write(site: Site, i: int) -> Text:
        if i >= 0:
            return f"{seed} * coordinates[{i}] / y"
        if seed == "dot":
            return "np.vdot(np.asarray(coordinates) / y, dot)"  # none at all: zero
        return _whole(site, "coordinates", "y_bar * np.asarray(coordinates) / y")

    return write


def _log_base(site: Site) -> Text:
    return "1 / x" if site.const("base") is None else "1 / (x * math.log(base))"


elementwise("math.log(x, base=None, /)", x=_log_base, base="-y / (base * math.log(base))")
elementwise("math.pow(a, b, /)", a=power_base, b=power_exponent)
elementwise("math.atan2(a, b, /)", a="b / (a * a + b * b)", b="-a / (a * a + b * b)")
elementwise("math.fmod(a, b, /)", a="1", b="-np.trunc(a / b)")
elementwise("math.remainder(a, b, /)", a="1", b="-round((a - y) / b)")
elementwise("math.copysign(a, b, /)", a="np.sign(a) * np.sign(y)", inert=("b",))
elementwise("math.ldexp(a, b, /)", a="math.ldexp(y_bar, b)", inert=("b",))
elementwise("math.fma(a, b, c, /)", a="b", b="a", c="1")
rule("math.hypot(*coordinates: whole)", coordinates=_leg("y_bar"), coordinates_dot=_leg("dot"))
rule("math.fsum(items: seq, /)", items=lambda s,
    i: "y_bar" if i >= 0 else "spread_over(y_bar, items)",
     items_dot=lambda s, i: "dot" if i >= 0 else "math.fsum(dot)")  # fmt: skip


def _rows(site: Site) -> str | None:
    if (site.ndim("items") or 0) > 1:
        return "it multiplies rows here: use `np.prod`"
    return None


rule("math.prod(items: seq, /, *, start=1)", refuses=_rows,
     items=lambda s, i: _others(s, i, "y_bar"), start="y_bar * math.prod(items)",
     items_dot=lambda s, i: _others(s, i, "dot"), start_dot="dot * math.prod(items)")  # fmt: skip


def _others(site: Site, i: int, seed: str) -> Text:
    first = [] if site.const("start") == 1 else ["start"]
    n = site.items("items")
    if n is not None and i >= 0:
        return " * ".join([seed, *first, *(f"items[{k}]" for k in range(n) if k != i)])
    if seed == "dot":
        return " * ".join([*first, "np.dot(product_of_others(items), dot)"])
    whole = " * ".join([seed, *first, "product_of_others(items)"])
    return whole if site.is_array("items") else f"list({whole})"


constant("cmath.isfinite", "cmath.isinf", "cmath.isnan", "cmath.isclose", cheap=True)
constant("math.floor", "math.ceil", "math.trunc", "math.isnan", "math.isinf", "math.isfinite",
         "math.isclose", "math.factorial", "math.comb", "math.perm", "math.gcd", "math.lcm",
         "math.isqrt", "math.ulp", cheap=True)  # fmt: skip

