"""`np.fromiter` of a generator and a count reads so many items, and no more."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])
W = X[::-1].copy()


def first_three(x):
    return np.fromiter((s * s for s in x), float, 3)


def pairs(x):
    return np.fromiter((a * b for a, b in zip(x, W, strict=True)), dtype=float, count=4)


def computed(x):
    n = len(x) - 2
    return np.fromiter((a * k for k, a in enumerate(x)), float, count=n)


def all_of_them(x):
    n = -1
    return np.fromiter((a * a for a in x), float, count=n)


def by_size(x):
    return np.fromiter((np.sin(k * x[0]) for k in range(10)), float, count=x.size)


def printed(x):
    def seen(v):
        print("read")
        return v * v

    return np.fromiter((seen(v) for v in x), float, count=2)


@pytest.mark.parametrize("f", [first_three, pairs, computed, all_of_them, by_size, printed])
def test_both_orders(f):
    check_grads(f, (X,), order=1 if f is printed else 2)


def test_too_few():
    with pytest.raises(ValueError, match="iterator too short"):
        ad.vjp(lambda x: np.fromiter((s * s for s in x), float, 9), X)
