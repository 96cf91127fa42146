"""`np.cross` of vectors with two and with three components, alone and in stacks."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.filterwarnings("ignore:.*2-dimensional vectors:DeprecationWarning")
STACKS = [((), ()), ((4,), ()), ((), (4,)), ((4,), (4,)), ((1,), (4,)), ((5, 4), (4,))]


@pytest.mark.parametrize("left", [2, 3])
@pytest.mark.parametrize("right", [2, 3])
@pytest.mark.parametrize("stacks", STACKS)
def test_components(left, right, stacks):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(*stacks[0], left)), rng.normal(size=(*stacks[1], right))
    check_grads(lambda x, y: np.cross(x, y), (a, b), wrt=(0, 1))


@pytest.mark.parametrize("left", [2, 3])
@pytest.mark.parametrize("right", [2, 3])
def test_axes(left, right):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(left, 4)), rng.normal(size=(right, 4))
    check_grads(lambda x, y: np.cross(x, y, axis=0), (a, b), wrt=(0, 1))
    check_grads(lambda x, y: np.cross(x, y, axisa=0, axisb=1), (a, b.T.copy()), wrt=(0, 1))


def test_gradient_has_the_shape_of_the_argument():
    def f(x):
        return np.sum(np.cross(np.array([1.0, 2.0, 3.0]), x) ** 2)

    assert ad.grad(f)(np.ones(2)).shape == (2,)
