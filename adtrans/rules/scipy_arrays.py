"""`scipy.signal`, `scipy.ndimage`, `scipy.integrate` and `scipy.spatial.distance`.

Filters are linear in the signal: their tangent is the filter itself, their adjoint its transpose.
`@` stands for `scipy.` in the formulas.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.signal.lfilter"].active_params
('b', 'a', 'x')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from adtrans.rules.declare import Site, constant, linear, multilinear, rule, unknown


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


# signal
for _name, _tail in (("convolve", "method='auto'"), ("fftconvolve", "axes=None"),
                     ("oaconvolve", "axes=None"), ("correlate", "method='auto'"),
                     ("convolve2d", "boundary='fill', fillvalue=0"),
                     ("correlate2d", "boundary='fill', fillvalue=0")):  # fmt: skip
    _f = "correlate" if _name.startswith("correlate") else "convolve"
    multilinear(f"scipy.signal.{_name}(in1, in2, mode='full', {_tail})",
                in1=f"{_f}_first(y_bar, np.shape(in1), in2, mode)",
                in2=f"{_f}_second(y_bar, in1, np.shape(in2), mode)",
                refuses=_only("`axes=` and boundaries other than zeros have no rule",
                              axes=(None,), boundary=("fill",), fillvalue=(0, 0.0)))  # fmt: skip
_NO_STATE = _only("`zi=` has no rule", zi=(None,))
declare("signal.lfilter(b, a, x, axis=-1, zi=None)", refuses=_NO_STATE,
        b="lfilter_b(y_bar, np.shape(b), a, x, axis)", a="lfilter_a(y_bar, a, y, axis)",
        x="lfilter_x(y_bar, b, a, axis)", b_dot="@signal.lfilter(dot, a, x, axis)",
        a_dot="lfilter_a_pushforward(dot, a, y, axis)",
        x_dot="@signal.lfilter(b, a, dot, axis)")  # fmt: skip
declare("signal.sosfilt(sos, x, axis=-1, zi=None)", refuses=_NO_STATE,
        x="np.flip(@signal.sosfilt(sos, np.flip(y_bar, axis), axis), axis)",
        x_dot="@signal.sosfilt(sos, dot, axis)",
        without={"sos": "only that of the signal has a rule"})  # fmt: skip
declare("signal.detrend(data, axis=-1, type='linear', bp=0, overwrite_data=False)",
        data="@signal.detrend(y_bar, axis, type, bp)",
        data_dot="@signal.detrend(dot, axis, type, bp)")  # fmt: skip
declare("signal.filtfilt(b, a, x, axis=-1, padtype='odd', padlen=None, method='pad', irlen=None)",
        x="filtfilt_pullback(y_bar, b, a, axis, padtype, padlen)",
        x_dot="@signal.filtfilt(b, a, dot, axis, padtype, padlen)",
        without=dict.fromkeys("ba", "only that of the signal has a rule"),
        refuses=_only("only `method='pad'` has a rule", method=("pad",)))  # fmt: skip
declare("signal.sosfiltfilt(sos, x, axis=-1, padtype='odd', padlen=None)",
        x="sosfiltfilt_pullback(y_bar, sos, axis, padtype, padlen)",
        x_dot="@signal.sosfiltfilt(sos, dot, axis, padtype, padlen)",
        without={"sos": "only that of the signal has a rule"})  # fmt: skip
declare("signal.savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, "
        "mode='interp', cval=0.0)",
        x="savgol_pullback(y_bar, window_length, polyorder, deriv, delta, axis, mode)",
        x_dot="@signal.savgol_filter(dot, window_length, polyorder, deriv, delta, axis, mode)",
        refuses=_only("`mode='wrap'` has no rule", mode=("interp", "mirror", "nearest", "constant"),
                      ))  # fmt: skip
unknown("it has no rule yet", *(f"scipy.signal.{n}" for n in (
    "hilbert", "resample", "resample_poly", "decimate",
    "medfilt", "medfilt2d", "wiener", "upfirdn", "deconvolve", "lfiltic", "sepfir2d", "stft",
    "istft", "spectrogram", "welch", "periodogram", "csd", "coherence", "find_peaks",
)))  # fmt: skip

# ndimage
_MODES = ("reflect", "grid-mirror", "mirror", "nearest", "wrap", "grid-wrap", "constant",
          "grid-constant")  # fmt: skip


def _image_refusal(site: Site) -> str | None:
    if "axes" in site.bound and site.const("axes") is not None:
        return "`axes=` has no rule here"
    mode = site.const("mode")
    several = isinstance(mode, tuple | list) and all(m in _MODES for m in mode)
    return None if several or mode in _MODES else "`mode=` must be written out here"


for _name, _flipped in (("correlate", False), ("convolve", True)):
    declare(f"ndimage.{_name}(x: 'input', weights, out: 'output'=None, mode='reflect', cval=0.0, "
            "origin=0, *, axes=None)", refuses=_image_refusal,
            x=f"image_input(y_bar, weights, mode, origin, {_flipped})",
            weights=f"image_weights(y_bar, x, np.shape(weights), mode, cval, origin, {_flipped})",
            x_dot=f"@ndimage.{_name}(dot, weights, mode=mode, origin=origin)",
            weights_dot=f"@ndimage.{_name}(x, dot, mode=mode, cval=cval, origin=origin)",
            )  # fmt: skip
for _name, _flipped in (("correlate1d", False), ("convolve1d", True)):
    _line = "along_line(weights, np.ndim(x), axis)"
    _at = "line_origin(origin, np.ndim(x), axis)"
    declare(f"ndimage.{_name}(x: 'input', weights, axis=-1, out: 'output'=None, mode='reflect', "
            "cval=0.0, origin=0)", refuses=_image_refusal,
            x=f"image_input(y_bar, {_line}, mode, {_at}, {_flipped})",
            weights=f"np.ravel(image_weights(y_bar, x, np.shape({_line}), mode, cval, {_at}, "
                    f"{_flipped}))",
            x_dot=f"@ndimage.{_name}(dot, weights, axis, mode=mode, origin=origin)",
            weights_dot=f"@ndimage.{_name}(x, dot, axis, mode=mode, cval=cval, origin=origin)",
            )  # fmt: skip
declare("ndimage.uniform_filter1d(x: 'input', size, axis=-1, out: 'output'=None, mode='reflect', "
        "cval=0.0, origin=0)", refuses=_image_refusal,
        x="image_input(y_bar, along_line(np.full(size, 1 / size), np.ndim(x), axis), mode, "
          "line_origin(origin, np.ndim(x), axis), False)",
        x_dot="@ndimage.uniform_filter1d(dot, size, axis, mode=mode, origin=origin)")  # fmt: skip
declare("ndimage.uniform_filter(x: 'input', size=3, out: 'output'=None, mode='reflect', cval=0.0, "
        "origin=0, *, axes=None)", refuses=_image_refusal,
        x="image_input(y_bar, box(size, np.ndim(x)), mode, origin, False)",
        x_dot="@ndimage.uniform_filter(dot, size, mode=mode, origin=origin)")  # fmt: skip
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
unknown("it has no rule yet", *(f"scipy.ndimage.{n}" for n in (
    "sobel", "prewitt",
    "laplace", "gaussian_laplace", "gaussian_gradient_magnitude", "maximum_filter",
    "minimum_filter", "median_filter", "percentile_filter", "rank_filter", "map_coordinates",
    "affine_transform", "rotate", "shift", "zoom", "spline_filter",
)))  # fmt: skip

# integrate
linear("scipy.integrate.trapezoid(f: 'y', x=None, dx=1.0, axis=-1)",
       f="trapezoid_pullback(y_bar, np.shape(f), x, dx, axis)",
       x="trapezoid_nodes(y_bar, f, x, axis)", f_dot="scipy.integrate.trapezoid(dot, x, dx, axis)",
       x_dot="scipy.integrate.trapezoid(f, dot, dx, axis)")  # fmt: skip
declare("integrate.cumulative_trapezoid(f: 'y', x=None, dx=1.0, axis=-1, initial=None)",
        f="cumulative_trapezoid_pullback(y_bar, x, dx, axis, initial)",
        f_dot="@integrate.cumulative_trapezoid(dot, x, dx, axis, initial)",
        x="cumulative_trapezoid_nodes(y_bar, f, np.shape(x), axis, initial)",
        x_dot="@integrate.cumulative_trapezoid(f, dot, dx, axis, initial)")  # fmt: skip
declare("integrate.simpson(f: 'y', x=None, *, dx=1.0, axis=-1)",
        f="simpson_pullback(y_bar, np.shape(f), x, dx, axis)",
        f_dot="@integrate.simpson(dot, x=x, dx=dx, axis=axis)",
        without={"x": "only the derivative with respect to the values has a rule"})  # fmt: skip
unknown("it calls a function of yours, which this rule cannot differentiate",
        *(f"scipy.integrate.{n}" for n in ("quad", "dblquad", "tplquad", "nquad", "quad_vec",
                                           "fixed_quad", "solve_ivp", "odeint", "solve_bvp")),
        "scipy.optimize.root", "scipy.optimize.root_scalar", "scipy.optimize.brentq",
        "scipy.optimize.newton", "scipy.optimize.bisect", "scipy.optimize.fixed_point",
        "scipy.optimize.fsolve", "scipy.optimize.minimize", "scipy.optimize.minimize_scalar",
        "scipy.optimize.least_squares", "scipy.optimize.curve_fit")  # fmt: skip
unknown("it has no rule yet", "scipy.integrate.cumulative_simpson", "scipy.integrate.romb")

# spatial
_METRICS = ("euclidean", "sqeuclidean", "cityblock")
_METRIC = _only(f"only the metrics {', '.join(_METRICS)} have a rule", metric=_METRICS)
declare("spatial.distance.cdist(XA, XB, metric='euclidean', *, out=None)", refuses=_METRIC,
        XA="cdist_pullback(y_bar, XA, XB, y, metric)",
        XB="cdist_pullback(y_bar.T, XB, XA, y.T, metric)",
        XA_dot="cdist_pushforward(dot, None, XA, XB, y, metric)",
        XB_dot="cdist_pushforward(None, dot, XA, XB, y, metric)")  # fmt: skip
declare("spatial.distance.pdist(X, metric='euclidean', *, out=None)", refuses=_METRIC,
        X="pdist_pullback(y_bar, X, y, metric)",
        X_dot="pdist_pushforward(dot, X, y, metric)")  # fmt: skip
for _name in ("euclidean", "sqeuclidean", "cityblock"):
    _slope = {"euclidean": "(u - v) / y", "sqeuclidean": "2 * (u - v)",
              "cityblock": "np.sign(u - v)"}[_name]  # fmt: skip
    declare(f"spatial.distance.{_name}(u, v, w=None)", u=f"y_bar * {_slope}",
            v=f"-y_bar * {_slope}", u_dot=f"np.sum(dot * {_slope})",
            v_dot=f"-np.sum(dot * {_slope})", refuses=_only("`w=` has no rule", w=(None,)),
            )  # fmt: skip
unknown("it has no rule yet", *(f"scipy.spatial.distance.{n}" for n in (
    "squareform", "canberra", "jensenshannon", "seuclidean", "directed_hausdorff",
)))  # fmt: skip
constant("scipy.signal.windows.get_window", "scipy.signal.butter", "scipy.signal.firwin",
         "scipy.signal.get_window", inert=())  # fmt: skip
