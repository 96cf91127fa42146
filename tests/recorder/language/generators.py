"""Generators and iterators."""

from __future__ import annotations

import itertools

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
