"""Adjoints and tangents of some of the eigenvalues and eigenvectors of a symmetric matrix.

An eigenvector turns towards all others, also towards those that were not asked for: the formulas of
`spectral` are those for all of them.

>>> a = np.diag([1.0, 2.0, 4.0])
>>> eigvalsh_part_pullback(np.array([1.0]), a, np.array([2.0]), "L")
array([[0., 0., 0.],
       [0., 1., 0.],
       [0., 0., 0.]])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from adtrans.runtime.phases import complex_eigh_pullback, complex_eigh_pushforward
from adtrans.runtime.spectral import eigh_pullback, eigh_pushforward


def part_start(w: Any, part: Any) -> int:
    """Where some eigenvalues, which are neighbours, stand among all of them.

    >>> part_start(np.array([1.0, 2.0, 4.0]), np.array([2.0, 4.0]))
    1
    """
    count = len(part)
    off = [np.sum(np.abs(w[k : k + count] - part)) for k in range(len(w) - count + 1)]
    return int(np.argmin(np.array(off)))


def _all(a: Any, w: Any, v: Any, uplo: Any) -> tuple[Any, Any, int]:
    """All eigenvalues, all eigenvectors with those that are known in their places, and where these
    stand."""
    whole_w, whole_v = np.linalg.eigh(a, uplo)
    start = part_start(whole_w, w)
    if v is None:
        return whole_w, whole_v, start
    parts = (whole_v[:, :start], v, whole_v[:, start + len(w) :])
    return whole_w, np.concatenate(parts, axis=1), start


def _beside(g: Any, start: int, n: int) -> Any:
    """A seed with zeros for the others, along the last axis."""
    before = np.zeros((*np.shape(g)[:-1], start))
    after = np.zeros((*np.shape(g)[:-1], n - start - np.shape(g)[-1]))
    return np.concatenate((before, g, after), axis=-1)


def _seeds(g: Any, start: int, n: int) -> tuple[Any, Any]:
    values = None if g[0] is None else _beside(g[0], start, n)
    return values, None if g[1] is None else _beside(g[1], start, n)


def _some(dots: Any, start: int, count: int) -> tuple[Any, Any]:
    """The tangents of those that were asked for."""
    return dots[0][start : start + count], dots[1][:, start : start + count]


def eigvalsh_part_pullback(g: Any, a: Any, y: Any, uplo: Any) -> Any:
    """The adjoint of the matrix, given that of some of its eigenvalues."""
    w, v, start = _all(a, y, None, uplo)
    return eigh_pullback((_beside(g, start, len(w)), None), (w, v), uplo)


def eigvalsh_part_pushforward(t: Any, a: Any, y: Any, uplo: Any) -> Any:
    """The tangent of some of the eigenvalues."""
    w, v, start = _all(a, y, None, uplo)
    return eigh_pushforward(t, (w, v), uplo)[0][start : start + len(y)]


def eigh_part_pullback(g: Any, a: Any, y: Any, uplo: Any) -> Any:
    """The adjoint of the matrix; `g` and `y` are pairs, of the values and of the vectors."""
    w, v, start = _all(a, y[0], y[1], uplo)
    return eigh_pullback(_seeds(g, start, len(w)), (w, v), uplo)


def eigh_part_pushforward(t: Any, a: Any, y: Any, uplo: Any) -> Any:
    """The tangent of some of the eigenvalues and their vectors: a pair."""
    w, v, start = _all(a, y[0], y[1], uplo)
    return _some(eigh_pushforward(t, (w, v), uplo), start, len(y[0]))


def complex_eigh_part_pullback(g: Any, a: Any, y: Any, uplo: Any) -> Any:
    """The same of a Hermitian matrix, whose vectors have phases."""
    w, v, start = _all(a, y[0], y[1], uplo)
    return complex_eigh_pullback(_seeds(g, start, len(w)), (w, v), uplo)


def complex_eigh_part_pushforward(t: Any, a: Any, y: Any, uplo: Any) -> Any:
    """The same of a Hermitian matrix: a pair."""
    w, v, start = _all(a, y[0], y[1], uplo)
    return _some(complex_eigh_pushforward(t, (w, v), uplo), start, len(y[0]))
