"""Dictionaries of the module: defaults that keywords override, and what is registered by name."""

from __future__ import annotations

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

pytestmark = pytest.mark.recorded

X = np.array([0.6, 0.9, 1.3])
DEFAULTS = {"k": 2.0, "m": 0.5}
ARRAYS = {"w": np.ones(3)}


def sine(x):
    return np.sin(x)


def square(x):
    return x**2


class Linear:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return self.w * x


class Quadratic(Linear):
    def __call__(self, x):
        return self.w * x * x


MODELS = {"sine": sine, "square": square}
CLASSES = {"linear": Linear, "quadratic": Quadratic}


def with_defaults(x, **given):
    p = {**DEFAULTS, **given}
    return np.sum(x * p["k"]) * p["m"]


def by_keywords(x):
    return with_defaults(x, m=x[0]) + with_defaults(x)


def united(x):
    p = DEFAULTS | {"m": x[0]}
    return p["k"] * p["m"] ** 2 + DEFAULTS["m"]


def written(x):
    p = {**ARRAYS, "u": x}
    p["v"] = p["w"] * p["u"]
    return np.sum(p["v"] * p["u"] * ARRAYS["w"])


def asked_for(x):
    f = MODELS.get("square")
    g = MODELS.get("none", sine)
    return np.sum(f(g(x))) + np.sum(MODELS.get("sine")(x))


def of_a_class(x):
    cls = CLASSES["linear"]
    return np.sum(cls(x[0])(x))


def by_a_parameter(x, name="quadratic"):
    cls = CLASSES[name]
    return np.sum(cls(x[0])(x))


ALL = [by_keywords, united, written, asked_for, of_a_class, by_a_parameter]


@pytest.mark.recorded
@pytest.mark.parametrize("f", ALL, ids=lambda f: f.__name__)
def test_derivatives(f):
    check_grads(f, (X.copy(),))


def test_what_is_registered_may_change(monkeypatch):
    gradient = ad.grad(asked_for)
    first = gradient(X)
    monkeypatch.setitem(MODELS, "square", sine)
    monkeypatch.setitem(MODELS, "none", square)
    assert not np.allclose(gradient(X), first)
    expected = np.cos(X**2) * 2 * X + np.cos(X)
    np.testing.assert_allclose(gradient(X), expected)


def test_defaults_may_change(monkeypatch):
    gradient = ad.grad(by_keywords)
    gradient(X)
    monkeypatch.setitem(DEFAULTS, "k", 3.0)
    monkeypatch.setitem(DEFAULTS, "other", 3.0)
    expected = 3.0 * X[0] + 3.0 * 0.5 + np.array([3.0 * np.sum(X), 0.0, 0.0])
    np.testing.assert_allclose(gradient(X), expected)
    _, pullback = ad.vjp(by_keywords, X)
    monkeypatch.setitem(DEFAULTS, "k", 7.0)
    (found,) = pullback(1.0)
    np.testing.assert_allclose(found, expected)
