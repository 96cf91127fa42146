"""Results that are elements of an argument, at places."""

from __future__ import annotations

from typing import Any

import numpy as np


def taken(values: Any, places: Any, shape: Any) -> Any:
    """The values at places, as an array of this shape.

    >>> taken(np.array([0.5, 1.5]), [[1, 0]], (1, 2))
    array([[1.5, 0.5]])
    """
    at = np.zeros(shape, np.int64)
    at[...] = places
    return np.take(values, at)


def with_border(image: Any, cval: Any) -> Any:
    """The values of an image, and what there is around it.

    >>> with_border(np.ones(2, np.float32), 0.0)
    array([1., 1., 0.], dtype=float32)
    """
    values = np.ravel(image)
    return np.concatenate((values, np.full(1, cval, values.dtype)))
