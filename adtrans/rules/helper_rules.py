"""Rules for the helpers of generated code, so that second derivatives do not look into them.

>>> from adtrans.ir.expr import Name
>>> found = registry.lookup(runtime.unbroadcast)
>>> print(found.pullback("g", {"g": Name("g"), "shape": Name("s")}, {})[0])
unbroadcast(y_bar, np.shape(g))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adtrans import runtime
from adtrans.rules import registry
from adtrans.rules.declare import Site, elementwise, rule
from adtrans.rules.rule import Rule
from adtrans.rules.site import Text

registry.add_object(
    runtime.valued,
    rule("valued(found, same)", same="y_bar", same_dot="dot", inert=("found",), like=("same",),
         register=False),
)  # fmt: skip
registry.add_object(
    runtime.unbroadcast,
    rule(
        "unbroadcast(g, shape)",
        g="unbroadcast(y_bar, np.shape(g))",
        g_dot="unbroadcast(dot, shape)",
        inert=("shape",),
        result="maybe_view",
        of="g",
        register=False,
    ),
)
registry.add_object(
    runtime.expand_reduced,
    rule(
        "expand_reduced(g, axis, keepdims, ndim)",
        g="np.reshape(y_bar, np.shape(g))",
        g_dot="expand_reduced(dot, axis, keepdims, ndim)",
        inert=("axis", "keepdims", "ndim"),
        result="maybe_view",
        of="g",
        register=False,
    ),
)
registry.add_object(
    runtime.kept_copy,
    rule(
        "kept_copy(value, stack)",
        value="y_bar",
        value_dot="dot.copy()",
        inert=("stack",),
        register=False,
    ),
)
registry.add_object(
    runtime.as_wide_as,
    rule("as_wide_as(t, y)", t="unbroadcast(y_bar, np.shape(t))", t_dot="as_wide_as(dot, y)",
         inert=("y",), result="maybe_same", of="t", register=False),
)  # fmt: skip
registry.add_object(
    runtime.repeated_into,
    rule("repeated_into(values, a, shape)",
         values="gather_pullback(y_bar, np.resize(positions(np.shape(values)), shape), "
                "np.shape(values))",
         values_dot="np.resize(dot, shape)", inert=("a", "shape"), register=False),
)  # fmt: skip
registry.add_object(
    runtime.copy_of,
    rule("copy_of(value)", value="y_bar", value_dot="copy_of(dot)", register=False),
)
_ONCE = "the distances along several axes are differentiated once"
for _once in (runtime.gradient_distance_moved, runtime.gradient_places_moved):
    registry.add_object(_once, Rule(_once.__name__, "", "constant", refused=_ONCE,
                                    refuses=lambda site: _ONCE))  # fmt: skip
# a fold is linear in the seed, and its second derivatives are symmetric
for _stem, _how in (("fold", "axis, keepdims"), ("scan", "axis"),
                    ("reduceat_fold", "indices, axis")):  # fmt: skip
    _rest, _still = f"name, a, {_how}", ("name", *_how.split(", "))
    _back, _on, _slope = f"{_stem}_pullback", f"{_stem}_pushforward", f"{_stem}_slope"
    registry.add_object(
        getattr(runtime, _back),
        rule(f"{_back}(g, {_rest})", g=f"{_on}(y_bar, {_rest})", g_dot=f"{_back}(dot, {_rest})",
             a=f"{_slope}(y_bar, g, {_rest})", a_dot=f"{_slope}(dot, g, {_rest})", inert=_still,
             register=False),
    )  # fmt: skip
    registry.add_object(
        getattr(runtime, _on),
        rule(f"{_on}(t, {_rest})", t=f"{_back}(y_bar, {_rest})", t_dot=f"{_on}(dot, {_rest})",
             a=f"{_slope}(t, y_bar, {_rest})", a_dot=None, inert=_still, register=False),
    )  # fmt: skip
# Which elements they choose: constant between jumps.
for _chosen in (runtime.first_of, runtime.first_in_line, runtime.median_weights,
                runtime.extremal_at, runtime.nearly_equal, runtime.turned_factor):  # fmt: skip
    registry.add_object(_chosen, Rule(_chosen.__name__, "", "constant", inert_ok=frozenset({"*"})))
registry.add_object(
    runtime.regular_inverse,
    rule("regular_inverse(a)", a="-transposed(y) @ y_bar @ transposed(y)", a_dot="-y @ dot @ y",
         register=False),
)  # fmt: skip
_CHOSEN = ("a", "weights", "found", "axis")
_SIZES = ("shape", "s", "axes", "norm", "forward")
for _text, _back, _again, _inert in (
    ("diff_pullback(g, n, axis, size=None)", "np.diff(y_bar, n, axis)",
     "diff_pullback(dot, n, axis, size)", ("n", "axis", "size")),
    ("gather_pullback(g, source, shape)", "unbroadcast(at_places(y_bar, source), np.shape(g))",
     "gather_pullback(dot, source, shape)", ("source", "shape")),
    ("chosen_pullback(g, which, shape)", "unbroadcast(np.choose(which, y_bar), np.shape(g))",
     "chosen_pullback(dot, which, shape)", ("which", "shape")),
    ("of_first(arg, g, a, axis=None)",
     "unbroadcast(np.where(first_of(arg, a, axis), y_bar, 0.0), np.shape(g))",
     "of_first(arg, dot, a, axis)", ("arg", "a", "axis")),
    ("weighted_quantile_pullback(g, a, weights, found, axis)",
     "weighted_quantile_pushforward(y_bar, a, weights, found, axis)",
     "weighted_quantile_pullback(dot, a, weights, found, axis)", _CHOSEN),
    ("weighted_quantile_pushforward(g, a, weights, found, axis)",
     "weighted_quantile_pullback(y_bar, a, weights, found, axis)",
     "weighted_quantile_pushforward(dot, a, weights, found, axis)", _CHOSEN),
    ("per_quantile(g, shape)", "np.broadcast_to(per_place(y_bar, shape, np.shape(g)), np.shape(g))",
     "per_quantile(dot, shape)", ("shape",)),
    ("per_place(g, q, shape)", "np.reshape(y_bar, np.shape(g))", "per_place(dot, q, shape)",
     ("q", "shape")),
    ("gradient_pullback(g, shape, spacing, axis, edge_order)",
     "gradient_again(y_bar, shape, spacing, axis, edge_order)",
     "gradient_pullback(dot, shape, spacing, axis, edge_order)",
     ("shape", "axis", "edge_order")),
    ("dft_adjoint(g, shape, s, axes, norm, forward)", "dft_again(y_bar, s, axes, norm, forward)",
     "dft_adjoint(dot, shape, s, axes, norm, forward)", _SIZES),
    ("half_dft_adjoint(g, shape, s, axes, norm)", "half_dft_again(y_bar, s, axes, norm)",
     "half_dft_adjoint(dot, shape, s, axes, norm)", _SIZES),
    ("irfft_adjoint(g, shape, axes, norm)", "irfft_again(y_bar, np.shape(g), axes, norm)",
     "irfft_adjoint(dot, shape, axes, norm)", _SIZES),
    ("dft_again(g, s, axes, norm, forward)",
     "dft_adjoint(y_bar, np.shape(g), s, axes, norm, forward)",
     "dft_again(dot, s, axes, norm, forward)", _SIZES),
    ("half_dft_again(g, s, axes, norm)", "half_dft_adjoint(y_bar, np.shape(g), s, axes, norm)",
     "half_dft_again(dot, s, axes, norm)", _SIZES),
    ("irfft_again(g, shape, axes, norm)", "irfft_adjoint(y_bar, np.shape(g), axes, norm)",
     "irfft_again(dot, shape, axes, norm)", _SIZES),
):  # fmt: skip
    # linear in the seed: the adjoint of a pullback is the pushforward that it belongs to
    registry.add_object(
        getattr(runtime, _text.partition("(")[0]),
        rule(_text, g=_back, g_dot=_again, inert=_inert, register=False),
    )
_COV = "rowvar, bias, ddof, fweights, aweights"


def _per_quantile(text: str) -> Callable[[Site], Text]:
    """Contributions to `q`: all of them where it is a number."""
    return lambda site: (
        f"np.sum({text})" if site.ndim("q") == 0 else f"per_quantile({text}, np.shape(q))"
    )


def _per_place(text: str, of: str = "y") -> Callable[[Site], Text]:
    """A formula with the tangent of `q`, as it broadcasts to the quantiles."""
    spread = f"per_place(dot, np.shape(q), np.shape({of}))"
    return lambda site: text.format("dot" if site.ndim("q") == 0 else spread)


def _own(text: str, fixed: str) -> Callable[[Site], Text]:
    """A formula where the values are those of `a`; if others are given, only its order counts."""
    return lambda site: text if site.const("values") is None else fixed


_AT_Q = "a, q, axis, {}, method, skip_nan"
_OF_G, _OF_Y = _AT_Q.format("np.shape(g)"), _AT_Q.format("shape")
_BACK = "a, q, axis, method, skip_nan"
_QUANTILES: dict[str, dict[str, Any]] = {  # between jumps linear in the elements and in `q`
    "quantile_pullback(g, a, q, axis, keepdims, method, skip_nan=False)": {
        "g": f"quantile_pushforward(y_bar, {_OF_G})",
        "g_dot": "quantile_pullback(dot, a, q, axis, keepdims, method, skip_nan)",
        "q": _per_quantile(f"g * quantile_slope({_OF_G}, y_bar)"),
        "q_dot": _per_place("quantile_slope_pullback(g * {}, " f"{_BACK})", "g"),
    },
    "quantile_pushforward(t, a, q, axis, shape, method, skip_nan=False)": {
        "t": "quantile_pullback(y_bar, a, q, axis, False, method, skip_nan)",
        "t_dot": f"quantile_pushforward(dot, {_OF_Y})",
        "q": _per_quantile(f"y_bar * quantile_slope({_OF_Y}, t)"),
        "q_dot": _per_place("{} * " f"quantile_slope({_OF_Y}, t)"),
    },
    "quantile_slope(a, q, axis, shape, method, skip_nan=False, values=None)": {
        "a": _own(f"quantile_slope_pullback(y_bar, {_BACK})", "np.zeros(np.shape(a))"),
        "a_dot": _own(f"quantile_slope({_OF_Y}, dot)", "np.zeros(np.shape(y))"),
        "values": f"quantile_slope_pullback(y_bar, {_BACK})",
        "values_dot": f"quantile_slope({_OF_Y}, dot)",
    },
    "quantile_slope_pullback(g, a, q, axis, method, skip_nan=False)": {
        "g": f"quantile_slope({_OF_G}, y_bar)",
        "g_dot": f"quantile_slope_pullback(dot, {_BACK})",
    },
}  # fmt: skip
for _text, _words in _QUANTILES.items():
    _jumps = () if "values" in _text else ("a",)
    registry.add_object(
        getattr(runtime, _text.partition("(")[0]),
        rule(_text, **_words, inert=("shape", "axis", "q", *_jumps), register=False,
             like=("a",) if "_pullback(" in _text else ()),
    )  # fmt: skip


def _variables(seed: str, block: int) -> Callable[[Site], Text]:
    """The covariances are a square of both arrays together: how the adjoint of one of them changes
    with `block` is the covariance with a change of one in the place of both."""

    def write(site: Site) -> Text:
        if site.const("other") is None:
            return None if block else f"cov_pullback(g, {seed}, other, {_COV}, which)"
        zeros = "np.zeros(np.shape(m))", "np.zeros(np.shape(other))"
        alone = f"{seed}, {zeros[1]}", f"{zeros[0]}, {seed}"
        if seed == "dot":
            return f"cov_pullback(g, {alone[block]}, {_COV}, which)"
        which = site.const("which")
        if which == 0 or which == 1:
            return f"cov_pullback(g, {alone[which]}, {_COV}, {block})"
        either = (f"{seed} if which == 0 else {zeros[0]}", f"{zeros[1]} if which == 0 else {seed}")
        return f"cov_pullback(g, {', '.join(either)}, {_COV}, {block})"

    return write


_AXES = "axisa, axisb, axisc, axis"
for _text, _words in {
    "average_pullback(g, shape, weights, axis, keepdims)": {
        "g": "np.average(y_bar, axis, weights, keepdims=keepdims)",
        "g_dot": "average_pullback(dot, shape, weights, axis, keepdims)",
        "weights": "average_weights_pullback(g, y_bar, weights, axis, keepdims)",
        "weights_dot": "average_share(dot, g, shape, weights, axis, keepdims)",
    },
    "average_weights_pullback(g, a, weights, axis, keepdims)": {
        "g": "average_weights_pushforward(y_bar, a, weights, axis, keepdims)",
        "g_dot": "average_weights_pullback(dot, a, weights, axis, keepdims)",
        "a": "average_share(y_bar, g, np.shape(a), weights, axis, keepdims)",
        "a_dot": "average_weights_pullback(g, dot, weights, axis, keepdims)",
        "weights": "average_weights_slope(y_bar, g, a, weights, axis, keepdims)",
        "weights_dot": "average_weights_slope(dot, g, a, weights, axis, keepdims)",
    },
    "average_total_pullback(g, shape, own, axis, keepdims)": {
        "g": "average_total_pushforward(y_bar, shape, axis, keepdims)",
        "g_dot": "average_total_pullback(dot, shape, own, axis, keepdims)",
    },
    "gradient_at_nodes(g, shape, x, axis, edge_order)": {
        "g": "np.gradient(y_bar, x, axis=axis, edge_order=edge_order)",
        "g_dot": "gradient_at_nodes(dot, shape, x, axis, edge_order)",
        "x": "gradient_nodes(g, y_bar, x, axis, edge_order)",
        "x_dot": "gradient_moved_pullback(g, shape, x, dot, axis, edge_order)",
    },
    # symmetric in the elements: its derivative is its own transpose
    "product_of_others(a, axis=None)": {
        "a": "others_slope(y_bar, a, axis)", "a_dot": "others_slope(dot, a, axis)",
    },
    "kron_left(g, shape, b)": {
        "g": "np.kron(y_bar, b)", "b": "kron_right(g, y_bar, np.shape(b))",
        "g_dot": "kron_left(dot, shape, b)", "b_dot": "kron_left(g, shape, dot)",
    },
    "kron_right(g, a, shape)": {
        "g": "np.kron(a, y_bar)", "a": "kron_left(g, np.shape(a), y_bar)",
        "g_dot": "kron_right(dot, a, shape)", "a_dot": "kron_right(g, dot, shape)",
    },
    "multiply_outer_left(g, shape, b)": {
        "g": "np.multiply.outer(y_bar, b)", "b": "multiply_outer_right(g, y_bar, np.shape(b))",
        "g_dot": "multiply_outer_left(dot, shape, b)",
        "b_dot": "multiply_outer_left(g, shape, dot)",
    },
    "multiply_outer_right(g, a, shape)": {
        "g": "np.multiply.outer(a, y_bar)", "a": "multiply_outer_left(g, np.shape(a), y_bar)",
        "g_dot": "multiply_outer_right(dot, a, shape)",
        "a_dot": "multiply_outer_right(g, dot, shape)",
    },
    "tensordot_left(g, shape, b, axes)": {
        "g": "np.tensordot(y_bar, b, axes)", "b": "tensordot_right(g, y_bar, np.shape(b), axes)",
        "g_dot": "tensordot_left(dot, shape, b, axes)",
        "b_dot": "tensordot_left(g, shape, dot, axes)",
    },
    "tensordot_right(g, a, shape, axes)": {
        "g": "np.tensordot(a, y_bar, axes)", "a": "tensordot_left(g, np.shape(a), y_bar, axes)",
        "g_dot": "tensordot_right(dot, a, shape, axes)",
        "a_dot": "tensordot_right(g, dot, shape, axes)",
    },
    # the second derivatives of a number are symmetric
    "cumprod_pullback(g, a, axis)": {
        "g": "cumprod_pushforward(y_bar, a, axis)", "g_dot": "cumprod_pullback(dot, a, axis)",
        "a": "cumprod_slope(y_bar, g, a, axis)", "a_dot": "cumprod_slope(dot, g, a, axis)",
    },
    "linspace_pullback(g, shape, num, endpoint, which)": {
        "g": "linspace_share(y_bar, np.shape(g), num, endpoint, which)",
        "g_dot": "linspace_pullback(dot, shape, num, endpoint, which)",
    },
    f"cross_left(g, a, b, {_AXES})": {
        "g": f"np.cross(y_bar, b, {_AXES})", "b": f"cross_right(g, y_bar, b, {_AXES})",
        "g_dot": f"cross_left(dot, a, b, {_AXES})", "b_dot": f"cross_left(g, a, dot, {_AXES})",
    },
    f"cross_right(g, a, b, {_AXES})": {
        "g": f"np.cross(a, y_bar, {_AXES})", "a": f"cross_left(g, a, y_bar, {_AXES})",
        "g_dot": f"cross_right(dot, a, b, {_AXES})", "a_dot": f"cross_right(g, dot, b, {_AXES})",
    },
}.items():  # fmt: skip
    _name = _text.partition("(")[0]
    _other = {"cross_left": ("a",), "cross_right": ("b",)}.get(_name, ())  # only their shapes count
    registry.add_object(
        getattr(runtime, _name),
        rule(_text, **_words, register=False,
             inert=("shape", "own", "axes", "axis", "edge_order", *_other)),
    )
registry.add_object(
    runtime.bessel_i1, elementwise("bessel_i1(x)", x="bessel_i1_slope(x)", register=False)
)
registry.add_object(
    runtime.cov_pullback,
    rule(
        f"cov_pullback(g, m, other, {_COV}, which)",
        g=f"cov_pushforward(y_bar, m, other, {_COV}, which)",
        g_dot=f"cov_pullback(dot, m, other, {_COV}, which)",
        m=_variables("y_bar", 0),
        m_dot=_variables("dot", 0),
        other=_variables("y_bar", 1),
        other_dot=_variables("dot", 1),
        inert=("fweights",),
        register=False,
    ),
)
for _text, _of_s, _of_x in (
    ("added(s, x)", "1", "1"),
    ("subtracted(s, x)", "1", "-1"),
    ("multiplied(s, x)", "x", "s"),
    ("divided(s, x)", "1 / x", ("-y / x", "-s / (x * x)")),
):  # `s += x` on what may be a number or an array
    registry.add_object(
        getattr(runtime, _text.partition("(")[0]),
        elementwise(_text, s=_of_s, x=_of_x, register=False),
    )
_SOURCE = "extremal_at(y, a, indices, b)"
for _text, _words in {
    "multiplied_at(a, indices, b)": {
        "a": "multiplied_at(y_bar, indices, b)", "a_dot": "multiplied_at(dot, indices, b)",
        "b": "unbroadcast(factors_at(a, indices, b) * y_bar[indices], np.shape(b))",
        "b_dot": "added_at(np.shape(a), indices, factors_at(a, indices, b) * dot)",
    },
    "divided_at(a, indices, b)": {
        "a": "divided_at(y_bar, indices, b)", "a_dot": "divided_at(dot, indices, b)",
        "b": "unbroadcast(-(y_bar * y)[indices] / b, np.shape(b))",
        "b_dot": "-y * added_at(np.shape(a), indices, dot / b)",
    },
    "factors_at(a, indices, b)": {
        "a": "added_at(np.shape(a), indices, y_bar * factors_at(np.ones(np.shape(a)), indices, b))",
        "a_dot": "factors_at(dot, indices, b)",
        "b": "unbroadcast(factors_at_slope(y_bar, a, indices, b), np.shape(b))",
        "b_dot": "factors_at_slope(dot, a, indices, b)",
    },
    "extremal_at_pullback(g, source, places)": {
        "g": "extremal_at_pushforward(y_bar, source, places)",
        "g_dot": "extremal_at_pullback(dot, source, places)",
    },
    "extremal_at_pushforward(t, source, places)": {
        "t": "unbroadcast(extremal_at_pullback(y_bar, source, places), np.shape(t))",
        "t_dot": "extremal_at_pushforward(dot, source, places)",
    },
    **{f"{_word}_at(a, indices, b)": {
        "a": f"np.where({_SOURCE} < 0, y_bar, 0.0)",
        "a_dot": f"np.where({_SOURCE} < 0, dot, 0.0)",
        "b": f"unbroadcast(extremal_at_pullback(y_bar, {_SOURCE}, "
             "positions(np.shape(a))[indices]), np.shape(b))",
        "b_dot": f"extremal_at_pushforward(dot, {_SOURCE}, positions(np.shape(a))[indices])",
    } for _word in ("largest", "smallest")},
}.items():  # fmt: skip
    registry.add_object(
        getattr(runtime, _text.partition("(")[0]),
        rule(_text, **_words, register=False,
             inert=("source", "places") if "places" in _text else ("indices",)),
    )  # fmt: skip
for _kind, _tail in (("", "order, axis"), ("vector_", "order, axis"),
                     ("matrix_", "order, rows, columns")):  # fmt: skip
    registry.add_object(
        getattr(runtime, f"{_kind}norm_weights"),
        rule(f"{_kind}norm_weights(a, {_tail})", a=f"{_kind}norm_curvature(y_bar, a, {_tail})",
             a_dot=f"{_kind}norm_curvature(dot, a, {_tail})",
             inert=tuple(_tail.split(", ")), register=False),
    )  # fmt: skip
registry.add_object(
    runtime.joined_part,
    rule("joined_part(g, join, shapes, i)", g="joined_place(y_bar, join, shapes, i)",
         g_dot="joined_part(dot, join, shapes, i)", inert=("join", "shapes", "i"), register=False),
)  # fmt: skip
