"""Containers of objects that the function, or the caller, changes: a derivative has the form that
they had when it was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import adtrans as ad

X = np.array([1.0, 2.0, 3.0])


@dataclass
class Pair:
    a: np.ndarray
    b: float


def made() -> dict[str, Any]:
    return {"p": Pair(X.copy(), 2.0), "v": X + 1.0}


def adds(d, u):
    d["q"] = u * 2
    return np.sum(d["q"] * d["p"].a)


def replaces(d, u):
    found = np.sum(d["v"] * d["p"].a)
    d["v"] = u * 3.0
    return found * u


def adds_beside(d, u):
    d["r"], d["s"] = u, d["v"] * u
    return np.sum(d["s"] * d["p"].a) * d["r"]


EXPECTED = {adds: (3.0, 0.0), replaces: (1.5 * (X + 1.0), 1.5 * X),
            adds_beside: (2.25 * (X + 1.0), 2.25 * X)}  # fmt: skip


@pytest.mark.parametrize("f", EXPECTED)
@pytest.mark.recorded
def test_entries_that_the_function_adds_or_replaces(f):
    by_a, by_v = EXPECTED[f]

    def fits(found):
        assert list(found) == ["p", "v"]
        np.testing.assert_allclose(found["p"].a, np.broadcast_to(by_a, 3))
        np.testing.assert_allclose(found["v"], np.broadcast_to(by_v, 3))

    d, plain = made(), made()
    fits(ad.grad(f)(d, 1.5))
    f(plain, 1.5)
    assert list(d) == list(plain)
    fits(ad.grad(f, on_overwrite="save")(made(), 1.5))
    fits(ad.grad(f, wrt=("d", "u"))(made(), 1.5)[0])
    fits(ad.jacrev(f)(made(), 1.5))
    fits(ad.jacfwd(f)(made(), 1.5))
    y, pullback = ad.vjp(f, made(), 1.5)
    fits(pullback(1.0)[0])
    buffers = {"p": Pair(np.zeros(3), None), "v": np.zeros(3)}
    fits(pullback(1.0, into={"d": buffers})[0])
    dots = {"p": Pair(np.ones(3), 0.0), "v": np.ones(3)}
    expected = np.sum(np.broadcast_to(by_a, 3)) + np.sum(np.broadcast_to(by_v, 3))
    np.testing.assert_allclose(ad.jvp(f, (made(), 1.5), (dots, 0.0))[1], expected)
    np.testing.assert_allclose(ad.linearize(f, made(), 1.5)[1](dots, 0.0), expected)
    assert f(made(), 1.5) == y


def as_dictionary(x):
    print("once")
    return {"a": x * x, "o": Pair(x * 2.0, 1.0)}


def as_list(x):
    print("once")
    return [x * x, Pair(x * 2.0, 1.0)]


def without_objects(x):
    print("once")
    return {"a": x * x}


@pytest.mark.parametrize("f", [as_dictionary, as_list, without_objects])
@pytest.mark.recorded
def test_a_result_that_the_caller_changes(f, capsys):
    y, f_jvp = ad.linearize(f, X)
    assert capsys.readouterr().out == "once\n"
    first = f_jvp(np.ones(3))
    if isinstance(y, list):
        y.append(3.0)
        y[0] = 0.0
    else:
        y["new"] = 3.0
        y["a"] = 0.0
    again = f_jvp(np.ones(3))
    assert type(again) is type(first) and ad.tree.leaves(again)
    assert [*again] == [*first] if isinstance(again, dict) else len(again) == len(first)
    for one, other in zip(ad.tree.leaves(first), ad.tree.leaves(again), strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(ad.tree.leaves(first)[0], 2.0 * X)
