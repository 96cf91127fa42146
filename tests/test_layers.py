"""Layers made of a list of pairs of arrays, with functions among their attributes."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

RNG = np.random.default_rng(3)
PARAMS = [
    (RNG.normal(size=(2, 3)), RNG.normal(size=3)),
    (RNG.normal(size=(3, 2)), RNG.normal(size=2)),
]
INPUT = RNG.normal(size=(4, 2))


class Dense:
    def __init__(self, weights, bias, act=np.tanh):
        self.weights, self.bias, self.act = weights, bias, act

    def forward(self, x):
        self.x = x
        return self.act(x @ self.weights + self.bias)


class Stack:
    def __init__(self, layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def squares(self):
        return sum((layer.weights**2).sum() for layer in self.layers)


def network(params, x):
    net = Stack([Dense(w, b, np.sin) for w, b in params])
    return (net(x) ** 2).sum() + 0.01 * net.squares()


def loose(params, x):
    layers = []
    for p in params:
        layers.append(Dense(p[0], p[1]))
    for layer in layers:
        x = layer.forward(x)
    return (x**2).sum() + layers[0].x.sum()


def by_key(params, x):
    weights, bias = {}, {}
    for k, (w, b) in enumerate(params):
        weights[k] = w
        bias[k] = b
    for k in range(2):
        x = np.tanh(x @ weights[k] + bias[k])
    return (x**2).sum()


def enter(table, k, pair):
    table[k] = pair


def pairs_by_key(params, x):
    table = {}
    for k, pair in enumerate(params):
        enter(table, k, pair)
    for k in range(2):
        x = np.tanh(x @ table[k][0])
    return (x**2).sum()


PROGRAMS = [network, loose, by_key, pairs_by_key]


@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f, how):
    check_grads(f, (PARAMS, INPUT), wrt=(0, 1), modes=("reverse", "forward"), on_overwrite=how)


@pytest.mark.parametrize("f", PROGRAMS)
def test_the_pullback_twice(f):
    _, pullback = ad.vjp(f, PARAMS, INPUT)
    first, second = pullback(1.0), pullback(1.0)
    for a, b in zip(ad.tree.leaves(first), ad.tree.leaves(second), strict=True):
        np.testing.assert_array_equal(a, b)


def changed_afterwards(params, x):
    """What a dictionary holds is written through the list that it came from."""
    table = {}
    for k, (w, _) in enumerate(params):
        table[k] = w
    params[0][0][...] *= 2.0
    return (x @ table[0] @ table[1]).sum()


def changed_through_the_table(params, x):
    table = {}
    for k, (w, _) in enumerate(params):
        table[k] = w
    table[0][0, 0] = x[0, 0] ** 2
    return (x @ params[0][0]).sum() + table[1].sum()


def one_array_twice(params, x):
    table = {}
    for k, (w, _) in enumerate(params):
        table[k] = w
        table[k + 10] = w
    table[0][...] += x[0, 0]
    return (table[10] ** 2).sum()


@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("f", [changed_afterwards, changed_through_the_table, one_array_twice])
def test_writes_to_what_is_held(f, how):
    """Right, or refused; never wrong."""
    try:
        check_grads(f, (PARAMS, INPUT), wrt=(0, 1), on_overwrite=how)
    except ad.AdtransError as error:
        assert error.diagnostics[0].code.startswith(("AD2", "AD3"))
