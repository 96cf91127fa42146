"""Methods that are given the items of something: `obj.m(*values)`, `a.transpose(*axes)`."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3, 0.7])


class Decay:
    def __init__(self, k, pair=(1.0, 2.0)):
        self.k, self.pair = k, pair

    def rate(self, t, y, k, c):
        return -k * y * self.k - c * y * t

    def any_number(self, *values):
        return values[0] * values[-1] * self.k

    def with_default(self, a, b=2.0):
        return a * b * self.k

    def scales(self, u, v):
        u[0] *= 2.0
        v[0] *= self.k
        return np.sum(u * v)

    def transpose(self, *axes):
        return self.k * axes[0]


class Twice(Decay):
    def rate(self, *args):
        return 2.0 * super().rate(*args)


class Stepper:
    def __init__(self, f, args=()):
        self.f, self.args, self.calls = f, args, 0

    def step(self, y):
        self.calls += 1
        return y + 0.1 * self.f(0.1 * self.calls, y, *self.args)


def a_tuple(x):
    values = (x[1], x[2])
    return np.sum(Decay(x[0]).rate(0.5, x, *values))


def an_attribute(x):
    d = Decay(x[0], [x[1], x[2] * x[3]])
    return np.sum(d.rate(0.5, x, *d.pair))


def elements(x):
    return np.sum(Decay(x[0]).rate(0.5, x, *x[:2]))


def first_of_all(x):
    values = (0.5, x, x[0], 3.0)
    return np.sum(Twice(x[1]).rate(*values))


def collected(x):
    values = (x[1], x[2])
    return Decay(x[0]).any_number(*values) + Decay(x[0]).any_number(x[3], *values)


def some_by_default(x):
    one, two = (x[1],), (x[1], x[2])
    d = Decay(x[0])
    return d.with_default(*one) + d.with_default(*two)


def changed_in_between(x):
    d, values = Decay(x[0]), [x[1], x[2]]
    first = d.rate(0.5, x, *values)
    values[0] = x[3] * x[3]
    return np.sum(first) + np.sum(d.rate(0.5, x, *values))


def one_array_twice(x):
    a = x * x
    both = (a, a)
    return Decay(x[0]).scales(*both) + a[0]


def what_is_held(x):
    s = Stepper(lambda t, y, k, c: -k * y + c * t * y, (x[0], x[1]))
    return np.sum(s.step(s.step(x)))


def nothing_is_held(x):
    return np.sum(Stepper(lambda t, y: -y * y * t).step(x))


def not_of_an_array(x):
    values = (2.0, 3.0)
    return np.sum(Decay(x).transpose(*values))


def axes_in_a_tuple(x):
    b = np.outer(x, x * x).reshape(2, 2, 4)
    axes = (2, 0, 1)
    return np.sum(b.transpose(*axes)[0] * b.transpose(axes)[1])


def axes_in_a_list(x):
    b = np.outer(x, x * x).reshape(2, 2, 4)
    axes = list(range(b.ndim))
    axes[0], axes[2] = axes[2], axes[0]
    return np.sum(b.transpose(*axes)[0] * b.transpose(*axes)[1])


def sizes_of_another(x):
    b = np.outer(x, x * x)
    return np.sum(b.reshape(*b.shape[:1], -1, 2)[0, 1] ** 2)


def a_view(x):
    b = x * x
    sizes = (2, 2)
    b.reshape(*sizes)[0] *= 3.0
    return np.sum(b * b)


PROGRAMS = [
    a_tuple, an_attribute, elements, first_of_all, collected, some_by_default, changed_in_between,
    one_array_twice, what_is_held, nothing_is_held, not_of_an_array, axes_in_a_tuple,
    axes_in_a_list, sizes_of_another, a_view,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_in_all_modes(f):
    check_grads(f, (X,), on_overwrite="save")
    gradient = ad.grad(f, on_overwrite="save")(X)
    assert np.allclose(ad.jvp(f, (X,), (np.ones(4),))[1], gradient.sum())


def test_no_axes_at_all():
    def reversed_axes(x):
        axes = [k for k in range(3) if k > 4]
        return np.sum(np.outer(x, x).transpose(*axes)[0] ** 2)

    with pytest.raises(ad.AdtransError, match="no values"):
        ad.grad(reversed_axes)(X)


@dataclass
class Mass:
    m: float
    q: float = 1.0

    def add(self, v):
        self.m = self.m + v


def product_of(a, b, k=2.0):
    return a.m * b.m * k


def total_of(*masses):
    s = 0.0
    for m in masses:
        s = s + m.m**2
    return s


def exchange(a, b):
    d = a.m - b.m
    a.add(0.1 * d)
    b.add(-0.1 * d)
    return d


def objects_by_themselves(x):
    masses = [Mass(x[0]), Mass(x[1]), Mass(x[2])]
    pair = masses[:2]
    d = exchange(*pair) + exchange(*pair[::-1])
    return product_of(*pair) * product_of(*pair, k=x[2]) + total_of(*masses) + d


def pairs_by_themselves(x):
    masses = [Mass(v) for v in x]
    s = 0.0
    for p in itertools.combinations(masses, 2):
        s = s + product_of(*p)
    return s + sum(product_of(*p) for p in itertools.combinations(masses, 2))


@pytest.mark.recorded
@pytest.mark.parametrize("f", [objects_by_themselves, pairs_by_themselves])
def test_functions_that_are_given_objects_by_a_star(f) -> None:
    check_grads(f, (np.array([0.6, 0.9, 1.3]),), order=2)


def one_too_many(x):
    masses = [Mass(x[0]), Mass(x[1]), Mass(x[2]), Mass(1.0)]
    return product_of(*masses)


def test_one_too_many_is_an_error() -> None:
    x = np.array([0.6, 0.9, 1.3])
    with pytest.raises(TypeError):
        one_too_many(x)
    with pytest.raises((TypeError, ad.CompileError)):
        ad.vjp(one_too_many, x)
