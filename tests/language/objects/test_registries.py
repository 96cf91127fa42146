"""Classes in a global dictionary: by a name that is handed on, and gone through."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3])
MODELS: dict[str, type] = {}


def register(name):
    def decorated(cls):
        MODELS[name] = cls
        return cls

    return decorated


@register("euler")
class Euler:
    def __init__(self, k):
        self.k = k

    def __call__(self, u, dt):
        return u - dt * self.k * u


@register("heun")
class Heun(Euler):
    def __call__(self, u, dt):
        p = super().__call__(u, dt)
        return 0.5 * (u + super().__call__(p, dt))


CLASSES = [Euler, Heun]


class Simulation:
    def __init__(self, method, k):
        self.step = MODELS[method](k)

    def run(self, u):
        return self.step(self.step(u, 0.1), 0.2)


def by_its_argument(x, name="heun"):
    m = MODELS[name](x[0])
    return np.sum(m(m(x, 0.1), 0.1))


def asked_before(x, name="heun"):
    if name not in MODELS:
        raise ValueError(name)
    return np.sum(MODELS[name](x[0])(x, 0.1))


def handed_on(x):
    return np.sum(Simulation("heun", x[0]).run(x) * Simulation("euler", x[1]).run(x))


def by_names(x):
    s = 0.0
    for name in ("euler", "heun"):
        s = s + np.sum(MODELS[name](x[0])(x, 0.1) ** 2)
    return s


def gone_through(x):
    models = {name: c(x[0]) for name, c in MODELS.items()}
    others = [c(x[1]) for c in CLASSES]
    s = sum(np.sum(m(x, 0.1) ** 2) for m in others)
    for _, c in MODELS.items():
        s = s + np.sum(c(x[2])(x, 0.1))
    return s + np.sum(models["euler"](x, 0.1) * models["heun"](x, 0.1))


@pytest.mark.recorded
@pytest.mark.parametrize(
    "f", [by_its_argument, asked_before, handed_on, by_names, gone_through]
)
def test_classes_in_a_dictionary(f) -> None:
    check_grads(f, (X,), order=1 if f is gone_through else 2)


def test_another_name_is_another_version() -> None:
    for name in ("heun", "euler", "heun"):
        check_grads(by_its_argument, (X, name), wrt=0)
    with pytest.raises((ValueError, ad.CompileError)):
        ad.vjp(asked_before, X, "none", wrt=0)
    with pytest.raises((KeyError, ad.CompileError)):
        ad.vjp(by_its_argument, X, "none", wrt=0)


def test_another_class_under_the_name() -> None:
    g = ad.grad(by_its_argument)
    first = g(X)
    MODELS["heun"] = Euler
    try:
        np.testing.assert_allclose(g(X), ad.grad(by_its_argument)(X, "euler"))
        assert not np.allclose(first, g(X))
    finally:
        MODELS["heun"] = Heun
    np.testing.assert_array_equal(g(X), first)


@pytest.mark.recorded
@pytest.mark.parametrize("f", [by_names, gone_through])
def test_another_class_in_a_loop(f) -> None:
    g = ad.grad(f)
    first = g(X)
    MODELS["heun"] = Euler
    try:
        check_grads(f, (X,))
        assert not np.allclose(first, g(X))
    finally:
        MODELS["heun"] = Heun
    np.testing.assert_array_equal(g(X), first)
