"""Attributes of objects from outside that are read by one name and stored by another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import adtrans as ad


def line(x: Any) -> Any:
    return x


def square(x: Any) -> Any:
    return x * x


class Model:
    def __init__(self) -> None:
        self.f, self.k, self.inner = line, 2.0, None

    def put(self, v: Any) -> None:
        self.k = v


model, other = Model(), Model()
listed, keyed, paired = [model], {"a": model}, (model, 1)


def reset() -> None:
    model.__init__()  # type: ignore[misc]  # as it was
    other.__init__()  # type: ignore[misc]
    other.inner = model  # type: ignore[assignment]  # an attribute that is None at first


def put(m: Any, v: Any) -> None:
    m.f, m.k = square, v


def by_a_function(x: Any) -> Any:
    put(listed[0], 5.0)
    return model.f(x) * model.k


def what_varies_by_a_function(x: Any) -> Any:
    put(keyed["a"], x * 3.0)
    return model.f(x) * model.k


def of_an_attribute(x: Any) -> Any:
    y = model.k * x
    other.inner.k = x * x  # type: ignore[attr-defined]
    return model.k * y


def in_a_loop(x: Any) -> Any:
    for m in listed:
        m.k = x * 7.0
    return model.k * x


def by_a_method(x: Any) -> Any:
    paired[0].put(x * 2.0)
    return model.k * x


def by_map(x: Any) -> Any:
    list(map(lambda m: put(m, x), listed))  # noqa: C417  # that is the way tested
    return model.f(x) * model.k


def of_a_key(x: Any) -> Any:
    keyed["a"].k = x * 2.0
    return model.k * x


PROGRAMS = [
    by_a_function, what_varies_by_a_function, of_an_attribute, in_a_loop, by_a_method, by_map,
    of_a_key,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("how", ["record", "always", "refuse"])
def test_gradients(f: Callable[..., Any], how: str) -> None:
    def plain(x: float) -> Any:
        reset()
        return f(x)

    numeric = (plain(3.0 + 1e-6) - plain(3.0 - 1e-6)) / 2e-6
    reset()
    try:
        value, slope = ad.value_and_grad(f, on_unfollowed=how)(3.0)
    except ad.AdtransError:
        assert how == "refuse"
        return
    assert value == plain(3.0)
    assert slope == pytest.approx(numeric, rel=1e-6)
