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


class Waves:
    """Arrays, of which there are so many; and a list of what was given out."""

    def __init__(self, x, n):
        self.x, self.n, self.given = x, n, []

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        self.x = 0.5 * np.sin(self.x)
        self.given.append(self.n)
        return self.x


def arrays_summed(x):
    return sum(np.sum(v) for v in Waves(x, 3))


def asked_by_next(x):
    waves = iter(Waves(x, 3))
    a, b = next(waves), next(waves)
    return np.sum(a * b) * sum(np.sum(v) for v in waves) + len(waves.given)


def asked_with_a_default(x):
    waves, s = Waves(x, 3), 0.0
    while (v := next(waves, None)) is not None:
        s = s + np.sum(v * x)
    return s + np.sum(next(waves, x))


def counted(x):
    s = 0.0
    for k, v in enumerate(Waves(x, 3), 2):
        if k == 3:
            continue
        s = s + k * np.sum(v)
    return s


def beside_others(x):
    waves, s = Waves(x, 9), 0.0
    for k, w, v in zip(range(7), x, waves, strict=False):
        s = s + k * w * np.sum(v)
    return s * waves.n * sum(waves.given)


def beside_others_for_longer(x):
    s = 0.0
    for w, v in zip(x, Waves(x, 2), strict=False):
        s = s + w * np.sum(v)
    return s


PROGRAMS = [
    in_a_loop, state_that_varies, left_early_and_gone_on, changed_by_the_body, at_once, of_pairs,
    nothing_left, arrays_summed, asked_by_next, asked_with_a_default, counted,
    beside_others, beside_others_for_longer,
]  # fmt: skip


@pytest.mark.recorded
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


@pytest.mark.recorded
def test_one_that_ends_and_is_not_caught() -> None:
    def too_often(x):
        waves = Waves(x, 1)
        return np.sum(next(waves) * next(waves))

    with pytest.raises(StopIteration):
        ad.grad(too_often)(X)


class Endless:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        y = self.x
        while True:
            y = 0.5 * np.sin(y)
            yield y


def beside_endless(x):
    s = 0.0
    for k, v in zip(range(3), Endless(x), strict=False):
        s = s + k * np.sum(v)
    return s


def test_a_generator_without_an_end_is_not_made_a_list() -> None:
    with pytest.raises(ad.CompileError):
        ad.grad(beside_endless)(X)


class Weighted:
    def __init__(self, x):
        self.x, self.i = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= 3:
            raise StopIteration
        self.i += 1
        return self.x[self.i - 1] * self.i


@pytest.mark.recorded
@pytest.mark.parametrize("summed", [np.sum, np.array, np.prod, sum])
def test_a_list_of_it_is_made_an_array(summed) -> None:
    check_grads(lambda x: np.sum(summed(list(Weighted(x))) ** 2), (np.array([0.5, 2.0, 1.5]),))


class FromNone(Squares):
    def __next__(self):
        if self.k >= 10:
            raise StopIteration
        if self.k >= len(self.x):
            raise StopIteration from None
        self.k += 1
        return self.x[self.k - 1] ** 2


class WithText(Squares):
    def __next__(self):
        if self.k >= 10:
            raise StopIteration
        if self.k >= len(self.x):
            raise StopIteration("done", 3)
        self.k += 1
        return self.x[self.k - 1] ** 2


@pytest.mark.recorded
@pytest.mark.parametrize("made", [FromNone, WithText])
def test_an_end_that_says_why(made):
    def looped(x):
        total = 0.0
        for k, v in enumerate(made(x)):
            total += v * x[0] * k
        else:
            total = total * x[1]
        return total + sum(made(x))

    def asked(x):
        d = made(x)
        a = next(d) * next(d)
        for v in d:
            a += v * x[0]
        return a * next(d, x[1])

    for f in (looped, asked):
        check_grads(f, (X,))
        assert ad.vjp(f, X)[0] == f(X)


class ByHelper(Squares):
    def end(self):
        if self.k >= len(self.x):
            raise StopIteration

    def more(self):
        self.end()

    def __next__(self):
        self.more()
        if self.k >= 10:
            raise StopIteration
        self.k += 1
        return self.x[self.k - 1] ** 2


def ended(k, n):
    if k >= n:
        raise StopIteration


class ByFunction(Squares):
    def __next__(self):
        ended(self.k, len(self.x))
        if self.k >= 10:
            raise StopIteration
        self.k += 1
        return self.x[self.k - 1] ** 2


@pytest.mark.parametrize("made", [ByHelper, ByFunction])
def test_an_end_that_another_function_tells_is_refused(made):
    def looped(x):
        total = 0.0
        for v in made(x):
            total += v * x[0]
        return total

    with pytest.raises(ad.CompileError) as caught:
        ad.grad(looped)(X)
    assert caught.value.diagnostics[0].code == "AD201"


class WithHelpers(Squares):
    def here(self):
        return self.x[self.k] ** 2 * scale(self.x[0])

    def __next__(self):
        if self.k >= len(self.x):
            raise StopIteration
        v = self.here()
        self.k += 1
        return np.sin(v)


def scale(v):
    return 2.0 * v


@pytest.mark.recorded
def test_other_functions_may_be_called():
    def looped(x):
        total = 0.0
        for v in WithHelpers(x):
            total += v * x[0]
        return total

    check_grads(looped, (X,))
