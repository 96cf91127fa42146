"""Special functions that derivatives need and that neither NumPy nor `math` has.

>>> round(digamma(1.0), 12), round(float(bessel_i1(1.0)), 12)
(-0.577215664902, 0.565159103992)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# Bernoulli numbers B_2k / 2k of the asymptotic series (Abramowitz and Stegun, 6.3.18)
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)


def digamma(x: float) -> float:
    """The logarithmic derivative of the gamma function, for numbers.

    Reflection for negative numbers, the recurrence up to 10, then the asymptotic series.

    >>> round(digamma(-0.5), 12)
    0.036489973979
    """
    if x <= 0:
        if x == math.floor(x):
            return math.nan
        return digamma(1 - x) - math.pi / math.tan(math.pi * x)
    shift = 0.0
    while x < 10:
        shift -= 1 / x
        x = x + 1  # it may be an array of the caller's
    square = 1 / (x * x)
    power, tail = square, 0.0
    for c in _DIGAMMA:
        tail += c * power
        power *= square
    return shift + math.log(x) - 0.5 / x - tail


def bessel_i1(x: Any) -> Any:
    """The modified Bessel function of order one, the derivative of `np.i0`.

    The mean of `sinh(x cos t) cos t` over equally spaced angles, which converges exponentially.
    """
    single = getattr(x, "dtype", None) == np.float32
    x = np.asarray(x, float)
    largest = float(np.max(np.abs(x), initial=0.0))
    n = 24 + int(6 * math.sqrt(largest)) if math.isfinite(largest) else 24
    cosines = np.cos(np.pi * (np.arange(n) + 0.5) / (2 * n))  # a quarter: the rest is symmetric
    total = np.zeros(x.shape)
    for c in cosines:
        total += np.sinh(x * c) * c
    found = (total / n)[()]
    return found.astype(np.float32) if single else found


def bessel_i1_slope(x: Any) -> Any:
    """The derivative of `bessel_i1`.

    >>> float(bessel_i1_slope(0.0))
    0.5
    """
    safe = np.where(x == 0, 1.0, x)
    return np.where(x == 0, 0.5, np.i0(x) - bessel_i1(safe) / safe)[()]


def kaiser_slope(window: Any, beta: float) -> Any:
    """The derivative of `np.kaiser(M, beta)` for `beta`, given the window itself."""
    n = len(window)
    middle = (n - 1) / 2.0
    reach = np.sqrt(np.maximum(1 - ((np.arange(n) - middle) / max(middle, 0.5)) ** 2, 0.0))
    return (bessel_i1(beta * reach) * reach - window * bessel_i1(beta)) / np.i0(beta)
