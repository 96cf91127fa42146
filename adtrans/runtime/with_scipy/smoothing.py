"""Adjoints of filters that go forwards and backwards, and of filters by local polynomials.

>>> g = np.array([0.0, 1.0, 0.0])
>>> filtfilt_pullback(g, np.array([0.5]), np.ones(1), -1, "odd", 1)
array([0.  , 0.25, 0.  ])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.signal

from adtrans.runtime.with_scipy.filters import image_input


def filtfilt_pullback(g: Any, b: Any, a: Any, axis: int, padtype: Any, padlen: Any) -> Any:
    """The adjoint of the signal of `scipy.signal.filtfilt`, by Gustafsson's description (1996)."""
    taps = max(len(np.atleast_1d(a)), len(np.atleast_1d(b)))
    state = scipy.signal.lfilter_zi(b, a) if taps > 1 else np.zeros(0)

    def run(x: Any, zi: Any = None) -> Any:
        if zi is None or not len(zi):
            return scipy.signal.lfilter(b, a, x)
        return scipy.signal.lfilter(b, a, x, zi=zi)[0]

    return _there_and_back(g, run, state, axis, padtype, 3 * taps if padlen is None else padlen)


def sosfiltfilt_pullback(g: Any, sos: Any, axis: int, padtype: Any, padlen: Any) -> Any:
    """The adjoint of the signal of `scipy.signal.sosfiltfilt`."""
    sos = np.asarray(sos)
    taps = 2 * len(sos) + 1 - min(int(np.sum(sos[:, k] == 0)) for k in (2, 5))
    state = scipy.signal.sosfilt_zi(sos)

    def run(x: Any, zi: Any = None) -> Any:
        if zi is None:
            return scipy.signal.sosfilt(sos, x)
        return scipy.signal.sosfilt(sos, x, zi=zi)[0]

    return _there_and_back(g, run, state, axis, padtype, 3 * taps if padlen is None else padlen)


def _there_and_back(
    g: Any, run: Callable[..., Any], state: Any, axis: int, padtype: Any, edge: int
) -> Any:
    """The transposes of the steps, last to first: cut, filter, turn, filter, turn, extend."""
    edge = 0 if padtype is None else edge
    g = np.moveaxis(g, axis, -1)
    n = g.shape[-1]
    whole = np.zeros((*g.shape[:-1], n + 2 * edge), g.dtype)
    whole[..., edge : edge + n] = g
    start = run(np.zeros(n + 2 * edge), state)  # what the state that a step begins with adds

    def back(cotangent: Any) -> Any:
        out = np.flip(run(np.flip(cotangent, -1)), -1)
        out[..., 0] += cotangent @ start
        return out

    whole = back(np.flip(back(np.flip(whole, -1)), -1))
    out = whole[..., edge : edge + n].copy()
    left, right = whole[..., :edge], whole[..., edge + n :]
    if padtype in ("odd", "even"):
        sign = -1.0 if padtype == "odd" else 1.0
        out[..., 1 : edge + 1] += sign * left[..., ::-1]
        out[..., n - 1 - edge : n - 1] += sign * right[..., ::-1]
    weight = {"odd": 2.0, "constant": 1.0}.get(padtype, 0.0)
    out[..., 0] += weight * np.sum(left, axis=-1)
    out[..., -1] += weight * np.sum(right, axis=-1)
    return np.moveaxis(out, -1, axis)


def savgol_pullback(
    g: Any, window: int, order: int, deriv: int, delta: float, axis: int, mode: str
) -> Any:
    """The adjoint of `scipy.signal.savgol_filter`.

    Each number is made of those within a window. So one signal with ones that are further apart
    than that shows the columns of all of them, and as many signals as a window is wide all columns.

    >>> savgol_pullback(np.array([0.0, 3.0, 0.0, 0.0]), 3, 0, 0, 1.0, -1, "nearest")
    array([1., 1., 1., 0.])
    """
    if mode == "wrap":
        line = scipy.signal.savgol_coeffs(window, order, deriv=deriv, delta=delta)
        return image_input(g, along_line(line, np.ndim(g), axis), mode, 0, True)
    g = np.moveaxis(g, axis, -1)
    n, apart = g.shape[-1], 2 * window + 1
    out = np.zeros_like(g)
    for first in range(min(apart, n)):
        ones = np.zeros(n)
        ones[first::apart] = 1.0
        shown = g * scipy.signal.savgol_filter(ones, window, order, deriv, delta, -1, mode)
        starts = np.maximum(np.arange(first, n, apart) - window, 0)
        out[..., first::apart] = np.add.reduceat(shown, starts, axis=-1)
    return np.moveaxis(out, -1, axis)


def along_line(weights: Any, ndim: int, axis: int) -> Any:
    """Weights along one axis, as weights of an image."""
    shape = [1] * ndim
    shape[axis] = -1
    return np.reshape(weights, shape)


def line_origin(origin: int, ndim: int, axis: int) -> tuple[int, ...]:
    """The origin of such weights."""
    axis %= ndim
    return tuple(origin if k == axis else 0 for k in range(ndim))


def over_axes(weights: Any, ndim: int, axes: Any) -> Any:
    """Weights along some axes, in the order in which these stand, as weights of an image.

    >>> np.shape(over_axes(np.ones((2, 3)), 3, (2, 0)))
    (2, 1, 3)
    """
    along = _along(ndim, axes)
    return np.expand_dims(weights, tuple(k for k in range(ndim) if k not in along))


def said_over(values: Any, ndim: int, axes: Any, fill: Any) -> tuple[Any, ...]:
    """What is said for some axes, or for each of these, for all axes.

    >>> said_over((1, 2), 3, (2, 0), 0)
    (2, 0, 1)
    """
    along = _along(ndim, axes)
    one = isinstance(values, str) or np.ndim(values) == 0
    said = [values] * len(along) if one else list(values)
    found = [fill] * ndim
    for k, value in zip(along, said, strict=True):
        found[k] = value
    return tuple(found)


def origin_over(origin: Any, ndim: int, axes: Any) -> tuple[Any, ...]:
    """The origin of weights along some axes; where these are all, SciPy takes them as they stand.
    """
    every = len(_along(ndim, axes)) == ndim
    return said_over(origin, ndim, None if every else axes, 0)


def _along(ndim: int, axes: Any) -> list[int]:
    return [int(k) % ndim for k in np.atleast_1d(range(ndim) if axes is None else axes)]


def box(size: Any, ndim: int, axes: Any = None) -> Any:
    """The weights of `scipy.ndimage.uniform_filter`."""
    sizes = said_over(size, ndim, axes, 1)
    return np.full(sizes, 1.0 / np.prod(sizes))
