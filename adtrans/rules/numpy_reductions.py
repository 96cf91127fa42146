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

from adtrans.ir.kinds import Array
from adtrans.rules.declare import Site, Thin, constant, linear, rule
from adtrans.rules.signature import NOT_LITERAL
from adtrans.rules.site import Text

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


def mask(site: Site, *, nan: bool = False) -> str:
    """The mask of the elements that take part: `where=`, without NaN if `nan`; "" for all."""
    given = "where" in site.bound and site.const("where") is not True
    where = "where" if _of_truths(site) else "np.asarray(where, bool)"
    parts = [where] * given + ["~np.isnan(a)"] * nan
    return " & ".join(parts)


def _of_truths(site: Site) -> bool:
    kind = site.kind("where")
    return isinstance(kind, Array) and kind.dtype in ("bool", None)


def _uncounted(site: Site) -> str | None:
    """Why a variance is refused: NumPy counts a 2 among truth values twice."""
    if "where" not in site.bound or site.const("where") is True or _of_truths(site):
        return None
    return "`where=` must be an array of truth values here"


def masked(site: Site, text: str, *, nan: bool = False) -> str:
    """`text` where the mask holds and 0 elsewhere (never `0 * inf`)."""
    chosen = mask(site, nan=nan)
    return f"np.where({chosen}, {text}, 0.0)" if chosen else text


def members(site: Site, *, nan: bool = False) -> str:
    """How many elements each element of the result stands for, as it broadcasts to the operand."""
    chosen = mask(site, nan=nan)
    if not chosen:
        return count(site)
    full = chosen if nan else "np.broadcast_to(where, np.shape(a))"  # NumPy adds up numbers, too
    return f"np.sum({full}{_axis_option(site)}, dtype=y.dtype, keepdims=True)"


def _axis_option(site: Site) -> str:
    return "" if site.const("axis") is None else ", axis=axis"


def _sum(site: Site) -> Text:
    return Thin(masked(site, spread(site)))  # also with a mask, which may have fewer axes


def _sum_dot(site: Site) -> Text:
    where = ", where=where" if mask(site) else ""
    return f"np.sum(dot{options(site)}{where})"


def _reduce_dot(site: Site) -> Text:
    where = ", where=where" if mask(site) else ""
    axis = "" if site.const("axis") == 0 else ", axis=axis"
    keep = "" if site.const("keepdims") in (False, None) else ", keepdims=keepdims"
    return f"np.add.reduce(dot{axis}{keep}{where})"


def _mean(site: Site) -> Text:
    return Thin(masked(site, f"{spread(site)} / {members(site)}"))


def options(site: Site) -> str:
    """`axis` and `keepdims` as keyword arguments, as far as they are not the defaults."""
    given = "axis" in site.bound and site.const("axis") is not None
    axis = ", axis=axis" if given else ""
    return axis + ("" if site.const("keepdims") in (False, None) else ", keepdims=keepdims")


def weighted(
    text: str,
    weight: Callable[[Site], str],
    /,
    *,
    factor: str = "{seed} * {weight}",
    nan: bool = False,
    simple: Callable[[Site], str | None] = lambda site: None,
    **words: Any,
) -> None:
    """A reduction whose derivative is a weighted sum; the weights have the operand's shape.

    What `where=` leaves out has no weight, nor has NaN if `nan`. `simple` is the adjoint as a
    person would write it, where there is one.
    """

    def back(site: Site) -> Text:
        if not mask(site) and (found := simple(site)) is not None:
            return found
        term = masked(site, factor.format(seed=spread(site), weight=weight(site)), nan=nan)
        return f"unbroadcast({term}, np.shape(a))" if _has_mean(site) else term

    def forward(site: Site) -> Text:
        term = masked(site, factor.format(seed="a_dot", weight=weight(site)), nan=nan)
        return f"np.sum({term}{options(site)})"

    rule(text, a=back, a_dot=forward, **words)


def _deviation(site: Site, nan: bool = False) -> str:
    if _has_mean(site):
        return "(a - mean)"
    chosen = mask(site, nan=nan)
    where = f", where={chosen}" if chosen else ""
    if site.const("axis") is None:
        return f"(a - np.mean(a{where}))"
    return f"(a - np.mean(a, axis=axis, keepdims=True{where}))"


def _freedom(site: Site, nan: bool = False) -> str:
    n = members(site, nan=nan)
    if site.const("correction") is not None:
        return f"({n} - correction)"
    ddof = site.const("ddof")
    return n if ddof == 0 else f"({n} - {'ddof' if ddof is NOT_LITERAL else ddof})"


def _variance(nan: bool) -> Callable[[Site], str]:
    return lambda site: f"{_deviation(site, nan)} / (0.5 * {_freedom(site, nan)})"


def _spread_out(nan: bool) -> Callable[[Site], str]:
    def write(site: Site) -> str:
        return f"{_deviation(site, nan)} / ({spread(site, 'y')} * {_freedom(site, nan)})"

    return write


def _simple_variance(site: Site) -> str | None:
    """Numbers first: one pass over the array. (With no elements there is nothing to divide.)"""
    if site.const("ddof") != 0 or site.const("correction") is not None or _has_mean(site):
        return None
    n = count(site)
    size = f"max({n}, 1)"
    return f"{spread(site)} / (0.5 * {size}) * {_deviation(site)}"


def _simple_deviation(site: Site) -> str | None:
    if site.const("correction") is not None or _has_mean(site):
        return None
    return f"{spread(site)} / ({spread(site, 'y')} * {_freedom(site)}) * {_deviation(site)}"


def _has_mean(site: Site) -> bool:
    """Whether the mean is handed over: then it is an operand like any other."""
    return "mean" in site.bound and site.const("mean") is not None


def _by_mean(weight: Callable[[Site], str], nan: bool) -> dict[str, Any]:
    """The derivative by `mean=`: what moves the mean moves all elements the other way."""

    def write(seed: str) -> Callable[[Site], Text]:
        def text(site: Site) -> Text:
            if not _has_mean(site):
                return None
            if seed == "dot":
                return f"-np.sum({masked(site, f'dot * {weight(site)}', nan=nan)}{options(site)})"
            term = masked(site, f"{spread(site)} * {weight(site)}", nan=nan)
            return f"unbroadcast(-{term}, np.shape(mean))"

        return text

    return {"mean": write("y_bar"), "mean_dot": write("dot")}


def _product(nan: bool) -> Callable[[Site], str]:
    """The weight of each factor: the product of the others that take part, and of `initial`."""

    def write(site: Site) -> str:
        chosen = mask(site, nan=nan)
        factors = f"np.where({chosen}, a, 1.0)" if chosen else "a"
        others = f"product_of_others({factors}{axis_argument(site)})"
        return others if site.const("initial") in (None, 1) else f"initial * {others}"

    return write


def _trace(site: Site) -> Text:
    plain = site.const("offset") == 0 and site.ndim("a") == 2
    if plain:
        return "y_bar * np.eye(*np.shape(a), dtype=a.dtype)"
    source = "np.diagonal(positions(np.shape(a)), offset, axis1, axis2)"
    return f"gather_pullback(np.expand_dims(y_bar, -1), {source}, np.shape(a))"


def axis_argument(site: Site) -> str:
    """`axis` as a further argument, unless it is None."""
    return "" if site.const("axis") is None else ", axis"


def _initial_factor(name: str) -> dict[str, Any]:
    """The derivative of a product by its `initial=`: the product without it."""

    def write(seed: str) -> Callable[[Site], Text]:
        def text(site: Site) -> Text:
            where = ", where=where" if mask(site) else ""
            product = f"np.{name}(a{options(site)}{where})"
            return f"np.sum(y_bar * {product})" if seed == "y_bar" else f"dot * {product}"

        return text

    return {"initial": write("y_bar"), "initial_dot": write("dot")}


def _initial_extremum() -> dict[str, Any]:
    """The derivative of a maximum by its `initial=`: where no element is as large."""

    def write(seed: str) -> Callable[[Site], Text]:
        def text(site: Site) -> Text:
            where = f", where={mask(site)}" if mask(site) else ""
            found = f"np.any(a == {spread(site, 'y')}{options(site)}{where})"
            picked = f"np.where({found}, 0.0, {seed})"
            return f"np.sum({picked})" if seed == "y_bar" else picked

        return text

    return {"initial": write("y_bar"), "initial_dot": write("dot")}


# the methods of universal functions reduce the first axis unless told otherwise
UFUNC_TAIL = "axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True"

for _text, _dot in ((f"np.sum(a, {TAIL}, initial=None, where=True)", _sum_dot),
                    (f"np.add.reduce(a, {UFUNC_TAIL})", _reduce_dot)):  # fmt: skip
    rule(_text, a=_sum, a_dot=_dot, initial="np.sum(y_bar)", initial_dot=Thin("dot"),
         methods=("sum",) if "sum" in _text else ())  # fmt: skip


def _nansum(site: Site, seed: str) -> str:
    return f"np.where({mask(site, nan=True)}, {seed}, 0.0)"


rule(f"np.nansum(a, {TAIL}, initial=None, where=True)",
     a=lambda s: _nansum(s, spread(s)), initial="np.sum(y_bar)", initial_dot=Thin("dot"),
     a_dot=lambda s: f"np.sum({_nansum(s, 'a_dot')}{options(s)})")  # fmt: skip
linear(f"np.mean(a, {TAIL}, *, where=True)", a=_mean, methods=("mean",))
weighted(f"np.nanmean(a, {TAIL}, *, where=True)", lambda s: members(s, nan=True), nan=True,
         factor="{seed} / {weight}")  # fmt: skip
linear("np.trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None)",
       a=_trace, methods=("trace",))  # fmt: skip
_VAR_TAIL = f"{MEAN_TAIL}, *, where=True, mean=None, correction=None"
for _name, _weight, _simple in (("var", _variance, _simple_variance),
                                ("std", _spread_out, _simple_deviation)):  # fmt: skip
    weighted(f"np.{_name}(a, {_VAR_TAIL})", _weight(False), methods=(_name,), simple=_simple,
             refuses=_uncounted, **_by_mean(_weight(False), False))  # fmt: skip
    weighted(f"np.nan{_name}(a, {_VAR_TAIL})", _weight(True), nan=True, refuses=_uncounted,
             **_by_mean(_weight(True), True))  # fmt: skip
weighted(f"np.prod(a, {TAIL}, initial=None, where=True)", _product(False), methods=("prod",),
         **_initial_factor("prod"))  # fmt: skip
weighted(f"np.nanprod(a, {TAIL}, initial=None, where=True)", _product(True), nan=True,
         **_initial_factor("nanprod"))  # fmt: skip
weighted(f"np.multiply.reduce(a, {UFUNC_TAIL})", _product(False),
         **_initial_factor("multiply.reduce"))  # fmt: skip


def _first(arg: str) -> Callable[[Site], str]:
    """The first of the elements that are the extremum, if `initial` is not beyond them all."""

    def write(site: Site) -> str:
        worst = "-np.inf" if arg.endswith("max") else "np.inf"
        chosen = mask(site)
        operand = f"np.where({chosen}, a, {worst})" if chosen else "a"
        first = f"first_of(np.{arg}, {operand}{axis_argument(site)})"
        if site.const("initial") is None:
            return first
        return f"{first} & (a == {spread(site, 'y')})"

    return write


def _simple_first(arg: str) -> Callable[[Site], str | None]:
    def write(site: Site) -> str | None:
        if site.const("initial") is not None or site.const("keepdims") is NOT_LITERAL:
            return None
        axis = site.const("axis")
        if axis is NOT_LITERAL:
            return None
        seed = _kept(site) if isinstance(axis, int) else spread(site)
        return f"of_first(np.{arg}, {seed}, a{axis_argument(site)})"

    return write


def _kept(site: Site) -> str:
    """The adjoint with the reduced axis as one of length 1."""
    if site.const("keepdims") is True or site.ndim("a") == 0:
        return "y_bar"
    return "np.expand_dims(y_bar, axis)"


for _name, _arg in (("max", "argmax"), ("amax", "argmax"), ("min", "argmin"), ("amin", "argmin"),
                    ("nanmax", "nanargmax"), ("nanmin", "nanargmin")):  # fmt: skip
    weighted(f"np.{_name}(a, {EXTREMUM_TAIL}, initial=None, where=True)", _first(_arg),
             factor="np.where({weight}, {seed}, 0.0)", simple=_simple_first(_arg),
             **_initial_extremum(), methods=(_name,) if len(_name) == 3 else ())  # fmt: skip
for _name, _arg in (("maximum", "argmax"), ("minimum", "argmin"), ("fmax", "nanargmax"),
                    ("fmin", "nanargmin")):  # fmt: skip
    weighted(f"np.{_name}.reduce(a, {UFUNC_TAIL})", _first(_arg),
             factor="np.where({weight}, {seed}, 0.0)", **_initial_extremum())  # fmt: skip


def _softmax(power: str) -> Callable[[Site], str]:
    return lambda site: f"{power}(a - {spread(site, 'y')})"


def _initial_share(share: str) -> dict[str, Any]:
    """The derivative of a reduction by its `initial=`, which is one operand more."""
    return {"initial": f"np.sum(y_bar * {share})", "initial_dot": f"dot * {share}"}


weighted(f"np.logaddexp.reduce(a, {UFUNC_TAIL})", _softmax("np.exp"),
         **_initial_share("np.exp(initial - y)"))  # fmt: skip
weighted(f"np.logaddexp2.reduce(a, {UFUNC_TAIL})", _softmax("np.exp2"),
         **_initial_share("np.exp2(initial - y)"))  # fmt: skip
weighted(f"np.hypot.reduce(a, {UFUNC_TAIL})", lambda s: f"a / {spread(s, 'y')}",
         **_initial_share("initial / y"))  # fmt: skip


def _range(site: Site, seed: str) -> str:
    high, low = (f"first_of(np.{arg}, a{axis_argument(site)})" for arg in ("argmax", "argmin"))
    return f"np.where({high}, {seed}, 0.0) - np.where({low}, {seed}, 0.0)"


rule(f"np.ptp(a, {EXTREMUM_TAIL})", a=lambda s: _range(s, spread(s)),
     a_dot=lambda s: f"np.sum({_range(s, 'dot')}{options(s)})")  # fmt: skip
weighted("np.median(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
         lambda s: f"median_weights(a{axis_argument(s)})",
         refuses=lambda s: None if s.const("overwrite_input") is False else
         "`overwrite_input=` is not supported while it carries a derivative")  # fmt: skip


def _returns_weights(site: Site) -> bool:
    return site.const("returned") is True


def _average_a(site: Site) -> Text:
    seed = "y_bar[0]" if _returns_weights(site) else "y_bar"
    if site.const("weights") is None:
        return Thin(f"{spread(site, seed)} / {count(site)}")
    return f"average_pullback({seed}, np.shape(a), weights, axis, keepdims)"


def _average_a_dot(site: Site) -> Text:
    mean = "np.average(a_dot, axis, weights, keepdims=keepdims)"
    return f"({mean}, np.zeros_like(y[1]))" if _returns_weights(site) else mean


def _average_weights(site: Site) -> Text:
    if not _returns_weights(site):
        return "average_weights_pullback(y_bar, a, weights, axis, keepdims)"
    return ("average_weights_pullback(y_bar[0], a, weights, axis, keepdims) + "
            "average_total_pullback(y_bar[1], np.shape(a), np.shape(weights), axis, keepdims)")


def _average_weights_dot(site: Site) -> Text:
    mean = "average_weights_pushforward(weights_dot, a, weights, axis, keepdims)"
    total = "average_total_pushforward(weights_dot, np.shape(a), axis, keepdims)"
    return f"({mean}, {total})" if _returns_weights(site) else mean


rule("np.average(a, axis=None, weights=None, returned=False, *, keepdims=False)",
     a=_average_a, a_dot=_average_a_dot, weights=_average_weights,
     weights_dot=_average_weights_dot, tuple_result=_returns_weights,
     refuses=lambda s: None if s.const("returned") in (True, False) else
     "`returned=` must be written out here")  # fmt: skip


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
    "np.digitize", "np.nonzero", "np.flatnonzero", "np.argwhere",
    "np.isin", "np.in1d", "np.unravel_index", "np.ravel_multi_index",
    methods=("argsort", "argpartition", "searchsorted", "nonzero"),
)  # fmt: skip
