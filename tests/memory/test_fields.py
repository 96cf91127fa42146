"""Dictionaries of arrays and numbers whose arrays are written: what the caller sees, what is
checked when they are handed in, and other dictionaries at a later call."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads
from tests.corpus.fields import advance, state

X = np.array([0.5, 1.5, -1.0, 2.0])


def run(s: dict[str, Any], x: Any) -> Any:
    for _ in range(2):
        advance(s, x)
    s["u"] = s["u"] + x
    s["v"], s["w"] = s["u"], s["v"]
    s["w"] *= 3.0
    return np.sum(s["u"] * x) + np.sum(s["w"])


def two(s: dict[str, Any], r: dict[str, Any], x: Any) -> Any:
    advance(s, x)
    advance(r, x)
    return np.sum(s["u"]) + np.sum(r["v"])


def test_the_caller_sees_what_the_function_does() -> None:
    mine, other = state(w=None), state(w=None)
    old_v = mine["v"]
    ad.grad(run, wrt=1)(mine, X)
    run(other, X)
    assert list(mine) == list(other)
    assert mine["u"] is mine["v"] and mine["w"] is old_v
    for key in ("u", "v", "w"):
        np.testing.assert_array_equal(mine[key], other[key])
    check_grads(run, (state(w=None), X), wrt=1)


def overlapping() -> list[Any]:
    a, b = np.ones(4), np.ones(5)
    return [
        {**state(), "u": a, "v": a}, {**state(), "u": b[1:], "v": b[:-1]}, {**state(), "u": X}
    ]  # fmt: skip


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_arrays_that_share_memory_are_an_error(number: int, mode: str) -> None:
    with pytest.raises(ad.MutationError, match="AD308"):
        ad.grad(run, wrt=1, on_overwrite=mode)(overlapping()[number], X)


def test_one_dictionary_for_two_is_an_error() -> None:
    s = state()
    for r in (s, dict(s)):
        with pytest.raises(ad.MutationError, match="AD308"):
            ad.grad(two, wrt=2)(s, r, X)
    check_grads(two, (state(), state(), X), wrt=2)


def nested(s: dict[str, Any], x: Any) -> Any:
    s["a"]["u"] += x
    s["b"]["u"][1:] -= s["a"]["u"][:-1]
    return np.sum(s["b"]["u"])


@pytest.mark.recorded
def test_one_dictionary_inside_twice() -> None:
    s = state()
    check_grads(nested, ({"a": s, "b": s}, X), wrt=1)
    check_grads(nested, ({"a": state(), "b": state()}, X), wrt=1)


def test_other_dictionaries_get_versions_of_their_own() -> None:
    g = ad.grad(run, wrt=1)
    first = g(state(), X)
    np.testing.assert_array_equal(g(state(more=3), X), first)
    assert not np.allclose(g(state(dt=1.0), X), first)
    turned = dict(reversed(state().items()))
    np.testing.assert_array_equal(g(turned, X), first)
    with pytest.raises(ad.AdtransError):
        g({**state(), "u": [1.0, 2.0, 3.0, 4.0]}, X)


def test_the_caller_writes_between_forward_and_pullback() -> None:
    s = state()
    _, pullback = ad.vjp(run, s, X, wrt=1)
    first = pullback(1.0)
    s["u"][:] = 7.0
    s["w"][:] = 7.0
    s["u"] = 3.0
    with suppress(ad.MutationError):
        np.testing.assert_array_equal(pullback(1.0), first)
