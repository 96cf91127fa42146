"""A derivative of the wrong shape is a defect of a rule, and is never returned."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.cotangents import conform


@pytest.mark.parametrize("found", [np.ones(3), np.ones(1), np.ones((2, 1)), np.ones((1, 2))])
def test_other_shapes(found):
    with pytest.raises(ValueError, match="a derivative of shape"):
        conform(found, np.ones(2))


def test_a_number_stands_for_a_constant_derivative():
    np.testing.assert_array_equal(conform(0.0, np.ones(2)), [0.0, 0.0])
