"""Code of the user's that an attribute or an operator runs, twice in one statement, runs twice."""

from typing import NamedTuple

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.83, 0.5, 0.7])


class Counting:
    """Each of its members counts how often it is asked."""

    def __init__(self, a):
        self.a, self.n = a, 0

    def asked(self):
        self.n += 1
        return self.a * self.n

    @property
    def p(self):
        return self.asked()

    def __getitem__(self, i):
        return self.asked()[i]

    def __len__(self):
        self.n += 1
        return self.n

    def __add__(self, other):
        return self.asked() + other

    def __neg__(self):
        return -self.asked()

    def __contains__(self, item):
        self.n += 1
        return item < self.n

    def __float__(self):
        self.n += 1
        return float(self.n)

    def __eq__(self, other):
        self.n += 1
        return self.n > 1


def sizes(x, o):
    return np.sum(o.p.shape[0] * x + o.p.size)


def values(x, o):
    return np.sum(x * o.p + o.p)


def items(x, o):
    return np.sum(o[0] * x + o[0])


def lengths(x, o):
    return np.sum(len(o) * x + len(o))


def sums(x, o):
    return np.sum((o + 1.0) * x + (o + 1.0))


def signs(x, o):
    return np.sum((-o) * x + (-o))


def members(x, o):
    return np.sum((1 in o) * x + (1 in o))


def numbers(x, o):
    return np.sum(float(o) * x + float(o))


def comparisons(x, o):
    return np.sum((o == 1) * x + (o == 1))


def an_index(x, o):
    return x[o.p.size - 1] * x[len(o) - 2] * x[len(o) - 2]


def a_text(x, o):
    shown = f"{o.n}{o.p[0]:.0f}{o.p[0]:.0f}{o.n}"
    return np.sum(x) * len(shown) * o.n


F = [sizes, values, items, lengths, sums, signs, members, numbers, comparisons, an_index, a_text]


@pytest.mark.parametrize("f", F)
def test_each_of_two_runs(f):
    own, seen = Counting(np.ones(3)), Counting(np.ones(3))
    value = f(X, own)
    assert ad.value_and_grad(f)(X, seen)[0] == value
    assert seen.n == own.n > 1
    seen = Counting(np.ones(3))
    assert ad.jvp(f, (X, seen), (X, None))[0] == value
    assert seen.n == own.n


@pytest.mark.parametrize("f", F)
def test_gradients(f):
    check_grads(lambda x: f(x, Counting(1.0 + np.arange(3.0))), (X,), on_overwrite="save")


def of_objects_made_here(x):
    return sum(o.p * o.p for o in [Counting(v) for v in x])


def of_one_in_turn(x):
    q, r = Counting(x[0]), Counting(x[1])
    total = 0.0
    for _ in range(3):
        q, r = r, q
        total += q.p * q.p + r.p
    return total


class Writing:
    def __init__(self, a):
        self.a = a

    @property
    def hit(self):
        self.a[0] += 1.0
        return 2.0


def what_it_writes_is_read_again(x):
    a = x.copy()
    w = Writing(a)
    return a[0] * w.hit * a[0] + w.hit


class Meter:
    calls = 0


METER = Meter()


class Point(NamedTuple):
    a: float

    @property
    def p(self):
        METER.calls += 1
        return 2.0 * self.a


def of_a_named_tuple(x):
    t = Point(x[0])
    return t.p * t.p


MADE = [of_objects_made_here, of_one_in_turn, what_it_writes_is_read_again, of_a_named_tuple]


@pytest.mark.recorded
@pytest.mark.parametrize("f", MADE)
def test_of_what_is_made_here(f):
    check_grads(f, (X,))


def test_of_a_named_tuple_each():
    METER.calls = 0
    ad.grad(of_a_named_tuple)(X)
    assert METER.calls == 2


def test_an_iterator_comes_to_its_end():
    def f(x, it):
        return np.sum(x) * (np.sum(np.fromiter(it, float)) + np.sum(np.fromiter(it, float)))

    value, gradient = ad.value_and_grad(f)(X, iter([1.0, 2.0]))
    assert value == f(X, iter([1.0, 2.0]))
    assert np.all(gradient == 3.0)


def test_plain_values_are_still_computed_once():
    def f(x):
        return np.sum((x[1:] - x[:-1]) * (x[1:] - x[:-1]))

    compiled = ad.differentiable(f)
    compiled.grad(X)
    assert compiled.source.split("def f_pullback")[0].count("x[1:]") == 1
