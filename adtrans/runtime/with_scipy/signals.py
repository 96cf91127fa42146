"""Adjoints of what `scipy.signal` does to whole signals: resampling, analytic signals, spectra.

>>> upfirdn_pullback(np.array([1.0, 2.0, 3.0]), np.array([1.0]), (3,), 1, 1, -1)
array([1., 2., 3.])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.fft
import scipy.signal


def analytic_pullback(g: Any, shape: tuple[int, ...], n: Any, axis: int) -> Any:
    """The adjoint of `scipy.signal.hilbert`: a transform, factors, and the transform back."""
    have = shape[axis]
    n = have if n is None else n
    factors = np.zeros(n)
    factors[0] = 1.0
    factors[1 : (n + 1) // 2] = 2.0
    if n % 2 == 0:
        factors[n // 2] = 1.0
    lined = np.reshape(factors, [-1 if k == axis % len(shape) else 1 for k in range(len(shape))])
    back = scipy.fft.ifft(scipy.fft.fft(g, axis=axis) * lined, axis=axis)
    found = np.real(np.take(back, np.arange(min(n, have)), axis))
    pad = [(0, 0)] * len(shape)
    pad[axis] = (0, max(have - n, 0))
    return np.pad(found, pad)


def resample_pullback(g: Any, shape: tuple[int, ...], axis: int) -> Any:
    """The adjoint of `scipy.signal.resample`: the frequencies that both have, transformed back.

    It doubles the frequency that the ends of a spectrum share where there are fewer numbers
    afterwards, and halves it where there are more, which is what the real transform does back.
    """
    axis = axis if len(shape) > 1 else 0  # of one dimension SciPy takes any
    n, have = shape[axis], np.shape(g)[axis]
    spectrum = scipy.fft.rfft(np.moveaxis(g, axis, -1))[..., : min(have, n) // 2 + 1]
    return np.moveaxis(scipy.fft.irfft(spectrum, n), -1, axis)


def _at_full_rate(g: Any, size: int, down: int, axis: int) -> Any:
    """A cotangent where `scipy.signal.upfirdn` has not dropped anything, along the last axis."""
    lines = np.moveaxis(g, axis, -1)
    full = np.zeros((*lines.shape[:-1], size), lines.dtype)
    full[..., : lines.shape[-1] * down : down] = lines[..., : -(-size // down)]
    return full


def upfirdn_filter(
    g: Any, shape: tuple[int, ...], x: Any, up: int, down: int, axis: int
) -> Any:
    """The adjoint of the filter of `scipy.signal.upfirdn`."""
    lines = np.moveaxis(x, axis, -1)
    reach = (lines.shape[-1] - 1) * up
    full = _at_full_rate(g, reach + shape[0], down, axis)
    return np.array(
        [np.sum(full[..., k : k + reach + 1 : up] * lines) for k in range(shape[0])], full.dtype
    )


def upfirdn_pullback(
    g: Any, h: Any, shape: tuple[int, ...], up: int, down: int, axis: int
) -> Any:
    """The adjoint of the signal of `scipy.signal.upfirdn`: zeros between, filter, keep some."""
    n = shape[axis]
    full = _at_full_rate(g, (n - 1) * up + len(h), down, axis)
    found = scipy.signal.upfirdn(np.asarray(h)[::-1], full, axis=-1)
    found = found[..., len(h) - 1 :: up][..., :n]
    return np.moveaxis(found, -1, axis)


def chosen_medians(x: Any, size: Any) -> Any:
    """For each element the flat place of the one that `scipy.signal.medfilt` puts there; -1 for
    the zeros around. Of equal elements the first."""
    sizes = [3] * np.ndim(x) if size is None else list(np.broadcast_to(size, np.ndim(x)))
    pad = [(k // 2, k // 2) for k in sizes]
    values = np.pad(np.asarray(x), pad)
    places = np.pad(np.reshape(np.arange(np.size(x)), np.shape(x)), pad, constant_values=-1)
    view = np.lib.stride_tricks.sliding_window_view
    windows = np.reshape(view(values, sizes), (*np.shape(x), -1))
    order = np.argsort(windows, axis=-1, kind="stable")
    middle = order[..., windows.shape[-1] // 2]
    around = np.reshape(view(places, sizes), windows.shape)
    return np.take_along_axis(around, middle[..., None], -1)[..., 0]


def medfilt_pullback(g: Any, x: Any, size: Any) -> Any:
    """The adjoint of `scipy.signal.medfilt`."""
    chosen = chosen_medians(x, size)
    found = np.zeros(np.size(x), g.dtype)
    np.add.at(found, chosen[chosen >= 0], g[chosen >= 0])
    return np.reshape(found, np.shape(x))


def medfilt_pushforward(t: Any, x: Any, size: Any) -> Any:
    """The tangent of `scipy.signal.medfilt`."""
    chosen = chosen_medians(x, size)
    return np.where(chosen >= 0, np.ravel(t)[np.maximum(chosen, 0)], 0.0)


def sections_pullback(g: Any, sos: Any, shape: tuple[int, ...], axis: int) -> Any:
    """The adjoints of the signal and of the first states of `sosfilt(sos, x, axis, zi)`; `g`: those
    of the filtered signal and of the last states: one section after the other, last to first."""
    signal, states = g[0], []
    for k in range(len(sos) - 1, -1, -1):
        last = None if g[1] is None else g[1][k]
        signal, state = state_pullback((signal, last), sos[k, :3], sos[k, 3:], shape, axis)
        states.append(state)
    return signal, np.stack(states[::-1])


def state_pullback(g: Any, b: Any, a: Any, shape: tuple[int, ...], axis: int) -> Any:
    """The adjoints of the signal and of the first state of `lfilter(b, a, x, axis, zi)`; `g`: those
    of the filtered signal and of the last state.

    A step is `y = b0 x + s0`, `s_k <- s_{k+1} + b_{k+1} x - a_{k+1} y`: it is reversed, from the
    last to the first.
    """
    n = max(len(b), len(a))
    b, a = np.pad(b, (0, n - len(b))) / a[0], np.pad(a, (0, n - len(a))) / a[0]
    lines = np.moveaxis(np.zeros(shape) if g[0] is None else g[0], axis, -1)
    state = np.zeros((*lines.shape[:-1], n - 1))
    if g[1] is not None:
        state += np.moveaxis(g[1], axis, -1)
    found = np.zeros(lines.shape)
    for t in range(lines.shape[-1] - 1, -1, -1):
        out = lines[..., t] - state @ a[1:]
        found[..., t] = state @ b[1:] + b[0] * out
        state[..., 1:] = state[..., :-1].copy()
        state[..., 0] = out
    return np.moveaxis(found, -1, axis), np.moveaxis(state, -1, axis)


def state_coefficients(g: Any, b: Any, a: Any, x: Any, y: Any, axis: int) -> tuple[Any, Any]:
    """The adjoints of the coefficients of `y, _ = lfilter(b, a, x, axis, zi)`: a step, reversed as
    by `state_pullback`, gives each coefficient what it was multiplied with."""
    n = max(len(b), len(a))
    scaled_b, scaled_a = np.pad(b, (0, n - len(b))) / a[0], np.pad(a, (0, n - len(a))) / a[0]
    x, y = np.moveaxis(x, axis, -1), np.moveaxis(y, axis, -1)
    lines = np.zeros(x.shape) if g[0] is None else np.moveaxis(g[0], axis, -1)
    state = np.zeros((*lines.shape[:-1], n - 1))
    if g[1] is not None:
        state += np.moveaxis(g[1], axis, -1)
    by_b, by_a = np.zeros(n), np.zeros(n)
    for t in range(lines.shape[-1] - 1, -1, -1):
        out = lines[..., t] - state @ scaled_a[1:]
        by_b[0] += np.sum(out * x[..., t])
        for k in range(n - 1):
            by_b[k + 1] += np.sum(state[..., k] * x[..., t])
            by_a[k + 1] -= np.sum(state[..., k] * y[..., t])
        state[..., 1:] = state[..., :-1].copy()
        state[..., 0] = out
    by_a[0] = -np.sum(by_b * scaled_b) - np.sum(by_a * scaled_a)
    return by_b[: len(b)] / a[0], by_a[: len(a)] / a[0]


def state_denominator(t: Any, b: Any, a: Any, x: Any, y: Any, axis: int, zi: Any) -> Any:
    """The tangent of `y, z = lfilter(b, a, x, axis, zi)` for the denominator."""
    n = max(len(b), len(a))
    padded, moved = np.pad(a, (0, n - len(a))), np.pad(t, (0, n - len(a)))
    scale, rest = t[0] / a[0], np.zeros_like(zi)
    by_b = scipy.signal.lfilter(-b * scale, padded, x, axis, rest)
    by_a = scipy.signal.lfilter(padded * scale - moved, padded, y, axis, rest)
    return by_b[0] + by_a[0], by_b[1] + by_a[1]
