"""Cumulative functions, differences and integrals of NumPy.

>>> from adtrans.ir.expr import Name
>>> from adtrans.ir.kinds import Array
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> running = lookup(np.cumsum)
>>> print(running.pullback("a", running.bind((Name("u"),)), {"a": Array("float64", (None,))})[0])
np.cumsum(y_bar[::-1])[::-1]
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.rules.declare import Site, linear, rule, unless
from adtrans.rules.numpy_reductions import axis_argument
from adtrans.rules.site import Text


def _cumsum(site: Site) -> Text:
    axis, ndim = site.const("axis"), site.ndim("a")
    if ndim == 0:
        return "y_bar[0]"
    if ndim == 1 or (axis == 0 and ndim is None):
        return "np.cumsum(y_bar[::-1]" + ("" if ndim == 1 else ", axis=0") + ")[::-1]"
    if axis is None:
        return "np.reshape(np.cumsum(y_bar[::-1])[::-1], np.shape(a))"
    return "np.flip(np.cumsum(np.flip(y_bar, axis), axis), axis)"


def _nan_to(value: str) -> str:
    return f"np.where(np.isnan(a), {value}, a)"


linear("np.cumsum(a, axis=None, dtype=None, out=None)", a=_cumsum, methods=("cumsum",))
rule("np.nancumsum(a, axis=None, dtype=None, out=None)",
     a=lambda s: f"np.where(np.isnan(a), 0.0, {_cumsum(s)})",
     a_dot=lambda s: f"np.cumsum(np.where(np.isnan(a), 0.0, dot){axis_argument(s)})")  # fmt: skip
rule("np.cumprod(a, axis=None, dtype=None, out=None)", methods=("cumprod",),
     a="cumprod_pullback(y_bar, a, axis)", a_dot="cumprod_pushforward(a_dot, a, axis)")  # fmt: skip
rule("np.nancumprod(a, axis=None, dtype=None, out=None)",
     a=f"np.where(np.isnan(a), 0.0, cumprod_pullback(y_bar, {_nan_to('1.0')}, axis))",
     a_dot="cumprod_pushforward(np.where(np.isnan(a), 0.0, dot), "
           f"{_nan_to('1.0')}, axis)")  # fmt: skip
linear("np.add.accumulate(a, axis=0, dtype=None, out=None)", a=_cumsum)


def _plain_cumulative(site: Site) -> str | None:
    if site.const("include_initial") not in (True, False):
        return "`include_initial=` must be written out here"
    if site.const("axis") is None and site.ndim("a") != 1:
        return "`axis=` must be given here"
    return None


_CUMULATIVE = "(a, /, *, axis=None, dtype=None, out=None, include_initial=False)"


def _cumulative_sum(site: Site) -> Text:
    if site.const("include_initial") is False:
        return _cumsum(site)
    if site.ndim("a") == 1:
        return "np.cumsum(y_bar[:0:-1])[::-1]"
    return "np.flip(np.cumsum(np.flip(np.delete(y_bar, 0, axis), axis), axis), axis)"


def _cumulative_prod(site: Site) -> Text:
    axis = _one_axis(site)
    seed = "y_bar" if site.const("include_initial") is False else f"np.delete(y_bar, 0, {axis})"
    return f"cumprod_pullback({seed}, a, {axis})"


def _cumulative_prod_dot(site: Site) -> Text:
    tangent = f"cumprod_pushforward(a_dot, a, {_one_axis(site)})"
    if site.const("include_initial") is False:
        return tangent
    return f"np.insert({tangent}, 0, 0.0, {_one_axis(site)})"


def _one_axis(site: Site) -> str:
    return "0" if site.const("axis") is None else "axis"


linear(f"np.cumulative_sum{_CUMULATIVE}", a=_cumulative_sum, refuses=_plain_cumulative)
rule(f"np.cumulative_prod{_CUMULATIVE}", a=_cumulative_prod, a_dot=_cumulative_prod_dot,
     refuses=_plain_cumulative)  # fmt: skip


def _diff(which: str) -> Callable[[Site], Text]:
    """The adjoint of one of the arrays that `np.diff` puts together before it takes differences."""

    def write(site: Site) -> Text:
        before = "0" if site.const("prepend") is None else f"{_along('prepend')}"
        if which == "a":
            if site.const("prepend") is None and site.const("append") is None:
                return "diff_pullback(y_bar, n, axis, np.shape(a)[axis])"
            return f"joined_diff_pullback(y_bar, n, axis, {before}, np.shape(a)[axis])"
        start = "0" if which == "prepend" else f"{before} + np.shape(a)[axis]"
        size = _along("prepend") if which == "prepend" else "None"
        part = f"joined_diff_pullback(y_bar, n, axis, {start}, {size})"
        return f"unbroadcast({part}, np.shape({which}))"

    return write


def _along(name: str) -> str:
    return f"(np.shape({name})[axis] if np.ndim({name}) else 1)"


linear("np.diff(a, n=1, axis=-1, prepend=None, append=None)", a=_diff("a"),
       prepend=_diff("prepend"), append=_diff("append"), result="maybe_same", of="a",
       fresh_if=unless("n", 0))  # fmt: skip


def _edge(which: str) -> Callable[[Site], Text]:
    """The adjoint of one of the arrays in `np.ediff1d`: its part of the result."""

    def write(site: Site) -> Text:
        before = "0" if site.const("to_begin") is None else "np.size(to_begin)"
        if which == "to_begin":
            return "np.reshape(y_bar[:np.size(to_begin)], np.shape(to_begin))"
        rest = f"{before} + np.maximum(np.size(a) - 1, 0)"
        if which == "to_end":
            return f"np.reshape(y_bar[{rest}:], np.shape(to_end))"
        whole = site.const("to_begin") is None and site.const("to_end") is None
        part = "y_bar" if whole else f"y_bar[{before}:{rest}]"
        return f"np.reshape(diff_pullback({part}, 1, 0, np.size(a)), np.shape(a))"

    return write


linear("np.ediff1d(a: 'ary', to_end=None, to_begin=None)", a=_edge("a"), to_end=_edge("to_end"),
       to_begin=_edge("to_begin"))  # fmt: skip


def _trapezoid_f(site: Site) -> Text:
    return "trapezoid_pullback(y_bar, np.shape(f), x, dx, axis)"


def _interval(name: str, seed: str) -> Callable[[Site], Text]:
    """A number between all of the points, by which the integral is multiplied; of a vector, one
    for each two of them."""

    def write(site: Site) -> Text:
        if site.const("x") is not None:
            return None
        if site.ndim("f") == 1 and site.ndim("dx") == 1:
            if seed == "dot":
                return f"{name}(f, dx=dot)"
            each = "y_bar * (f[1:] + f[:-1]) / 2 + np.zeros(np.shape(dx))"
            return f"unbroadcast({each}, np.shape(dx))"
        axis = "" if site.const("axis") == -1 else ", axis=axis"
        if site.is_array("dx") and site.ndim("dx") and site.ndim("f"):
            if seed == "dot":
                return f"{name}(f, dx=dot{axis})"
            return "trapezoid_steps(y_bar, f, np.shape(dx), axis)"
        if not (site.is_scalar("dx") or site.ndim("dx") == 0):
            return None
        one = f"{name}(f{axis})"
        return f"dot * {one}" if seed == "dot" else f"np.sum(y_bar * {one})"

    return write


for _name in ("np.trapezoid", "np.trapz"):
    rule(f"{_name}(f: 'y', x=None, dx=1.0, axis=-1)", f=_trapezoid_f,
         f_dot=f"{_name}(dot, x, dx, axis)",
         dx=_interval(_name, "y_bar"), dx_dot=_interval(_name, "dot"),
         x="trapezoid_nodes(y_bar, f, x, axis)",
         x_dot=f"{_name}(f, dot, dx, axis)")  # fmt: skip


def _one_distance(site: Site) -> bool:
    """Whether differences are taken along one axis, and the points are equally far apart."""
    single = site.ndim("f") == 1 or isinstance(site.const("axis"), int)
    return site.items("varargs") == 1 and single and site.is_scalar("varargs[0]")


def _one_line(site: Site) -> bool:
    """Whether differences are taken along one axis, in places that are given."""
    single = site.ndim("f") == 1 or isinstance(site.const("axis"), int)
    return site.items("varargs") == 1 and single and site.ndim("varargs[0]") == 1


def _axis_of(site: Site, i: int) -> int | None:
    """The axis that one of several distances, or places, belongs to."""
    axis, n = site.const("axis"), site.items("varargs") or 0
    if axis is None:
        return i
    given = axis[i] if isinstance(axis, tuple) and len(axis) == n else None
    return given if isinstance(given, int) else None


def _along_each(site: Site, i: int, seed: str) -> Text:
    """How the derivatives along several axes change with one distance, or the places of one."""
    n, along = site.items("varargs") or 0, _axis_of(site, i)
    if along is None:
        return None
    if site.is_scalar(f"varargs[{i}]"):
        of = f"{i}, {n}, varargs[{i}], y"
        way = "distance"
    elif site.ndim(f"varargs[{i}]") == 1:
        of = f"{i}, {n}, varargs[{i}], f, {along}, edge_order"
        way = "places"
    else:
        return None
    return f"gradient_{way}_{'moved' if seed == 'dot' else 'pullback'}({seed}, {of})"


def _spacing(seed: str) -> Callable[[Site, int], Text]:
    """How the derivative of values along one axis changes with their distance."""

    def write(site: Site, i: int) -> Text:
        if i >= 0 and _several_axes(site):
            return _along_each(site, i, seed)
        if i == 0 and _one_line(site):
            if seed == "dot":
                return "gradient_moved(f, varargs[0], dot, axis, edge_order)"
            return "gradient_nodes(y_bar, f, varargs[0], axis, edge_order)"
        if i != 0 or not _one_distance(site):
            return None
        return f"-{seed} * y / varargs[0]" if seed == "dot" else "-np.sum(y_bar * y) / varargs[0]"

    return write


def _several_axes(site: Site) -> bool:
    """Whether the result is a tuple for certain: each axis has a distance of its own."""
    return (site.items("varargs") or 0) > 1


def _gradient(site: Site) -> Text:
    """A distance that may vary is outside, so that the derivative of this knows it."""
    if _one_distance(site):
        return "gradient_pullback(y_bar, np.shape(f), (), axis, edge_order) / varargs[0]"
    if _one_line(site):
        return "gradient_at_nodes(y_bar, np.shape(f), varargs[0], axis, edge_order)"
    if _several_axes(site):
        along = [_axis_of(site, i) for i in range(site.items("varargs") or 0)]
        if None not in along:
            return " + ".join(
                f"gradient_part(y_bar, {i}, np.shape(f), varargs[{i}], {k}, edge_order)"
                for i, k in enumerate(along)
            )
    return "gradient_pullback(y_bar, np.shape(f), varargs, axis, edge_order)"


rule("np.gradient(f, *varargs, axis=None, edge_order=1)", inert=(), tuple_result=_several_axes,
     partial=True,
     varargs=_spacing("y_bar"), varargs_dot=_spacing("dot"), f=_gradient,
     f_dot="np.gradient(f_dot, *varargs, axis=axis, edge_order=edge_order)")  # fmt: skip
