"""Written arguments whose names may be bound to something else before."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans import vjp
from adtrans.testing import check_grads

X = np.array([0.6, 0.9])
Y = np.array([0.2, 0.7])


def filled(x, y, start=None):
    start = np.zeros(2) if start is None else start
    for j in range(2):
        start[j] = x[j] * y[j] + 0.5 * start[j]
    return start


def filled_or_made(x, y, start=None):
    if start is None:
        start = np.ones(2)
    for j in range(2):
        start[j] = x[j] * y[j] + 0.5 * start[j]
    return start


def warm_starts(x, y):
    found = None
    s = 0.0
    for _ in range(3):
        found = filled(x, y, start=None if found is None else found.copy())
        s += np.sum(found**2)
    return s


def made_at_first(x, y):
    found = None
    s = 0.0
    for k in range(3):
        found = filled_or_made(x, y * (k + 1), None if found is None else 2.0 * found)
        s += np.sum(found**2)
    return s


def changed_or_not(x, y, b):
    if y[0] > 0.1:
        b = np.zeros(2)
    for j in range(2):
        b[j] = x[j] * y[j] + 0.5 * b[j]
    return np.sum(b)


def seen_by_the_caller(x, y):
    b = x * y
    return changed_or_not(x, y, b) + changed_or_not(x, y - 0.15, b) + np.sum(b)


@pytest.mark.parametrize("f", [warm_starts, made_at_first, seen_by_the_caller])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    assert vjp(f, X, Y, on_overwrite=mode)[0] == f(X, Y)
    check_grads(f, (X, Y), on_overwrite=mode)


def into(x, y, out=None):
    if out is None:
        out = np.empty(2)
    out[:] = x * y
    return np.sum(out**2)


def test_what_the_argument_holds_in_the_end():
    out = np.zeros(2)
    value, pullback = vjp(into, X, Y, out)
    assert value == into(X, Y)
    assert np.array_equal(out, X * Y)
    given = pullback(0.0, final={"out": np.ones(2)})
    assert np.allclose(given[0], Y)
    assert np.allclose(given[1], X)
    check_grads(into, (X, Y, np.zeros(2)))
    check_grads(into, (X, Y))
