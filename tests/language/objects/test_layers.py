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


@pytest.mark.recorded
@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_gradients(f, how):
    check_grads(f, (PARAMS, INPUT), wrt=(0, 1), modes=("reverse", "forward"), on_overwrite=how)


@pytest.mark.recorded
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


def joined_lists(params, x):
    acts = [np.tanh] * (len(params) - 1) + [lambda z: 2.0 * z]
    for (w, b), a in zip(params, acts, strict=True):
        x = a(x @ w + b)
    return (x**2).sum()


def joined_three(params, x):
    acts = [np.tanh] + [lambda z: 2.0 * z] + [np.sin]
    acts[0] = np.cos
    for k in range(3):
        x = acts[k](0.3 * x @ params[0][0] @ params[1][0])
    return (x**2).sum()


def joined_tuples(params, x):
    acts = (np.sin,) + 1 * (np.tanh,)
    for (w, _), a in zip(params, acts, strict=True):
        x = a(x @ w)
    return (x**2).sum()


@pytest.mark.recorded
@pytest.mark.parametrize("how", ["refuse", "save"])
@pytest.mark.parametrize("f", [joined_lists, joined_three, joined_tuples])
def test_lists_of_functions_are_joined_and_repeated(f, how):
    check_grads(f, (PARAMS, INPUT), wrt=(0, 1), modes=("reverse", "forward"), on_overwrite=how)


class Odd:
    def __rmul__(self, other):
        return [np.exp, np.exp]


def changed_after_joining(params, x):
    first = [np.tanh]
    acts = first * 2
    first[0] = np.cos
    for (w, _), a in zip(params, acts, strict=True):
        x = a(x @ w) + first[0](x).sum()
    return (x**2).sum()


def grown_after_joining(params, x):
    acts = [np.tanh] * 1
    acts.append(np.exp)
    for (w, _), a in zip(params, acts, strict=True):
        x = a(x @ w)
    return (x**2).sum()


def no_repetition(params, x, odd=Odd()):  # noqa: B008
    acts = [np.tanh] * odd
    for (w, _), a in zip(params, acts, strict=True):
        x = a(x @ w)
    return (x**2).sum()


@pytest.mark.parametrize("f", [changed_after_joining, grown_after_joining, no_repetition])
def test_lists_that_hold_other_functions_are_right_or_refused(f):
    try:
        ad.grad(f)(PARAMS, INPUT)
    except ad.CompileError:
        return
    check_grads(f, (PARAMS, INPUT), wrt=(0, 1))
