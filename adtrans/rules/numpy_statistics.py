"""Quantiles, covariances and what else summarises data.

>>> from adtrans.ir.expr import Const, Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> quantile = lookup(np.quantile)
>>> bound = quantile.bind((Name("x"), Const(0.25)), ())
>>> print(quantile.pullback("a", bound, {})[0])
quantile_pullback(y_bar, a, q, axis, keepdims, method)
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.ir.expr import Sequence
from adtrans.rules.declare import Site, rule

_QUANTILE = (
    "(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, "
    "weights=None)"
)


def _plain_quantile(site: Site) -> str | None:
    if site.const("overwrite_input") is not False:
        return "`overwrite_input=` is not supported while it carries a derivative"
    if "weights" in site.bound and site.const("weights") is not None:
        known = site.is_array("weights") or isinstance(site.bound["weights"], Sequence)
        return None if known else "`weights=` has to be an array for certain"
    return None


def _unless_weighted(text: str, weighted: str) -> Callable[[Site], str]:
    """A formula for quantiles without weights; those with weights are elements, which jump."""
    return lambda site: text if site.const("weights") is None else weighted


def _by_q(one: str, several: str, like: str) -> Callable[[Site], str]:
    """A formula for one quantile, and for several; with weights they jump."""

    def write(site: Site) -> str:
        if site.const("weights") is not None:
            return f"np.zeros_like({like})"
        return one if site.ndim("q") == 0 else several

    return write


for _name, _nan in (("quantile", False), ("percentile", False), ("nanquantile", True),
                    ("nanpercentile", True)):  # fmt: skip
    _q, _per = ("np.divide(q, 100)", " / 100") if "percentile" in _name else ("q", "")
    _end = ", True)" if _nan else ")"
    _slope = f"quantile_slope(a, {_q}, axis, np.shape(y), method{_end}{_per}"
    rule(f"np.{_name}{_QUANTILE}", refuses=_plain_quantile,
         inert=("weights",),
         a=_unless_weighted(f"quantile_pullback(y_bar, a, {_q}, axis, keepdims, method{_end}",
                            "weighted_quantile_pullback(y_bar, a, weights, y, axis)"),
         a_dot=_unless_weighted(
             f"quantile_pushforward(dot, a, {_q}, axis, np.shape(y), method{_end}",
             "weighted_quantile_pushforward(dot, a, weights, y, axis)"),
         q=_by_q(f"np.sum(y_bar * {_slope})", f"per_quantile(y_bar * {_slope}, np.shape(q))", "q"),
         q_dot=_by_q(f"dot * {_slope}",
                     f"per_place(dot, np.shape(q), np.shape(y)) * {_slope}", "y"))  # fmt: skip
rule("np.nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
     a="quantile_pullback(y_bar, a, 0.5, axis, keepdims, 'linear', True)",
     a_dot="quantile_pushforward(dot, a, 0.5, axis, np.shape(y), 'linear', True)",
     refuses=lambda s: None if s.const("overwrite_input") is False else
     "`overwrite_input=` is not supported while it carries a derivative")  # fmt: skip

_COV = "rowvar, bias, ddof, fweights, aweights"
_WEIGHTS = f"cov_weights_pullback(y_bar, y, m, other, {_COV})"
rule("np.cov(m, other: 'y'=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None,"
     " *, dtype=None)",
     m=f"cov_pullback(y_bar, m, other, {_COV}, 0)",
     m_dot=f"cov_pushforward(dot, m, other, {_COV}, 0)",
     other=f"cov_pullback(y_bar, m, other, {_COV}, 1)",
     other_dot=f"cov_pushforward(dot, m, other, {_COV}, 1)",
     aweights=lambda s: f"adjoint_like({_WEIGHTS}, aweights)" if s.is_listed("aweights") else
     _WEIGHTS,
     aweights_dot=f"cov_weights_pushforward(dot, y, m, other, {_COV})")  # fmt: skip
rule("np.corrcoef(x, other: 'y'=None, rowvar=True, *, dtype=None)",
     x="corrcoef_pullback(y_bar, x, other, rowvar, 0)",
     x_dot="corrcoef_pushforward(dot, x, other, rowvar, 0)",
     other="corrcoef_pullback(y_bar, x, other, rowvar, 1)",
     other_dot="corrcoef_pushforward(dot, x, other, rowvar, 1)")  # fmt: skip

_JUMPS = ("counts are constant between jumps, and the edges of the bins follow the data; smooth "
          "counts with a kernel, as a sum of `np.exp`")
rule("np.histogram(a, bins=10, range=None, density=None, weights=None)", tuple_result=True,
     result="maybe_same", of="bins",
     weights="histogram_pullback(y_bar[0], a, y[1], np.shape(weights))",
     weights_dot="(np.histogram(a, y[1], weights=dot)[0], np.zeros_like(y[1]))", inert=("density",),
     without={"a": _JUMPS, "bins": _JUMPS, "range": _JUMPS},
     refuses=lambda s: None if s.const("density") in (None, False) else
     "`density=` has no rule: divide by the sum and the widths")  # fmt: skip
