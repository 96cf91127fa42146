"""`scipy.signal`, `scipy.ndimage`, `scipy.integrate` and `scipy.spatial.distance`.

Filters are linear in the signal: their tangent is the filter itself, their adjoint its transpose.
`@` stands for `scipy.` in the formulas.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.signal.lfilter"].active_params
('b', 'a', 'x', 'zi')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from adtrans.ir.expr import Sequence
from adtrans.ir.kinds import Array
from adtrans.rules import registry
from adtrans.rules.declare import SOME, Site, constant, linear, multilinear, rule, unknown
from adtrans.rules.numpy_differences import _interval


def _spelled(words: dict[str, Any]) -> dict[str, Any]:
    return {k: re.sub(r"@(?=\w)", "scipy.", v) if isinstance(v, str) else v
            for k, v in words.items()}  # fmt: skip


def declare(text: str, /, **words: Any) -> None:
    """A function with full contributions."""
    rule(f"scipy.{text}", **_spelled(words))


def _only(why: str, **allowed: tuple[object, ...]) -> Callable[[Site], str | None]:
    """Refuses other values of keywords than those that are given."""

    def refuses(site: Site) -> str | None:
        wrong = any(k in site.bound and site.const(k) not in v for k, v in allowed.items())
        return why if wrong else None

    return refuses


def _by_axes(plain: str, along: str) -> Callable[[Site], str]:
    """A formula for all axes, and one for those that are said."""
    texts = _spelled({"plain": plain, "along": along})
    return lambda site: texts["plain" if site.const("axes") is None else "along"]


def _of_floats(formula: str | Callable[[Site], str]) -> Callable[[Site], str]:
    """A formula for an image `x` in floats: of one of integers it would give integers."""
    text = _spelled({"text": formula})["text"] if isinstance(formula, str) else formula

    def write(site: Site) -> str:
        found = text if isinstance(text, str) else text(site)
        kind = site.kind("x")
        floats = isinstance(kind, Array) and str(kind.dtype).startswith("float")
        return found if floats else found.replace("(x, ", "(np.asarray(x, float), ", 1)

    return write


# signal
for _name, _tail in (("convolve", "method='auto'"), ("fftconvolve", "axes=None"),
                     ("oaconvolve", "axes=None"), ("correlate", "method='auto'")):  # fmt: skip
    _f = _name if _name.startswith("correlate") else "convolve"
    _plain = (f"{_f}_first(y_bar, np.shape(in1), in2, mode)",
              f"{_f}_second(y_bar, in1, np.shape(in2), mode)")  # fmt: skip
    _first: str | Callable[[Site], str]
    _second: str | Callable[[Site], str]
    _first, _second = _plain
    if "axes" in _tail:
        _first = _by_axes(_plain[0], "convolve_along(y_bar, np.shape(in1), in2, mode, axes, True)")
        _second = _by_axes(_plain[1],
                           "convolve_along(y_bar, np.shape(in2), in1, mode, axes, False)")
    multilinear(f"scipy.signal.{_name}(in1, in2, mode='full', {_tail})", in1=_first, in2=_second)


def _bounded(zeros: str, other: str) -> Callable[[Site], str]:
    """A formula for images with zeros around them, and one for others."""
    return lambda site: other if site.const("boundary") != "fill" or (
        site.const("fillvalue") not in (0, 0.0)) else zeros  # fmt: skip


for _name in ("convolve2d", "correlate2d"):
    _f, _turned = _name.replace("convolve2d", "convolve"), _name == "correlate2d"
    _said = f"mode, boundary, {_turned}"
    multilinear(f"scipy.signal.{_name}(in1, in2, mode='full', boundary='fill', fillvalue=0)",
                without={"fillvalue": "only those of the images have a rule"},
                refuses=_only("`mode=` and `boundary=` must be written out here",
                              mode=("full", "same", "valid"), boundary=("fill", "wrap", "symm")),
                in1=_bounded(f"{_f}_first(y_bar, np.shape(in1), in2, mode)",
                             f"bounded_first(y_bar, np.shape(in1), in2, {_said})"),
                in2=_bounded(f"{_f}_second(y_bar, in1, np.shape(in2), mode)",
                             f"bounded_second(y_bar, in1, np.shape(in2), fillvalue, {_said})"),
                in1_dot=_bounded(f"scipy.signal.{_name}(dot, in2, mode)",
                                 f"scipy.signal.{_name}(dot, in2, mode, boundary)"),
                in2_dot=_bounded(f"scipy.signal.{_name}(in1, dot, mode)",
                                 f"scipy.signal.{_name}(in1, dot, mode, boundary, fillvalue)"),
                )  # fmt: skip


def _stateless(text: str, with_state: str | None = None) -> Callable[[Site], str | None]:
    """A formula for `lfilter` without a first state, and with one."""

    def write(site: Site) -> str | None:
        found = text if site.const("zi") is None else with_state
        return None if found is None else _spelled({"": found})[""]

    return write


def _state_refusal(site: Site) -> str | None:
    written = isinstance(site.bound.get("zi"), Sequence)
    known = site.const("zi") is None or site.is_array("zi") or written
    return None if known else "`zi=` has to be an array for certain"


declare("signal.lfilter(b, a, x, axis=-1, zi=None)", partial=True, like=("x", "zi"),
        refuses=_state_refusal,
        tuple_result=lambda site: site.const("zi") is not None,
        b=_stateless("lfilter_b(y_bar, np.shape(b), a, x, axis)",
                     "state_coefficients(y_bar, b, a, x, y[0], axis)[0]"),
        a=_stateless("lfilter_a(y_bar, a, y, axis)",
                     "state_coefficients(y_bar, b, a, x, y[0], axis)[1]"),
        x=_stateless("lfilter_x(y_bar, b, a, axis)",
                     "state_pullback(y_bar, b, a, np.shape(x), axis)[0]"),
        zi="unbroadcast(state_pullback(y_bar, b, a, np.shape(x), axis)[1], np.shape(zi))",
        b_dot=_stateless("@signal.lfilter(dot, a, x, axis)",
                         "@signal.lfilter(dot, a, x, axis, np.zeros_like(zi))"),
        a_dot=_stateless("lfilter_a_pushforward(dot, a, y, axis)",
                         "state_denominator(dot, b, a, x, y[0], axis, zi)"),
        x_dot=_stateless("@signal.lfilter(b, a, dot, axis)",
                         "@signal.lfilter(b, a, dot, axis, np.zeros_like(zi))"),
        zi_dot="@signal.lfilter(b, a, np.zeros_like(x), axis, dot)")  # fmt: skip
declare("signal.hilbert(x, N=None, axis=-1)", x="analytic_pullback(y_bar, np.shape(x), N, axis)",
        x_dot="@signal.hilbert(dot, N, axis)")  # fmt: skip
declare("signal.resample(x, num, t=None, axis=0, window=None)",
        refuses=_only("`t=` and `window=` have no rule", t=(None,), window=(None,)),
        x="resample_pullback(y_bar, np.shape(x), axis)",
        x_dot="@signal.resample(dot, num, axis=axis)")  # fmt: skip
declare("signal.upfirdn(h, x, up=1, down=1, axis=-1, mode='constant', cval=0)",
        refuses=_only("only `mode='constant'` with zeros has a rule", mode=("constant",),
                      cval=(0, 0.0)),
        h="upfirdn_filter(y_bar, np.shape(h), x, up, down, axis)",
        h_dot="@signal.upfirdn(dot, x, up, down, axis)",
        x="upfirdn_pullback(y_bar, h, np.shape(x), up, down, axis)",
        x_dot="@signal.upfirdn(h, dot, up, down, axis)")  # fmt: skip
for _text, _words in {  # linear in each operand, as what they are the adjoints of
    "upfirdn_pullback(g, h, shape, up, down, axis)": {
        "g": "scipy.signal.upfirdn(h, y_bar, up, down, axis)",
        "g_dot": "upfirdn_pullback(np.broadcast_to(dot, np.shape(g)), h, shape, up, down, axis)",
        "h": "upfirdn_filter(g, np.shape(h), y_bar, up, down, axis)",
        "h_dot": "upfirdn_pullback(g, np.broadcast_to(dot, np.shape(h)), shape, up, down, axis)",
    },
    "upfirdn_filter(g, shape, x, up, down, axis)": {
        "g": "scipy.signal.upfirdn(y_bar, x, up, down, axis)",
        "g_dot": "upfirdn_filter(np.broadcast_to(dot, np.shape(g)), shape, x, up, down, axis)",
        "x": "upfirdn_pullback(g, y_bar, np.shape(x), up, down, axis)",
        "x_dot": "upfirdn_filter(g, shape, np.broadcast_to(dot, np.shape(x)), up, down, axis)",
    },
}.items():
    registry.add_helper(rule(_text, **_words, inert=("shape", "up", "down", "axis"),
                             register=False))  # fmt: skip
declare("signal.medfilt(x: 'volume', size: 'kernel_size'=None)", ranks={"x": SOME},
        x="medfilt_pullback(y_bar, x, size)",
        x_dot="medfilt_pushforward(dot, x, size)")  # fmt: skip
declare("signal.sosfilt(sos, x, axis=-1, zi=None)", refuses=_state_refusal, like=("x", "zi"),
        partial=True, tuple_result=lambda site: site.const("zi") is not None,
        x=_stateless("np.flip(@signal.sosfilt(sos, np.flip(y_bar, axis), axis), axis)",
                     "sections_pullback(y_bar, sos, np.shape(x), axis)[0]"),
        x_dot=_stateless("@signal.sosfilt(sos, dot, axis)",
                         "@signal.sosfilt(sos, dot, axis, np.zeros_like(zi))"),
        zi="sections_pullback(y_bar, sos, np.shape(x), axis)[1]",
        zi_dot="@signal.sosfilt(sos, np.zeros_like(x), axis, dot)",
        without={"sos": "only that of the signal has a rule"})  # fmt: skip
declare("signal.detrend(data, axis=-1, type='linear', bp=0, overwrite_data=False)",
        lands={"data": (0, 1)},
        data="@signal.detrend(y_bar, axis, type, bp)",
        data_dot="@signal.detrend(dot, axis, type, bp)")  # fmt: skip
declare("signal.filtfilt(b, a, x, axis=-1, padtype='odd', padlen=None, method='pad', irlen=None)",
        like=("x",), x="filtfilt_pullback(y_bar, b, a, axis, padtype, padlen)",
        x_dot="@signal.filtfilt(b, a, dot, axis, padtype, padlen)",
        without=dict.fromkeys("ba", "only that of the signal has a rule"),
        refuses=_only("only `method='pad'` has a rule", method=("pad",)))  # fmt: skip
declare("signal.sosfiltfilt(sos, x, axis=-1, padtype='odd', padlen=None)",
        like=("x",), x="sosfiltfilt_pullback(y_bar, sos, axis, padtype, padlen)",
        x_dot="@signal.sosfiltfilt(sos, dot, axis, padtype, padlen)",
        without={"sos": "only that of the signal has a rule"})  # fmt: skip
declare("signal.savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, "
        "mode='interp', cval=0.0)",
        like=("x",), x="savgol_pullback(y_bar, window_length, polyorder, deriv, delta, axis, mode)",
        x_dot="@signal.savgol_filter(dot, window_length, polyorder, deriv, delta, axis, mode)",
        refuses=_only("`mode=` must be written out here",
                      mode=("interp", "mirror", "nearest", "constant", "wrap")))  # fmt: skip
unknown("it has no rule yet", *(f"scipy.signal.{n}" for n in (
    "wiener", "deconvolve", "lfiltic", "sepfir2d", "stft",
    "istft", "spectrogram", "csd", "coherence", "whittaker_henderson",
)))  # fmt: skip

# ndimage
_MODES = ("reflect", "grid-mirror", "mirror", "nearest", "wrap", "grid-wrap", "constant",
          "grid-constant")  # fmt: skip


def _image_refusal(site: Site) -> str | None:
    mode = site.const("mode")
    several = isinstance(mode, tuple | list) and all(m in _MODES for m in mode)
    return None if several or mode in _MODES else "`mode=` must be written out here"


_THERE = "over_axes({}, np.ndim(x), axes)"
_FROM = "origin_over(origin, np.ndim(x), axes)"
for _name, _flipped in (("correlate", False), ("convolve", True)):
    _wide = _THERE.format("weights")
    _back = f"image_weights(y_bar, x, np.shape({{}}), mode, cval, {{}}, {_flipped})"
    declare(f"ndimage.{_name}(x: 'input', weights, out: 'output'=None, mode='reflect', cval=0.0, "
            "origin=0, *, axes=None)", refuses=_image_refusal,
            x=_by_axes(f"image_input(y_bar, weights, mode, origin, {_flipped})",
                       f"image_input(y_bar, {_wide}, mode, {_FROM}, {_flipped})"),
            weights=_by_axes(_back.format("weights", "origin"),
                             f"np.reshape({_back.format(_wide, _FROM)}, np.shape(weights))"),
            x_dot=_by_axes(f"@ndimage.{_name}(dot, weights, mode=mode, origin=origin)",
                           f"@ndimage.{_name}(dot, {_wide}, mode=mode, origin={_FROM})"),
            weights_dot=_of_floats(_by_axes(
                f"@ndimage.{_name}(x, dot, mode=mode, cval=cval, origin=origin)",
                f"@ndimage.{_name}(x, {_THERE.format('dot')}, mode=mode, cval=cval, "
                f"origin={_FROM})")))  # fmt: skip
for _name, _flipped in (("correlate1d", False), ("convolve1d", True)):
    _line = "along_line(weights, np.ndim(x), axis)"
    _at = "line_origin(origin, np.ndim(x), axis)"
    declare(f"ndimage.{_name}(x: 'input', weights, axis=-1, out: 'output'=None, mode='reflect', "
            "cval=0.0, origin=0)", refuses=_image_refusal,
            x=f"image_input(y_bar, {_line}, mode, {_at}, {_flipped})",
            weights=f"np.ravel(image_weights(y_bar, x, np.shape({_line}), mode, cval, {_at}, "
                    f"{_flipped}))",
            x_dot=f"@ndimage.{_name}(dot, weights, axis, mode=mode, origin=origin)",
            weights_dot=_of_floats(f"@ndimage.{_name}(x, dot, axis, mode=mode, cval=cval, "
                                   "origin=origin)"),
            )  # fmt: skip
declare("ndimage.uniform_filter1d(x: 'input', size, axis=-1, out: 'output'=None, mode='reflect', "
        "cval=0.0, origin=0)", refuses=_image_refusal,
        x="image_input(y_bar, along_line(np.full(size, 1 / size), np.ndim(x), axis), mode, "
          "line_origin(origin, np.ndim(x), axis), False)",
        x_dot="@ndimage.uniform_filter1d(dot, size, axis, mode=mode, origin=origin)")  # fmt: skip
declare("ndimage.uniform_filter(x: 'input', size=3, out: 'output'=None, mode='reflect', cval=0.0, "
        "origin=0, *, axes=None)", refuses=_image_refusal,
        x=_by_axes("image_input(y_bar, box(size, np.ndim(x)), mode, origin, False)",
                   "image_input(y_bar, box(size, np.ndim(x), axes), said_over(mode, np.ndim(x), "
                   "axes, 'constant'), said_over(origin, np.ndim(x), axes, 0), False)"),
        x_dot=_by_axes("@ndimage.uniform_filter(dot, size, mode=mode, origin=origin)",
                       "@ndimage.uniform_filter(dot, size, mode=mode, origin=origin, axes=axes)",
                       ))  # fmt: skip
_REACH = {"sigma": "only the derivative with respect to the image has a rule"}
declare("ndimage.gaussian_filter(x: 'input', sigma, order=0, out: 'output'=None, mode='reflect', "
        "cval=0.0, truncate=4.0, *, radius=None, axes=None)", without=_REACH,
        x="gaussian_pullback(y_bar, sigma, order, mode, truncate, radius, axes)",
        x_dot="@ndimage.gaussian_filter(dot, sigma, order, mode=mode, truncate=truncate, "
              "radius=radius, axes=axes)")  # fmt: skip
declare("ndimage.gaussian_filter1d(x: 'input', sigma, axis=-1, order=0, out: 'output'=None, "
        "mode='reflect', cval=0.0, truncate=4.0, *, radius=None)", without=_REACH,
        refuses=_image_refusal,
        x="gaussian_pullback(y_bar, sigma, order, mode, truncate, radius, axis)",
        x_dot="@ndimage.gaussian_filter1d(dot, sigma, axis, order, mode=mode, truncate=truncate, "
              "radius=radius)")  # fmt: skip
declare("ndimage.laplace(x: 'input', out: 'output'=None, mode='reflect', cval=0.0, *, axes=None)",
        refuses=_image_refusal, ranks={"x": SOME},
        x=_by_axes("laplace_pullback(y_bar, mode)", "laplace_pullback(y_bar, mode, axes)"),
        x_dot=_by_axes("@ndimage.laplace(dot, mode=mode)",
                       "@ndimage.laplace(dot, mode=mode, axes=axes)"))  # fmt: skip
for _name, _side in (("sobel", "2.0"), ("prewitt", "1.0")):
    declare(f"ndimage.{_name}(x: 'input', axis=-1, out: 'output'=None, mode='reflect', cval=0.0)",
            refuses=_image_refusal, x=f"edges_pullback(y_bar, axis, mode, {_side})",
            x_dot=f"@ndimage.{_name}(dot, axis, mode=mode)")  # fmt: skip
_KNOTS = "out: 'output'=None, order=3, mode='constant', cval=0.0, prefilter=True"
for _name, _by in (("shift", "shift"), ("zoom", "zoom")):
    _grid = ", *, grid_mode=False" if _name == "zoom" else ""
    _kept = ", grid_mode=grid_mode" if _grid else ""
    declare(f"ndimage.{_name}(x: 'input', by: '{_by}', {_KNOTS}{_grid})", refuses=_image_refusal,
            without={"by": "only that of the image has a rule"},
            x=f"moved_pullback(y_bar, np.shape(x), '{_name}', by, order, mode, prefilter, "
              f"{'grid_mode' if _grid else 'False'})",
            x_dot=f"@ndimage.{_name}(dot, by, order=order, mode=mode, prefilter=prefilter{_kept})",
            )  # fmt: skip


def _sampling_refusal(site: Site) -> str | None:
    if site.const("order") != 1:
        return "`map_coordinates` has a rule for `order=1` (linear interpolation) only"
    if site.const("mode") not in ("constant", "nearest"):
        return "`map_coordinates` has a rule for `mode='constant'` and `'nearest'` only"
    return None


declare(f"ndimage.map_coordinates(x: 'input', at: 'coordinates', {_KNOTS})",
        refuses=_sampling_refusal,
        x="sampled_pullback(y_bar, np.shape(x), at, mode)",
        at="np.expand_dims(y_bar, 0) * sampled_slope(x, at, mode, cval)",
        x_dot="@ndimage.map_coordinates(dot, at, order=1, mode=mode)",
        at_dot="np.sum(dot * sampled_slope(x, at, mode, cval), axis=0)")  # fmt: skip
unknown("it has no rule yet", *(f"scipy.ndimage.{n}" for n in (
            "affine_transform", "rotate", "spline_filter",
)))  # fmt: skip

# integrate
linear("scipy.integrate.trapezoid(f: 'y', x=None, dx=1.0, axis=-1)",
       f="trapezoid_pullback(y_bar, np.shape(f), x, dx, axis)",
       dx=_interval("scipy.integrate.trapezoid", "y_bar"),
       dx_dot=_interval("scipy.integrate.trapezoid", "dot"),
       x="trapezoid_nodes(y_bar, f, x, axis)", f_dot="scipy.integrate.trapezoid(dot, x, dx, axis)",
       x_dot="scipy.integrate.trapezoid(f, dot, dx, axis)")  # fmt: skip
declare("integrate.cumulative_trapezoid(f: 'y', x=None, dx=1.0, axis=-1, initial=None)",
        f="cumulative_trapezoid_pullback(y_bar, np.shape(f), x, dx, axis, initial)",
        f_dot="@integrate.cumulative_trapezoid(dot, x, dx, axis, initial)",
        x="cumulative_trapezoid_nodes(y_bar, f, np.shape(x), axis, initial)",
        x_dot="@integrate.cumulative_trapezoid(f, dot, dx, axis, initial)")  # fmt: skip
_DISTANCES = "an array of distances has no rule: give `x=`"


def _simpson(site: Site) -> str:
    """A distance that may vary is outside, so that the derivative of this knows it."""
    if site.const("x") is not None:
        return "simpson_spread(y_bar, np.shape(f), x, axis)"
    if site.const("dx") != 1.0 and site.is_scalar("dx"):
        return "simpson_pullback(y_bar, np.shape(f), None, 1.0, axis) * dx"
    return "simpson_pullback(y_bar, np.shape(f), None, dx, axis)"


declare("integrate.simpson(f: 'y', x=None, *, dx=1.0, axis=-1)", f=_simpson,
        f_dot="@integrate.simpson(dot, x=x, dx=dx, axis=axis)",
        x="simpson_nodes(y_bar, f, x, axis)", x_dot="simpson_moved(dot, f, x, axis)",
        dx=_interval("scipy.integrate.simpson", "y_bar"),
        dx_dot=_interval("scipy.integrate.simpson", "dot"),
        refuses=lambda s: None if s.ndim("dx") == 0 else _DISTANCES)  # fmt: skip
declare("integrate.cumulative_simpson(f: 'y', *, x=None, dx=1.0, axis=-1, initial=None)",
        f=lambda s: "cumulative_simpson_pullback(y_bar, np.shape(f), x, dx, axis, initial)"
        if s.const("x") is None else
        "cumulative_simpson_spread(y_bar, np.shape(f), x, axis, initial)",
        f_dot="@integrate.cumulative_simpson(dot, x=x, dx=dx, axis=axis, "
              "initial=None if initial is None else 0.0)",
        x="cumulative_simpson_nodes(y_bar, f, x, axis, initial)",
        x_dot="cumulative_simpson_moved(dot, f, x, axis, initial)",
        refuses=lambda s: None if s.is_scalar("dx") else _DISTANCES)  # fmt: skip
registry.add_helper(rule(
    "simpson_pullback(g, shape, x, dx, axis)", inert=("shape", "axis"), register=False,
    g="scipy.integrate.simpson(y_bar, x=x, dx=dx, axis=axis)",
    g_dot="simpson_pullback(dot, shape, x, dx, axis)",
))  # fmt: skip
registry.add_helper(rule(
    "cumulative_simpson_pullback(g, shape, x, dx, axis, initial)", register=False,
    inert=("shape", "axis", "initial"),
    g="scipy.integrate.cumulative_simpson(y_bar, x=x, dx=dx, axis=axis, "
      "initial=None if initial is None else 0.0)",
    g_dot="cumulative_simpson_pullback(dot, shape, x, dx, axis, initial)",
))  # fmt: skip
_HANDED = "it calls a function of yours, which is followed if it is a name or a lambda, "
unknown(_HANDED + "without `complex_func=`, and not inside of another integral",
        "scipy.integrate.quad")
unknown(_HANDED + "without `events=` or `vectorized=`", "scipy.integrate.solve_ivp")
unknown(_HANDED + "without `full_output=`", "scipy.integrate.odeint", "scipy.optimize.fsolve")
unknown(_HANDED + "without `full_output=`; of what `root_scalar` returns the attributes are read",
        *(f"scipy.optimize.{n}" for n in ("brentq", "brenth", "bisect", "ridder", "toms748",
                                          "newton")))  # fmt: skip
unknown(_HANDED + "if of the object that is returned only the attributes are read, and without "
        "`constraints=`, `loss=` or `callback=`", "scipy.optimize.root",
        "scipy.optimize.root_scalar", "scipy.optimize.minimize", "scipy.optimize.minimize_scalar",
        "scipy.optimize.least_squares")  # fmt: skip
unknown("it calls a function of yours, which this rule cannot differentiate",
        *(f"scipy.integrate.{n}" for n in ("dblquad", "tplquad", "nquad", "quad_vec",
                                           "solve_bvp")),
        "scipy.optimize.fixed_point", "scipy.optimize.curve_fit")  # fmt: skip
declare("integrate.romb(f: 'y', dx=1.0, axis=-1)",
        f="np.expand_dims(y_bar, axis) * romberg_weights(np.shape(f), dx, axis)",
        f_dot="@integrate.romb(dot, dx, axis)")  # fmt: skip

constant(*(f"scipy.signal.{n}" for n in (
    "windows.get_window", "butter", "cheby1", "cheby2", "ellip", "bessel", "firwin", "firwin2",
    "iirfilter", "iirnotch", "get_window", "lfilter_zi", "sosfilt_zi", "savgol_coeffs",
    "gausspulse",
)), *(f"scipy.signal.windows.{n}" for n in (
    "barthann", "bartlett", "blackman", "blackmanharris", "bohman", "boxcar", "chebwin", "cosine",
    "dpss", "exponential", "flattop", "gaussian", "general_cosine", "general_gaussian",
    "general_hamming", "hamming", "hann", "kaiser", "kaiser_bessel_derived", "lanczos", "nuttall",
    "parzen", "taylor", "triang", "tukey",
)), inert=())  # fmt: skip
