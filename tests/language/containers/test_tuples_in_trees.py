"""Tuples of numbers and arrays in objects that are given, and trees that count as constants."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.7, -1.2, 0.4])


@dataclass
class Layer:
    sizes: tuple
    gain: float


@dataclass(frozen=True)
class Frozen:
    sizes: tuple
    gain: float


def by_items(o):
    return np.sum(o.sizes[0] * o.sizes[1] * o.gain)


def unpacked(o):
    a, b = o.sizes
    return np.sum(a * b**2) * o.gain


def one_alone(o):
    return o.gain * o.sizes[0]


def passed_on(o):
    return product(*o.sizes) * o.gain


def product(a, b):
    return np.sum(a * b)


@pytest.mark.parametrize("cls", [Layer, Frozen])
@pytest.mark.parametrize("f", [by_items, unpacked, one_alone, passed_on])
def test_gradients_by_what_a_tuple_in_an_object_holds(f, cls):
    given = cls((3.0, X), 2.0)
    flat, unravel = ad.tree.ravel(given)

    def of_numbers(v):
        return f(unravel(v))

    steps = 1e-6 * np.eye(flat.size)
    expected = np.array([of_numbers(flat + h) - of_numbers(flat - h) for h in steps]) / 2e-6
    assert ad.tree.ravel(ad.grad(f)(given))[0] == pytest.approx(expected, rel=1e-6, abs=1e-8)
    _, pullback = ad.vjp(f, given)
    for _ in range(2):
        (found,) = pullback(1.0)
        assert isinstance(found, cls)
        assert ad.tree.ravel(found)[0] == pytest.approx(expected, rel=1e-6, abs=1e-8)
    along = np.cos(np.arange(flat.size))
    _, slope = ad.jvp(f, (given,), (unravel(along),))
    assert slope == pytest.approx(expected @ along, rel=1e-6)
    if f is not one_alone:  # of another kind: compiled anew
        other = cls((np.arange(1.0, 4.0), X), 2.0)
        assert ad.tree.ravel(ad.grad(f)(other))[0].shape == (7,)


def test_source_for_an_object():
    assert "pullback" in ad.differentiable(by_items).source_for(Layer((3.0, X), 2.0))


def constants_in_a_dictionary(x):
    d = ad.stop_gradient({"a": x, "b": [x * 2.0]})
    return np.sum(d["a"] * x)


def constants_given(p):
    q = ad.stop_gradient(p)
    return np.sum(q["a"] * p["a"])


def constants_in_a_tuple(x):
    o = ad.stop_gradient((x, {"b": x * 2.0}))
    return np.sum(o[1]["b"] * x)


def test_no_derivative_flows_through_a_tree_of_constants():
    np.testing.assert_allclose(ad.grad(constants_in_a_dictionary)(X), X)
    np.testing.assert_allclose(ad.grad(constants_given)({"a": X})["a"], X)
    np.testing.assert_allclose(ad.grad(constants_in_a_tuple)(X), 2.0 * X)


@ad.checkpoint
def in_a_dictionary(u):
    return {"w": u * u, "s": 2.0 * u}


def test_a_dictionary_from_a_checkpoint():
    def f(x):
        d = in_a_dictionary(x)
        return np.sum(d["w"] * d["s"])

    check_grads(f, (X,))
