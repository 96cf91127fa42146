"""Generators and iterators."""

from __future__ import annotations

import contextlib
import itertools

import numpy as np

from tests.recorder.language.judge import program, world


@program()
def yield_from_with_a_value(x):
    def inner(v):
        total = 0.0
        for a in v:
            total += a * a
            yield a
        return total

    def outer(v):
        t = yield from inner(v)
        yield t * v[0]

    return sum(y * (k + 1) for k, y in enumerate(outer(x)))


@program()
def sent_values(x):
    def averager():
        total, count, mean = 0.0, 0, None
        while True:
            v = yield mean
            total += v
            count += 1
            mean = total / count

    g = averager()
    next(g)
    return [g.send(v * x[0]) for v in x]


@program()
def thrown_into(x):
    def worker():
        scale = 1.0
        while True:
            try:
                v = yield scale
                scale = scale * v
            except ValueError as e:
                scale = scale + e.args[0]

    g = worker()
    next(g)
    g.send(x[0])
    g.throw(ValueError(x[1] * x[2]))
    return g.send(x[3])


@world()
def cleaned_up():
    log = []

    def source(x):
        try:
            for v in x:
                yield v * v
        finally:
            log.append(float(len(x)))
            log.append(x[0] * 2)

    def f(x):
        for k, v in enumerate(source(x)):
            if k == 1:
                break
        g = source(x)
        a = next(g)
        g.close()
        return a * v

    return f, [log]


@program()
def pipeline(x):
    def numbers(v):
        yield from v

    def squared(it):
        for v in it:
            yield v**2

    def running(it):
        t = 0.0
        for v in it:
            t += v
            yield t

    return sum(running(squared(numbers(x))))


@program()
def return_of_a_generator(x):
    def g():
        yield x[0]
        return x[1] * x[2]

    it = g()
    first = next(it)
    try:
        next(it)
    except StopIteration as stop:
        return first * stop.value


@program()
def iterator_by_class(x):
    class Pairs:
        def __init__(self, v):
            self.v, self.k = v, 0

        def __iter__(self):
            return self

        def __next__(self):
            if self.k + 1 >= len(self.v):
                raise StopIteration
            self.k += 1
            return self.v[self.k - 1], self.v[self.k]

    return sum(a * b for a, b in Pairs(x))


@program()
def iterable_by_getitem(x):
    class Grid:
        def __init__(self, v):
            self.v = v

        def __getitem__(self, k):
            if k >= 3:
                raise IndexError(k)
            return self.v[k] * self.v[k + 1]

    a, b, c = Grid(x)
    return a + b * c + sum(Grid(x)) + max(Grid(x))


@program()
def len_and_getitem_reversed(x):
    class Seq:
        def __init__(self, v):
            self.v = v

        def __len__(self):
            return len(self.v)

        def __getitem__(self, k):
            return self.v[k] ** 2

    return sum(v * k for k, v in enumerate(reversed(Seq(x))))


@program()
def grouped(x):
    total = 0.0
    items = [(k % 2, v) for k, v in enumerate(x)]
    for key, group in itertools.groupby(sorted(items, key=lambda p: p[0]), key=lambda p: p[0]):
        part = 1.0
        for _, v in group:
            part *= v
        total += (key + 1) * part
    return total


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
