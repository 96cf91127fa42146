"""Views of arrays without elements: they may point beyond the memory that they belong to."""

import numpy as np
import pytest

import adtrans as ad


def tail(a):
    return a[1:]


def turned_and_reversed(A):
    B = np.atleast_1d(tail(A)).reshape(tail(A).shape[::-1])
    B[:] = B[::-1] * 2.0
    return np.sum(B * B) + np.sum(A)


def reversed_in_both(A):
    B = (A * 1.0).T
    C = B[::-1, ::-1]
    C *= 3.0
    return np.sum(B[2:, ::-1] ** 2) + np.sum(A)


WIDE = np.arange(16.0).reshape(2, 8)[:, ::2]
EMPTY = [WIDE[:0], WIDE[2:], np.zeros((0, 4)), np.zeros((3, 0)), np.zeros((4, 0))[::-1].T]


@pytest.mark.parametrize("A", EMPTY, ids=lambda a: f"{a.shape}")
@pytest.mark.parametrize("f", [turned_and_reversed, reversed_in_both])
def test_derivatives_of_nothing(f, A):
    recorded = ad.recorded(f)
    assert recorded.grad(A).shape == A.shape
    assert ad.jvp(recorded, (A,), (A,)) == (0.0, 0.0)
    assert ad.jvp(ad.grad(recorded), (A,), (A,))[1].shape == A.shape
