"""An integral summed anew over the pieces that `quad` has chosen, recorded.

>>> import scipy.integrate
>>> found = scipy.integrate.quad(np.exp, 0.0, 1.0, full_output=1)
>>> bool(abs(summed(np.exp, 0.0, 1.0, *found) - found[0]) < 1e-12)
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.diagnostics.errors import DerivativeError
from adtrans.recorder import runtime  # noqa: F401  # which fills in its names
from adtrans.recorder.memory import noted
from adtrans.recorder.numbers import plain
from adtrans.recorder.rewritten import from_text

_SUM = from_text(
    "def formula(f, a, b, places, weights):\n"
    "    total, length = 0.0, b - a\n"
    "    for u, w in zip(places, weights):\n"
    "        total = total + w * f(a + u * length)\n"
    "    return total * length\n", {}
)  # fmt: skip
_TO_INFINITY = from_text(
    "def formula(f, a, sign, places, weights):\n"
    "    total = 0.0\n"
    "    for t, w in zip(places, weights):\n"
    "        total = total + w / (t * t) * f(a + sign * (1.0 - t) / t)\n"
    "    return total\n", {}
)  # fmt: skip
_BOTH = from_text("def formula(left, right):\n    return left + right\n", {})
_MINUS = from_text("def formula(x):\n    return -x\n", {})


def summed(
    f: Callable[..., Any], a: Any, b: Any, value: float, error: float, info: Any
) -> Any:
    """The integral of `f`, over pieces of the interval from `info`."""
    low, high = plain(a), plain(b)
    if high < low:
        return _MINUS(summed(f, b, a, -value, error, info))
    if low == high:
        return _SUM(f, a, b, [0.5], [1.0])
    last = info["last"]
    ends = [*zip(info["alist"][:last], info["blist"][:last], strict=True)]
    for rule in (_gauss(12), _double_exponential()):
        places, weights = [], []
        for left, right in ends:
            u, w = rule
            places += [float(left + (right - left) * p) for p in u]
            weights += [float((right - left) * q) for q in w]
        found = _over(f, a, b, low, high, places, weights)
        if abs(plain(found) - value) <= 1e-8 * (1.0 + abs(value)) + 10 * error:
            return found
    raise noted(DerivativeError("the derivative of what `quad` integrates was not integrated",
                          code="AD604"))  # fmt: skip


def _over(
    f: Any, a: Any, b: Any, low: float, high: float, places: list[float], weights: list[float]
) -> Any:
    if np.isfinite(low) and np.isfinite(high):
        length = float(high) - float(low)
        return _SUM(f, a, b, [(p - float(low)) / length for p in places],
                    [w / length for w in weights])  # fmt: skip
    if np.isfinite(low):
        return _TO_INFINITY(f, a, 1.0, places, weights)
    if np.isfinite(high):
        return _TO_INFINITY(f, b, -1.0, places, weights)
    return _BOTH(_TO_INFINITY(f, 0.0, -1.0, places, weights),
                 _TO_INFINITY(f, 0.0, 1.0, places, weights))  # fmt: skip


def _gauss(n: int) -> tuple[Any, Any]:
    """Places and weights in the unit interval, of two halves."""
    x, w = np.polynomial.legendre.leggauss(n)
    x, w = (x + 1) / 2, w / 2
    return np.concatenate([x / 2, (x + 1) / 2]), np.concatenate([w, w]) / 2


def _double_exponential() -> tuple[Any, Any]:
    """The same, crowded at both ends, where an integrand may be singular."""
    t = np.linspace(-3.1, 3.1, 241)
    s = np.pi / 2 * np.sinh(t)
    weights = (t[1] - t[0]) * np.pi / 4 * np.cosh(t) / np.cosh(s) ** 2
    return np.where(t < 0, np.exp(s) / (2 * np.cosh(s)), 1 - np.exp(-s) / (2 * np.cosh(s))), weights
