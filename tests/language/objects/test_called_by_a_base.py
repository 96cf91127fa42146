"""Objects that are called where a base class says what that means: the parts of a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

W = np.random.default_rng(0).normal(size=(3, 3))
V = np.array([0.6, -0.9, 1.3])


class Module:
    def __call__(self, v: Any) -> Any:
        return self.forward(v)

    def forward(self, v: Any) -> Any:
        raise NotImplementedError


class Linear(Module):
    def __init__(self, w: Any, b: Any) -> None:
        self.w, self.b = w, b

    def forward(self, v: Any) -> Any:
        return self.w @ v + self.b


class Tanh(Module):
    def forward(self, v: Any) -> Any:
        return np.tanh(v)


class Halved(Module):
    """Writes into what it is given."""

    def forward(self, v: Any) -> Any:
        v[1:] *= 0.5
        return v


class Residual(Module):
    def __init__(self, inner: Module) -> None:
        self.inner = inner

    def forward(self, v: Any) -> Any:
        return v + self.inner(v)


class Sequential(Module):
    def __init__(self, *layers: Module) -> None:
        self.layers = list(layers)

    def forward(self, v: Any) -> Any:
        for layer in self.layers:
            v = layer(v)
        return v


class Cell(Module):
    """Has a state, and calls others."""

    def __init__(self, w: Any) -> None:
        self.gate = Sequential(Linear(w, 0.1), Tanh())
        self.h = np.zeros(3)

    def forward(self, v: Any) -> Any:
        self.h = 0.5 * self.h + self.gate(v) * self.gate(self.h)
        return self.h + v


TANH, NET = Tanh(), Sequential(Linear(W, 0.1), Residual(Sequential(Tanh(), Halved())))


def stateless(w: Any, v: Any) -> Any:
    return np.sum(Residual(Tanh())(w @ v) ** 2)


def of_several_classes(w: Any, v: Any) -> Any:
    return np.sum(Sequential(Linear(w, 0.1), Tanh())(v) ** 2)


def nested(w: Any, v: Any) -> Any:
    inner = Sequential(Linear(w, 0.2), Tanh())
    return np.sum(Sequential(Linear(w, 0.1), Residual(inner), Residual(Tanh()))(v) ** 2)


def that_write(w: Any, v: Any) -> Any:
    return np.sum(Sequential(Linear(w, 0.1), Halved(), Tanh(), Halved())(v) ** 3)


def with_a_state(w: Any, v: Any) -> Any:
    cell, s = Sequential(Cell(w), Tanh()), 0.0
    for _ in range(3):
        v = cell(v)
        s += np.sum(v * v)
    return s


def of_globals(w: Any, v: Any) -> Any:
    return np.sum(Residual(TANH)(w @ v) * NET(v))


def chosen(w: Any, v: Any) -> Any:
    layer = Tanh() if v[0] > 0.0 else Residual(Tanh())
    return np.sum(layer(w @ v))


PROGRAMS = [
    stateless, of_several_classes, nested, that_write, with_a_state, of_globals, chosen,
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_gradients(fn: Callable[..., Any], mode: str) -> None:
    check_grads(ad.differentiable(fn, on_overwrite=mode), (W, V))


@pytest.mark.recorded
@pytest.mark.parametrize("fn", [of_several_classes, nested], ids=lambda f: f.__name__)
def test_second_derivatives(fn: Callable[..., Any]) -> None:
    found, h = ad.hessian(fn, wrt="v")(W, V), 1e-5
    sides = [ad.grad(fn, wrt="v")(W, V + s * e) for e in np.eye(3) for s in (h, -h)]
    expected = [(up - down) / (2 * h) for up, down in zip(sides[::2], sides[1::2], strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)


@pytest.mark.recorded
@pytest.mark.parametrize("fn", [stateless, of_several_classes, nested], ids=lambda f: f.__name__)
def test_gradients_of_slopes(fn: Callable[..., Any]) -> None:
    def slope(w: Any, v: Any) -> Any:
        return np.sum(ad.grad(fn, wrt="v")(w, v) * np.array([0.3, 0.5, 0.7]))

    check_grads(slope, (W, V))


@pytest.mark.recorded
def test_those_that_are_given() -> None:
    def applied(v: Any, layers: list[Module], last: Module) -> Any:
        for layer in layers:
            v = layer(v)
        return np.sum(last(v) ** 2)

    layers = [Linear(W, 0.1), Residual(Tanh()), Tanh(), Sequential(Tanh(), Linear(W, 0.3))]
    check_grads(ad.differentiable(applied, wrt="v"), (V, layers, Tanh()), wrt=("v",))


def test_by_what_they_hold() -> None:
    def applied(v: Any, net: Module) -> Any:
        return np.sum(net(v) ** 2)

    net, h = Residual(Linear(W.copy(), 0.1)), 1e-6
    found = ad.grad(applied, wrt="net.inner.w")(V, net)
    for i, j in ((0, 1), (2, 0)):
        sides = []
        for step in (h, -h):
            w = W.copy()
            w[i, j] += step
            sides.append(applied(V, Residual(Linear(w, 0.1))))
        np.testing.assert_allclose(found[i, j], (sides[0] - sides[1]) / (2 * h), rtol=1e-6)


def skipping(inner: Module) -> Module:
    return Residual(inner)


def both(first: Module, second: Module) -> tuple[Module, Module]:
    return Sequential(first, second), second


def by_functions(w: Any, v: Any) -> Any:
    inner = Linear(w, 0.1)
    net = skipping(inner)
    inner.b = inner.b + np.sum(w)
    return np.sum(net(v) ** 2) * inner.b


def by_functions_of_several(w: Any, v: Any) -> Any:
    first, last = Linear(w, 0.1), Linear(2.0 * w, 0.2)
    net, same = both(first, last)
    same.b = same.b + np.sum(w)
    return np.sum(net(v) ** 2) * last.b


@pytest.mark.recorded
@pytest.mark.parametrize("fn", [by_functions, by_functions_of_several], ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_what_functions_return_holds_what_they_are_given(fn: Callable[..., Any], mode: str) -> None:
    check_grads(ad.differentiable(fn, on_overwrite=mode), (W, V))
