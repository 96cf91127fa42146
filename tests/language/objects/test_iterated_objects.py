"""Objects with `__iter__`, also as a generator, in loops and in what goes through them at once."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __iter__(self):
        return iter((self.a, self.b))


class Yielding:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __iter__(self):
        """One after the other."""
        yield self.a
        yield self.b


class Held:
    def __init__(self, values):
        self.values = [v for v in values]  # noqa: C416

    def __iter__(self):
        yield from self.values


class Squares:
    def __init__(self, values):
        self.values = values

    def __iter__(self):
        for v in self.values:
            yield v * v


class Weighted:
    def __init__(self, values):
        self.values = values

    def __iter__(self):
        n = 0
        for k, v in enumerate(self.values):
            if k == 3:
                return
            n += 1  # noqa: SIM113
            yield n * v


def unpacked(x):
    a, b = Pair(x[0], x[1] * 2)
    c, d = Yielding(a * b, x[2])
    return a * b + c * d


def summed(x):
    return sum(Pair(x[0], x[1])) * sum(Squares(x)) * max(Yielding(x[0], x[1]))


def listed(x):
    values, pair = list(Squares(x)), tuple(Pair(x[2], x[3]))
    return values[0] * values[1] * pair[1] + sum(a * a for a in Weighted(x))


def together(x):
    total = 0.0
    for k, a in enumerate(Yielding(x[0], x[1])):
        total += k * a * a
    for a, b in zip(Pair(x[0], x[1]), Yielding(x[1], x[2]), strict=True):
        total += a * b
    return total


def looped(x):
    total = 0.0
    for v in Held(x):
        total += v * v
    for v in Squares(x):
        total += v * np.sin(v)
    for v in Weighted(x):
        total = total * v
    return total


def written_in_a_loop_over_a_list(x):
    held, total = Held(x), 0.0
    for v in held:
        held.values[3] = x[0]
        total += v * v
    return total


FOLLOWED = [unpacked, summed, listed, together, looped, written_in_a_loop_over_a_list]


@pytest.mark.recorded
@pytest.mark.parametrize("f", FOLLOWED)
def test_objects_are_gone_through(f):
    saving = ad.differentiable(f, on_overwrite="save")
    check_grads(saving, (X,), modes=("reverse", "forward"))
    assert ad.vjp(saving, X)[0] == f(X)


def writes_what_is_to_come(x):
    squares, total = Squares(x.copy()), 0.0
    for v in squares:
        squares.values[3] = 2.0
        total += v
    return total


def leaves_early(x):
    total = 0.0
    for v in Squares(x):
        if v > 1:
            break
        total += v
    return total


def adds_to_what_it_goes_through(x):
    y = x * 2
    for v in Squares(y):
        y += v
    return np.sum(y)


def sets_an_attribute(x):
    pair, total = Yielding(x[0], x[1]), 0.0
    for v in pair:
        pair.b = x[2]
        total += v * v
    return total


class Asked:
    def __init__(self, values):
        self.values, self.times = values, 0

    def __iter__(self):
        self.times += 1
        for v in self.values:
            yield v * self.times


def asks_again_inside(x):
    asked, total = Asked(x), 0.0
    for v in asked:
        for w in asked:
            total += v * w * asked.times
    return total


def asks_twice(x):
    asked = Asked(x)
    return sum(asked) + 2 * sum(asked) * asked.times


def unpacked_in_a_header(x):
    total = 0.0
    for a, b in [Pair(v, v * v) for v in x]:
        total += a * b
    return total


def unpacked_in_an_inner_header(x):
    pairs, total = [(2.0, Pair(v, v * v)) for v in x], 0.0
    for k, (w, (a, b)) in enumerate(pairs):
        total += w * a * b * k
    return total


def unpacked_in_a_body(x):
    pairs, total = [Pair(v, v * v) for v in x], 0.0
    for pair in pairs:
        a, b = pair
        total += a * b
    return total


ODD = [
    writes_what_is_to_come,
    leaves_early,
    adds_to_what_it_goes_through,
    sets_an_attribute,
    asks_again_inside,
    asks_twice,
    unpacked_in_a_header,
    unpacked_in_an_inner_header,
    unpacked_in_a_body,
]


@pytest.mark.parametrize("f", ODD)
def test_a_loop_that_the_generator_could_tell_is_refused_or_right(f):
    try:
        check_grads(f, (X,), modes=("reverse", "forward"))
    except ad.CompileError:
        return
    assert ad.vjp(f, X)[0] == f(X)


def returned_early(v):
    out = []
    for k, a in enumerate(v):
        if k == 3:
            return out
        out.append(k * a)
    return out


def first_that_grows(v, n):
    for k in range(3):
        out = [v[k]]
        for j in range(n):
            out.append(out[-1] * v[j])
            if out[-1] > 2.0:
                return out
    return [1.0, v[0]]


@pytest.mark.parametrize(
    "f",
    [
        lambda x: sum(a * a for a in returned_early(x)),
        lambda x: sum(first_that_grows(x * 0.1, 3)) + sum(first_that_grows(x * 3, 2)),
    ],
)
def test_a_list_may_be_returned_out_of_a_loop(f):
    """Its length was asked for where it was not bound yet."""
    check_grads(f, (X,), modes=("reverse", "forward"))


class Counted:
    def __init__(self, values):
        self.values, self.times = values, 0

    def __iter__(self):
        self.times += 1
        return iter(self.values)


@pytest.mark.recorded
def test_each_statement_goes_through_an_object_once():
    def f(x):
        asked = Counted([x[0], x[1]])
        a, b = asked
        total = sum(asked)
        values = list(asked)
        for k, v in enumerate(asked):
            total += v * v * k
        return a * b * b * asked.times * total * values[0]

    check_grads(f, (X,), modes=("reverse", "forward"))
    assert ad.vjp(f, X)[0] == f(X)
    check_grads(f, (X,), modes=("reverse",), order=2)


@pytest.mark.recorded
def test_what_is_unpacked_has_second_derivatives():
    def f(x):
        pair = Yielding(x[0], x[1])
        a, b = pair
        pair.a = x[2]
        c, d = pair
        return a * b * b + c * c * d

    check_grads(f, (X,), modes=("reverse",), order=2)
