"""What a function returns beside its value, and Hessians by objects, in every mode."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import InputError

X = np.array([0.6, 0.9, 1.3])
V = np.array([1.0, -0.5, 0.25])


def squares(x):
    return x * x, {"name": "squares", "sum": np.sum(x)}


def cubes(x):
    return np.sum(x**3), {"n": 1, "y": x * x, "items": [x, x]}


def test_jvp():
    out, out_dot, aux = ad.jvp(squares, (X,), (V,), has_aux=True)
    np.testing.assert_array_equal(out, X * X)
    np.testing.assert_allclose(out_dot, 2.0 * X * V)
    assert aux == {"name": "squares", "sum": np.sum(X)}


def test_linearize():
    out, f_jvp, aux = ad.linearize(squares, X, has_aux=True)
    np.testing.assert_array_equal(out, X * X)
    np.testing.assert_allclose(f_jvp(V), 2.0 * X * V)
    np.testing.assert_allclose(f_jvp(X), 2.0 * X * X)
    assert aux["name"] == "squares"


def test_hvp():
    found, aux = ad.hvp(cubes, (X,), (V,), has_aux=True)
    np.testing.assert_allclose(found, 6.0 * X * V)
    np.testing.assert_array_equal(aux["items"][1], X)


def test_hessian_with_containers_beside_the_value():
    found, aux = ad.hessian(cubes, has_aux=True)(X)
    np.testing.assert_allclose(found, np.diag(6.0 * X), atol=1e-15)
    np.testing.assert_allclose(aux["y"], X * X)
    assert aux["n"] == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda f: ad.jvp(f, (X,), (V,), has_aux=True),
        lambda f: ad.linearize(f, X, has_aux=True),
        lambda f: ad.hvp(f, (X,), (V,), has_aux=True),
    ],
)
def test_a_result_without_it(call):
    with pytest.raises(InputError) as caught:
        call(lambda x: np.sum(x * x))
    assert caught.value.diagnostics[0].code == "AD404"


@dataclass
class Model:
    scale: float
    weights: np.ndarray
    name: str = "model"


@dataclass(frozen=True)
class Pair:
    model: Model
    shift: float


class Registered:
    def __init__(self, scale, weights):
        self.scale, self.weights = scale, weights


ad.tree.register(Registered, lambda r: (r.scale, r.weights), lambda r, parts: Registered(*parts))


def loss(p):
    y = p.weights.copy()
    y[1:] *= y[:-1]
    return p.scale**2 * np.sum(y**3)


def by_vector(v):
    y = v[1:].copy()
    y[1:] *= v[1:-1]
    return v[0] ** 2 * np.sum(y**3)


@pytest.mark.parametrize("made", [Model, Registered])
def test_hessian_by_an_object(made):
    found = ad.hessian(loss, on_overwrite="save")(made(0.8, X))
    expected = ad.hessian(by_vector, on_overwrite="save")(np.array([0.8, *X]))
    np.testing.assert_allclose(found.scale.scale, expected[0, 0])
    np.testing.assert_allclose(found.scale.weights, expected[0, 1:])
    np.testing.assert_allclose(found.weights.scale, expected[1:, 0])
    np.testing.assert_allclose(found.weights.weights, expected[1:, 1:])


def test_hessian_by_nested_objects_with_more():
    def f(pair):
        return np.sum(pair.model.weights**2) * pair.model.scale * pair.shift, pair.shift * 2.0

    found, aux = ad.hessian(f, has_aux=True)(Pair(Model(0.5, X), 3.0))
    assert aux == 6.0
    np.testing.assert_allclose(found.shift.model.weights, 2.0 * X * 0.5)
    np.testing.assert_allclose(found.model.scale.model.weights, 2.0 * X * 3.0)
    assert found.shift.shift == 0.0 and found.model.name is None


@dataclass
class Found:
    steps: int
    at: np.ndarray


def test_second_derivatives_beside_an_object():
    def f(x):
        return np.sum(x**3), Found(3, x * 2.0)

    for expected, call in (
        (np.diag(6.0 * X), lambda: ad.hessian(f, has_aux=True)(X)),
        (6.0 * X * V, lambda: ad.hvp(f, (X,), (V,), has_aux=True)),
    ):
        found, aux = call()
        np.testing.assert_allclose(found, expected)
        assert type(aux) is Found and aux.steps == 3
        np.testing.assert_array_equal(aux.at, 2.0 * X)
    assert ad.grad(f, has_aux=True)(X)[1].steps == 3
