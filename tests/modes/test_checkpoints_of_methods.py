"""Checkpoints of methods, and of objects that are called: what they read varies, too."""

from __future__ import annotations

import types
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
W = np.array([0.4, -0.2, 1.1])


@dataclass
class Layer:
    w: np.ndarray
    b: float = 0.3

    def __call__(self, x):
        return np.tanh(x * self.w + self.b)

    @property
    def scaled(self):
        return self.w * self.b

    def step(self, x, dt=0.5):
        for _ in range(2):
            x = np.sin(x * self.w + self.scaled) * dt
        return x

    def itself(self):
        return self.w

    @ad.checkpoint
    def kept(self, x):
        return np.sin(x * self.w) * x

    def run(self, x):
        step = ad.checkpoint(self.step)
        for _ in range(3):
            x = step(x)
        return np.sum(x * x)


@dataclass
class Steep(Layer):
    c: float = 2.0

    def step(self, x, dt=0.5):
        return super().step(x, dt) * self.c


@dataclass
class Net:
    layers: list
    scale: float


def at_once(m, x):
    return np.sum(ad.checkpoint(m.step)(x, 0.7) * x)


def by_a_method(m, x):
    return m.run(x)


def where_it_is_defined(m, x):
    for _ in range(2):
        x = m.kept(x)
    return np.sum(x)


def of_one_made_inside(m, x):
    return np.sum(Layer(m.w * x, m.b).kept(x))


def in_a_gradient(m, x):
    def loss(z):
        return np.sum(ad.checkpoint(m.step)(z) ** 2)

    return np.sum(ad.grad(loss)(x) ** 2)


def of_items(n, x):
    for layer in n.layers:
        x = ad.checkpoint(layer)(x)
    return np.sum(ad.checkpoint(n.layers[0].step)(x)) * n.scale


LAYER = Layer(0.5 * W, 0.1)
of_global = ad.checkpoint(LAYER.step)


def of_a_global(m, x):
    return np.sum(of_global(x) * ad.checkpoint(LAYER)(x)) * m.b


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("made", [Layer, Steep])
@pytest.mark.parametrize(
    "f",
    [at_once, by_a_method, where_it_is_defined, of_one_made_inside, in_a_gradient, of_a_global],
)
def test_what_the_object_holds_varies(f, made, mode):
    how = {"on_overwrite": mode, "on_unfollowed": "record"}
    check_grads(f, (made(W.copy()), X.copy()), wrt=(0, 1), **how)
    check_grads(f, (made(W.copy()), X.copy()), wrt="x", **how)


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_layers_of_several_classes(mode):
    net = Net([Layer(W.copy()), Steep(2.0 * W), Layer(W - 1.0)], 1.5)
    check_grads(of_items, (net, X.copy()), wrt=(0, 1), on_overwrite=mode)


@pytest.mark.recorded
def test_second_derivatives():
    check_grads(at_once, (Layer(W.copy()), X.copy()), wrt=(0, 1), order=2)


def test_it_stays_a_method():
    method = ad.checkpoint(LAYER.step)
    assert isinstance(method, types.MethodType) and method.__name__ == "step"
    np.testing.assert_array_equal(method(X), LAYER.step(X))
    assert ad.checkpoint(LAYER.step).__func__ is method.__func__


def changed_after(m, x):
    n = Layer(m.w * 2.0, m.b)
    y = ad.checkpoint(n.kept)(x)
    n.w[0] = x[1]
    return np.sum(n.kept(y))


@pytest.mark.recorded
def test_what_is_read_and_written_later():
    with pytest.raises(ad.AdtransError, match="AD301"):
        ad.grad(changed_after, wrt=(0, 1))(Layer(W.copy()), X)
    check_grads(changed_after, (Layer(W.copy()), X.copy()), wrt=(0, 1), on_overwrite="save")


def result_written(m, x):
    y = ad.checkpoint(m.itself)()
    y[0] = 5.0
    return np.sum(y * x * m.w)


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_a_result_that_is_an_attribute_is_not_taken_for_a_copy(mode):
    check_grads(result_written, (Layer(W.copy()), X.copy()), wrt=(0, 1), on_overwrite=mode)


class Counting:
    def __init__(self, w):
        self.w, self.n = w, 0

    def counted(self, x):
        self.n += 1
        return x * self.w

    def writes(self, x):
        self.w[0] = x[0]
        return x * self.w

    def prints(self, x):
        print("again")
        return x * self.w


def counted(w, x):
    return np.sum(ad.checkpoint(Counting(w).counted)(x))


def assigned(w, x):
    m = Counting(w)
    return np.sum(ad.checkpoint(m.counted)(x)) * m.n


def written(w, x):
    m = Counting(w * 1.0)
    return np.sum(ad.checkpoint(m.writes)(x) * m.w)


def printed(w, x):
    m = Counting(w)
    return np.sum(ad.checkpoint(m.prints)(x))


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", [counted, assigned, written, printed])
def test_what_may_not_run_twice_is_refused(f, mode):
    with pytest.raises(CompileError, match=r"AD413|AD201|AD401"):
        ad.grad(f, wrt=(0, 1), on_overwrite=mode)(W.copy(), X)


@pytest.mark.recorded
def test_the_pullback_of_a_vjp_has_what_the_object_held():
    _, pullback = ad.vjp(lambda x: np.sum(of_global(x)), X)
    before = pullback(1.0)[0]
    LAYER.w *= 2.0
    try:
        np.testing.assert_array_equal(pullback(1.0)[0], before)
    finally:
        LAYER.w /= 2.0
