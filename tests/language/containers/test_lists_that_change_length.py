"""Second derivatives and Jacobians by lists that the function makes longer or shorter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import adtrans as ad


def appended(h):
    h.append(h[0] ** 2)
    return h[-1] * h[0]


def inserted(h):
    h.insert(0, h[0] ** 2)
    return h[0] * h[1]


def popped(h):
    v = h.pop()
    return v**2 * h[0]


def keyed(d):
    d["c"] = d["a"] ** 2
    return d["c"] * d["b"]


ONE, TWO, NAMED = [0.5], [0.5, 0.7], {"a": 0.5, "b": 2.0}
AFTER = [(appended, ONE, [0.5, 0.25]), (inserted, ONE, [0.25, 0.5]), (popped, TWO, [0.5]),
         (keyed, NAMED, {"a": 0.5, "b": 2.0, "c": 0.25})]  # fmt: skip


@pytest.mark.parametrize("mode", [ad.jacfwd, ad.jacrev])
@pytest.mark.parametrize(("f", "given", "after"), AFTER)
def test_jacobians(f: Any, given: Any, after: Any, mode: Any) -> None:
    own, own_2 = given.copy(), given.copy()
    assert mode(f)(own) == ad.grad(f)(own_2)
    assert own == own_2 == after


def test_hessians():
    h = ONE.copy()
    assert ad.hessian(appended)(h) == [[3.0]] and h == [0.5, 0.25]
    assert ad.hessian(inserted)(ONE.copy()) == [[3.0]]
    np.testing.assert_allclose(ad.hessian(popped)(TWO.copy()), [[0.0, 1.4], [1.4, 1.0]])
    np.testing.assert_allclose(ad.hvp(popped, (TWO.copy(),), ([1.0, 2.0],)), [2.8, 3.4])


def test_jacobians_of_arrays():
    def rows(h):
        h.append(h[0] ** 2)
        return np.array([h[-1] * h[0], h[0]])

    for mode in (ad.jacfwd, ad.jacrev):
        (found,) = mode(rows)(ONE.copy())
        np.testing.assert_allclose(found, [0.75, 1.0])


@dataclass
class Held:
    items: list[float]


def test_lists_of_objects():
    def f(p):
        p.items.append(2.0 * p.items[0])
        return p.items[-1] ** 2 * p.items[0]

    for mode in (ad.grad, ad.jacfwd, ad.jacrev):
        p = Held([1.5])
        found = mode(f, wrt="p.items")(p)
        np.testing.assert_allclose(found, [12.0 * 1.5**2])
        assert p.items == [1.5, 3.0]
        assert mode(f)(Held([1.5])).items == pytest.approx([27.0])
    p = Held([1.5])
    np.testing.assert_allclose(ad.hessian(f, wrt="p.items")(p), [[36.0]])
    assert p.items == [1.5, 3.0]
