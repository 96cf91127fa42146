"""Objects that are their own iterators, whose `__next__` gives one item after the other."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Squares:
    def __init__(self, x):
        self.x, self.k = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.k >= len(self.x):
            raise StopIteration
        v = self.x[self.k] ** 2
        self.k += 1
        return v


class Newton:
    """Its state varies, and it ends by what it has computed."""

    def __init__(self, y, tol=1e-3):
        self.y, self.tol, self.a = y, tol, 1.0

    def __iter__(self):
        return self

    def __next__(self):
        new = 0.5 * (self.a + self.y / self.a)
        if abs(new - self.a) < self.tol:
            raise StopIteration()
        self.a = new
        return new


class Pairs(Squares):
    def __next__(self):
        if self.k + 1 < len(self.x):
            self.k += 1
            return self.k, self.x[self.k] * self.x[self.k - 1]
        raise StopIteration


class Through:
    def __init__(self, x):
        self.inner = iter(x)

    def __iter__(self):
        return self

    def __next__(self):
        return 2.0 * next(self.inner)


def in_a_loop(x):
    s = 0.0
    for v in Squares(x):
        s = 0.5 * s + v
    return s


def state_that_varies(x):
    newton, last = Newton(x[0]), 0.0
    for r in newton:
        last = r
    return last * newton.a * x[1]


def left_early_and_gone_on(x):
    squares, s = Squares(x), 0.0
    for v in squares:
        if v > 0.5:
            break
        s += v
    else:
        s = 0.0
    for v in squares:
        if v < 0.5:
            continue
        s += v * v * squares.k
    return s


def changed_by_the_body(x):
    squares, s = Squares(x), 1.0
    for v in squares:
        s *= v
        squares.k += 1
    return s


def at_once(x):
    a, b = Squares(x), Squares(2.0 * x)
    return sum(a) * list(b)[1] * max(Squares(x))


def of_pairs(x):
    s = 0.0
    for k, v in Pairs(x):
        s += k * v
    return s


def nothing_left(x):
    squares, s = Squares(x), x[0] * x[0]
    for v in squares:
        s += v
    for v in squares:
        s *= v
    return s


PROGRAMS = [
    in_a_loop, state_that_varies, left_early_and_gone_on, changed_by_the_body, at_once, of_pairs,
    nothing_left,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_mode(f) -> None:
    check_grads(f, (X,), order=2)
    check_grads(f, (X,), on_overwrite="save")


def of_one_given(squares, x):
    s = 0.0
    for v in squares:
        s += v * x[0]
    return s * squares.k


def test_one_that_is_an_argument() -> None:
    check_grads(of_one_given, (Squares(2.0 * X), X), wrt="x")


def through_another(x):
    return sum(Through(x))


def test_one_that_asks_another_is_refused() -> None:
    with pytest.raises(ad.CompileError):
        ad.grad(through_another)(X)
