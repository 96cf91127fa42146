"""Iterators, orders by a key, and other ways of the standard library to write a loop."""

from __future__ import annotations

import functools
import itertools
import math
import operator

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("iterated")


@CASES.add(vec(4))
def attribute_by_name(x):
    return getattr(np, 'sin')(x[0]) * getattr(x, 'size')


@CASES.add(vec(4))
def itemget(x):
    return operator.itemgetter(2)(x) * x[0]


@CASES.add(vec(4))
def itemget2(x):
    a, b = operator.itemgetter(2, 0)(x)
    return a * b * b


SECOND = operator.itemgetter(1)


@CASES.add(vec(4))
def itemget3(x):
    rows = [(1.0, v * v) for v in x]
    return sum(map(SECOND, rows)) * sum(map(operator.itemgetter(1), rows))


@CASES.add(vec(4))
def tuple_of_a_display(x):
    t = tuple([x[0], x[1] * x[1]])
    return t[0] * t[1]


@CASES.add(vec(4))
def dictzip(x):
    d = dict(zip(['a', 'b', 'c'], x))
    return d['a'] * d['c']


@CASES.add(vec(4))
def dictzip2(x):
    d = dict(((k, v * v) for k, v in enumerate(x)))
    return d[0] * d[2]


@CASES.add(vec(4))
def dictpairs(x):
    d = dict([('a', x[0]), ('b', x[1] * x[2])])
    return d['a'] * d['b']


@CASES.add(vec(4))
def dicta(x):
    d = dict(a=x[0], b=x[1] * x[2])
    return d['a'] * d['b']


@CASES.add(vec(4))
def partial(x):
    return np.sum(functools.partial(np.power, x)(2.0))


def _g(a, *, b=2.0):
    return a * b


@CASES.add(vec(4))
def keywords_displayed(x):
    return _g(x[0], **{'b': x[1]})


@CASES.add(vec(4))
def partial2(x):
    return sum(map(functools.partial(math.pow, 1.5), x))


@CASES.add(vec(4))
def maxkey(x):
    return max([x[0], x[1] * x[1]], key=lambda v: -v)


@CASES.add(vec(4))
def maxkey2(x):
    return max(x[0], x[1] * x[1], key=lambda v: -v) * min(x, key=lambda v: abs(v - 1.0))


@CASES.add(vec(4))
def sortedkey(x):
    a = sorted(x, key=lambda v: -v)
    return a[0] * a[1] * a[1]


@CASES.add(vec(4))
def sortedkey2(x):
    rows = [(v * v, v) for v in x]
    rows = sorted(rows, key=lambda r: r[1], reverse=True)
    return rows[0][0] * rows[-1][1]


@CASES.add(vec(4))
def sortedkey3(x):
    c = 0.8
    a = sorted([v * v for v in x], key=lambda v: abs(v - c))
    return a[0] * a[1] * a[1]


@CASES.add(vec(4))
def sortedkey4(x):
    d = {'u': x[0], 'v': x[1], 'w': x[2]}
    best = sorted(d.items(), key=lambda kv: kv[1])
    return best[0][1] * best[1][1] ** 2


@CASES.add(vec(4))
def maxkeyidx(x):
    k = max(range(len(x)), key=lambda i: x[i])
    return x[k] * x[k] * x[0]


@CASES.add(vec(4))
def sortedkeyop(x):
    rows = [(v * v, v) for v in x]
    rows = sorted(rows, key=operator.itemgetter(1))
    return rows[0][0] * rows[-1][1]


@CASES.add(vec(4))
def maxabs(x):
    return max(x - 1.0, key=abs) * x[0]


@CASES.add(vec(4))
def items_listed(x):
    d = {'u': x[0], 'v': x[1], 'w': x[2]}
    rows = [kv for kv in d.items()]
    return rows[0][1] * rows[1][1] ** 2


@CASES.add(vec(4))
def items_appended(x):
    d = {'u': x[0], 'v': x[1], 'w': x[2]}
    rows = []
    for kv in d.items():
        rows.append(kv)
    return rows[0][1] * rows[1][1] ** 2


@CASES.add(vec(4))
def items_by_one_name(x):
    d = {k: x[k] * x[k] for k in range(3)}
    s = 0.0
    for kv in d.items():
        s += kv[1] * kv[0]
    return s


@CASES.add(vec(4))
def items_taken_apart(x):
    d = {k: (x[k], (x[k] * x[k], 2.0)) for k in range(3)}
    s = 0.0
    for k, (a, (b, c)) in d.items():
        s += a * b * c
    return s


@CASES.add(vec(4))
def items_enumerated(x):
    d = {'u': x[0], 'v': x[1]}
    s = 0.0
    for k, (n, v) in enumerate(d.items()):
        s += (k + 1) * v * v
    return s


@CASES.add(vec(4))
def values_zipped(x):
    d = {k: x[k] * x[k] for k in range(3)}
    s = 0.0
    for v, w in zip(d.values(), x):
        s += v * w
    return s


@CASES.add(vec(4))
def values_summed(x):
    d = {k: x[k] * x[k] for k in range(3)}
    return sum(d.values()) * max(d.values()) * sum((v for v in list(d.values())))


@CASES.add(vec(4))
def keys_sorted(x):
    d = {k: x[k] * x[k] for k in range(3)}
    ks = sorted(d.keys())
    vs = np.array(list(d.values()))
    return d[ks[0]] * np.sum(vs * vs)


@CASES.add(vec(4))
def product_(x):
    return sum((a * b for a, b in itertools.product([x[0], x[1]], [x[1], x[2]])))


@CASES.add(vec(4))
def product2(x):
    s = 0.0
    for i, j in itertools.product(range(3), repeat=2):
        s += x[i] * x[j] * (i + 2 * j)
    return s


@CASES.add(vec(4))
def product3(x):
    s = 0.0
    for i, j in itertools.product(range(3), range(4)):
        if i == j:
            continue
        if i == 2:
            break
        s += x[i] * x[j] * (i + 2 * j)
    return s


@CASES.add(vec(4))
def chain_(x):
    s = 1.0
    for v in itertools.chain([x[0], x[1]], [x[2] * x[2]]):
        s = s * v
    return s


@CASES.add(vec(4))
def chain2(x):
    return sum((v * v for v in itertools.chain(x, x[1:], [2.0, x[0]])))


@CASES.add(vec(4))
def chain3(x):
    rows = [[v, v * v] for v in x]
    return sum(itertools.chain.from_iterable(rows)) * max(itertools.chain(*rows))


@CASES.add(vec(4))
def acc(x):
    return sum(itertools.accumulate([x[0], x[1], x[2]], operator.mul))


@CASES.add(vec(4))
def acc2(x):
    c = list(itertools.accumulate(x))
    return c[1] * c[-1]


@CASES.add(vec(4))
def acc3(x):
    c = list(itertools.accumulate(x, lambda a, v: a * v + 1.0, initial=x[0]))
    return c[1] * c[-1]


@CASES.add(vec(4))
def acc4(x):
    k = x[2]
    c = list(itertools.accumulate(x, lambda a, v: a * k + v))
    return c[1] * c[-1]


@CASES.add(vec(4))
def repeat_(x):
    s = 1.0
    for v in itertools.repeat(x[0], 3):
        s = s * v
    return s


@CASES.add(vec(4))
def islice_(x):
    s = 1.0
    for v in itertools.islice(x, 1, 3):
        s = s * v
    return s


@CASES.add(vec(4))
def islice2(x):
    return sum(itertools.islice((v * v for v in x), 2)) * sum(itertools.islice(x, 0, None, 2))


def gen(x):
    k = 0
    while True:
        yield (x[0] ** k)
        k = k + 1


@CASES.add(vec(4))
def islice3(x):
    return sum(itertools.islice(gen(x), 4))


@CASES.add(vec(4))
def comb(x):
    return sum((a * b for a, b in itertools.combinations([x[0], x[1], x[2]], 2)))


@CASES.add(vec(4))
def comb2(x):
    return sum((x[i] * x[j] * x[k] for i, j, k in itertools.combinations(range(4), 3)))


@CASES.add(vec(4))
def comb3(x):
    return sum((a * b for a, b in itertools.combinations(x, 2))) + sum(
        a * b for a, b in itertools.combinations_with_replacement(x, 2)
    )


@CASES.add(vec(4))
def perm(x):
    return sum((a * b * b for a, b in itertools.permutations(x, 2)))


@CASES.add(vec(4))
def pair(x):
    return sum(((b - a) ** 2 for a, b in itertools.pairwise(x)))


@CASES.add(vec(4))
def pair2(x):
    v = [t * t for t in x]
    s = 0.0
    for k, (a, b) in enumerate(itertools.pairwise(v)):
        s += k * (b - a) ** 2
    return s


@CASES.add(vec(4))
def zl(x):
    return sum((a * b for a, b in itertools.zip_longest(x, x[1:], fillvalue=1.0)))


@CASES.add(vec(4))
def count_(x):
    s = 0.0
    for k in itertools.count():
        if k >= len(x):
            break
        s += x[k] * x[k]
    return s


@CASES.add(vec(4))
def star(x):
    return sum(itertools.starmap(lambda a, b: a * b * b, zip(x, x[1:])))


@CASES.add(vec(4))
def take(x):
    first = sum(itertools.takewhile(lambda v: v < 1.0, x))
    rest = sum(itertools.dropwhile(lambda v: v < 1.0, x))
    return first * rest * sum(itertools.filterfalse(lambda v: v > 1.0, x))


@CASES.add(vec(4))
def compress_(x):
    return sum(itertools.compress(x, [1, 0, 1, 1]))


@CASES.add(vec(4))
def enum(x):
    s = 0.0
    for k, (a, b) in enumerate(itertools.product(x, x)):
        s += k * a * b
    return s


@CASES.add(vec(4))
def zipc(x):
    s = 0.0
    for k, v in zip(itertools.count(1), x):
        s += k * v * v
    return s


@CASES.add(vec(4))
def zipr(x):
    s = 0.0
    for k, v in zip(itertools.repeat(x[0]), x):
        s += k * v * v
    return s


@CASES.add(vec(4))
def mapr(x):
    return sum(map(pow, x, itertools.repeat(2)))


@CASES.add(vec(4))
def name_clash(x):
    v_ = x[0]
    total_ = 2.0
    pool_ = 3.0
    return sum(itertools.accumulate(x, lambda a, b: a * v_ + b * total_)) * pool_


@CASES.add(vec(4))
def early(x):
    for a, b in itertools.product(x, x):
        if a * b > 0.8:
            return a * b * b
    return x[0]


@CASES.add(vec(4))
def listprod(x):
    ps = list(itertools.product(x, [1.0, x[0]]))
    return ps[0][0] * ps[3][1]


@CASES.add(vec(4))
def starmap(x):
    return sum(itertools.starmap(lambda a, b: a * b * b, zip(x, x[1:])))


@CASES.add(vec(4))
def starmap2(x):
    s = 0.0
    for v in itertools.starmap(lambda a, b: a * b * b, zip(x, x[1:])):
        s += v
    return s


def _mul(a, b):
    return a * b * b


@CASES.add(vec(4))
def starmap3(x):
    return sum(itertools.starmap(_mul, zip(x, x[1:])))


@CASES.add(vec(4))
def starmap4(x):
    return sum(itertools.starmap(_mul, [(v, v * v) for v in x]))


@CASES.add(vec(4))
def zt(x):
    s = 0.0
    for t in zip(x, x[1:]):
        s += t[0] * t[1] * t[1]
    return s


@CASES.add(vec(4))
def et(x):
    s = 0.0
    for t in enumerate(x):
        s += t[0] * t[1] * t[1]
    return s


@CASES.add(vec(4))
def lz(x):
    l = list(zip(x, x[1:]))
    return l[0][1] * l[2][0]


@CASES.add(vec(4))
def lz2(x):
    return sum((a * b for a, b in [p for p in zip(x, x[1:])]))


@CASES.add(vec(4))
def lz3(x):
    return sorted(zip(x, x[1:]))[0][1]


@CASES.add(vec(4))
def nested(x):
    s = 0.0
    for k, p in enumerate(zip(x, x[1:])):
        s += k * p[0] * p[1]
    return s


def _kw_g(a, *, b=2.0):
    return a * b


def _kw_h(a, b, c=1.0):
    return a * b * c


@CASES.add(vec(4))
def keywords_passed(x):
    given = {'b': x[1]}
    return _kw_g(x[0], **given)


@CASES.add(vec(4))
def keywords_changed_and_passed(x):
    p = dict(b=x[1], c=x[2])
    p['c'] = p['c'] * 2.0
    return _kw_h(x[0], **p)


@CASES.add(vec(4))
def keywords_twice(x, opts=None):
    kw = {'c': x[1]}
    return _kw_h(x[0], x[2], **kw) + _kw_h(x[0], b=x[1], **kw)


@CASES.add({'a': 1.3, 'b': 0.7})
def keywords_argument(p):
    return _kw_h(**p)


def _kw_model(t, amp, rate, shift=0.0):
    return amp * np.exp(-rate * t) + shift


@CASES.add({'amp': 1.3, 'rate': 0.7})
def keywords_model(p):
    ts = [0.1, 0.5, 1.0]
    return sum(((_kw_model(t, **p) - 0.3) ** 2 for t in ts))


@CASES.add(vec(4))
def keywords_to_a_closure(x):

    def inner(a, b):
        return a * b * x[0]
    return inner(**{'a': x[1], 'b': x[2]})


def _kw_w(**kw):
    return kw['a'] * kw['b']


@CASES.add(vec(4))
def keywords_to_kwargs(x):
    d = {'a': x[0], 'b': x[1]}
    return _kw_w(**d)
