"""Functions of `scipy.signal`, in Python: spectra, and what changes the rate of a signal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import signal

from adtrans.runtime.fresh_updates import valued
from adtrans.runtime.with_scipy.written import as_computed, designed, one_of, steady


def powers(
    parts: Any, window: Any, fs: Any, nfft: Any, detrend: Any, one_sided: bool, scaling: str
) -> Any:  # fmt: skip
    """The power at each frequency of the last axis, for signals that are as long as a window."""
    weights = np.zeros(np.shape(parts)[-1])
    weights[:] = designed(weights_of, window, np.shape(parts)[-1])
    way = one_of("detrend", detrend, (False, "constant", "linear"))
    if way in ("constant", "linear"):
        parts = parts - np.mean(parts, axis=-1, keepdims=True)
    if way == "linear":
        times = np.arange(np.shape(parts)[-1]) - 0.5 * (np.shape(parts)[-1] - 1)
        slopes = np.sum(parts * times, axis=-1, keepdims=True) / np.sum(times * times)
        parts = parts - slopes * times
    n = np.shape(parts)[-1] if nfft is None else nfft
    scale = 1.0 / (fs * np.sum(weights * weights))
    if scaling == "spectrum":
        scale = 1.0 / np.sum(weights) ** 2
    if one_sided and not np.iscomplexobj(parts):
        found = np.fft.rfft(parts * weights, n)
        counts = np.ones(n // 2 + 1)
        counts[1 : (n + 1) // 2] = 2.0
        return np.abs(found) ** 2 * (scale * counts)
    return np.abs(np.fft.fft(parts * weights, n)) ** 2 * scale


def weights_of(window: Any, n: int) -> Any:
    """A window as an array."""
    named = window is None or isinstance(window, (str, tuple))
    return signal.get_window(window or "boxcar", n) if named else np.asarray(window)


def segment(n: int, window: Any, nperseg: Any) -> int:
    """How long the segments are."""
    if window is None or isinstance(window, (str, tuple)):
        return min(256 if nperseg is None else int(nperseg), n)
    return len(window)


def periodogram(
    x: Any, fs: Any = 1.0, window: Any = "boxcar", nfft: Any = None, detrend: Any = "constant",
    return_onesided: bool = True, scaling: str = "density", axis: int = -1,
) -> Any:  # fmt: skip
    """`scipy.signal.periodogram`, of real signals."""
    found = as_computed(signal.periodogram, x, fs, window, nfft, detrend, return_onesided,
                        scaling, axis)  # fmt: skip
    parts = np.moveaxis(np.asarray(x), axis, -1)
    if nfft is not None:
        parts = parts[..., :nfft]
    same = powers(parts, window, steady(fs), nfft, detrend, return_onesided, scaling)
    return found[0], valued(found[1], np.moveaxis(same, -1, axis).astype(parts.dtype))


def welch(
    x: Any, fs: Any = 1.0, window: Any = "hann", nperseg: Any = None, noverlap: Any = None,
    nfft: Any = None, detrend: Any = "constant", return_onesided: bool = True,
    scaling: str = "density", axis: int = -1,
) -> Any:  # fmt: skip
    """`scipy.signal.welch`, of real signals, the mean of the segments."""
    found = as_computed(signal.welch, x, fs, window, nperseg, noverlap, nfft, detrend,
                        return_onesided, scaling, axis)  # fmt: skip
    rows = np.moveaxis(np.asarray(x), axis, -1)
    long = int(designed(segment, np.shape(rows)[-1], window, nperseg))
    step = long - (long // 2 if noverlap is None else noverlap)
    parts = np.lib.stride_tricks.sliding_window_view(rows, long, axis=-1)[..., ::step, :]
    each = powers(parts, window, steady(fs), nfft, detrend, return_onesided, scaling)
    same = np.moveaxis(np.mean(each, axis=-2), -1, axis)
    return found[0], valued(found[1], same.astype(rows.dtype))


def medfilt2d(input: Any, kernel_size: Any = 3) -> Any:
    """`scipy.signal.medfilt2d`."""
    found = as_computed(signal.medfilt2d, input, kernel_size)
    return valued(found, signal.medfilt(input, kernel_size))


def decimate(
    x: Any, q: int, n: Any = None, ftype: str = "iir", axis: int = -1, zero_phase: bool = True
) -> Any:
    """`scipy.signal.decimate`."""
    found = as_computed(signal.decimate, x, q, n, ftype, axis, zero_phase)
    size = np.shape(x)[axis]
    if ftype == "fir":
        taps = designed(signal.firwin, (20 * q if n is None else n) + 1, 1.0 / q)
        if zero_phase:
            same = resample_poly(x, 1, q, axis, taps)
        else:
            same = np.take(signal.upfirdn(taps, x, 1, q, axis), np.arange(-(-size // q)), axis)
        return valued(found, same)
    sos = designed(signal.cheby1, 8 if n is None else n, 0.05, 0.8 / q, output="sos")
    if zero_phase:
        smooth = signal.sosfiltfilt(sos, x, axis=axis)
    else:
        smooth = signal.sosfilt(sos, x, axis=axis)
    return valued(found, np.take(smooth, np.arange(0, size, q), axis))


def resample_poly(
    x: Any, up: int, down: int, axis: int = 0, window: Any = ("kaiser", 5.0),
) -> Any:  # fmt: skip
    """`scipy.signal.resample_poly`, with zeros around the signal."""
    found = as_computed(signal.resample_poly, x, up, down, axis, window)
    common = math.gcd(up, down)
    if up == down:
        return valued(found, x * 1.0)
    up, down = up // common, down // common
    taps, first = designed(taps_between, window, up, down, np.shape(x)[axis])
    whole = signal.upfirdn(np.asarray(taps, float), x, up, down, axis)
    places = np.arange(first, first - (-np.shape(x)[axis] * up // down))
    return valued(found, np.take(whole, places, axis))


def taps_between(window: Any, up: int, down: int, size: int) -> Any:
    """The filter of `resample_poly`, and the first number of the signal in what comes out of it."""
    rate = max(up, down)
    if isinstance(window, (str, tuple)):
        taps = signal.firwin(20 * rate + 1, 1.0 / rate, window=window)
    else:
        taps = np.array(window)
    half = (len(taps) - 1) // 2
    before = down - half % down
    first = (half + before) // down
    last = (first - (-size * up // down) - 1) * down + 1 - (size - 1) * up - len(taps) - before
    return np.concatenate((np.zeros(before), taps * up, np.zeros(max(0, last)))), first


FUNCTIONS: tuple[tuple[object, Any], ...] = tuple(
    (getattr(signal, made.__name__), made)
    for made in (decimate, medfilt2d, periodogram, resample_poly, welch)
)
