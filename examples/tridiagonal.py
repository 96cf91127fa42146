"""A solver that somebody else wrote: the Thomas algorithm for tridiagonal systems, in place.

This file knows nothing of derivatives. `groundwater.py` differentiates through it as it is.
"""

from __future__ import annotations

import numpy as np


def thomas(lower: np.ndarray, diag: np.ndarray, upper: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Solve a tridiagonal system; `diag` is used as work space, `rhs` becomes the solution."""
    n = len(rhs)
    for i in range(1, n):
        w = lower[i - 1] / diag[i - 1]
        diag[i] -= w * upper[i - 1]
        rhs[i] -= w * rhs[i - 1]
    rhs[n - 1] /= diag[n - 1]
    for i in range(n - 2, -1, -1):
        rhs[i] = (rhs[i] - upper[i] * rhs[i + 1]) / diag[i]
    return rhs
