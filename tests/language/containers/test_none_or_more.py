"""`x is None or ...` and `x is not None and ...`, where the rest asks `x` for more."""

import numpy as np
import pytest

from adtrans.testing import check_grads

X = 0.3 * np.arange(6.0).reshape(3, 2) + 0.1


def largest(x):
    best = None
    for i in range(3):
        c = x[i] * x[i]
        if best is None or c.sum() > best.sum():
            best = c
    return np.sum(best**2)


def smallest_of_those_that_count(x):
    best = None
    for i in range(3):
        c = x[i] * x[i]
        if c.sum() > 0.5 and (best is None or c.sum() < best.sum()):
            best = c
    return np.sum(best**2)


class Tracker:
    def __init__(self):
        self.best = None

    def see(self, c):
        if self.best is None or c.sum() > self.best.sum():
            self.best = c


def in_an_attribute(x):
    tracker = Tracker()
    for i in range(3):
        tracker.see(x[i] * x[i])
    return np.sum(tracker.best**2)


def under_a_name(x):
    before, s = None, 0.0
    for i in range(3):
        positive = before is not None and before.sum() > 0.1
        if positive:
            s += np.sum(before * x[i])
        if not (before is None or before.max() > 100.0):
            s += before[0]
        before = 2.0 * x[i]
    return s


def two_of_them(x):
    a = b = None
    for i in range(3):
        if (a is None or a.sum() > 0.0) and (b is None or b.sum() > 0.0):
            b = a
            a = x[i] ** 2
    return np.sum(a * b)


def a_parameter(x, start=None):
    if start is None or start.size == 0:
        start = x[0]
    return np.sum(start * x)


@pytest.mark.parametrize(
    "f",
    [largest, smallest_of_those_that_count, in_an_attribute, under_a_name, two_of_them,
     a_parameter],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    check_grads(f, (X.copy(),), on_overwrite=mode)
