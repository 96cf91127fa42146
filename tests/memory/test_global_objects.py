"""Methods of objects that global names mean: which they are, and what they read, at each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9])


class Model:
    power = 2

    def __init__(self, k: float = 2.0) -> None:
        self.k = k
        self.w = np.array([1.0, 3.0])

    def value(self, v: Any) -> Any:
        return self.part(v) * self.k

    def part(self, v: Any) -> Any:
        return v**self.power * self.w

    @classmethod
    def shifted(cls, v: Any) -> Any:
        return cls.square(v) + cls.power

    @staticmethod
    def square(v: Any) -> Any:
        return v * v


class Cubic(Model):
    def part(self, v: Any) -> Any:
        return super().part(v) * v


class Plain:
    def square(self, v: Any) -> Any:
        return v * v


class Inner:
    def square(self, v: Any) -> Any:
        return v * v


class Holder:
    def __init__(self) -> None:
        self.inner, self.k = Inner(), 3.0

    def run(self, v: Any) -> Any:
        return self.inner.square(v) * self.k


class Counter:
    def __init__(self) -> None:
        self.n, self.seen = 0.0, np.zeros(2)

    def step(self, v: Any) -> Any:
        self.n = self.n + 1.0
        self.seen[:] = self.seen + v * v
        return self.seen * v * self.n


model, cubic, plain, holder, counter = Model(), Cubic(), Plain(), Holder(), Counter()


def alone(x: Any) -> Any:
    return np.sum(plain.square(x))


def attributes(x: Any) -> Any:
    return np.sum(model.value(x))


def inherited(x: Any) -> Any:
    return np.sum(cubic.value(v=x))


def of_the_class(x: Any) -> Any:
    return np.sum(model.shifted(x) * model.square(x))


def one_in_another(x: Any) -> Any:
    y = x.copy()
    if x[0] > 0.0:
        y[:] = model.value(plain.square(y))
    return np.sum(y * x)


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for i in range(3):
        total += np.sum(cubic.value(x * i))
    return total


def held(x: Any) -> Any:
    return np.sum(holder.run(x))


PROGRAMS: list[Callable[..., Any]] = [
    alone, attributes, inherited, of_the_class, one_in_another, in_a_loop, held
]  # fmt: skip


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_methods_of_global_objects(fn: Callable[..., Any], mode: str) -> None:
    check_grads(fn, (X,), on_overwrite=mode)


@pytest.mark.parametrize("fn", [alone, attributes, inherited, one_in_another])
def test_second_derivatives(fn: Callable[..., Any]) -> None:
    v, e = np.array([0.3, -0.7]), 1e-6
    expected = (ad.grad(fn)(X + e * v) - ad.grad(fn)(X - e * v)) / (2 * e)
    np.testing.assert_allclose(ad.hvp(fn, (X,), (v,)), expected, rtol=1e-6)


def test_what_a_method_assigns_is_seen() -> None:
    def steps(x: Any) -> Any:
        return np.sum(counter.step(x)) + np.sum(counter.step(x))

    vars(counter).update(n=0.0, seen=np.zeros(2))
    np.testing.assert_allclose(ad.grad(steps, on_overwrite="save")(X), 15 * X**2)
    assert counter.n == 2.0
    np.testing.assert_array_equal(counter.seen, X**2 + X**2)


def test_attributes_are_what_they_are_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    df = ad.grad(attributes)
    np.testing.assert_allclose(df(X), 4.0 * X * model.w)
    monkeypatch.setattr(model, "k", 5.0)
    np.testing.assert_allclose(df(X), 10.0 * X * model.w)
    monkeypatch.setattr(model, "w", np.array([7.0, 1.0]))
    np.testing.assert_allclose(df(X), 10.0 * X * model.w)
    model.w[0] = 2.0
    np.testing.assert_allclose(df(X), 10.0 * X * model.w)
    monkeypatch.setattr(Model, "power", 3)
    np.testing.assert_allclose(df(X), 15.0 * X**2 * model.w)
    monkeypatch.setattr(model, "power", 4)  # its own instead of that of the class
    np.testing.assert_allclose(df(X), 20.0 * X**3 * model.w)


def test_methods_are_what_they_are_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    df, dg, dh = ad.grad(alone), ad.grad(inherited), ad.grad(held)
    for derivative in (df, dg, dh):
        derivative(X)
    monkeypatch.setattr(Plain, "square", lambda self, v: v**3)
    monkeypatch.setattr(Model, "part", lambda self, v: v**3)  # called by `super` only
    monkeypatch.setattr(Inner, "square", lambda self, v: v**5)
    np.testing.assert_allclose(df(X), 3 * X**2)
    np.testing.assert_allclose(dg(X), 2.0 * 4 * X**3)
    np.testing.assert_allclose(dh(X), 3.0 * 5 * X**4)


def test_methods_of_what_an_argument_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(h: Holder, x: Any) -> Any:
        return np.sum(h.run(x))

    df = ad.grad(run, wrt="x")
    np.testing.assert_allclose(df(holder, X), 6.0 * X)
    monkeypatch.setattr(Inner, "square", lambda self, v: v**5)
    np.testing.assert_allclose(df(holder, X), 15.0 * X**4)
