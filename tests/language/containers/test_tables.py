"""Functions in dictionaries and in partial applications: what they hold is captured."""

from __future__ import annotations

from functools import partial

import pytest

import adtrans as ad


def square(v: float) -> float:
    return SCALE * v * v


def cube(v: float) -> float:
    return v**3


def times(a: float, b: float = 1.0) -> float:
    return a * b


SCALE = 1.0
TABLE = {"f": square}
TIMES = partial(times, b=3.0)


@ad.differentiable(on_unfollowed="record")
def both(x: float) -> float:
    return TABLE["f"](x) + TIMES(x)


def test_another_function_or_number_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert both.grad(2.0) == 4.0 + 3.0
    monkeypatch.setitem(TABLE, "f", cube)
    assert both.grad(2.0) == 12.0 + 3.0
    monkeypatch.setitem(TABLE, "f", square)
    monkeypatch.setattr(f"{__name__}.SCALE", 2.0, raising=True)
    assert both.grad(2.0) == 8.0 + 3.0
    monkeypatch.setitem(TIMES.keywords, "b", 5.0)
    assert both.grad(2.0) == 8.0 + 5.0
