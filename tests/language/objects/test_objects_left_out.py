"""Objects that a call may leave out: `if body is None: body = Sphere(1.0)`."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.5, 0.6, 0.7])


class Sphere:
    table = {"unit": {"a": 2.0, "b": 1.5}}  # noqa: RUF012

    def __init__(self, a, b):
        self.a, self.b = a, b
        self.flat = (a - b) / a

    @classmethod
    def named(cls, name):
        return cls(cls.table[name]["a"], cls.table[name]["b"])

    def grow(self, k):
        self.a = self.a * k
        return self


def radius(x, body=None):
    if body is None:
        body = Sphere.named("unit")
    return x * body.a * body.flat


def handed_on(x, body=None):
    return radius(x, body) * radius(x * x, body=body)


def made_in_a_loop(x, body=None):
    for _ in range(3):
        if body is None:
            body = Sphere(3.0 * x, 2.0)
        x = x * body.a
        body.a = body.a + x
    return x * body.flat


def made_before_it_is_asked(x, first, body=None):
    if first:
        body = Sphere(x, 2.0)
    if body is None:
        body = Sphere(3.0 * x, 2.0)
    body.grow(x)
    return x * body.a * body.flat


def made_where_it_fails(x, body=None):
    try:
        y = body.a * x
    except AttributeError:
        body = Sphere(x, 2.0)
        y = body.flat
    if body is None:
        y = 0.0
    return y * body.a


def seen_by_a_closure(x, body=None):
    def area():
        return body.a * x

    if body is None:
        body = Sphere(x, 0.5)
    return area() * body.b


def under_two_names(x, body=None, other=None):
    if other is None:
        other = body
    if body is None:
        body = Sphere(x, 0.3)
    if other is None:
        other = body
    other.grow(2.0)
    return body.a * other.a * x


def asked_for_truth(x, body=None):
    body = body or Sphere(x, 0.4)
    return body.grow(x).a * body.flat


def none_again(x, body=None, n=None):
    if body is None:
        body = Sphere(x, 0.2)
    if n is None:
        n = x * 2.0
    body.a = body.a * n
    n = None
    if n is None:
        n = 3.0 * x
    return body.a * n


class Probe:
    def __init__(self, body=None):
        self.body = body if body is not None else Sphere(3.0, 2.0)

    def at(self, x, body=None):
        if body is None:
            body = self.body
        body.grow(x)
        return x * body.a * body.flat


def left_out(x):
    return radius(x[0]) + handed_on(x[1])


def given(x):
    body = Sphere(x[2], 0.1)
    y = handed_on(x[0], body) * radius(x[1], Sphere(x[0], x[2])) * radius(x[1], body=None)
    return y * body.grow(x[0]).a


def in_loops(x):
    return made_in_a_loop(x[0]) + made_in_a_loop(x[1], Sphere(x[2], 2.0))


def before(x):
    y = made_before_it_is_asked(x[0], True) * made_before_it_is_asked(x[1], False)
    return y * made_before_it_is_asked(x[2], x[0] > 0.1)


def failing(x):
    return made_where_it_fails(x[0]) * made_where_it_fails(x[1], Sphere(x[1], x[2]))


def names(x):
    y = under_two_names(x[0]) * under_two_names(x[1], Sphere(x[1], 0.2))
    return y * under_two_names(x[2], None, Sphere(x[0], 0.2)) * seen_by_a_closure(x[0])


def truths(x):
    return asked_for_truth(x[0]) * none_again(x[0]) * none_again(x[1], n=x[2])


def methods(x):
    probe, other = Probe(), Probe(Sphere(x[0], 0.2))
    y = probe.at(x[1]) * probe.at(x[0], Sphere(x[2], 0.3))
    return y * other.at(x[1]) * other.body.a * probe.body.a


def width(x, body=None):
    if body is None:
        body = Sphere(x * x, 1.0)
    return x * body.a


class Chain:
    def __init__(self):
        self.last = None

    def step(self, x):
        y = width(x, self.last)
        self.last = Sphere(x, y)
        return y


def given_or_not(x):
    body = Sphere(x[0], 1.0) if x[0] > 5.0 else None
    return width(x[1], body) + width(x[2], Sphere(2.0, 1.0))


def given_the_next_time(x):
    chain = Chain()
    return chain.step(x[0]) * chain.step(x[1])


class Gain:
    def __init__(self, k):
        self.k = k

    def __call__(self, v):
        return self.k * v


def gained(x, gain=None):
    if gain is None:
        return x * x
    return gain(x) * gain.k


def called_or_not(x):
    gain = Gain(x[0]) if x[0] > 5.0 else None
    return gained(x[1], gain) * gained(x[2], Gain(x[0])) + gained(x[0])


PROGRAMS = [
    given_or_not, given_the_next_time, called_or_not, left_out, given, in_loops, before, failing,
    names, truths, methods,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    check_grads(f, (X,), on_overwrite=mode)


@pytest.mark.recorded
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_forwards(f):
    v = np.array([1.0, -0.5, 0.3])
    found = ad.jvp(f, (X,), (v,))[1]
    assert np.isclose(found, ad.grad(f)(X) @ v)


SCALE = 2.0


def asked_directly(x, body=None, weights=None, half=False):
    if body is None:
        body = Sphere(x[0], SCALE)
    if weights is None:
        weights = np.ones(3)
    y = np.sum(weights * x) * body.grow(x[1]).a
    return 0.5 * y if half else y * body.flat


def test_the_function_that_is_asked_for(monkeypatch):
    check_grads(asked_directly, (X,))
    check_grads(asked_directly, (X, None, 2.0 * X), wrt=(0, 2), on_overwrite="save")
    check_grads(asked_directly, (X, None, None, True))
    check_grads(lambda x: asked_directly(x, Sphere(2.0, 1.0)), (X,))
    gradient = ad.grad(asked_directly)
    before = gradient(X)
    assert np.allclose(gradient(X, None), before)
    body = Sphere(2.0, 1.0)
    assert not np.allclose(gradient(X, body), before)
    assert body.a == 2.0 * X[1]
    assert np.allclose(gradient(X), before)
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    h = 1e-6 * np.eye(3)
    quotients = [(asked_directly(X + d) - asked_directly(X - d)) / 2e-6 for d in h]
    assert np.allclose(gradient(X), quotients)


def test_second_derivatives():
    check_grads(ad.grad(asked_directly), (X,))
    check_grads(ad.grad(left_out), (X,))
