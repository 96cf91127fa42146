"""Objects die in a recorded run when they do in a plain one: weak references see it."""

from __future__ import annotations

import weakref

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.3])
REGISTRY: weakref.WeakSet[object] = weakref.WeakSet()


class Agent:
    def __init__(self, v):
        self.v = v
        REGISTRY.add(self)


def registered(x):
    a, b = Agent(x[0] * 2.0), Agent(x[1])
    before = len(REGISTRY)
    del a
    return b.v * len(REGISTRY) * before


def asked(x):
    a = Agent(x[0] * 2.0)
    reference, y = weakref.ref(a), a.v
    a = None
    return y if reference() is None else y * 10.0


def through_a_proxy(x):
    class Node:
        pass

    parent = Node()
    parent.child = child = Node()
    child.up, parent.v = weakref.proxy(parent), x[0]
    y = child.up.v
    del parent
    try:
        return child.up.v * 100.0 + y
    except ReferenceError:
        return y * x[1]


def called_back(x):
    found = []
    a = Agent(x[0])
    reference = weakref.ref(a, lambda _: found.append(x[1] * 3.0))
    del a
    return sum(found) + x[0] * (reference() is None)


def many(x):
    total = Agent(x[0])
    for _ in range(6000):
        total = Agent(total.v * 1.0001 + x[1] * 1e-4)
    return total.v * len(REGISTRY)


@pytest.mark.parametrize("f", [registered, asked, through_a_proxy, called_back, many])
def test_what_dies_in_a_run(f):
    REGISTRY.clear()
    check_grads(ad.recorded(f), (X,))


def test_what_lives_on_holds_plain_numbers():
    kept = []

    def f(x):
        kept.append(Agent(x[0] * x[1]))
        return kept[-1].v

    ad.grad(ad.recorded(f))(X)
    assert type(kept[-1].v) is np.float64
