"""Sums, means, extrema and cumulative functions of NumPy.

A sum hands its adjoint on as it is where broadcasting does the rest:

>>> from adtrans.ir.expr import Const, Name
>>> from adtrans.ir.kinds import Array
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> total = lookup(np.sum)
>>> for axis in (None, 0, 1, -1):
...     print(total.pullback("a", total.bind((Name("u"),), {"axis": Const(axis)}), {})[0])
y_bar
y_bar
np.expand_dims(y_bar, 1)
y_bar[..., None]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adtrans.rules.declare import Each, Site, Thin, constant, linear, rule
from adtrans.rules.rule import Text
from adtrans.rules.signature import NOT_LITERAL

TAIL = "axis=None, dtype=None, out=None, keepdims=False"
MEAN_TAIL = "axis=None, dtype=None, out=None, ddof=0, keepdims=False"
EXTREMUM_TAIL = "axis=None, out=None, keepdims=False"


def spread(site: Site, seed: str = "y_bar", a: str = "a") -> str:
    """`seed`, shaped like a reduction's result, so that it broadcasts against the operand `a`."""
    axis, keepdims, ndim = site.const("axis"), site.const("keepdims"), site.ndim(a)
    if "axis" not in site.bound or axis is None or keepdims is True:
        return seed
    if axis is NOT_LITERAL or keepdims is NOT_LITERAL:
        return f"expand_reduced({seed}, axis, keepdims, np.ndim({a}))"
    axes = axis if isinstance(axis, tuple) else (axis,)
    if ndim is not None:
        axes = tuple(k % ndim for k in axes if isinstance(k, int)) if ndim else ()
    if sorted(axes) == list(range(len(axes))):
        return seed
    if axes == (-1,) or (ndim is not None and axes == (ndim - 1,)):
        return f"{seed}[:, None]" if ndim == 2 else f"{seed}[..., None]"
    return f"np.expand_dims({seed}, {axis!r})"


def count(site: Site, a: str = "a") -> str:
    """How many elements one element of the reduction's result stands for."""
    axis, ndim = site.const("axis"), site.ndim(a)
    if axis is None or (ndim == 1 and isinstance(axis, int)):
        return f"np.size({a})"
    if isinstance(axis, int):
        return f"np.shape({a})[{axis}]"
    return f"reduced_size(np.shape({a}), axis)"


def _no_where(site: Site) -> str | None:
    if "where" in site.bound and site.const("where") is not True:
        return "`where=` of a reduction is not supported while it carries a derivative"
    return None


def _no_initial(site: Site) -> str | None:
    if "initial" in site.bound and site.const("initial") is not None:
        return "`initial=` is not supported while the reduction carries a derivative"
    return _no_where(site)


def _sum(site: Site) -> Text:
    return Thin(spread(site))


def _mean(site: Site) -> Text:
    return Thin(f"{spread(site)} / {count(site)}")


def options(site: Site) -> str:
    """`axis` and `keepdims` as keyword arguments, as far as they are not the defaults."""
    given = "axis" in site.bound and site.const("axis") is not None
    axis = ", axis=axis" if given else ""
    return axis + ("" if site.const("keepdims") in (False, None) else ", keepdims=keepdims")


def weighted(
    text: str, weight: Callable[[Site], str], /, *, factor: str = "{seed} * {weight}", **words: Any
) -> None:
    """A reduction whose derivative is a weighted sum; the weights have the operand's shape."""

    def back(site: Site) -> Text:
        return factor.format(seed=spread(site), weight=weight(site))

    def forward(site: Site) -> Text:
        term = factor.format(seed="a_dot", weight=weight(site))
        return f"np.sum({term}{options(site)})"

    rule(text, a=back, a_dot=forward, **words)


def _deviation(site: Site) -> str:
    if site.const("axis") is None:
        return "(a - np.mean(a))"
    return "(a - np.mean(a, axis=axis, keepdims=True))"


def _freedom(site: Site) -> str:
    n, ddof = count(site), site.const("ddof")
    return n if ddof == 0 else f"({n} - {'ddof' if ddof is NOT_LITERAL else ddof})"


def _var(site: Site) -> str:
    return f"{_deviation(site)} * (2 / {_freedom(site)})"


def _std(site: Site) -> str:
    return f"{_deviation(site)} / ({spread(site, 'y')} * {_freedom(site)})"


def _trace(site: Site) -> Text:
    plain = site.const("offset") == 0 and site.ndim("a") == 2
    if plain:
        return "y_bar * np.eye(*np.shape(a), dtype=a.dtype)"
    source = "np.diagonal(positions(np.shape(a)), offset, axis1, axis2)"
    return f"gather_pullback(np.expand_dims(y_bar, -1), {source}, np.shape(a))"


def _axis(site: Site) -> str:
    return "" if site.const("axis") is None else ", axis"


# the methods of universal functions reduce the first axis unless told otherwise
UFUNC_TAIL = "axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True"

linear(f"np.sum(a, {TAIL}, initial=None, where=True)", a=_sum, methods=("sum",), refuses=_no_where)
linear(f"np.add.reduce(a, {UFUNC_TAIL})", a=_sum, refuses=_no_where)
linear(f"np.nansum(a, {TAIL}, initial=None, where=True)", refuses=_no_where,
       a=lambda s: f"np.where(np.isnan(a), 0.0, {spread(s)})",
       a_dot=lambda s: f"np.sum(np.where(np.isnan(a), 0.0, a_dot){options(s)})")  # fmt: skip
linear(f"np.mean(a, {TAIL}, *, where=True)", a=_mean, methods=("mean",), refuses=_no_where)
linear("np.trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)",
       a=_trace, methods=("trace",))  # fmt: skip
weighted(f"np.var(a, {MEAN_TAIL}, *, where=True)", _var, methods=("var",), refuses=_no_where)
weighted(f"np.std(a, {MEAN_TAIL}, *, where=True)", _std, methods=("std",), refuses=_no_where)
weighted(f"np.prod(a, {TAIL}, initial=None, where=True)",
         lambda s: f"product_of_others(a{_axis(s)})", methods=("prod",),
         refuses=_no_initial)  # fmt: skip
weighted(f"np.multiply.reduce(a, {UFUNC_TAIL})",
         lambda s: f"product_of_others(a{_axis(s)})", refuses=_no_initial)  # fmt: skip


def _first(arg: str) -> Callable[[Site], str]:
    return lambda site: f"first_of(np.{arg}, a{_axis(site)})"


for _name, _arg in (("max", "argmax"), ("amax", "argmax"), ("min", "argmin"), ("amin", "argmin"),
                    ("nanmax", "nanargmax"), ("nanmin", "nanargmin")):  # fmt: skip
    weighted(f"np.{_name}(a, {EXTREMUM_TAIL}, initial=None, where=True)", _first(_arg),
             factor="np.where({weight}, {seed}, 0.0)", refuses=_no_initial,
             methods=(_name,) if len(_name) == 3 else ())  # fmt: skip
for _name, _arg in (("maximum", "argmax"), ("minimum", "argmin")):
    weighted(f"np.{_name}.reduce(a, {UFUNC_TAIL})", _first(_arg),
             factor="np.where({weight}, {seed}, 0.0)", refuses=_no_initial)  # fmt: skip


def _range(site: Site, seed: str) -> str:
    high, low = (f"first_of(np.{arg}, a{_axis(site)})" for arg in ("argmax", "argmin"))
    return f"np.where({high}, {seed}, 0.0) - np.where({low}, {seed}, 0.0)"


rule(f"np.ptp(a, {EXTREMUM_TAIL})", a=lambda s: _range(s, spread(s)),
     a_dot=lambda s: f"np.sum({_range(s, 'dot')}{options(s)})")  # fmt: skip
weighted("np.median(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
         lambda s: f"median_weights(a{_axis(s)})",
         refuses=lambda s: None if s.const("overwrite_input") is False else
         "`overwrite_input=` is not supported while it carries a derivative")  # fmt: skip


def _average_a(site: Site) -> Text:
    if site.const("weights") is None:
        return Thin(f"{spread(site)} / {count(site)}")
    return "average_pullback(y_bar, np.shape(a), weights, axis, keepdims)"


def _average_weights(site: Site) -> Text:
    return "average_weights_pullback(y_bar, a, weights, axis, keepdims)"


rule("np.average(a, axis=None, weights=None, returned=False, *, keepdims=False)",
     a=_average_a, weights=_average_weights,
     a_dot=lambda s: "np.average(a_dot, axis, weights, keepdims=keepdims)",
     weights_dot=lambda s: "average_weights_pushforward(weights_dot, a, weights, axis, keepdims)",
     refuses=lambda s: None if s.const("returned") is False else
     "`returned=True` is not supported while it carries a derivative")  # fmt: skip


def _cumsum(site: Site) -> Text:
    axis, ndim = site.const("axis"), site.ndim("a")
    if ndim == 1 or (axis == 0 and ndim is None):
        return "np.cumsum(y_bar[::-1]" + ("" if ndim == 1 else ", axis=0") + ")[::-1]"
    if axis is None:
        return "np.reshape(np.cumsum(y_bar[::-1])[::-1], np.shape(a))"
    return "np.flip(np.cumsum(np.flip(y_bar, axis), axis), axis)"


linear("np.cumsum(a, axis=None, dtype=None, out=None)", a=_cumsum, methods=("cumsum",))
rule("np.cumprod(a, axis=None, dtype=None, out=None)", methods=("cumprod",),
     a="cumprod_pullback(y_bar, a, axis)", a_dot="cumprod_pushforward(a_dot, a, axis)")  # fmt: skip
linear("np.add.accumulate(a, axis=0, dtype=None, out=None)", a=_cumsum)
linear("np.diff(a, n=1, axis=-1)", a="diff_pullback(y_bar, n, axis)")
linear("np.ediff1d(a)", a="np.reshape(diff_pullback(y_bar, 1, 0), np.shape(a))")


def _trapezoid_f(site: Site) -> Text:
    return "trapezoid_pullback(y_bar, np.shape(f), x, dx, axis)"


for _name in ("np.trapezoid", "np.trapz"):
    rule(f"{_name}(f: 'y', x=None, dx=1.0, axis=-1)", f=_trapezoid_f,
         f_dot=f"{_name}(dot, x, dx, axis)",
         x="trapezoid_nodes(y_bar, f, x, axis)",
         x_dot=f"{_name}(f, dot, dx, axis)")  # fmt: skip
rule("np.gradient(f, *varargs, axis=None, edge_order=1)", inert=(),
     f="gradient_pullback(y_bar, np.shape(f), varargs, axis, edge_order)",
     f_dot="np.gradient(f_dot, *varargs, axis=axis, edge_order=edge_order)")  # fmt: skip

# Python's own reductions


def _sum_item(site: Site, i: int) -> Text:
    if i >= 0:
        return Each("y_bar")
    return Thin("y_bar") if site.is_array("items") else "spread_over(y_bar, items)"


def _pick(sign: str, seed: str) -> Callable[[Site, int], Text]:
    """`max` (">") and `min` ("<") of numbers: the first of the largest has the derivative."""
    arg = "argmax" if sign == ">" else "argmin"

    def write(site: Site, i: int) -> Text:
        n = site.items("items")
        if n is None or i < 0:
            return None
        if n == 1:
            weights = f"first_of(np.{arg}, items[0])"
            if seed == "dot":
                return f"np.sum(np.where({weights}, dot, 0.0))"
            return f"np.where({weights}, y_bar, 0.0)"
        words = [(k, sign if k < i else f"{sign}=") for k in range(n) if k != i]
        tests = [f"items[{i}] {word} items[{k}]" for k, word in words]
        return f"{seed} if {' and '.join(tests)} else 0.0"

    return write


def _no_key(site: Site) -> str | None:
    if site.const("key") is None:
        return None
    return "`key=` is not supported while the result carries a derivative"


rule("sum(items: seq, /, start=0)", items=_sum_item, start=Each("y_bar"),
     items_dot=lambda s, i: Thin("dot") if i >= 0 else "sum(dot)",
     start_dot=Thin("dot"))  # fmt: skip
for _name, _sign in (("max", ">"), ("min", "<")):
    rule(f"{_name}(*items, key=None)", items=_pick(_sign, "y_bar"), items_dot=_pick(_sign, "dot"),
         refuses=_no_key)  # fmt: skip
rule("np.bincount(x, /, weights=None, minlength=0)", inert=("x",),
     weights="y_bar[x]", weights_dot="np.bincount(x, dot, minlength)")  # fmt: skip

_ARG_TAIL = "axis=None, out=None, *, keepdims=False"
_TEST_TAIL = "axis=None, out=None, keepdims=False, *, where=True"
for _name in ("argmax", "argmin", "nanargmax", "nanargmin"):
    _own = () if _name.startswith("nan") else (f"{_name}(a, {_ARG_TAIL})",)
    constant(f"np.{_name}(a, {_ARG_TAIL})", methods=_own)
for _name in ("any", "all"):
    constant(f"np.{_name}(a, {_TEST_TAIL})", methods=(f"{_name}(a, {_TEST_TAIL})",))
constant(
    "np.count_nonzero", "np.argsort", "np.argpartition", "np.lexsort", "np.searchsorted",
    "np.digitize", "np.nonzero", "np.flatnonzero", "np.argwhere", "np.histogram_bin_edges",
    "np.isin", "np.unravel_index", "np.ravel_multi_index", "np.logical_and.reduce",
    "np.logical_or.reduce", methods=("argsort", "argpartition", "searchsorted", "nonzero"),
)  # fmt: skip
