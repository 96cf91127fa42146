"""The slopes at the places between which a spline goes, where they depend on the values: as SciPy
chooses them, written so that they can be differentiated. The values are columns.

At a kink one of the possible slopes is taken: an extremum of the data has slope 0.

>>> v = np.array([[0.0], [1.0], [4.0], [4.0]])
>>> pchip_slopes(np.array([0.0, 1.0, 2.0, 3.0]), v).ravel()
array([0. , 1.5, 0. , 0. ])
"""

from __future__ import annotations

from typing import Any

import numpy as np


def pchip_slopes(x: Any, v: Any) -> Any:
    """Those of `PchipInterpolator`: weighted harmonic means of the slopes on both sides."""
    h = np.diff(x)[:, None]
    m = np.diff(v, axis=0) / h
    if len(h) == 1:
        return np.concatenate((m, m))
    left, right = m[:-1], m[1:]
    turns = left * right <= 0.0
    a, b = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
    # where it turns the quotient is not looked at
    below = np.where(turns, 1.0, a * right + b * left)
    inside = np.where(turns, 0.0, (a + b) * left * right / below)
    first = pchip_end(h[0], h[1], m[0], m[1])
    last = pchip_end(h[-1], h[-2], m[-1], m[-2])
    return np.concatenate((first[None], inside, last[None]))


def pchip_end(h: Any, beside: Any, m: Any, next_to: Any) -> Any:
    """The slope at an end, from those of the first two pieces.

    >>> float(pchip_end(1.0, 1.0, 1.0, 3.0)), float(pchip_end(1.0, 1.0, 1.0, -9.0))
    (0.0, 3.0)
    """
    d = ((2.0 * h + beside) * m - h * next_to) / (h + beside)
    far = (np.sign(m) != np.sign(next_to)) & (np.abs(d) > 3.0 * np.abs(m))
    kept = np.where(far, 3.0 * m, d)
    return np.where(np.sign(d) != np.sign(m), 0.0, kept)


def akima_slopes(x: Any, v: Any, method: str = "akima") -> Any:
    """Those of `Akima1DInterpolator`: means of the slopes on both sides, with the weight of each
    according to how much the slopes change on the other.

    >>> akima_slopes(np.arange(5.0), np.arange(5.0)[:, None] ** 2).ravel()
    array([0., 2., 4., 6., 8.])
    """
    inner = np.diff(v, axis=0) / np.diff(x)[:, None]
    if len(inner) == 1:
        return np.concatenate((inner, inner))
    before = 2.0 * inner[0] - inner[1]
    after = 2.0 * inner[-1] - inner[-2]
    m = np.concatenate((
        np.stack((2.0 * before - inner[0], before)), inner,
        np.stack((after, 2.0 * after - inner[-1])),
    ))  # fmt: skip
    change = np.abs(np.diff(m, axis=0))
    if method == "makima":
        change = change + 0.5 * np.abs(m[1:] + m[:-1])
    total = change[2:] + change[:-2]
    told = total > 1e-9 * np.max(total)
    share = change[:-2] / np.where(told, total, 1.0)
    mean = m[1:-2] + share * (m[2:-1] - m[1:-2])
    return np.where(told, mean, 0.5 * (m[3:] + m[:-3]))
