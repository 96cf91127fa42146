"""What functions of SciPy that are written in Python need: the values of SciPy's own, beside which
the derivative goes on.

>>> as_computed(max, 1.0, 2.0), steady(3)
(2.0, 3)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adtrans.runtime.failures import DerivativeError


def as_computed(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What `fn` returns, as a constant: the derivative is that of what it stands beside, which has
    to have one for each argument, or to be refused for it."""
    return fn(*args, **kwargs)


def designed(fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What `fn` makes of options that must not vary."""
    return fn(*args, **kwargs)


def steady(option: Any) -> Any:
    """An argument that must not vary."""
    return option


def one_of(name: str, option: Any, known: tuple[Any, ...]) -> Any:
    """An option of which only some values have a derivative.

    >>> one_of("side", "left", ("left", "right"))
    'left'
    """
    if not any(option is k or (isinstance(option, str) and option == k) for k in known):
        said = " or ".join(repr(k) for k in known)
        raise DerivativeError(f"there is a derivative for `{name}=` {said} only", code="AD601")
    return option


def picked(fn: Callable[..., Any], a: Any, cval: Any, **how: Any) -> Any:
    """The places in `[*a.flat, cval]` of what a filter that picks an element of each neighbourhood
    has picked: it picks of the ranks what it picks of the values.

    >>> import scipy.ndimage
    >>> picked(scipy.ndimage.maximum_filter, np.array([3.0, 5.0, 1.0]), 0.0, size=3)
    array([1, 1, 1])
    """
    every = np.append(np.ravel(a), cval)
    order = np.argsort(every, kind="stable")
    ranks = np.empty(len(every), np.int64)
    ranks[order] = np.arange(len(every))
    found = fn(ranks[:-1].reshape(np.shape(a)), cval=int(ranks[-1]), **how)
    return order[found]
