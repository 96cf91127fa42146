"""Partial applications that are values: in lists, in objects, handed to functions."""

import functools
from functools import partial

import numpy as np
import pytest

from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3, 0.7])


def f(x, a, b=2.0):
    return a * x * x + b


def kw(x, *, a, b):
    return a * x + b


def of_another(x):
    g = partial(f, b=x[1])
    h = partial(g, a=x[2])
    return np.sum(h(x))


def in_a_list(x):
    def loc(u, v, w=1.0):
        return u * v * w

    g = partial(loc, x[0])
    hs = [g, partial(loc, x[1], w=x[2]), partial(kw, a=x[0], b=1.0)]
    return sum(np.sum(h(x)) for h in hs)


def handed_on(x):
    g = partial(kw, b=x[0])
    return np.sum(g(x, a=2.0)) + np.sum(integrate(g, x))


def integrate(g, x):
    return 0.1 * g(x, a=x[1]) + g(x * 2, a=1.0)


def rk(g, y, n):
    for _ in range(n):
        y = y + 0.1 * g(y)
    return y


def rhs(y, k, c):
    return -k * y + c


def to_a_stepper(x):
    return np.sum(rk(partial(rhs, k=x[0], c=x[1]), x, 3))


def by_its_module(x):
    return np.sum(rk(functools.partial(rhs, k=x[0], c=x[1]), x, 3))


def of_a_product(x):
    A = np.outer(x, x)
    return np.sum(rk(partial(np.dot, A), x, 2))


class M:
    def __init__(self, k):
        self.k = k

    def rhs(self, y, c):
        return -self.k * y + c

    def run(self, y):
        return rk(partial(self.rhs, c=self.k * 2), y, 2)


def of_a_method(x):
    return np.sum(M(x[0]).run(x))


def appended(x):
    fs = []
    for k in range(3):
        fs.append(partial(f, a=x[k], b=k))
    out = x
    for g in reversed(fs):
        out = g(out)
    return np.sum(out)


def in_a_dictionary(x):
    ops = {"lin": partial(f, a=x[0]), "exp": np.exp}
    s = 0.0
    for n in ("lin", "exp", "lin"):
        s += np.sum(ops[n](x))
    return s


def deco(fn, k):
    @functools.wraps(fn)
    def inner(x):
        return k * fn(x)

    return inner


def decorated_by_a_function(x):
    return np.sum(deco(partial(f, a=x[0]), x[1])(x))


def beside_writes(x):
    g = partial(f, a=x[0])
    y = x.copy()
    x = x * 3
    return np.sum(g(y)) + np.sum(sorted(y, key=lambda v: v)[0] * g(y[0]))


def bound_at_once(x):
    k = x[0]
    g = partial(f, a=k)
    k = k * 5
    hs = [g]
    return np.sum(hs[0](x)) * k


def that_writes(x):
    buf = np.zeros(4)
    g = partial(add, buf)
    for i in range(3):
        apply(g, x * i)
    return np.sum(buf**2)


def add(buf, v):
    buf += v * v


def apply(g, v):
    g(v)


def made_by(k):
    return partial(f, a=k)


def returned(x):
    return np.sum(made_by(x[0])(x))


class Held:
    def __init__(self, k):
        self.g = partial(f, a=k)

    def __call__(self, x):
        return self.g(x)


def in_an_object(x):
    return np.sum(Held(x[0])(x))


def collecting(*values, **options):
    return values[0] * values[1] + options.get("c", 2.0) * values[0]


def handed_all(g, *args, **words):
    return g(*args, **words)


def with_all_arguments(x):
    return handed_all(partial(collecting, x[0]), x[1], c=x[2]) * handed_all(
        partial(collecting, x[1]), x[3]
    )


def of_a_local_one_with_all(x):
    def collects(v, *values, **options):
        return v * values[0] * options["c"]

    return handed_all(partial(collects, x[0]), x[1], c=x[2])


def of_built_in_ones(x):
    return apply_to(partial(max, x[0]), x[1]) * apply_to(partial(pow, x[1]), 2.0)


def apply_to(g, v):
    return g(v)


FUNCTIONS = [
    with_all_arguments,
    of_a_local_one_with_all,
    of_built_in_ones,
    of_another,
    in_a_list,
    handed_on,
    to_a_stepper,
    by_its_module,
    of_a_product,
    of_a_method,
    appended,
    in_a_dictionary,
    decorated_by_a_function,
    beside_writes,
    bound_at_once,
    that_writes,
    returned,
    in_an_object,
]


@pytest.mark.recorded
@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients(f):
    check_grads(f, (X,))


def given_again(x):
    return handed_named(partial(collecting, x[0], c=x[1]), x[2])


def handed_named(g, v):
    return g(v, c=3.0)


def overridden(x):
    g = partial(f, a=x[0])
    return sum(np.sum(h(x, a=2.0)) for h in [g])


@pytest.mark.parametrize("f", [overridden, given_again])
def test_a_value_for_what_is_bound(f):
    check_grads(f, (X,))


def scaled(a, bound):
    return a * bound**2


def gain(k, gain):
    return k * gain


def named_like_what_is_written(x):
    return integrate_once(partial(scaled, x[0]), x) + integrate_once(partial(gain, x[1]), x)


def integrate_once(g, x):
    return np.sum(g(x))


def one_or_the_other(x):
    if x[0] > 0.5:
        g = partial(scaled, x[1])
    else:
        g = partial(scaled, x[2])
    return np.sum(g(x)) * integrate_once(g, x)


@pytest.mark.parametrize(
    "f", [named_like_what_is_written, one_or_the_other], ids=lambda f: f.__name__
)
def test_names_and_branches(f):
    check_grads(f, (X,))


def test_two_different_ones():
    def f(x):
        g = partial(scaled, x[0]) if x[0] > 0.5 else partial(gain, x[1])
        return integrate_once(g, x)

    check_grads(f, (X,))
