"""All elements of an `a.flat` at once: unpacked, in a list, added up."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

M = np.array([[1.0, 2.0], [3.0, 4.5]])


def unpacked(m):
    a, b, c, d = m.flat
    return a * b + c * d * d


def with_a_name(m):
    elements = m.T.flat
    listed = list(elements)
    return listed[0] * listed[1] * listed[3]


def starred_and_overwritten(m):
    m, total = m.copy(), 0.0
    for _ in range(2):
        first, *rest = m.flat
        m[0, 0] = first * 1.5
        m[1] = rest[-1]
        total = total + first * rest[0] * rest[1]
    return total


def reduced(m):
    y = m * m
    return np.array(y.flat) @ np.arange(4.0) + max(m.flat) * sum(y.flat) * min(m.flat)


def of_an_argument_that_is_written(m):
    a, b, c, d = m.flat
    m[0, 1] = a * d
    e = tuple(m.flat)
    return e[1] * b + c


def in_a_branch(m):
    if m[0, 0] > 0.0:
        a, b, c, d = m.flat
        return a * d - b * c
    return m[1, 1]


def of_rows(m):
    total = 0.0
    for row in m:
        a, b = row.flat
        total = total + a * b
    return total


PROGRAMS = [
    unpacked, with_a_name, starred_and_overwritten, reduced, of_an_argument_that_is_written,
    in_a_branch, of_rows,
]  # fmt: skip


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_in_all_modes(f, mode):
    check_grads(f, (M,), on_overwrite=mode)
    gradient = ad.grad(f, on_overwrite=mode)
    v = np.array([[0.3, -0.2], [0.5, 0.1]])
    eps = 1e-6
    numbers = (gradient(M + eps * v) - gradient(M - eps * v)) / (2 * eps)
    found = ad.jvp(gradient, (M.copy(),), (v,))[1]
    assert np.allclose(found, numbers, rtol=1e-5, atol=1e-6)


def test_too_many():
    def three(m):
        a, b, c = m.flat
        return a * b * c

    with pytest.raises(ValueError, match="too many values to unpack"):
        ad.grad(three)(M)


def test_what_was_gone_through_before():
    """Where the rest begins is not known; this is no derivative of all elements."""

    def begun(m):
        elements = m.flat
        first = next(elements)
        a, b, c = elements
        return first * a * b * c

    with pytest.raises(ad.AdtransError):
        ad.grad(begun)(M)


def test_an_attribute_of_that_name():
    class Flat:
        def __init__(self, v):
            self.flat = v * v

    def other(m):
        a, b = Flat(m[0]).flat
        return a * b

    check_grads(other, (M,))
