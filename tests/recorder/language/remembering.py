"""Functions that remember, and tuples and sets of the program's own kind that hold numbers."""

from __future__ import annotations

import functools
import itertools
from collections import deque

from tests.recorder.language.judge import program, world


@program()
def cleared_when_a_state_changes(x):
    state, runs = [x[0]], []

    @functools.lru_cache
    def price(n):
        runs.append(n)
        return state[0] * n

    first = price(2) + price(2)
    state[0] = x[1]
    stale = price(2)
    price.cache_clear()
    return first * stale + price(2) * x[2] + len(runs)


@program()
def only_the_last_ones_are_kept(x):
    state = [x[0]]

    @functools.lru_cache(maxsize=2)
    def price(n, *, w=1.0):
        state[0] = state[0] + x[1] * w
        return state[0] * n

    total = price(1) + price(2) * price(1)
    total += price(3) + price(2) * x[2]
    total += price(3, w=x[2]) + price(2)
    info = price.cache_info()
    return total + 10.0 * info.hits + 100.0 * info.misses + 1000.0 * info.currsize


@program()
def nothing_is_kept_and_kinds_tell_apart(x):
    runs = []

    @functools.lru_cache(maxsize=0)
    def never(v):
        runs.append(v)
        return v * len(runs)

    @functools.lru_cache(typed=True)
    def by_kind(n, pair=(1, 2)):
        runs.append(n)
        return x[0] * n + len(runs)

    @functools.cache
    def alike(n):
        runs.append(n)
        return x[1] * len(runs)

    total = never(x[0]) + never(x[0]) * never(2.0)
    total += by_kind(1) * by_kind(1.0) + by_kind(1) + by_kind(1, (1.0, 2)) * x[2]
    return total + alike(1) * alike(1.0) + alike(True) + alike(x[2])


@world()
def a_method_that_remembers():
    class Curve:
        def __init__(self, rate):
            self.rate, self.asked = rate, 0

        @functools.lru_cache(maxsize=None)  # noqa: B019
        def factor(self, n):
            self.asked += 1
            return self.rate if n == 0 else self.factor(n - 1) * (1.0 + self.rate)

    def f(x):
        a, b = Curve(x[0]), Curve(x[1])
        total = a.factor(4) * b.factor(2) + a.factor(3)
        if Curve.factor.cache_info().hits:
            total = total * x[2]
        return total + a.asked + 10 * b.asked

    return f, []


@program()
def powers_by_keyword(x):
    squared = functools.partial(pow, exp=2)
    total = squared(x[0]) + pow(base=x[1], exp=x[2]) + pow(x[2], exp=3)
    return total + pow(7, 2, 5) * x[0] + pow(3, -1, mod=7) * x[1]


@world()
def tuples_with_a_constructor_of_their_own():
    kept = {}

    class Place(tuple):
        def __new__(cls, u, v):
            place = super().__new__(cls, (u, v))
            place.product = u * v
            return place

        def __iter__(self):
            return iter((self[0],))

    class Pair(frozenset):
        def __new__(cls, u, v):
            pair = super().__new__(cls, (u, v))
            pair.ratio = u / v
            return pair

    def f(x):
        here = Place(x[0], x[1])
        kept["place"], kept["pair"] = here, Pair(x[1], x[2])
        kept["at"] = {here: x[2]}
        (only,) = here
        return only * here.product + kept["pair"].ratio * sum(kept["at"].values())

    return f, [kept]


@program()
def movers_by_keyword(x):
    items = [*x]
    total = sum(k * v for k, v in enumerate(iterable=items, start=2)) + round(number=x[0])
    total += sum(deque(iterable=items, maxlen=2)) * complex(real=x[0], imag=x[1]).imag
    runs = itertools.accumulate(iterable=items, func=lambda a, b: a * b, initial=x[1])
    groups = itertools.groupby(iterable=items, key=lambda v: v > 0.8)
    for weight, ((far, group), run) in enumerate(zip(groups, runs, strict=False), start=1):
        total += weight * run * sum(group) * (2.0 if far else 1.0)
    return total
