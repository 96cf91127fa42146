"""Layers with different functions in lists that are filled one by one: `[*layers]`, `append`."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

ARGS = (np.array([0.5, 0.7]), np.array([0.3, 0.9]))
MADE: list = []


class FilledLayer:
    def __init__(self, w, act=np.tanh):
        self.w, self.act = w, act

    def __call__(self, x):
        return self.act(self.w * x)


class Starred:
    def __init__(self, *layers):
        self.layers = [*layers]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Appended(Starred):
    def __init__(self, w, v):
        self.count = 0
        self.layers = []
        self.layers.append(FilledLayer(w))
        self.count += 1
        self.scale = w[0]
        self.layers.append(FilledLayer(v, np.sin))
        self.layers.append(FilledLayer(w * v, lambda z: 2.0 * z))


class Chosen(Starred):
    def __init__(self, w, v, deep=True):
        self.layers = []
        for act in (np.sin, np.tanh):
            self.layers.append(FilledLayer(w, act))
        if deep:
            self.layers.append(FilledLayer(v, np.cos))


class Looked(Starred):
    """What is put in depends on what is in already."""

    def __init__(self, w):
        MADE[:] = [self]
        self.layers = []
        self.layers.append(FilledLayer(w))
        self.layers.append(next_one(w))


def next_one(w):
    return FilledLayer(w * (1.0 + len(MADE[0].layers)), np.sin)


def starred(x, w):
    return np.sum(Starred(FilledLayer(w), FilledLayer(x, np.sin))(x))


def appended(x, w):
    net = Appended(w, x)
    return np.sum(net(x)) * net.scale * net.count


def with_a_branch(x, w):
    return np.sum(Chosen(w, x)(x)) + np.sum(Chosen(w, x, deep=False)(x))


def as_a_variable(x, w):
    layers, y = [], x
    layers.append(FilledLayer(w))
    nothing = layers.append(FilledLayer(x, np.sin))
    for layer in layers:
        y = layer(y)
    return np.sum(y) if nothing is None else 0.0


@pytest.mark.recorded
@pytest.mark.parametrize("f", [starred, as_a_variable], ids=lambda f: f.__name__)
def test_each_layer_is_known(f) -> None:
    check_grads(f, ARGS)


@pytest.mark.slow
@pytest.mark.parametrize("f", [appended, with_a_branch], ids=lambda f: f.__name__)
def test_each_layer_of_a_constructor_is_known(f) -> None:
    check_grads(f, ARGS)


def by_another_name(x, w):
    layers, y = [], x
    same = layers
    layers.append(FilledLayer(w))
    same.append(FilledLayer(x * len(layers), np.sin))
    for layer in layers:
        y = layer(y)
    return np.sum(y)


def interrupted(x, w):
    layers, y = [], x
    try:
        layers.append(FilledLayer(w))
        layers.append(FilledLayer(x[9], np.sin))
    except IndexError:
        pass
    for layer in layers:
        y = layer(y)
    return np.sum(y)


def through_a_global(x, w):
    return np.sum(Looked(w)(x))


@pytest.mark.parametrize("f", [by_another_name, interrupted, through_a_global])
def test_a_list_that_is_looked_at_before_it_is_whole_is_right_or_refused(f) -> None:
    try:
        ad.grad(f)(*ARGS)
    except ad.CompileError:
        return
    check_grads(f, ARGS)


class Scaled(Starred):
    def __init__(self, w, v):
        self.layers = []
        self.scale = 2.0 * w[0]
        self.layers.append(FilledLayer(w))
        self.layers.append(FilledLayer(v))


class Counted(Starred):
    """A property looks at the list."""

    def __init__(self, w, v):
        self.layers = []
        self.weight = w[0]
        self.layers.append(FilledLayer(w))
        self.many = self.depth
        self.layers.append(FilledLayer(v))

    @property
    def weight(self):
        return self.product * (1 + self.many)

    @weight.setter
    def weight(self, w):
        self.product = w * (3.0 + len(self.layers))

    @property
    def depth(self):
        return float(len(self.layers))


def in_order(x, w):
    net = Scaled(w, x)
    print(list(vars(net)))
    return np.sum(net(x)) * net.scale


def counted(x, w):
    net = Counted(w, x)
    return np.sum(net(x)) * net.weight


@pytest.mark.recorded
def test_attributes_come_in_the_order_in_which_they_were_set(capsys) -> None:
    ad.vjp(in_order, *ARGS)
    ad.jvp(in_order, ARGS, ARGS)
    assert capsys.readouterr().out == "['layers', 'scale']\n" * 2
    check_grads(in_order, ARGS)


def test_properties_see_the_list_as_it_is_by_then() -> None:
    try:
        value, _ = ad.vjp(counted, *ARGS)
    except ad.CompileError:
        return
    assert value == counted(*ARGS)
    check_grads(counted, ARGS)
