"""Calls of local functions: keywords, defaults, what comprehensions go through."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.2, 0.55])


def any_keyword(x):
    k = x[1] * 2

    def g(v, **kw):
        return v * k * kw["k"]

    return g(x[0], k=x[2])


def any_keyword_and_bound(x):
    s = x[1] * 2

    def g(v, **kw):
        nonlocal s
        s = s * v * kw["s"]
        return s + 1

    return g(x[0], s=x[2]) * s


def gone_through(x):
    s = x[0] * 1.0

    def g(v):
        nonlocal s
        s = s * v
        return [s, v]

    r = sum([a * 2 for a in g(x[1])])
    return r * s


def summed(x):
    s = x[0] * 1.0

    def g(v):
        nonlocal s
        s = s * v
        return [s, v]

    return sum(a * s for a in g(x[2]))


def positional_only(x):
    k = x[1] * 2

    def g(a=k, /, **kw):
        return a * sum(kw.values())

    return g(a=x[0]) + g(x[2], b=2.0)


def several_positional_only(x):
    k = x[1] * 2

    def g(a, b=k, c=x[0], /, d=x[2] * k):
        return a * b + c * d

    k = k * 3
    return g(x[0]) + g(x[2], 2.0) * g(1.0, x[0], d=x[1])


def star_before_a_default(x):
    k = x[1] * 1.0

    def g(*a, b=k):
        return a[0] * b * k

    k = k * 2
    return g(*[x[0], x[2]]) + g(x[0], b=3.0)


def generator_defaults(x):
    y = x * 1.0
    s = x[0] * 1.0

    def g(n, k=s, *, m=x[1] * 2):
        for c in range(n):
            y[c] += 0.1 * k
            yield y[c] * k * m

    s = s * 2
    r = sum(g(3))
    for e in g(2, s):
        r += e
    for e in g(2, m=3.0):
        r += e
    return r * s


def a_method_of_that_name(x):
    k = x[0] * 2

    def step(v):
        return v * k

    class C:
        def __init__(self, v):
            self.v = v

        def step(self, v):
            return v * self.v

    return C(x[2]).step(x[1]) * step(x[2])


@pytest.mark.recorded
@pytest.mark.parametrize("f", [
    any_keyword, any_keyword_and_bound, gone_through, summed, positional_only,
    several_positional_only, star_before_a_default, generator_defaults, a_method_of_that_name,
])  # fmt: skip
def test_calls(f):
    check_grads(f, (X,))


SEEN = []


def note(key):
    SEEN.append(key)
    return key


def annotated(x):
    d = {"a": x[0]}
    d[note("k")]: float  # noqa: B032
    d["a"]: float  # noqa: B032
    return d["a"] * 2.0 + len(d)


def annotated_in_nothing(x):
    d = {"a": x[0]}
    d["b"]["c"]: float
    return x[0] * 2.0


def test_annotations_of_items():
    SEEN.clear()
    assert ad.vjp(ad.differentiable(annotated), X)[0] == 2.4
    assert SEEN == ["k"]
    check_grads(annotated, (X,))
    with pytest.raises(KeyError):
        ad.grad(annotated_in_nothing)(X)
