"""Objects from outside the function: called, inside others, and methods of them under a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads
from adtrans.testing.numerical import finite_difference_vjp

X = np.array([0.6, 0.9, 1.3])


class Model:
    def __init__(self, w: list[float]) -> None:
        self.w, self.k = np.array(w), 2.0

    def __call__(self, v: Any) -> Any:
        return np.sum(self.w * v * v) * self.k

    def energy(self, v: Any) -> Any:
        return np.sum(np.sin(self.w * v))

    def scaled(self, v: Any) -> Any:
        self.k = self.k * 1.5
        return np.sum(v * v) * self.k


class Outer:
    def __init__(self) -> None:
        self.inner, self.g = Model([1.0, 2.0, 3.0]), 0.5

    def run(self, v: Any) -> Any:
        energy = self.inner.energy
        return energy(v) * self.g + self.inner(v)


class Layer:
    def __init__(self, w: Any) -> None:
        self.w, self.act = w, np.tanh

    def __call__(self, v: Any) -> Any:
        return self.act(self.w @ v)


class Net:
    def __init__(self) -> None:
        r = np.random.default_rng(0)
        self.layers = [Layer(r.normal(size=(3, 3))) for _ in range(2)]

    def __call__(self, v: Any) -> Any:
        for layer in self.layers:
            v = layer(v)
        return np.sum(v)


class Basis:
    def __init__(self) -> None:
        self.w = np.array([1.0, 2.0, 3.0])

    @property
    def squares(self) -> Any:
        return self.w * self.w

    def __call__(self, v: Any) -> Any:
        return np.sum(self.squares * np.exp(v))

    def __getitem__(self, i: int) -> Any:
        return self.w[i]

    def __matmul__(self, v: Any) -> Any:
        return self.w @ v


model, outer, net, basis = Model([0.5, 0.6, 0.7]), Outer(), Net(), Basis()
models = [Model([0.5, 0.6, 0.7]), Model([1.0, 2.0, 3.0])]


def called(x: Any) -> Any:
    return model(x) * model.energy(x)


def held(x: Any) -> Any:
    return outer.run(x) + outer.inner.energy(x) * outer.inner(x)


def named(x: Any) -> Any:
    energy = model.energy
    total = 0.0
    for i in range(3):
        total = total + energy(x * i)
    return total


def in_a_list(x: Any) -> Any:
    total = models[0](x)
    for m in models:
        total = total + m(x) * m.energy(x)
    return total


def layers(x: Any) -> Any:
    return net(x)


def operators(x: Any) -> Any:
    return basis(x) + basis[0] * x[0] + (basis @ x) ** 2


def handed_on(x: Any) -> Any:
    def use(f: Any, v: Any) -> Any:
        return f(v) + 1.0

    return use(model, x) * sum(map(model, [x, 2 * x]))


def between_writes(x: Any) -> Any:
    y = x.copy()
    for i in range(2):
        y[i] = model(y) * 0.1
        y[1:] = y[1:] * outer.inner.w[1:]
    return model(y)


def captured() -> Callable[..., Any]:
    own = Outer()

    def loss(x: Any) -> Any:
        inner = own.inner
        return inner(x) + own.run(x)

    return loss


PROGRAMS: list[Callable[..., Any]] = [
    called, held, named, in_a_list, layers, operators, handed_on, captured()
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_objects_from_outside(fn: Callable[..., Any], mode: str) -> None:
    check_grads(fn, (X,), on_overwrite=mode)


def test_objects_between_writes() -> None:
    check_grads(between_writes, (X,), on_overwrite="save")


@pytest.mark.recorded
@pytest.mark.parametrize("fn", [called, held, layers, operators])
def test_second_derivatives(fn: Callable[..., Any]) -> None:
    v, e = np.array([0.3, -0.7, 0.2]), 1e-6
    expected = (ad.grad(fn)(X + e * v) - ad.grad(fn)(X - e * v)) / (2 * e)
    np.testing.assert_allclose(ad.hvp(fn, (X,), (v,)), expected, rtol=1e-6)


def test_they_are_what_they_are_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    def fn(x: Any) -> Any:
        return outer.run(x) * model(x)

    df = ad.grad(fn)

    def agrees() -> None:
        np.testing.assert_allclose(df(X), finite_difference_vjp(fn, (X,), 1.0)[0], rtol=1e-6)

    agrees()
    monkeypatch.setattr(model, "w", np.array([2.0, 3.0, 4.0]))
    agrees()
    model.w[0] = 7.0
    agrees()
    monkeypatch.setattr(outer, "inner", Model([3.0, 1.0, 2.0]))
    agrees()
    monkeypatch.setattr(Model, "__call__", lambda self, v: np.sum(v**3) * self.k)
    agrees()
    monkeypatch.setattr(model, "__class__", Other)
    agrees()


class Other(Model):
    def energy(self, v: Any) -> Any:
        return np.sum(v**4)


def test_an_object_under_two_names_is_refused_where_one_is_changed() -> None:
    same = Outer()
    same.inner = shared

    def fn(x: Any) -> Any:
        first = shared.scaled(x)
        return first * same.inner(x)

    with pytest.raises(ad.AdtransError):
        ad.grad(fn)(X)


shared = Model([1.0, 2.0, 3.0])


def test_a_rule_for_an_object_that_is_called_goes_first() -> None:
    ad.rule(ruled, lambda y_bar, v: (y_bar * 100.0 * v,))
    holder = Outer()
    holder.inner = ruled

    def fn(x: Any) -> Any:
        return holder.inner(x)

    try:
        found = ad.grad(fn)(X)
    except ad.AdtransError:
        return
    np.testing.assert_allclose(found, 100.0 * X)


ruled = Model([1.0, 1.0, 1.0])


class Gains:
    def __init__(self) -> None:
        self.k, self.w = 2.0, np.array([1.0, 2.0, 3.0])


class Force:
    def __init__(self, gains: Gains) -> None:
        self.gains = gains

    def __call__(self, v: Any) -> Any:
        return np.sum(self.gains.w * v * v) * self.gains.k


class System:
    def __init__(self) -> None:
        self.gains = Gains()
        self.force = Force(self.gains)

    def run(self, v: Any) -> Any:
        return self.force(v) * self.gains.k


system = System()
listed = [system.gains, 1]


def test_an_object_that_is_only_read_may_be_seen_in_two_places() -> None:
    def fn(x: Any) -> Any:
        return system.run(x)

    check_grads(fn, (X,))


def by_a_list(x: Any) -> Any:
    first = system.run(x)
    listed[0].k = 5.0  # type: ignore[attr-defined]  # the first one is an object
    return first * system.run(x)


def in_place(x: Any) -> Any:
    first = np.sum(system.gains.w * x)
    listed[0].w[0] = 11.0  # type: ignore[attr-defined]  # the first one is an object
    return first * np.sum(system.gains.w * x)


@pytest.mark.parametrize("fn", [by_a_list, in_place], ids=lambda f: f.__name__)
def test_what_is_changed_under_another_name_is_refused(fn: Callable[..., Any]) -> None:
    with pytest.raises(ad.AdtransError):
        ad.grad(fn)(X)


def test_an_array_is_written_by_way_of_another_argument() -> None:
    def fn(x: Any, s: System, parts: Any) -> Any:
        first = np.sum(s.gains.w * x)
        parts[0].w[0] = 11.0
        return first * np.sum(s.gains.w * x)

    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(fn)(X, system, listed)
    ad.grad(fn)(X, system, [Gains(), 1])


@pytest.mark.recorded
def test_two_different_functions_under_one_name_come_to_an_end():
    def product(a, b):
        return a * b

    def apply(f, a):
        return f(a)

    def f(x, y):
        def one(k):
            return lambda b: product(k, b)

        def other(k):
            return lambda b: product(k, b)

        p = one(x) if x[0] > y[0] else other(y)
        return np.sum(apply(p, y))

    check_grads(f, (np.array([2.0, 1.0]), np.ones(2)), wrt=(0, 1))
    check_grads(f, (np.array([0.5, 1.0]), np.ones(2)), wrt=(0, 1))
