"""Built-in functions and the standard library."""

from __future__ import annotations

import cmath
import concurrent.futures
import copy
import functools
import itertools
import math
import multiprocessing
import operator
import random
import statistics
import threading

import numpy as np

from tests.features.model import Section

row = Section("Built-ins")


@row("`sum`")
def sum_(x):
    return sum([x[0] * x[0], x[1]], x[2])


@row("`min`, `max`")
def min_max(x):
    return min(x[0] * x[0], x[1]) * max([x[1], x[2]])


@row("`max` with a key")
def max_key(x):
    return max([x[0], x[1] * x[1]], key=lambda v: -v)


@row("`abs`, `round` of an inactive number, `pow`")
def abs_pow(x):
    return abs(-x[0]) * pow(x[1], round(2.2))


@row("`round` of a varying number")
def round_(x):
    return x[0] * round(x[1])


@row("`divmod`")
def divmod_(x):
    q, r = divmod(5.0 * x[0], x[1])
    return q * r


@row("`len`, `range`")
def len_range(x):
    s = 0.0
    for k in range(len(x)):
        s = s + x[k] * k
    return s * s


@row("`zip`")
def zip_(x):
    return sum(a * b for a, b in zip(x, x[1:]))


@row("`enumerate`")
def enumerate_(x):
    s = 0.0
    for k, v in enumerate(x):
        s = s + k * v * v
    return s


@row("`reversed`")
def reversed_(x):
    s = 1.0
    for v in reversed(x):
        s = s * v + v
    return s


@row("`sorted`")
def sorted_(x):
    a = sorted([x[2], x[0] * x[0], x[1]])
    return a[0] * a[1]


@row("`map`")
def map_(x):
    return sum(map(lambda v: v * v, x))


@row("`map` over two, unpacked")
def map_unpacked(x):
    a, b = map(np.asarray, [x * x, x])
    return np.sum(a * b)


@row("`filter`")
def filter_(x):
    return sum(filter(lambda v: v > 0.7, [x[0], x[1] * x[1], x[2]]))


@row("`any`, `all`")
def any_all(x):
    return np.sum(x * x) if any(v > 1.0 for v in x) and all(x > 0) else x[0]


@row("`isinstance`")
def isinstance_(x):
    return np.sum(x * x) if isinstance(x, np.ndarray) else x


@row("`getattr` with a constant name")
def getattr_(x):
    return getattr(np, "sin")(x[0]) * getattr(x, "size")


@row("`setattr` with a constant name")
def setattr_(x):
    class Box:
        pass

    b = Box()
    setattr(b, "v", x * x)
    return np.sum(b.v)


@row("`hasattr`")
def hasattr_(x):
    return np.sum(x * x) if hasattr(x, "shape") else x


@row("`float`, `int`, `bool`")
def casts(x):
    return float(x[0]) * float(x[0]) * int(2.7) if bool(x[1] > 0) else x[1]


@row("`list`, `tuple`, `dict`")
def containers(x):
    a, b = list(x), tuple([x[0], x[1] * x[1]])
    d = dict(u=a[0], v=b[1])
    return d["u"] * d["v"]


@row("`itertools.product`")
def product(x):
    return sum(a * b for a, b in itertools.product([x[0], x[1]], [x[1], x[2]]))


@row("`itertools.chain`")
def chain(x):
    s = 1.0
    for v in itertools.chain([x[0], x[1]], [x[2] * x[2]]):
        s = s * v
    return s


@row("`itertools.accumulate`")
def accumulate(x):
    return sum(itertools.accumulate([x[0], x[1], x[2]], operator.mul))


@row("`itertools.repeat`")
def repeat(x):
    s = 1.0
    for v in itertools.repeat(x[0], 3):
        s = s * v
    return s


@row("`itertools.islice`")
def islice(x):
    s = 1.0
    for v in itertools.islice(x, 1, 3):
        s = s * v
    return s


@row("`itertools.combinations`")
def combinations(x):
    return sum(a * b for a, b in itertools.combinations([x[0], x[1], x[2]], 2))


@row("`itertools.pairwise`")
def pairwise(x):
    return sum((b - a) * b for a, b in itertools.pairwise(x))


@row("`itertools.zip_longest`")
def zip_longest(x):
    return sum(a * b for a, b in itertools.zip_longest(x, x[1:], fillvalue=1.0))


@row("`itertools.starmap`, `takewhile`")
def starmap(x):
    falling = lambda p: p[0] < 1.0
    pairs = list(itertools.takewhile(falling, zip(x, x[1:])))
    return sum(itertools.starmap(lambda a, b: a * b, pairs))


@row("an iterator under a name")
def iterator_named(x):
    squares = (v * v for v in x)
    return sum(squares)


@row("`sorted` with a key")
def sorted_key(x):
    rows = sorted([(v * v, v) for v in x], key=operator.itemgetter(1), reverse=True)
    return rows[0][0] * rows[-1][1]


@row("`functools.reduce`")
def reduce(x):
    return functools.reduce(operator.mul, [x[0], x[1], x[2]])


@row("`operator`")
def operator_(x):
    return operator.add(operator.mul(x[0], x[1]), operator.itemgetter(2)(x))


@row("`math`")
def math_(x):
    return math.sin(x[0]) * math.hypot(x[1], x[2]) + math.exp(x[0]) ** math.pi


@row("`math.hypot(*v)`, `math.dist` of lists")
def spread_coordinates(x):
    return math.hypot(*x) * math.dist([x[0], x[1]], [1.0, 2.0])


@row("`math.fsum`, `math.prod`")
def math_sums(x):
    return math.fsum([x[0] * x[1], x[2]]) * math.prod([x[0], x[1]])


@row("`cmath` with a real result")
def cmath_(x):
    return abs(cmath.exp(1j * x[0]) + x[1])


@row("decompositions of complex matrices")
def complex_decompositions(x):
    a = np.outer(x, x) + np.diag(x) * 1j
    u, s, _ = np.linalg.svd(a)
    return np.sum(np.abs(u) * s) + np.sum(np.abs(np.linalg.eigvals(a)) ** 2)


@row("list in a variable beside arrays")
def list_among_operands(x):
    p = [x[0], 2.0 * x[1]]
    return np.sum(np.hstack((x, p)) ** 2) + np.sum(np.einsum("i,j->ij", p, x))


@row("`statistics`")
def statistics_(x):
    return statistics.mean([x[0], x[1] * x[1]]) * statistics.pstdev([x[0], x[1], x[2]])


@row("`copy`")
def copy_(x):
    values = copy.copy([x[0], x[1]])
    values[0] = x[2] * x[2]
    return values[0] * values[1]


@row("`random` draws as constants")
def random_(x):
    random.seed(3)
    return np.sum(x * x) * random.random()


@row("`np.random` draws as constants")
def np_random(x):
    rng = np.random.default_rng(3)
    return np.sum(x * x * rng.normal(size=3))


@row("`eval`: stays out")
def eval_(x):
    return eval("x[0] * x[1]")


@row("`exec`: stays out")
def exec_(x):
    scope = {"x": x}
    exec("y = x[0] * x[1]", scope)
    return scope["y"]


async def _awaited(v):
    return v * v


@row("`async`: stays out")
def async_(x):
    c = _awaited(x[0])
    try:
        c.send(None)
    except StopIteration as done:
        return done.value
    return x[1]


@row("threads that the function starts: stay out")
def threads(x):
    found = []

    def squares(v):
        found.append(v * v)

    started = [threading.Thread(target=squares, args=(v,)) for v in x]
    for t in started:
        t.start()
    for t in started:
        t.join()
    return sum(sorted(found))


@row("a pool of threads: stays out")
def pool_of_threads(x):
    def slow(v, k=2):
        return v**k

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(slow, v, k=3) for v in x]
        return sum(f.result() for f in waiting) + sum(pool.map(slow, x))


@row("what is sent to another process: stays out")
def processes(x):
    receiver, sender = multiprocessing.Pipe(duplex=False)
    with receiver, sender:
        sender.send(("add", x[0] * x[1], {"weight": x[2]}))
        what, v, options = receiver.recv()
        if what == "add":
            return v + options["weight"] ** 2
    return x[0]


@row("`statistics` of a comprehension")
def statistics_of_generator(x):
    return statistics.stdev(v * v for v in x) * statistics.median(x)


@row("a generator under a name")
def generator_named(x):
    k = 2.0
    values = (v * v * k for v in x)
    k = 3.0
    return sum(values) * k


@row("`next` of a generator")
def next_of_generator(x):
    return next(v * v for v in x if v > 0.5)


@row("`next` with a default")
def next_with_default(x):
    a = next((v * v for v in x if v > 50.0), x[0] * x[1])
    return a * a


@row("`iter` and several `next`")
def iter_several(x):
    it = iter(x)
    s = next(it) * next(it)
    for v in it:
        s = s + v * v
    return s


@row("an iterator used twice: `zip(it, it)`")
def iter_twice(x):
    it = iter(np.concatenate([x, x]))
    s = 0.0
    for a, b in zip(it, it):  # noqa: B905
        s += a * b
    return s


@row("`min` and `max` with a default")
def with_default(x):
    return min([v for v in x if v > 0.8], default=0.0) * max((v for v in x if v > 9), default=x[0])


@row("`itertools.combinations` of a number that is not known")
def subsets(x):
    t = 0.0
    for r in range(1, 3):
        for c in itertools.combinations(x, r):
            t += math.prod(c)
    return t
