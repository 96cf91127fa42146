"""Adjoints of the discrete Fourier transforms.

A transform is a matrix `F`; its adjoint is the conjugate transpose, which is the transform in the
other direction with the scaling exchanged. Results are cut, or filled with zeros, to the shape of
the operand, because the transform did the opposite.

>>> dft_adjoint(np.array([1.0, 0.0]), (2,), None, -1, None, True)
array([1.+0.j, 1.+0.j])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError


def _other(norm: Any) -> Any:
    """The scaling of the transform in the other direction."""
    if norm == "ortho":
        return "ortho"
    return "backward" if norm == "forward" else "forward"


def _axes(ndim: int, s: Any, axes: Any) -> list[int]:
    """The axes of a transform; one axis may be given as a number, with one size."""
    if axes is None:
        return list(range(ndim)) if s is None else list(range(ndim - len(s), ndim))
    found = [int(k) % ndim for k in np.atleast_1d(axes)]
    if len(set(found)) < len(found):
        raise DerivativeError("an axis is transformed twice by one call", code="AD601")
    return found


def _fitted(a: Any, shape: tuple[int, ...]) -> Any:
    """`a`, each axis cut or filled with zeros at its end."""
    found = a[tuple([slice(0, n) for n in shape])]
    missing = [(0, n - m) for n, m in zip(shape, found.shape, strict=True)]
    return np.pad(found, missing) if any(after for _, after in missing) else found


def dft_adjoint(g: Any, shape: tuple[int, ...], s: Any, axes: Any, norm: Any, forward: bool) -> Any:
    """The adjoint of `np.fft.fftn` (`forward`) or `np.fft.ifftn`; one axis is a special case."""
    along = _axes(len(shape), s, axes)
    other = _other(norm)
    found = np.fft.ifftn(g, None, along, other) if forward else np.fft.fftn(g, None, along, other)
    return _fitted(found, shape)


def half_dft_adjoint(g: Any, shape: tuple[int, ...], s: Any, axes: Any, norm: Any) -> Any:
    """The adjoint of `np.fft.rfftn`, which keeps one half of the last axis: it is real."""
    along = _axes(len(shape), s, axes)
    sizes = [shape[k] for k in along] if s is None else [int(n) for n in np.atleast_1d(s)]
    return _fitted(np.real(np.fft.ifftn(g, sizes, along, _other(norm))), shape)


def irfft_adjoint(g: Any, shape: tuple[int, ...], axes: Any, norm: Any) -> Any:
    """The adjoint of `np.fft.irfftn`: all frequencies but the first and the middle count twice."""
    along = _axes(len(shape), None, axes)
    found = np.fft.rfftn(g, axes=along, norm=_other(norm))
    last, n = along[-1], np.shape(g)[along[-1]]
    weights = np.full(n // 2 + 1, 2.0)
    weights[0] = 1.0
    if n % 2 == 0:
        weights[-1] = 1.0
    form = [-1 if k == last else 1 for k in range(len(shape))]
    return _fitted(found * np.reshape(weights, form), shape)


def dft_again(g: Any, s: Any, axes: Any, norm: Any, forward: bool) -> Any:
    """`np.fft.fftn` (`forward`) or `np.fft.ifftn`, along one axis or several."""
    at, sizes = _several(s, axes)
    return np.fft.fftn(g, sizes, at, norm) if forward else np.fft.ifftn(g, sizes, at, norm)


def half_dft_again(g: Any, s: Any, axes: Any, norm: Any) -> Any:
    """`np.fft.rfftn`, along one axis or several."""
    at, sizes = _several(s, axes)
    return np.fft.rfftn(g, sizes, at, norm)


def irfft_again(g: Any, shape: tuple[int, ...], axes: Any, norm: Any) -> Any:
    """`np.fft.irfftn` with a result of this shape, along one axis or several."""
    at = _axes(len(shape), None, axes)
    return np.fft.irfftn(g, [shape[k] for k in at], at, norm)


def _several(s: Any, axes: Any) -> tuple[list[int] | None, list[int] | None]:
    """Axes and sizes as lists."""
    at = None if axes is None else [int(k) for k in np.atleast_1d(axes)]
    return at, None if s is None else [int(n) for n in np.atleast_1d(s)]


def direction(z: Any) -> Any:
    """`z / abs(z)`, and 0 at 0: the slope of `abs`.

    >>> direction(np.array([3.0 + 4.0j, 0.0]))
    array([0.6+0.8j, 0. +0.j ])
    """
    size = np.abs(z)
    return np.where(size == 0, 0.0, z / np.where(size == 0, 1.0, size))[()]
