"""The module `statistics`, `cmath` and the complex numbers of Python.

>>> import statistics
>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> print(lookup(statistics.geometric_mean).pullback("data", {"data": Name("x")}, {})[0])
list(y_bar * (y / (len(data) * np.asarray(data))))

The values of `statistics` are exact, or rounded once; the slopes are computed in floating point.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from adtrans.rules.complexes import is_complex
from adtrans.rules.declare import Site, elementwise, linear, rule
from adtrans.rules.site import Text


def _along(slope: str, seed: str, of: str = "data") -> Callable[[Site, int], Text]:
    """Seed times slope: for an item that is spelled out, for an array, for a list."""

    def write(site: Site, i: int) -> Text:
        if i >= 0:
            return f"{seed} * {slope}[{i}]"
        if seed == "dot":
            return f"np.dot({slope}, dot)"
        whole = f"{seed} * {slope}"
        return whole if site.is_array(of) else f"list({whole})"

    return write


def _without(word: str) -> Callable[[Site], str | None]:
    def refused(site: Site) -> str | None:
        return None if site.const(word) is None else f"`{word}=` has no rule"

    return refused


def _mean(seed: str) -> Callable[[Site, int], Text]:
    def write(site: Site, i: int) -> Text:
        if i >= 0:
            return f"{seed} / {site.items('data')}"
        if seed == "dot":
            return "math.fsum(dot) / len(data)"
        return "spread_over(y_bar / len(data), data)"

    return write


_OFF = "(np.asarray(data) - np.mean(data))"
rule("statistics.mean(data: seq)", data=_mean("y_bar"), data_dot=_mean("dot"))
rule("statistics.fmean(data: seq, weights=None)", data=_mean("y_bar"), data_dot=_mean("dot"),
     refuses=_without("weights"))  # fmt: skip
for _name, _center, _slope in (
    ("variance", "xbar", f"(2.0 * {_OFF} / (len(data) - 1))"),
    ("pvariance", "mu", f"(2.0 * {_OFF} / len(data))"),
    ("stdev", "xbar", f"({_OFF} / ((len(data) - 1) * y))"),
    ("pstdev", "mu", f"({_OFF} / (len(data) * y))"),
):
    rule(f"statistics.{_name}(data: seq, {_center}=None)", data=_along(_slope, "y_bar"),
         data_dot=_along(_slope, "dot"), refuses=_without(_center))  # fmt: skip
for _name, _slope in (
    ("median", "median_weights(data)"),
    ("geometric_mean", "(y / (len(data) * np.asarray(data)))"),
):
    rule(f"statistics.{_name}(data: seq)", data=_along(_slope, "y_bar"),
         data_dot=_along(_slope, "dot"))  # fmt: skip
_SQUARES = "(y * y / (len(data) * np.asarray(data) ** 2))"
rule("statistics.harmonic_mean(data: seq, weights=None)", data=_along(_SQUARES, "y_bar"),
     data_dot=_along(_SQUARES, "dot"), refuses=_without("weights"))  # fmt: skip

# --- complex numbers -------------------------------------------------------------------------

for _name, _partial in {
    "exp": "y", "sqrt": "0.5 / y", "sin": "np.cos(x)", "cos": "-np.sin(x)", "tan": "1 + y * y",
    "sinh": "np.cosh(x)", "cosh": "np.sinh(x)", "tanh": "1 - y * y", "log10":
    "0.4342944819032518 / x", "asin": "1 / np.sqrt(1 - x * x)", "acos": "-1 / np.sqrt(1 - x * x)",
    "atan": "1 / (1 + x * x)", "asinh": "1 / np.sqrt(x * x + 1)", "atanh": "1 / (1 - x * x)",
}.items():  # fmt: skip
    elementwise(f"cmath.{_name}(x, /)", x=_partial)


def _log_of_base(site: Site) -> str | None:
    """The logarithm of the base; that of a real one is complex where it is negative, and would not
    be conjugated with the operands."""
    base = site.const("base")
    if isinstance(base, int | float):
        return repr(math.log(base)) if base > 0 else None
    return "np.log(base)" if is_complex(site.kind("base")) else None


def _log_slope(site: Site) -> str | None:
    if site.const("base") is None:
        return "1 / x"
    log = _log_of_base(site)
    return None if log is None else f"1 / (x * {log})"


elementwise("cmath.log(x, base=None, /)", x=_log_slope,
            base=lambda s: f"-y / (base * {_log_of_base(s)})" if _log_of_base(s) else None,
            refuses=lambda s: None if s.const("base") is None or _log_of_base(s) else
            "its base has to be complex, or a positive number that is written out")  # fmt: skip
elementwise("cmath.phase(x, /)", x="0.0")
linear("complex(real=0.0, imag=0.0)", real="y_bar", imag="-1j * y_bar", real_dot="complex(dot)",
       imag_dot="1j * dot")  # fmt: skip
