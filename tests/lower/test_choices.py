"""Names bound in comprehensions, stars in loops, defaults of `min`, joined lists, chosen items."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


def bound_in_a_condition(x):
    return sum(y * y for v in x if (y := v * v) > 0.5)


def seen_afterwards(x):
    found = [y + 1.0 for v in x if (y := np.sin(v)) > 0.6]
    return sum(found) * y


def bound_where_it_stops(x):
    if any((hit := v) > 0.8 for v in x):
        return hit * hit
    return x[0]


def not_bound_at_all(x):
    y = x[1]
    found = [y for v in x if v > 9.0 and (y := v)]
    return y * x[0] + len(found)


def running_total(x):
    total = 0.0
    sums = [total := total + v * v for v in x]
    return sums[1] * total


def seen_turn_by_turn(x):
    s = 0.0
    for v in (y * 2.0 for w in x if (y := w * w) > 0.4):
        s += v * y
    return s


def head_and_rest(x):
    s, *rest = x
    total = s
    while rest:
        s, *rest = rest
        total = total * 0.5 + s * s
    return total


def rest_and_last(x):
    *first, last = [v * v for v in x]
    while first:
        *first, v = first
        last = last * v + v
    return last


def rest_is_a_new_list(x):
    values = [v * v for v in x]
    t, s = values, 0.0
    while len(t) > 1:
        head, *t = t
        s += head * t[-1]
        t[0] = t[0] * 2.0
    return s + sum(values)


def rows_are_shared(x):
    rows = np.outer(x, x)
    head, *rest = rows
    rest[0][0] = x[0]
    return np.sum(rows[1] * head)


def least_or_default(x):
    return min([v for v in x if v > 0.65], default=0.0) * x[0]


def default_taken(x):
    return max((v for v in x if v > 3.0), default=x[2] * x[3]) * x[0]


def default_and_key(x):
    return min((v for v in x if v > 0.65), key=lambda v: abs(v - 1.0), default=x[0]) * x[1]


def lists_added_up(x):
    rows = [[v, v * v] for v in x]
    flat = sum(rows, [])  # noqa: RUF017  # as users write
    flat[0] = x[3] * x[3]
    return rows[0][0] * sum(a * b for a, b in zip(flat, range(8)))  # noqa: B905  # as users write


def started_with_a_list(x):
    flat = sum([[x[0]], [x[1] * x[2]]], start=[x[3]])
    return flat[0] * flat[1] * flat[2]


def subsets_of_every_size(x):
    t = 0.0
    for r in range(1, 4):
        for c in itertools.combinations(x, r):
            t += math.prod(c)
    return t


def all_orders(x):
    return sum(p[0] * p[1] ** 2 for p in itertools.permutations(x))


def of_a_pool_that_changes(x):
    s, y, r = 0.0, x.copy(), 2
    for a, b in itertools.combinations(y, r):
        y[0] = y[0] * 2.0
        s += a * b
    return s + y[0]


PROGRAMS = [
    bound_in_a_condition, seen_afterwards, bound_where_it_stops, not_bound_at_all, running_total,
    seen_turn_by_turn, head_and_rest, rest_and_last, rest_is_a_new_list, rows_are_shared,
    least_or_default, default_taken, default_and_key, lists_added_up, started_with_a_list,
    subsets_of_every_size, all_orders, of_a_pool_that_changes,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("fn", PROGRAMS)
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_the_derivative(fn, on_overwrite):
    check_grads(fn, (X,), on_overwrite=on_overwrite)


@pytest.mark.recorded
def test_product_with_a_number_of_times():
    def pairs(x, n):
        return sum(a * b * b for a, b in itertools.product(x, repeat=n))

    check_grads(pairs, (X, 2))


def test_too_few_values_raise_as_in_python():
    def first_two(x):
        a, b, *rest = [v for v in x if v > 1.0]
        return a * b + sum(rest)

    with pytest.raises(ValueError, match="at least 2, got 1"):
        ad.grad(first_two)(X)


def bound_too_early(x):
    s, y = 0.0, 1.0
    for a in itertools.accumulate(y := w for w in x):
        s += a * y
    return s


def test_what_would_bind_a_name_too_early_is_refused():
    with pytest.raises(ad.CompileError):
        ad.grad(bound_too_early)(X)


def sorted_by_size(v):
    v.sort(key=abs)
    return v[0] * v[1] + v[2] ** 2


def in_a_helper(v, other_way):
    v.sort(key=lambda t: t * t, reverse=other_way)
    return 2.0 * v[0]


def sorted_by_a_helper(x):
    v = [a * b for a, b in zip(x, x[::-1])]  # noqa: B905  # as users write
    v[0] = -0.1 * x[3]
    s = in_a_helper(v, True)
    return s * v[1] + v[-1]


def key_of_the_largest(x):
    d = {"a": x[0], "b": 2.0 * x[1], "c": x[2]}
    return d[max(d, key=d.get)] ** 2


def keys_by_value(x):
    d = {"a": x[0], "b": 2.0 * x[1], "c": x[2]}
    t = 0.0
    for k in sorted(d, key=d.get, reverse=True):
        t = 0.5 * t + d[k]
    return t


@pytest.mark.recorded
@pytest.mark.parametrize(
    ("fn", "at"),
    [(sorted_by_size, [0.9, -0.2, 0.5]), (sorted_by_a_helper, X), (key_of_the_largest, X),
     (keys_by_value, X)],
)  # fmt: skip
@pytest.mark.parametrize("on_overwrite", ["refuse", "save"])
def test_keys_of_parameters_and_entries(fn, at, on_overwrite):
    check_grads(fn, (at,), on_overwrite=on_overwrite)
    check_grads(fn, (at,), order=2, modes=("reverse",), on_overwrite=on_overwrite)


class Sorting:
    """What sorts itself in another way."""

    def __init__(self, values):
        self.values = values

    def sort(self, key):
        self.values = self.values[::-1]


def sorts_itself(v, x):
    v.sort(key=lambda t: t)
    return v.values[0] * x[0]


def test_what_is_no_list_is_not_sorted_as_one():
    found = ad.grad(sorts_itself, wrt="x")(Sorting([1.0, 2.0]), X)
    assert found.tolist() == [2.0, 0.0, 0.0, 0.0]
