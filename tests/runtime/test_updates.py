"""`s += x` on what may be a number or an array: as Python does it, in memory of its own."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from adtrans import runtime
from adtrans.runtime.failures import DerivativeError

PAIRS = [
    (runtime.added, operator.iadd),
    (runtime.subtracted, operator.isub),
    (runtime.multiplied, operator.imul),
    (runtime.divided, operator.itruediv),
]


@pytest.mark.parametrize(("ours", "theirs"), PAIRS)
@pytest.mark.parametrize("s", [2, 2.5, np.float32(1.5), np.ones(3, np.float32), np.ones((2, 3)).T])
@pytest.mark.parametrize("x", [0.5, np.float64(3.0), np.full(2, 2.0)])
def test_as_in_place(ours, theirs, s, x) -> None:
    before = s.copy() if isinstance(s, np.ndarray) else s
    try:
        expected = theirs(s.copy(order="K") if isinstance(s, np.ndarray) else s, x)
    except ValueError:
        with pytest.raises(ValueError, match="broadcast"):
            ours(s, x)
        return
    found = ours(s, x)
    np.testing.assert_array_equal(found, expected)
    assert type(found) is type(expected)
    assert found is not s
    np.testing.assert_array_equal(s, before)
    if isinstance(found, np.ndarray):
        assert (found.dtype, found.strides) == (expected.dtype, expected.strides)
        assert not np.shares_memory(found, s)


def test_integers_take_no_floats() -> None:
    with pytest.raises(TypeError):
        runtime.added(np.arange(3), 0.5)


@pytest.mark.parametrize("s", [[1.0], (1.0,), np.ma.ones(2), "a"])
def test_neither_number_nor_array(s) -> None:
    with pytest.raises(DerivativeError, match="on a"):
        runtime.added(s, s)
