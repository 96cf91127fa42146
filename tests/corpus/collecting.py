"""Methods and constructors that collect arguments, and hand them on."""

import numpy as np

from tests.corpus.model import Programs, vec

CASES = Programs("collecting")


class _Kernel:
    def __init__(self, **options):
        length = options.pop("length", 1.0)
        self.length = length
        self.scale = options.get("scale", 2.0)

    def __call__(self, r):
        return self.scale * np.exp(-r * r / self.length)


class _Base:
    def __init__(self, rate=1.0, **options):
        self.rate = rate
        self.options = options

    def run(self, u):
        return u * self.rate * self.options.get("scale", 1.0)


class _Derived(_Base):
    def __init__(self, offset, *args, **options):
        super().__init__(*args, **options)
        self.offset = offset

    def run(self, u):
        return super().run(u) + self.offset


class _Poly:
    def __init__(self, *c):
        self.c = c

    def __call__(self, t):
        s = 0.0
        for a in self.c[::-1]:
            s = s * t + a
        return s


class _Sum:
    def __init__(self, a, b=2.0):
        self.a, self.b = a, b

    @classmethod
    def of(cls, *args, **options):
        return cls(*args, **options)

    def add(self, *terms, scale=1.0, **more):
        s = self.a
        for u in terms:
            s = s + u * self.b * scale
        self.a = s
        return s * more.get("w", 1.0)


@CASES.add(vec(4))
def keywords_of_a_constructor(x):
    return np.sum(_Kernel(length=x[0], scale=x[1])(x) * _Kernel(length=x[2])(x))


@CASES.add(vec(4))
def handed_on_to_super(x):
    return np.sum(_Derived(x[0], x[1], scale=x[2]).run(x) * _Derived(x[3]).run(x))


@CASES.add(vec(4))
def coefficients(x):
    return np.sum(_Poly(x[0], x[1], x[2])(x) * _Poly(x[3])(x))


@CASES.add(vec(4))
def terms_of_a_method(x):
    o = _Sum.of(x[0], b=x[1])
    o.add(x[2], x[3], w=3.0)
    return o.add(x[1], scale=x[0]) * o.a


def _scaled(u, *parts, by=1.0):
    for p in parts:
        u[:] = u * p * by


def _handing(u, *parts, **words):
    _scaled(u, *parts, **words)
    _scaled(u, 2.0, *parts[:1], **words)


@CASES.refused(vec(4))
def written_by_a_function_that_collects(x):
    u = x.copy()
    _handing(u, x[0], x[1], by=x[2])
    return np.sum(u)


def _starred(*terms):
    first, *terms = terms
    return first * sum(terms) + max(terms) * len(terms)


def _passing(*terms):
    return _starred(*terms) + _starred(1.0, *terms, *terms)


@CASES.add(vec(4))
def handed_on_between_others(x):
    return _passing(x[0], x[1], x[2]) * _passing(x[3], x[0])


def _hiding(*args):
    def inner(*args):
        return _starred(*args)

    return inner(2.0, *args[1:]) * _starred(*args)


@CASES.add(vec(4))
def hidden_inside(x):
    return _hiding(x[0], x[1], x[2]) * _hiding(x[3], x[0])
