"""Iterators that have a name, `next`, runs of a list deleted."""

# ruff: noqa: B905

import itertools
import math
from collections import deque

import numpy as np

from tests.corpus.model import Programs, later, vec

CASES = Programs("iterators")


def squares(x, a=1.0):
    for v in x:
        yield v * v * a


@CASES.add(vec(4), **later("AD201/AD202/AD207/AD401"))
def generators_see_what_changes(x):
    y, k = x.copy(), 2.0
    g = (v * k for v in y)
    h = squares(x * 2, a=x[0])
    y[0] = x[1] * x[2]
    y = x * 100.0
    k = 3.0
    return sum(g) * (sum(h) if x[0] > 0 else 1.0)


@CASES.add(vec(4), **later("AD201/AD202/AD207/AD401"))
def list_that_grows_under_a_generator(x):
    values = [x[0], x[1]]
    g = (v * v for v in values)
    values.append(x[2])
    values = []
    return sum(g) + len(values)


@CASES.add(vec(4))
def pairs_and_places_under_names(x):
    pairs = zip(x, x[1:])
    places = enumerate(x)
    backwards = reversed([v * x[0] for v in x])
    products = map(lambda t: t * t, x)
    s = 0.0
    for a, b in pairs:
        if a > 1.3:
            break
        s += a * b
    t = tuple(backwards)
    return s * sum(k * v * v for k, v in places) + t[0] * t[3] * list(products)[1]


@CASES.add(vec(4))
def made_anew_in_a_loop(x):
    s = 0.0
    for r in range(2):
        g = (v * r for v in x)
        h = itertools.chain(g, x[:2])
        n = (x[k] * x[k + 1] for k in range(3))
        s += sum(h) ** 2 * math.fsum(n)
    return s


@CASES.add(vec(4), **later("AD201/AD202/AD207/AD401"))
def gone_through_twice(x):
    g = (v * v for v in x)
    return sum(g) + sum(g) + x[0] ** 3


@CASES.add(vec(4), **later("AD201/AD202/AD207/AD401"))
def used_up_by_the_first_iteration(x):
    g = (v * v for v in x)
    s = x[0]
    for _ in range(2):
        s += sum(g)
    return s


@CASES.add(vec(4))
def first_that_fits(x):
    a = next((v * v for v in x if v > 0.8), x[0])
    b = next((v * v for v in x if v > 80.0), x[3])
    k = next((k for k in range(4) if x[k] > 0.8), None)
    v = x[1]
    v = next((u * v for u in x if u < v), v)
    if k is None:
        return a
    w = next(squares(x))
    return a * b * x[k] ** 2 * v * w


@CASES.add(vec(4))
def first_of_none(x):
    try:
        a = next(v for v in x if v > 80.0)
    except StopIteration:
        a = x[0] * x[1]
    return a * x[2]


@CASES.add(vec(4))
def largest_below_in_each_step(x):
    s = x[0]
    for _ in range(3):
        m = next((v for v in x if v > s), 0.5)
        s = s * m
    return s


@CASES.add(vec(5))
def runs_deleted(x):
    a = [v * v for v in x]
    b = a
    del b[1:2]
    s = 0.0
    while len(a) > 1:
        s += a[0] * a[-1]
        del a[:1]
    del a[:]
    a.append(s * x[0])
    rows = [x, x * 2.0, x * x]
    del rows[-2:-1]
    places = [0, 1, 2, 3]
    del places[1:3]
    return b[0] * len(b) + np.sum(rows[1] * rows[0]) + sum(x[k] ** 2 for k in places)


@CASES.add(vec(4))
def generators_over_a_deque_that_grows(x):
    q = deque([x[0], x[1] * x[2]], maxlen=4)
    s = x[3]
    for i in range(3):
        g = (v * s for v in q)
        s = 0.3 * sum(g)
        q.append(x[i])
        u = next((v * s for v in q if v > x[i]), x[3])
        z = zip(q, x)
        s = s * 0.5 + u + sum(a * b for a, b in z)
    return s


@CASES.add(vec(4), **later("AD201/AD202/AD207/AD401"))
def deque_changed_before_its_generator_runs(x):
    q = deque([x[0], x[1]])
    g = (v * v for v in q)
    q.append(x[2])
    try:
        s = sum(g)
    except RuntimeError:
        s = 3.0 * x[0]
    return s


@CASES.add(vec(4))
def generator_late_but_undisturbed(x):
    k = 2.0
    g = (v * k for v in x)
    h = squares(x * 2, a=x[0])
    k = 3.0
    return sum(g) * (sum(h) if x[0] > 0 else 1.0)


@CASES.add(vec(4))
def stepped_iter_next(x):
    it = iter(x)
    a = next(it)
    b = next(it)
    return a * b * b


@CASES.add(vec(4))
def stepped_iter_then_loop(x):
    it = iter(x)
    s = next(it)
    for v in it:
        s = s * v + v
    return s


@CASES.add(vec(4))
def stepped_iter_twice(x):
    it = iter(x)
    s = 0.0
    for a, b in zip(it, it):
        s += a * b
    return s


@CASES.add(vec(4))
def stepped_iter_list_next(x):
    it = iter([v * v for v in x])
    first = next(it)
    total = 0.0
    for v in it:
        total += first * v
    return total


@CASES.add(vec(4))
def stepped_iter_next_in_loop(x):
    it = iter(x)
    s = 1.0
    for i in range(3):
        s = s * next(it) + i
    return s


@CASES.add(vec(4))
def stepped_iter_next_default(x):
    it = iter(x)
    s = 1.0
    while True:
        v = next(it, None)
        if v is None:
            break
        s = s * v + v
    return s


@CASES.add(vec(4))
def stepped_iter_stopiteration(x):
    it = iter(x)
    s = 1.0
    while True:
        try:
            v = next(it)
        except StopIteration:
            break
        s = s * v + v
    return s
