"""Generators and iterators."""

from __future__ import annotations

import contextlib
import itertools

import numpy as np

from tests.recorder.language.judge import program


@program()
def teed(x):
    a, b = itertools.tee(v * v for v in x)
    next(b)
    return sum(p * q for p, q in zip(a, b))


@program()
def itertools_of_all_sorts(x):
    t = sum(itertools.accumulate(x))
    t += sum(a * b for a, b in itertools.combinations(x, 2))
    t += sum(a * b for a, b in itertools.product(x[:2], x[2:]))
    t += sum(itertools.chain(x, [x[0] * 2], (v for v in x)))
    t += sum(itertools.islice(x, 1, 3))
    t += sum(a - b * b for a, b in itertools.pairwise(x))
    t += sum(itertools.starmap(lambda a, b: a**b, zip(x, x[1:])))
    t += sum(itertools.takewhile(lambda v: v < 1.0, x))
    t += sum(itertools.dropwhile(lambda v: v < 1.0, x))
    t += sum(itertools.compress(x, [1, 0, 1, 1]))
    t += sum(itertools.filterfalse(lambda v: v > 1.0, x))
    t += sum(a * b for a, b in itertools.zip_longest(x, x[:2], fillvalue=2.0))
    t += sum(a * b for a, b in zip(itertools.cycle(x), [1.0] * 6))
    t += sum(itertools.repeat(x[1], 3))
    t += sum(a * b * c for a, b, c in itertools.permutations(x, 3))
    t += sum(itertools.chain.from_iterable([x, x * x]))
    t += sum(itertools.islice(itertools.count(x[0], x[1]), 3))
    return t


@program()
def accumulated_by_function(x):
    *_, last = itertools.accumulate(x, lambda a, b: a * b + 1.0, initial=x[3])
    return last


@program()
def enumerate_zip_map_filter(x):
    t = 0.0
    for k, (a, b) in enumerate(zip(x, reversed(x)), start=1):
        t += k * a * b
    t += sum(map(lambda a, b: a / b, x, x[1:]))
    t += sum(filter(lambda v: v > 0.65, x))
    return t + sum(v for v in map(np.sin, x))


@program()
def iter_with_sentinel(x):
    it = iter(x)

    def take():
        return next(it, None)

    return sum(v * v for v in iter(take, None))


@program()
def next_with_default(x):
    it = (v for v in x if v > 1.0)
    return next(it, 0.0) + next(it, x[0] * 5)


@program()
def generator_expression_late(x):
    k = 1.0
    g = (v * k for v in x)
    k = x[0]
    return sum(g)


@program()
def recursive_generator(x):
    def walk(t):
        if isinstance(t, list):
            for i in t:
                yield from walk(i)
        else:
            yield t * t

    return sum(walk([x[0], [x[1], [x[2]]], x[3]]))


@program()
def contextmanager_by_generator(x):
    @contextlib.contextmanager
    def scaled(state, by):
        old = state["k"]
        state["k"] = by
        try:
            yield by * 2
        finally:
            state["k"] = old * by

    s = {"k": x[0]}
    with scaled(s, x[1]) as twice:
        t = s["k"] * twice
    return t * s["k"]


@program()
def generator_in_object(x):
    class Tree:
        def __init__(self, v, kids=()):
            self.v, self.kids = v, kids

        def __iter__(self):
            yield self.v
            for k in self.kids:
                yield from k

    t = Tree(x[0], [Tree(x[1], [Tree(x[2])]), Tree(x[3])])
    return sum(v ** (k + 1) for k, v in enumerate(t))


@program()
def coroutine_style_simulation(x):
    def body(k, c):
        pos, vel = 1.0, 0.0
        while True:
            dt = yield pos
            vel -= dt * (k * pos + c * vel)
            pos += dt * vel

    sims = [body(x[0], x[1]), body(x[2], x[3])]
    for s in sims:
        next(s)
    out = 0.0
    for step in range(5):
        for s in sims:
            out += s.send(0.1 * (step + 1))
    return out


@program()
def starred_generators(x):
    def f(*a):
        return a[0] * a[1] + a[2]

    g = (v * 2 for v in x)
    first, *rest = g
    return f(*(v * v for v in rest)) * first


@program()
def any_all_min_max_sum(x):
    t = 0.0
    if any(v > 1.0 for v in x) and all(v > 0 for v in x):
        t += max(v * v for v in x) * min(x) + max(x[0], x[1]) - min(x.tolist())
    return (
        t + max([1, 2, 3], key=lambda k: x[k] * 1.0) * x[0] + sum(x, x[0]) + max((), default=x[1])
    )
