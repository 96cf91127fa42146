"""Adjoints of the cosine and sine transforms of `scipy.fft`.

With the conventions of SciPy the transposes are, for a factor `w` on the first or last element,
II^T = III w, III^T = II / w, and IV is symmetric, so is I of sines; for I of cosines the ends count
once and the others twice.

>>> cosines_adjoint(np.array([1.0, 0.0]), (2,), 2, None, -1, None, "dct")
array([2., 2.])
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.fft


def _fitted(g: Any, n: int, axis: int) -> Any:
    """The adjoint of cutting off, or adding zeros, to a length."""
    have = np.shape(g)[axis]
    if have >= n:
        return np.take(g, np.arange(n), axis)
    pad = [(0, 0)] * np.ndim(g)
    pad[axis] = (0, n - have)
    return np.pad(g, pad)


def _weighted(g: Any, axis: int, at: int, factor: float) -> Any:
    g = g.copy()
    where: list[Any] = [slice(None)] * np.ndim(g)
    where[axis] = at
    g[tuple(where)] *= factor
    return g


def _transposed(g: Any, kind: int, axis: int, name: str) -> Any:
    """The transpose of a transform without factors."""
    plain = scipy.fft.dct if name == "dct" else scipy.fft.dst
    at = 0 if name == "dct" else -1
    if kind == 2:
        return plain(_weighted(g, axis, at, 2.0), 3, axis=axis)
    if kind == 3:
        return _weighted(plain(g, 2, axis=axis), axis, at, 0.5)
    if kind == 1 and name == "dct":
        halves = 0.5 * _weighted(_weighted(g, axis, 0, 2.0), axis, -1, 2.0)
        found = plain(halves, 1, axis=axis)
        return 2.0 * _weighted(_weighted(found, axis, 0, 0.5), axis, -1, 0.5)
    return plain(g, kind, axis=axis)


def cosines_adjoint(
    g: Any, shape: tuple[int, ...], kind: int, n: Any, axis: int, norm: Any, name: str,
    orthogonalize: Any = None,
) -> Any:  # fmt: skip
    """The adjoint of `scipy.fft.dct`, `idct`, `dst` or `idst` along one axis."""
    inverse, name = name.startswith("i"), name.removeprefix("i")
    back = {1: 1, 2: 3, 3: 2, 4: 4}
    norm = norm or "backward"
    kind = back[int(kind)] if inverse else int(kind)
    longer = {("dct", 1): -1, ("dst", 1): 1}.get((name, kind), 0)
    size = 2.0 * (np.shape(g)[axis] + longer)
    power = -0.5 if norm == "ortho" else -float((norm == "backward") == inverse)
    if norm == "ortho" if orthogonalize is None else orthogonalize:
        plain = scipy.fft.dct if name == "dct" else scipy.fft.dst
        found, power = plain(g, back[kind], axis=axis, norm="ortho"), power + 0.5
    else:
        found = _transposed(g, kind, axis, name)
    found = found * size**power if power else found
    return _fitted(found, shape[axis], axis)


def many_cosines_adjoint(
    g: Any, shape: tuple[int, ...], kind: int, s: Any, axes: Any, norm: Any, name: str,
    orthogonalize: Any = None,
) -> Any:  # fmt: skip
    """The adjoint of `dctn` and its like: one axis after the other."""
    if axes is None:
        count = len(shape) if s is None else len(np.atleast_1d(s))
        axes = range(len(shape) - count, len(shape))
    for axis in np.atleast_1d(axes):
        axis = int(axis)
        g = cosines_adjoint(g, shape, kind, None, axis, norm, name, orthogonalize)
    return g
