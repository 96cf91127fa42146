"""Arrays of which nothing is known when code is made, such as items that may be missing: written
after their adjoint came from a sum, so that it stands for a whole array."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import adtrans as ad

W = np.array([2.0, 5.0])


def state() -> dict[str, Any]:
    return {"a": np.arange(4.0).reshape(2, 2) + 0.5, "b": 0.7}


def rows(d: dict[str, Any], k: Any) -> Any:
    c = d["missing"] if k > 9.0 else d["a"] * k
    c[0] = 0.7 * k
    return np.sum(np.sum(c, axis=0) * W)


def one_element(d: dict[str, Any], k: Any) -> Any:
    c = d["missing"] if k > 9.0 else d["a"] * k
    c[0, 1] = 0.7
    return np.sum(c)


def after_a_branch(d: dict[str, Any], k: Any) -> Any:
    c = d["missing"] if k > 9.0 else d["a"] * k
    c[0] = 0.7 * k
    return np.sum(np.sum(c, axis=0) * W) if k > 0.0 else np.sum(c)


def an_element_beside(d: dict[str, Any], k: Any) -> Any:
    c = d["missing"] if k > 9.0 else d["a"] * k
    return c[1, 1] + np.sum(c)


def in_a_loop(d: dict[str, Any], k: Any) -> Any:
    c = d["missing"] if k > 9.0 else d["a"] * k
    total = c[1, 1] * k
    for i in range(2):
        if k > 1.0:
            total = total + np.sum(np.sum(c, axis=0) * W)
        c[i] = c[i] * k + c[0]
    return total + np.sum(c)


def put_back(d: dict[str, Any], k: Any) -> Any:
    if k > 9.0:
        d["a"] = d["missing"]
    else:
        d["a"] = d["a"] * k
    d["a"][0] = d["b"]
    return np.sum(d["a"])


def caught(d: dict[str, Any], k: Any) -> Any:
    try:
        d["a"] = d["missing"]
    except KeyError:
        d["a"] = d["a"] * k
        d["a"][0] = d["b"]
    return np.sum(d["a"])


def first(c: Any, v: Any) -> None:
    c[0] = v


def by_a_function(d: dict[str, Any], k: Any) -> Any:
    if k > 9.0:
        d["a"] = d["missing"]
    else:
        d["a"] = d["a"] * k
    first(d["a"], d["b"])
    return np.sum(np.sum(d["a"], axis=0) * W)


@pytest.mark.parametrize(
    "fn",
    [rows, one_element, after_a_branch, an_element_beside, put_back, caught, by_a_function],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_what_is_written(fn: Callable[..., Any], mode: str) -> None:
    _check(fn, mode)


def test_what_is_written_in_a_loop() -> None:
    _check(in_a_loop, "save")


def _check(fn: Callable[..., Any], mode: str) -> None:
    e, mine, other = 1e-6, state(), state()
    expected = (fn(state(), 1.5 + e) - fn(state(), 1.5 - e)) / (2 * e)
    for _ in range(2):
        found = ad.grad(fn, wrt="k", on_overwrite=mode)(state(), 1.5)
        assert isinstance(found, float)
        np.testing.assert_allclose(found, expected, rtol=1e-7)
    ad.grad(fn, wrt="k", on_overwrite=mode)(mine, 1.5)
    fn(other, 1.5)
    np.testing.assert_array_equal(mine["a"], other["a"])
    with suppress(KeyError):
        ad.grad(fn, wrt="k", on_overwrite=mode)(state(), 10.0)
