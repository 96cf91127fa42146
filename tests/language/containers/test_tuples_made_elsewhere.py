"""Tuples that one function makes of lists of any length, and another one takes apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, 1.2, -0.9])


def powers(x: Any, n: int) -> Any:
    return tuple([x**i for i in range(1, n + 1)])


def squares(x: Any) -> Any:
    return tuple(v * v for v in x)


def step(state: Any) -> Any:
    return tuple(np.sin(s) * 2 for s in state)


def rows(x: Any) -> Any:
    return [powers(x, 2), powers(x, 3)]


def perhaps(x: Any, n: int) -> Any:
    if n < 2:
        return None
    return tuple([x * i for i in range(n)])


def total(t: Any) -> Any:
    s = 0.0
    for p in t:
        s = s + np.sum(p**3)
    return s


def by_number(x: Any) -> Any:
    t = powers(x, 3)
    return np.sum(t[1] * t[2])


def unpacked(x: Any) -> Any:
    p, q = powers(x, 2)
    return np.sum(p * p) + np.sum(q**3)


def gone_through(x: Any) -> Any:
    s = 0.0
    for p in powers(x, 3):
        s = s + np.sum(p**2)
    return s


def handed_on(x: Any) -> Any:
    t = powers(x, 3)
    return total(t) * np.sum(t[2])


def of_numbers(x: Any) -> Any:
    p = squares(x)
    return p[0] * p[2]


def sliced_and_added(x: Any) -> Any:
    t = powers(x, 3)[1:] + powers(x, 2)
    return np.sum(t[0] * t[3])


def stepped(x: Any) -> Any:
    state = (x * 1, x * 2)
    for _ in range(3):
        state = step(state)
    return np.sum(state[0] * state[1])


def beside_a_number(x: Any) -> Any:
    t, s = squares(x), x[0]
    return t[1] * s


def none_at_first(x: Any) -> Any:
    s = 0.0
    for n in range(1, 4):
        t = perhaps(x, n)
        if t is not None:
            s = s + np.sum(t[1] ** 3)
    return s


def replaced_in_a_list(x: Any) -> Any:
    ts = rows(x)
    s = np.sum(ts[0][1] ** 2)
    ts[0] = powers(x * x, 2)
    return np.sum(ts[0][1] * ts[1][2]) * s


def popped(x: Any) -> Any:
    ts = rows(x)
    s = np.sum(ts[0][1] ** 2 + ts[1][1])
    ts.pop()
    return np.sum(ts[0][1]) * s


def spliced(x: Any) -> Any:
    ts = rows(x)
    s = np.sum(ts[0][1] ** 2 + ts[1][1])
    ts[1:] = [powers(x * x, 2)]
    return np.sum(ts[1][1]) * s


def cleared(x: Any) -> Any:
    ts = rows(x)
    s = np.sum(ts[0][1] ** 2 + ts[1][1])
    ts.clear()
    ts.append(powers(x * x, 2))
    return np.sum(ts[0][1]) * s


def in_a_dictionary(x: Any) -> Any:
    d = {"a": powers(x, 2)}
    s = np.sum(d["a"][1] ** 2)
    d["a"] = powers(x * x, 2)
    return np.sum(d["a"][1]) * s


def copied_to_a_list(x: Any) -> Any:
    a = list(squares(x))
    a[0] = a[1] * 3
    return a[0] * a[2]


PROGRAMS: list[Callable[..., Any]] = [
    by_number, unpacked, gone_through, handed_on, of_numbers, sliced_and_added, stepped,
    beside_a_number, none_at_first, replaced_in_a_list, popped, spliced, cleared,
    in_a_dictionary, copied_to_a_list,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: str(f.__name__))
def test_such_tuples_are_followed(f: Callable[..., Any]) -> None:
    check_grads(f, (X,))
    saved = ad.grad(f, on_overwrite="save")(X)
    np.testing.assert_allclose(saved, ad.grad(f)(X))


@pytest.mark.parametrize("f", [by_number, handed_on, stepped, popped], ids=lambda f: f.__name__)
def test_twice(f: Callable[..., Any]) -> None:
    g = ad.grad(f)
    steps = np.eye(3) * 1e-6
    expected = np.array([(g(X + e) - g(X - e)) / 2e-6 for e in steps])
    np.testing.assert_allclose(ad.hessian(f)(X), expected, rtol=1e-5, atol=1e-6)
