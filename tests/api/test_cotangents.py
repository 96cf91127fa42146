"""A derivative of the wrong shape is a defect of a rule, and is never returned."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.arguments.cotangents import conform


@pytest.mark.parametrize("found", [np.ones(3), np.ones(1), np.ones((2, 1)), np.ones((1, 2))])
def test_other_shapes(found):
    with pytest.raises(ValueError, match="a derivative of shape"):
        conform(found, np.ones(2))


def test_a_number_stands_for_a_constant_derivative():
    np.testing.assert_array_equal(conform(0.0, np.ones(2)), [0.0, 0.0])


def test_none_stands_for_zero_of_a_complex_result():
    def f(x):
        return 1j * x

    pullback = ad.vjp(f, np.array([1.0, 2.0]))[1]
    np.testing.assert_array_equal(pullback(None)[0], [0.0, 0.0])
