"""Adjoints of convolutions and filters of `scipy.signal` and `scipy.ndimage`.

>>> convolve_first(np.array([1.0, 0.0, 0.0]), (2,), np.array([3.0, 5.0]), "full")
array([3., 0.])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.ndimage
import scipy.signal


def _in_full(g: Any, first: tuple[int, ...], second: tuple[int, ...], mode: str) -> Any:
    """`g` at its place in the full convolution of arrays of these shapes."""
    full = [n + m - 1 for n, m in zip(first, second, strict=True)]
    if mode == "full":
        return g
    whole = np.zeros(full, g.dtype)
    if mode == "valid":
        starts = [min(n, m) - 1 for n, m in zip(first, second, strict=True)]
    else:
        starts = [(m if mode == "late" else m - 1) // 2 for m in second]
    whole[tuple(slice(s, s + n) for s, n in zip(starts, g.shape, strict=True))] = g
    return whole


def convolve_first(g: Any, shape: tuple[int, ...], other: Any, mode: str) -> Any:
    """The adjoint of the first operand of a convolution."""
    return scipy.signal.correlate(_in_full(g, shape, np.shape(other), mode), other, "valid")


def convolve_second(g: Any, other: Any, shape: tuple[int, ...], mode: str) -> Any:
    """The adjoint of the second operand of a convolution."""
    return scipy.signal.correlate(_in_full(g, np.shape(other), shape, mode), other, "valid")


def correlate_first(g: Any, shape: tuple[int, ...], other: Any, mode: str) -> Any:
    """The adjoint of the first operand of a correlation."""
    return convolve_first(g, shape, np.flip(other), mode)


def correlate_second(g: Any, other: Any, shape: tuple[int, ...], mode: str) -> Any:
    """The adjoint of the second operand of a correlation."""
    return np.flip(convolve_second(g, other, shape, mode))


def correlate2d_first(g: Any, shape: tuple[int, ...], other: Any, mode: str) -> Any:
    """The adjoint of the first operand of `correlate2d`, which has another middle: of two places in
    the middle of an operand of even size, it takes the later one."""
    return correlate_first(g, shape, other, "late" if mode == "same" else mode)


def correlate2d_second(g: Any, other: Any, shape: tuple[int, ...], mode: str) -> Any:
    """The adjoint of the second operand of `correlate2d`."""
    return correlate_second(g, other, shape, "late" if mode == "same" else mode)


def bounded_first(
    g: Any, shape: tuple[int, ...], other: Any, mode: str, boundary: str, turned: bool
) -> Any:
    """The adjoint of the first operand of `convolve2d`, which goes on beyond its `boundary`;
    `turned`: of `correlate2d`."""
    if mode == "valid":  # the one that is not larger is moved inside of the other one
        return (correlate2d_first if turned else convolve_first)(g, shape, other, mode)
    w = np.flip(other) if turned else np.asarray(other)
    whole = _in_full(g, shape, w.shape, "late" if turned and mode == "same" else mode)
    found = scipy.signal.correlate(whole, w, "full")
    for axis, m in enumerate(w.shape):
        found = _folded(found, axis, m - 1, m - 1, _BEYOND[boundary])
    return found


def bounded_second(
    g: Any, x: Any, shape: tuple[int, ...], fill: Any, mode: str, boundary: str, turned: bool
) -> Any:
    """The adjoint of the second operand of `convolve2d`."""
    if mode == "valid":
        return (correlate2d_second if turned else convolve_second)(g, x, shape, mode)
    whole = _in_full(g, np.shape(x), shape, "late" if turned and mode == "same" else mode)
    moved = np.asarray(x) - fill if boundary == "fill" else np.asarray(x)
    for axis, m in enumerate(shape):
        moved = _extended(moved, axis, m - 1, m - 1, _BEYOND[boundary])
    found = scipy.signal.correlate(moved + fill if boundary == "fill" else moved, whole, "valid")
    return found if turned else np.flip(found)


_BEYOND = {"fill": "constant", "wrap": "wrap", "symm": "reflect"}


def convolve_along(
    g: Any, shape: tuple[int, ...], other: Any, mode: str, axes: Any, first: bool
) -> Any:
    """The adjoint of one operand, of this shape, of `scipy.signal.fftconvolve(axes=...)`: along
    other axes it multiplies, and one of length 1 is stretched; `first`: of the first operand."""
    ndim, sizes = len(shape), np.shape(other)
    if 0 in (*shape, *sizes):
        return np.zeros(shape, g.dtype)
    if not ndim:
        return g * other
    along = tuple(sorted(
        {int(k) % ndim for k in np.atleast_1d(axes)} - {k for k in range(ndim)
                                                        if 1 in (shape[k], sizes[k])}
    ))  # fmt: skip
    full = [n + m - 1 if k in along else max(n, m)
            for k, (n, m) in enumerate(zip(shape, sizes, strict=True))]  # fmt: skip
    starts = [0] * ndim
    if mode == "same":
        kept = shape if first else sizes
        starts = [(n - m) // 2 for n, m in zip(full, kept, strict=True)]
    elif mode == "valid":
        starts = [min(shape[k], sizes[k]) - 1 if k in along else 0 for k in range(ndim)]
    whole = np.zeros(full, g.dtype)
    whole[tuple(slice(s, s + n) for s, n in zip(starts, g.shape, strict=True))] = g
    if along:
        found = scipy.signal.fftconvolve(whole, np.flip(other, along), "full", axes=along)
        found = found[tuple(slice(m - 1, m - 1 + n) if k in along else slice(None)
                            for k, (n, m) in enumerate(zip(shape, sizes, strict=True)))]
    else:
        found = whole * other
    stretched = tuple(k for k in range(ndim) if shape[k] == 1)
    return np.sum(found, axis=stretched, keepdims=True)


def lfilter_back(g: Any, a: Any, axis: int) -> Any:
    """What the recursive part of a filter does to a cotangent: the same, backwards in time."""
    back = scipy.signal.lfilter(np.ones(1), a, np.flip(g, axis), axis)
    return np.flip(back, axis)


def lfilter_x(g: Any, b: Any, a: Any, axis: int) -> Any:
    """The adjoint of the signal of `scipy.signal.lfilter`."""
    return np.flip(scipy.signal.lfilter(b, a, np.flip(g, axis), axis), axis)


def lagged(back: Any, x: Any, n: int, axis: int) -> Any:
    """The sums of `back[t] * x[t - k]` over time, and over all signals, for `k < n`."""
    back, x = np.moveaxis(back, axis, -1), np.moveaxis(x, axis, -1)
    length = np.shape(x)[-1]
    found = np.zeros(n, back.dtype)
    for k in range(min(n, length)):
        found[k] = np.sum(back[..., k:] * x[..., : length - k])
    return found


def lfilter_b(g: Any, shape: tuple[int, ...], a: Any, x: Any, axis: int) -> Any:
    """The adjoint of the numerator of `scipy.signal.lfilter`, which may be a number."""
    found = lagged(lfilter_back(g, a, axis), x, shape[0] if shape else 1, axis)
    return found if shape else found[0]


def lfilter_a(g: Any, a: Any, y: Any, axis: int) -> Any:
    """The adjoint of the denominator of `scipy.signal.lfilter`, whose result is `y`."""
    found = -lagged(lfilter_back(g, a, axis), y, np.size(a), axis)
    return found if np.ndim(a) else found[0]


def lfilter_a_pushforward(t: Any, a: Any, y: Any, axis: int) -> Any:
    """The tangent of `scipy.signal.lfilter` for the denominator."""
    return -scipy.signal.lfilter(np.ones(1), a, scipy.signal.lfilter(t, np.ones(1), y, axis), axis)


_PAD: dict[str, Any] = {
    "reflect": "symmetric", "grid-mirror": "symmetric", "mirror": "reflect", "nearest": "edge",
    "wrap": "wrap", "grid-wrap": "wrap", "constant": "constant", "grid-constant": "constant",
}  # fmt: skip


def _sources(n: int, before: int, after: int, mode: str) -> Any:
    """Where each element of an extended axis comes from; -1 for what is filled in."""
    if mode in ("constant", "grid-constant"):
        return np.pad(np.arange(n), (before, after), constant_values=-1)
    return np.pad(np.arange(n), (before, after), mode=_PAD[mode])


def _extended(x: Any, axis: int, before: int, after: int, mode: str) -> Any:
    source = _sources(np.shape(x)[axis], before, after, mode)
    shape = [-1 if k == axis else 1 for k in range(np.ndim(x))]
    taken = np.take(x, np.maximum(source, 0), axis)
    return np.where(np.reshape(source >= 0, shape), taken, 0.0)


def _folded(g: Any, axis: int, before: int, after: int, mode: str) -> Any:
    """The adjoint of extending an axis."""
    n = np.shape(g)[axis] - before - after
    source = _sources(n, before, after, mode)
    rows = np.moveaxis(g, axis, 0)
    found = np.zeros((n, *rows.shape[1:]), g.dtype)
    np.add.at(found, source[source >= 0], rows[source >= 0])
    return np.moveaxis(found, 0, axis)


def _margins(size: int, origin: int) -> tuple[int, int]:
    return size // 2 + origin, size - 1 - size // 2 - origin


def _origins(origin: Any, ndim: int) -> Any:
    return [origin] * ndim if np.ndim(origin) == 0 else list(origin)


def image_input(g: Any, weights: Any, mode: Any, origin: Any, flipped: bool) -> Any:
    """The adjoint of the image of `scipy.ndimage.correlate`; `flipped`: of `convolve`."""
    if not np.size(g):
        return np.zeros_like(g)
    w = np.flip(weights) if flipped else np.asarray(weights)
    origins = _origins(origin, w.ndim)
    margins = [_moved(n, o, flipped) for n, o in zip(w.shape, origins, strict=True)]
    found = scipy.signal.convolve(np.asarray(g, np.result_type(g, w)), w, "full")
    modes = [mode] * w.ndim if isinstance(mode, str) else list(mode)
    for axis, (before, after) in enumerate(margins):
        found = _folded(found, axis, before, after, modes[axis])
    return found.astype(g.dtype, copy=False)


def _moved(n: int, origin: int, flipped: bool) -> tuple[int, int]:
    """How far the weights reach before and after an element; a convolution turns them round."""
    if not flipped:
        return _margins(n, origin)
    return _margins(n, -origin - (1 if n % 2 == 0 else 0))


def image_weights(
    g: Any, x: Any, shape: tuple[int, ...], mode: str, cval: float, origin: Any, flipped: bool
) -> Any:
    """The adjoint of the weights of `scipy.ndimage.correlate`; `flipped`: of `convolve`."""
    if not np.size(g):
        return np.zeros(shape, np.result_type(g))
    origins = _origins(origin, len(shape))
    moved = np.asarray(x) - cval if mode in ("constant", "grid-constant") else np.asarray(x)
    for axis, (n, o) in enumerate(zip(shape, origins, strict=True)):
        moved = _extended(moved, axis, *_moved(n, o, flipped), mode)
    if mode in ("constant", "grid-constant"):
        moved = moved + cval
    found = scipy.signal.correlate(moved, g, "valid")
    return np.flip(found) if flipped else found


def _reversed_line(g: Any, weights: Any, axis: int, mode: str) -> Any:
    """The adjoint of one line filter that reaches equally far to both sides."""
    reach = len(weights) // 2
    rows = np.moveaxis(g, axis, -1)
    full = np.zeros((*rows.shape[:-1], rows.shape[-1] + 2 * reach), g.dtype)
    for k, w in enumerate(weights):
        full[..., k : k + rows.shape[-1]] += w * rows
    return np.moveaxis(_folded(full, full.ndim - 1, reach, reach, mode), -1, axis)


def gaussian_pullback(
    g: Any, sigma: Any, order: Any, mode: Any, truncate: float, radius: Any, axes: Any
) -> Any:
    """The adjoint of `scipy.ndimage.gaussian_filter`: its line filters transposed, last first."""
    ndim = np.ndim(g)
    if not np.size(g):
        return np.zeros_like(g)
    along = list(range(ndim)) if axes is None else [int(k) % ndim for k in np.atleast_1d(axes)]
    n = len(along)

    def each(value: Any) -> list[Any]:
        return [value] * n if isinstance(value, str) or np.ndim(value) == 0 else list(value)

    radii = each(radius) if radius is not None else [None] * n
    steps = list(zip(along, each(sigma), each(order), each(mode), radii, strict=True))
    for axis, s, o, m, r in reversed(steps):
        if s <= 1e-15:
            continue
        reach = int(truncate * float(s) + 0.5) if r is None else int(r)
        impulse = np.zeros(2 * reach + 1)
        impulse[reach] = 1.0
        line = scipy.ndimage.gaussian_filter1d(
            impulse, s, order=o, mode="constant", truncate=truncate, radius=r
        )
        g = _reversed_line(g, line[::-1], axis, m)
    return g
