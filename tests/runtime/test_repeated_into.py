"""Values that are stored by flat position must not be elements of the same array."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.runtime import MutationError, repeated_into


def stored(x, a):
    x.flat[1:] = a
    return np.sum(x * x)


def test_values_apart() -> None:
    a = np.arange(4.0)
    np.testing.assert_array_equal(repeated_into(a[:2], a[2:], (3,)), [0.0, 1.0, 0.0])
    with pytest.raises(MutationError, match="flat position"):
        repeated_into(a[:3], a[2:], (3,))


def test_arguments_that_share_memory() -> None:
    """What the text does not tell is checked when the function runs."""
    x = np.arange(1.0, 4.0)
    with pytest.raises(ad.AdtransError):
        ad.jvp(stored, (x, x[:-1]), (np.ones(3), np.ones(2)))
    with pytest.raises(ad.AdtransError):
        ad.grad(stored, wrt=("x", "a"), on_overwrite="save")(x, x[:-1])
