"""What `s += x` and the like make of a number or an array, in memory of its own.

On a number `+=` rebinds the name, on an array it writes. Where no other name refers to the array,
nobody can tell whether the sum lies in the old array or in a new one of the same type.

>>> old = np.array([1.0, 2.0], np.float32)
>>> added(1, 2.5), added(old, 0.1), old
(3.5, array([1.1, 2.1], dtype=float32), array([1., 2.], dtype=float32))
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError

_NUMBERS = (int, float, complex, np.number, np.bool_)


def _updated(s: Any, x: Any, sign: str, write: Callable[[Any, Any], Any]) -> Any:
    if type(s) is np.ndarray:
        return write(s.copy(order="K"), x)
    if not isinstance(s, _NUMBERS):
        kind = type(s).__name__
        raise DerivativeError(
            f"`{sign}` on a {kind}: its derivative is for numbers and arrays", code="AD601"
        )
    return write(s, x)


def added(s: Any, x: Any) -> Any:
    """`s += x`.

    Raises:
        DerivativeError: if `s` is neither a number nor a plain array.
    """
    return _updated(s, x, "+=", operator.iadd)


def subtracted(s: Any, x: Any) -> Any:
    """`s -= x`; see `added`.

    >>> subtracted(3.0, 1.0)
    2.0
    """
    return _updated(s, x, "-=", operator.isub)


def multiplied(s: Any, x: Any) -> Any:
    """`s *= x`; see `added`.

    >>> multiplied(3.0, 2.0)
    6.0
    """
    return _updated(s, x, "*=", operator.imul)


def divided(s: Any, x: Any) -> Any:
    """`s /= x`; see `added`.

    >>> divided(3.0, 2.0)
    1.5
    """
    return _updated(s, x, "/=", operator.itruediv)


def computed_into(fn: Callable[..., Any], out: Any, word: str, *args: Any, **kwargs: Any) -> Any:
    """What `fn` writes into an array like `out`: in another type than its result, what comes before
    that is rounded, too.

    >>> a = np.array([0.1, 0.2, 0.4])
    >>> single = np.zeros((), np.float32)
    >>> computed_into(np.mean, single, "out", a) == np.float32(np.mean(a))
    np.True_
    """
    made = np.empty_like(out)
    fn(*args, **kwargs, **{word: made})
    return made


def valued(found: Any, same: Any) -> Any:
    """The number or array `found`, with the derivative of `same`."""
    return found
