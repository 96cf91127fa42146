"""Loops over numbers, backwards, counted or beside others, that take objects by place."""

from __future__ import annotations

import numpy as np
import pytest

from adtrans import vjp
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])


class Link:
    def __init__(self, length, mass):
        self.length, self.mass = length, mass


def torques(links, q):
    n = len(links)
    accs = []
    for i, link in enumerate(links):
        accs.append(link.length * q[i])
    tau = np.zeros(n)
    f = 0.0
    for i in reversed(range(n)):
        link = links[i]
        f = f + link.mass * accs[i]
        tau[i] = f
    return tau


def backwards_in_a_function(x):
    links = [Link(1.0, x[0]), Link(0.8, x[1]), Link(0.5, x[2])]
    return np.sum(torques(links, x))


def backwards(x):
    links = [Link(1.0, x[0]), Link(0.8, x[1])]
    s = 0.0
    for k in reversed(range(x.size - 1)):
        s = 0.5 * s + links[k].mass * x[k]
    return s


def counted(x):
    links = [Link(1.0, x[0]), Link(0.8, x[1])]
    n = x.size - 1
    s = 0.0
    for k, i in enumerate(range(n)):
        s += (k + 1) * links[i].mass * x[i]
    return s


def beside(x):
    links = [Link(1.0, x[0]), Link(0.8, x[1])]
    n = x.size - 1
    s = 0.0
    for w, k in zip((1.0, 2.0), range(n), strict=False):
        s += w * links[k].mass * x[k]
    return s


def over_a_list_that_grows(x):
    m = x[0]
    steps = []
    for v in x:
        m = m * v
        steps.append(Link(v, m))
    s = 0.0
    for k, i in enumerate(range(1, len(steps))):
        s += (k + 1) * steps[i].mass * steps[k].length
    for k, i in zip(range(len(steps)), range(len(steps) - 1, -1, -1), strict=True):
        s += (k + 1) * steps[i].mass * steps[k].length
    for k in reversed(range(len(steps))):
        steps[k].mass = steps[k].mass * 2.0 + s
    return s + steps[-1].mass * steps[0].mass


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [over_a_list_that_grows, backwards_in_a_function, backwards, counted, beside]
)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(f, mode):
    assert vjp(f, X, on_overwrite=mode)[0] == f(X)
    check_grads(f, (X,), on_overwrite=mode)
