"""Rules for the helpers that are adjoints of linear functions: the adjoint is the function itself.

With these the derivative of a pullback does not look into its helpers, which write into arrays of
their own.

>>> from adtrans import runtime
>>> from adtrans.ir.expr import Name
>>> found = registry.lookup(runtime.to_triangle)
>>> print(found.pullback("g", {"g": Name("g"), "uplo": Name("u")}, {})[0])
from_triangle(y_bar, uplo)
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans import runtime
from adtrans.rules import registry
from adtrans.rules.declare import Site, rule
from adtrans.rules.site import Text

_SIGNAL = "only that of the signal has a rule"


def helper(text: str, *inert: str, **words: object) -> None:
    """A helper of generated code; the parameters that are `inert` do not vary, or only in shape."""
    made = rule(text, inert=inert, register=False, **words)
    name = text.partition("(")[0]
    if name in runtime.__all__:
        registry.add_object(getattr(runtime, name), made)
    else:
        registry.add_helper(made)


helper("transposed(a)", a="transposed(y_bar)", a_dot="transposed(dot)", result="view", of="a")
helper("sinc_slope(x, n=1)", "n", x="y_bar * sinc_slope(x, n + 1)",
       x_dot="dot * sinc_slope(x, n + 1)")  # fmt: skip
helper("to_triangle(g, uplo)", "uplo", g="from_triangle(y_bar, uplo)",
       g_dot="to_triangle(dot, uplo)")  # fmt: skip
helper("from_triangle(t, uplo)", "uplo", t="to_triangle(y_bar, uplo)",
       t_dot="from_triangle(dot, uplo)")  # fmt: skip
helper("eigenvectors(a, uplo)", "uplo",
       a="eigh_pullback((None, y_bar), np.linalg.eigh(a, uplo), uplo)",
       a_dot="eigh_pushforward(dot, np.linalg.eigh(a, uplo), uplo)[1]")  # fmt: skip
helper("block_part(g, shapes, path)", "shapes", "path", g="block_whole(y_bar, shapes, path)",
       g_dot="block_part(dot, shapes, path)")  # fmt: skip
helper("block_whole(g, shapes, path)", "shapes", "path", g="block_part(y_bar, shapes, path)",
       g_dot="block_whole(dot, shapes, path)")  # fmt: skip
helper("block_diag_part(g, i, shapes)", "i", "shapes", g="block_diag_whole(y_bar, i, shapes)",
       g_dot="block_diag_part(dot, i, shapes)")  # fmt: skip
helper("block_diag_whole(b, i, shapes)", "i", "shapes", b="block_diag_part(y_bar, i, shapes)",
       b_dot="block_diag_whole(dot, i, shapes)")  # fmt: skip

# paddings: linear in the array, and in the cotangent
_PAD = "pad_width, mode, stat_length"
for _name, _other in (("pad_choice_pullback", "pad_choice_pushforward"),
                      ("pad_choice_pushforward", "pad_choice_pullback")):  # fmt: skip
    helper(f"{_name}(g, a, {_PAD}=None)", "a", *_PAD.split(", "), g=f"{_other}(y_bar, a, {_PAD})",
           g_dot=f"{_name}(dot, a, {_PAD})")  # fmt: skip


def _pad_again(site: Site) -> Text:
    match site.const("mode"):
        case "constant" | "empty":
            return "np.pad(y_bar, pad_width)"
        case "mean":
            return "np.pad(y_bar, pad_width, 'mean', stat_length=stat_length)"
        case _:
            return "np.pad(y_bar, pad_width, mode)"


helper(f"pad_pullback(g, shape, {_PAD}=None)", "shape", *_PAD.split(", "), g=_pad_again,
       g_dot=f"pad_pullback(dot, shape, {_PAD})")  # fmt: skip
helper("pad_odd_pullback(g, shape, pad_width, mode, reflect_type)", "shape", "pad_width", "mode",
       g="np.pad(y_bar, pad_width, mode, reflect_type=reflect_type)",
       g_dot="pad_odd_pullback(dot, shape, pad_width, mode, reflect_type)")  # fmt: skip

_OF_BORDER = "shape, pad_width, mode, whole, path"
helper(f"pad_value_pullback(g, {_OF_BORDER})", *_OF_BORDER.split(", "),
       g=f"pad_value_pushforward(y_bar, {_OF_BORDER})",
       g_dot=f"pad_value_pullback(dot, {_OF_BORDER})")  # fmt: skip
helper(f"pad_value_pushforward(t, {_OF_BORDER})", *_OF_BORDER.split(", "),
       t=f"pad_value_pullback(y_bar, {_OF_BORDER})",
       t_dot=f"pad_value_pushforward(dot, {_OF_BORDER})")  # fmt: skip


# einsum: linear in each operand; that in the place of the cotangent is not looked at
def _terms(site: Site, change: dict[int, str]) -> str:
    n = site.items("operands") or 0
    return ", ".join(change.get(k, f"operands[{k}]") for k in range(n))


def _einsum_again(site: Site) -> Text:
    i = site.const("i")
    if not isinstance(i, int) or site.items("operands") is None:
        return None
    return f"np.einsum(subscripts, {_terms(site, {i: 'y_bar'})})"


def _einsum_other(site: Site, k: int) -> Text:
    i = site.const("i")
    if not isinstance(i, int) or site.items("operands") is None or k < 0:
        return None
    terms = _terms(site, {i: "y_bar", k: "None"})
    return f"einsum_pullback(g, {k}, subscripts, np.shape(operands[{k}]), ({terms},))"


def _einsum_other_dot(site: Site, k: int) -> Text:
    i = site.const("i")
    if not isinstance(i, int) or site.items("operands") is None or k < 0:
        return None
    return f"einsum_pullback(g, i, subscripts, shape, ({_terms(site, {i: 'None', k: 'dot'})},))"


helper("einsum_pullback(g, i, subscripts, shape, operands: seq)", "i", "subscripts", "shape",
       g=_einsum_again, operands=_einsum_other, operands_dot=_einsum_other_dot,
       g_dot="einsum_pullback(dot, i, subscripts, shape, operands)")  # fmt: skip

# filters: linear in the signal, the weights and the cotangent
helper("upfirdn_pullback(g, h, shape, up, down, axis)", "shape", "up", "down", "axis",
       without={"h": _SIGNAL}, g="scipy.signal.upfirdn(h, y_bar, up, down, axis)",
       g_dot="upfirdn_pullback(dot, h, shape, up, down, axis)")  # fmt: skip


def _convolution(site: Site) -> Text:
    given = "y_bar, other" if site.const("first") is True else "other, y_bar"
    return f"scipy.signal.fftconvolve({given}, mode, axes)"


helper("convolve_along(g, shape, other, mode, axes, first)", "shape", "mode", "axes", "first",
       g=_convolution, g_dot="convolve_along(dot, shape, other, mode, axes, first)",
       other=lambda s: "convolve_along(g, np.shape(other), y_bar, mode, axes, "
                       f"{s.const('first') is not True})",
       other_dot="convolve_along(g, shape, dot, mode, axes, first)")  # fmt: skip
helper("over_axes(weights, ndim, axes)", "ndim", "axes",
       weights="np.reshape(y_bar, np.shape(weights))",
       weights_dot="over_axes(dot, ndim, axes)")  # fmt: skip
helper("lagged(back, x, n, axis)", "n", "axis",
       back="scipy.signal.lfilter(y_bar, np.ones(1), x, axis)",
       x="lfilter_x(back, y_bar, np.ones(1), axis)",
       back_dot="lagged(dot, x, n, axis)", x_dot="lagged(back, dot, n, axis)")  # fmt: skip
helper("lfilter_back(g, a, axis)", "axis",
       g="scipy.signal.lfilter(np.ones(1), a, y_bar, axis)",
       a="lfilter_a(np.flip(y_bar, axis), a, np.flip(y, axis), axis)",
       g_dot="lfilter_back(dot, a, axis)",
       a_dot="np.flip(lfilter_a_pushforward(dot, a, np.flip(y, axis), axis), axis)")  # fmt: skip
helper("lfilter_x(g, b, a, axis)", "axis",
       g="scipy.signal.lfilter(b, a, y_bar, axis)",
       b="lfilter_b(np.flip(y_bar, axis), np.shape(b), a, np.flip(g, axis), axis)",
       a="lfilter_a(np.flip(y_bar, axis), a, np.flip(y, axis), axis)",
       g_dot="lfilter_x(dot, b, a, axis)", b_dot="lfilter_x(g, dot, a, axis)",
       a_dot="np.flip(lfilter_a_pushforward(dot, a, np.flip(y, axis), axis), axis)")  # fmt: skip
for _name, _filter in (
    ("filtfilt_pullback(g, b, a, axis, padtype, padlen)", ("b", "a")),
    ("sosfiltfilt_pullback(g, sos, axis, padtype, padlen)", ("sos",)),
):
    _function, _, _rest = _name.partition("(g, ")
    _plain = ", ".join(_filter)
    helper(_name, "axis", "padtype", "padlen", without=dict.fromkeys(_filter, _SIGNAL),
           g=f"scipy.signal.{_function[:-9]}({_plain}, y_bar, axis, padtype, padlen)",
           g_dot=f"{_function}(dot, {_rest}")  # fmt: skip


def _image(arguments: str) -> Callable[[Site], Text]:
    """A correlation, or a convolution where the weights are flipped."""

    def write(site: Site) -> Text:
        word = {True: "convolve", False: "correlate"}.get(site.const("flipped"))  # type: ignore[call-overload]  # any value
        return None if word is None else f"scipy.ndimage.{word}({arguments})"

    return write


_HOW = "mode, cval, origin, flipped"
helper("image_input(g, weights, mode, origin, flipped)", "mode", "origin", "flipped",
       g=_image("y_bar, weights, mode=mode, origin=origin"),
       weights="image_weights(g, y_bar, np.shape(weights), mode, 0.0, origin, flipped)",
       g_dot="image_input(dot, weights, mode, origin, flipped)",
       weights_dot="image_input(g, dot, mode, origin, flipped)")  # fmt: skip
helper(f"image_weights(g, x, shape, {_HOW})", "shape", "mode", "cval", "origin", "flipped",
       g=_image("x, y_bar, mode=mode, cval=cval, origin=origin"),
       x="image_input(g, y_bar, mode, origin, flipped)",
       g_dot=f"image_weights(dot, x, shape, {_HOW})",
       x_dot="image_weights(g, dot, shape, mode, 0.0, origin, flipped)")  # fmt: skip
helper("along_line(weights, ndim, axis)", "ndim", "axis", weights="np.ravel(y_bar)",
       weights_dot="along_line(dot, ndim, axis)")  # fmt: skip
helper("squareform_pullback(g, x)", "x", g="squareform_pushforward(y_bar)",
       g_dot="squareform_pullback(dot, x)")  # fmt: skip
helper("toeplitz_column(g, shape, alone)", "shape", "alone",
       g="scipy.linalg.toeplitz(np.ravel(y_bar), np.ravel(y_bar) if alone else "
         "np.zeros(np.shape(g)[1]))", g_dot="toeplitz_column(dot, shape, alone)")  # fmt: skip
helper("toeplitz_row(g, shape)", "shape",
       g="scipy.linalg.toeplitz(np.zeros(np.shape(g)[0]), np.ravel(y_bar))",
       g_dot="toeplitz_row(dot, shape)")  # fmt: skip
