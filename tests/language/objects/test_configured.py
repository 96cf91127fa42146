"""Objects made from configurations: fields with factories, copies of lists of parts, loggers."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
BASE = 2.0
log = logging.getLogger("tests.configured")


@dataclasses.dataclass
class Gains:
    a: float = 2.0


@dataclasses.dataclass
class Config:
    dt: float = 0.1
    k: Any = dataclasses.field(default_factory=lambda: np.ones(3) * BASE)
    gains: Gains = dataclasses.field(default_factory=Gains)
    seen: list[float] = dataclasses.field(default_factory=list)


class Simulator:
    def __init__(self, config: Config) -> None:
        self.config, self.log = config, log

    def run(self, v: Any) -> Any:
        self.log.info("run with %s", v)
        return np.sum(self.config.k * v * v) * self.config.gains.a * self.config.dt


class Dense:
    def __init__(self, w: Any) -> None:
        self.w = w

    def __call__(self, v: Any) -> Any:
        return np.tanh(self.w * v)


class Stack:
    def __init__(self, *layers: Any) -> None:
        self.layers = list(layers)

    def __call__(self, v: Any) -> Any:
        for layer in self.layers:
            v = layer(v)
        return v * (2.0 if isinstance(self.layers, list) else 3.0)


class Given(Stack):
    def __init__(self, layers: Any) -> None:
        self.layers = list(layers)


def factories(x: Any) -> Any:
    return Simulator(Config(dt=x[0])).run(x)


def logged(x: Any) -> Any:
    y = np.sum(x * x)
    log.info("value %s", y)
    if log.isEnabledFor(logging.DEBUG):
        log.debug("arguments %s", x)
    return y


def layers_one_by_one(x: Any) -> Any:
    return np.sum(Stack(Dense(x), Dense(x * x))(x))


def layers_in_a_list(x: Any) -> Any:
    parts = [Dense(x), Dense(x * x)]
    made = Given(parts)
    parts.append(Dense(2.0 * x))
    return np.sum(made(x)) * len(parts)


def layers_in_a_tuple(x: Any) -> Any:
    parts = (Dense(x), Dense(x * x)) if x[0] > 0 else (Dense(x),)
    return np.sum(Given(parts)(x))


def changed_afterwards(x: Any) -> Any:
    parts = [Dense(x), Dense(x * x)]
    made = Given(parts)
    parts[0].w = parts[0].w * x
    return np.sum(made(x))


PROGRAMS: list[Callable[..., Any]] = [
    factories, logged, layers_one_by_one, layers_in_a_list, layers_in_a_tuple, changed_afterwards
]  # fmt: skip


@pytest.mark.recorded
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_configured(fn: Callable[..., Any], mode: str) -> None:
    check_grads(fn, (X,), on_overwrite=mode)


def test_a_factory_means_what_it_means_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    df = ad.grad(factories)
    first = df(X)
    monkeypatch.setitem(globals(), "BASE", 6.0)
    np.testing.assert_allclose(df(X), 3.0 * first)


def test_what_is_logged_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger=log.name):
        ad.grad(logged)(X)
    assert [r.getMessage() for r in caplog.records] == [f"value {np.sum(X * X)}"]
