"""Methods that put objects they are given into new containers: layers, stages, parts of a body."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans.testing import check_grads

WRT = ("u", "w", "x")


class Part:
    def __init__(self, v, f=np.sin):
        self.v, self.f = v, f

    def __call__(self, x):
        return self.f(self.v * x)


class Pair:
    def __init__(self, a, b):
        self.parts = [a, b]
        self.first = a

    def total(self, x):
        return sum(p(x) for p in self.parts)


class InDictionaries:
    def __init__(self, a, b):
        self.by_name = {"a": a, "b": b}
        self.nested = (a, [b, a])

    def total(self, x):
        b, a = self.nested[1]
        return self.by_name["a"](x) * self.by_name["b"].v + a.v * b(x)


class Sequential:
    def __init__(self, *parts):
        self.parts = list(parts)

    def __call__(self, x):
        for p in self.parts:
            x = p(x)
        return x


def changed_by_its_name(u, w, x):
    a, b = Part(u), Part(w, np.cos)
    pair = Pair(a, b)
    a.v = a.v * 2.0
    return pair.total(x)


def changed_where_it_is(u, w, x):
    a, b = Part(u), Part(w, np.cos)
    pair = Pair(a, b)
    pair.parts[0].v = pair.parts[0].v * 3.0
    return pair.total(x) + a.v * pair.first.v


def in_dictionaries(u, w, x):
    a, b = Part(u), Part(w, np.cos)
    held = InDictionaries(a, b)
    b.v = x
    return held.total(x)


def one_object_twice(u, w, x):
    a = Part(u)
    pair = Pair(a, a)
    a.v = a.v + w
    pair.parts[1].v = pair.parts[0].v * x
    return pair.total(x)


def shared_by_two(u, w, x):
    a, b = Part(u), Part(w, np.cos)
    s = 0.0
    for pair in [Pair(a, b), Pair(b, a)]:
        pair.parts[0].v = pair.parts[0].v * x
        s = s + pair.total(x)
    return s


def of_layers(u, w, x):
    net = Sequential(Part(u), Part(w, act), Part(u * w, np.tanh))
    return net(x) ** 2


def act(t):
    return t * t


CASES = (
    changed_by_its_name, changed_where_it_is, in_dictionaries, one_object_twice, shared_by_two,
    of_layers,
)  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_gradients(f) -> None:
    check_grads(f, (0.7, 1.2, 0.4), wrt=WRT)


@pytest.mark.slow
@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_gradients_with_copies(f) -> None:
    check_grads(f, (0.7, 1.2, 0.4), wrt=WRT, on_overwrite="save")
