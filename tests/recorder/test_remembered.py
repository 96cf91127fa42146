"""That a function is recorded is found out once, for all derivatives that are taken of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.dispatch import dispatcher

X = np.array([0.9, 0.4, 0.2])


def sent(x: Any) -> Any:
    def process(k: Any) -> Any:
        change = 0.0
        while True:
            got = yield change
            change = k * (1.0 - got * got)

    held, total = process(x[0]), x[1]
    next(held)
    for _ in range(3):
        total = total + 0.1 * held.send(total) * x[2]
    return total


def several(x: Any) -> Any:
    def process(k: Any) -> Any:
        got = yield 0.0
        while True:
            got = yield got * k

    table = {name: process(v) for name, v in zip("abc", x, strict=True)}
    for held in table.values():
        next(held)
    return sum(held.send(x[0] * k) for k, held in enumerate(table.values(), 1))


def modes(f: Any) -> list[Callable[[], Any]]:
    return [
        lambda: ad.grad(f)(X), lambda: ad.value_and_grad(f)(X), lambda: ad.vjp(f, X)[1](1.0),
        lambda: ad.jvp(f, (X,), (np.ones(3),)), lambda: ad.hessian(f)(X),
        lambda: ad.hvp(f, (X,), (np.ones(3),)), lambda: ad.linearize(f, X)[1](np.ones(3)),
    ]  # fmt: skip


@pytest.mark.parametrize("f", [sent, several])
def test_compiled_once(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    original = dispatcher.compile_function

    def counted(fn: Any, *args: Any, **kwargs: Any) -> Any:
        tried.append(fn.__qualname__)
        return original(fn, *args, **kwargs)

    monkeypatch.setattr(dispatcher, "compile_function", counted)
    found = ad.differentiable(f, on_unfollowed="record")
    for run in modes(found):
        run()
    assert len(tried) == 1
    for run in modes(found):
        run()
    assert len(tried) == 1
    with pytest.raises(ad.CompileError):
        ad.grad(f, on_unfollowed="refuse")(X)


def test_a_version_for_other_arguments_is_compiled() -> None:
    def f(x: Any, how: str = "plain") -> Any:
        return sent(x) if how == "sent" else np.sum(x * x)

    found = ad.differentiable(f, on_unfollowed="record")
    h = 1e-6
    steps = h * np.eye(3)
    expected = [(f(X + e, "sent") - f(X - e, "sent")) / (2 * h) for e in steps]
    np.testing.assert_allclose(found.grad(X, "sent"), expected, rtol=1e-6)
    np.testing.assert_allclose(found.grad(X), 2.0 * X)
    np.testing.assert_allclose(ad.hessian(found)(X), 2.0 * np.eye(3))
