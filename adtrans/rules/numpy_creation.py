"""Functions that create arrays: constant in their arguments but for fills and end points.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> full = lookup(np.full)
>>> print(full.pullback("fill_value", full.bind((Name("n"), Name("v")), ()), {})[0])
unbroadcast(y_bar, np.shape(fill_value))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adtrans import runtime
from adtrans.rules import registry
from adtrans.rules.declare import Site, constant, rule
from adtrans.rules.rule import Rule
from adtrans.rules.site import Text

constant(
    "np.zeros", "np.ones", "np.empty", "np.eye", "np.identity", "np.tri", "np.indices",
    "np.ndindex",
    "np.zeros_like", "np.ones_like", "np.empty_like", "np.diag_indices", "np.diag_indices_from",
    "np.tril_indices", "np.triu_indices", "np.tril_indices_from", "np.triu_indices_from",
    "np.fromstring", "np.mask_indices", "np.hanning", "np.hamming", "np.blackman", "np.bartlett",
    "np.s_", "np.polynomial.legendre.leggauss", "np.polynomial.laguerre.laggauss",
    "np.polynomial.chebyshev.chebgauss", "np.polynomial.hermite.hermgauss",
    "np.polynomial.hermite_e.hermegauss",
)  # fmt: skip
constant("np.ix_(*args)", result="maybe_view", of="args", inert=())  # numbers as they are given
constant("np.load", "np.loadtxt", "np.fromfile", "np.genfromtxt", "np.save", "np.savetxt",
    impure=True)


def _fill(site: Site) -> Text:
    if site.is_scalar("fill_value"):
        return "np.sum(y_bar)"
    return "unbroadcast(y_bar, np.shape(fill_value))"


rule("np.full(shape, fill_value, dtype=None, order='C', *, device=None, like=None)",
     fill_value=_fill, inert=("shape",), fill_value_dot="np.full(shape, dot)")  # fmt: skip
rule("np.full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None, *, device=None)",
     fill_value=_fill, inert=("a",), fill_value_dot="np.full(np.shape(y), dot)")  # fmt: skip


def _steps(site: Site) -> bool:
    """Whether the distance of the points is returned as well."""
    return "retstep" in site.bound and site.const("retstep") is True


def _plain_linspace(site: Site) -> str | None:
    if "retstep" in site.bound and site.const("retstep") not in (True, False):
        return "`retstep=` must be written out here"
    return None


def _log_of_base(site: Site, weight: str) -> str:
    """The weight; the logarithm of a Python number is one, which keeps single precision."""
    return weight.replace("np.log", "math.log") if site.is_scalar("base") else weight


def _end(power: str, weight: str, which: int) -> Callable[[Site], Text]:
    """The adjoint of an end point: a share of that of each element, times `power` of the element
    and `weight` of the end point."""
    name = ("start", "stop")[which]

    def write(site: Site) -> Text:
        seed = "y_bar[0]" if _steps(site) else f"y_bar{power}"
        if site.const("axis") != 0:
            seed = f"np.moveaxis({seed}, axis, 0)"
        seed += _log_of_base(site, weight)
        share = f"linspace_pullback({seed}, np.shape({name}), num, endpoint, {which})"
        if not _steps(site):
            return share
        return f"{share} {'-+'[which]} unbroadcast(y_bar[1], np.shape({name})) / {_GAPS}"

    return write


_GAPS = "(max(num - 1 if endpoint else num, 0) or np.inf)"  # one point has no distance: nan


def _end_dot(power: str, weight: str, which: int) -> Callable[[Site], Text]:
    other = ("stop", "start")[which]

    def write(site: Site) -> Text:
        zero = "0.0" if site.is_scalar(other) else f"np.zeros(np.shape({other}))"
        axis = "" if site.const("axis") == 0 else ", axis=axis"
        mine = f"dot{_log_of_base(site, weight)}"
        ends = f"{zero}, {mine}" if which else f"{mine}, {zero}"
        line = f"np.linspace({ends}, num, endpoint{axis}){power}"
        if not _steps(site):
            return line
        return f"({line}, {'-+'[which]}dot / {_GAPS} + np.zeros(np.shape(y[1])))"

    return write


def _spaced(text: str, power: str, start: str, stop: str, **words: Any) -> None:
    """Points between two ends, with the factor between them and points that are equally spaced."""
    rule(text, start=_end(power, start, 0), stop=_end(power, stop, 1), refuses=_plain_linspace,
         start_dot=_end_dot(power, start, 0), stop_dot=_end_dot(power, stop, 1),
         **words)  # fmt: skip


_spaced("np.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, "
        "device=None)", "", "", "", tuple_result=_steps)  # fmt: skip
_spaced("np.geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0)",
        " * y", " / start", " / stop")  # fmt: skip
_spaced("np.logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)",
        " * y", " * np.log(base)", " * np.log(base)",
        base="unbroadcast(np.moveaxis(y_bar * y * np.log(y), axis, 0) / (base * np.log(base)), "
             "np.shape(base))",
        base_dot="np.moveaxis(np.moveaxis(y * np.log(y), axis, 0) * (dot / (base * np.log(base))), "
                 "0, axis)")  # fmt: skip
rule("np.kaiser(M, beta)", beta="np.sum(y_bar * kaiser_slope(y, beta))",
     beta_dot="dot * kaiser_slope(y, beta)", inert=("M",))  # fmt: skip
_VANDER = "vander_slopes(x, vander_columns(x, N), increasing)"
rule("np.vander(x, N=None, increasing=False)", x=f"np.sum(y_bar * {_VANDER}, axis=1)",
     x_dot=f"np.asarray(dot)[:, None] * {_VANDER}")  # fmt: skip


def _from_start(if_one: str, otherwise: str) -> Callable[[Site], Text]:
    """`np.arange(n)` does not vary with `n`; in `np.arange(start, stop)` all elements follow."""
    return lambda site: if_one if site.const("stop") is None else otherwise


rule("np.arange(start, stop=None, step=1, dtype=None, *, device=None, like=None)", inert=("stop",),
     start=_from_start("0.0", "np.sum(y_bar)"),
     start_dot=_from_start("np.zeros_like(y)", "np.full(np.shape(y), dot)"),
     step="np.sum(y_bar * np.arange(len(y_bar)))", step_dot="dot * np.arange(len(y))")  # fmt: skip


_GRID = {
    end: f"grid_slope(len(y), count, {k})" for k, end in enumerate(("start", "stop", "step"))
}
registry.add_object(
    runtime.grid_line,
    rule("grid_line(start, stop, step, count=None, alone=False)", inert=("count",),
         **{name: f"np.sum(y_bar * {slope})" for name, slope in _GRID.items()},
         **{f"{name}_dot": f"dot * {slope}" for name, slope in _GRID.items()},
         stands_for="a grid", register=False),
)  # fmt: skip
registry.add_object(
    runtime.grid_slope,
    Rule("adtrans.runtime.grid_slope", "", "constant", inert_ok=frozenset({"*"})),
)
