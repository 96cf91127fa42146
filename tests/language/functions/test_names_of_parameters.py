"""Derivatives that are differentiated again, of functions whose parameters are called like what the
generated text calls its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.emit.words import Words
from adtrans.testing import check_grads

X = np.array([0.7, 1.2])
NAMES = (
    "y", "residuals", "numpy", "k", "seed", "jacobian", "zeros_of", "plus", "g_forward",
    "g_pullback",
    "g_pushforward", "h_forward", "kept", "duplicate", "value_of", "found",
    "y_dot",
)  # fmt: skip
FUNCTIONS = """
def g({n}):
    return np.array([{n}[0] ** 2 * {n}[1], {n}[1] ** 3, np.sin({n}[0])])

def h({n}):
    return np.sum({n} ** 3) * {n}[0]

def e({n}):
    return {n} ** 3

def aux({n}):
    return np.sum({n} ** 3), {n} * 2.0
"""
MODES: dict[str, str] = {
    "jacfwd": "np.sum(ad.jacfwd(g)(x) ** 2)",
    "jacrev": "np.sum(ad.jacrev(g)(x) ** 2)",
    "jacobian of a number": "np.sum(ad.jacrev(h)(x) ** 2)",
    "hessian": "np.sum(ad.hessian(h)(x) ** 2)",
    "grad": "np.sum(ad.grad(h)(x) ** 2)",
    "elementwise": "np.sum(ad.elementwise_grad(e)(x) ** 2)",
    "value_and_grad": "ad.value_and_grad(h)(x)[0] * np.sum(ad.value_and_grad(h)(x)[1])",
    "aux": "np.sum(ad.grad(aux, has_aux=True)(x)[0] * ad.grad(aux, has_aux=True)(x)[1])",
}


@pytest.fixture
def build(tmp_path: Any) -> Any:
    def made(name: str, value: str) -> Any:
        text = FUNCTIONS.replace("{n}", name) + f"\ndef f(x):\n    return {value}\n"
        file = tmp_path / f"named_{name}.py"
        file.write_text(text)
        space: dict[str, Any] = {"np": np, "ad": ad}
        exec(compile(text, str(file), "exec"), space)
        return space["f"]

    return made


@pytest.mark.parametrize("mode", ["jacfwd", "elementwise"])
@pytest.mark.parametrize("name", NAMES)
def test_parameters_may_be_called_anything(name: str, mode: str, build: Any) -> None:
    expected = ad.grad(build("plainly", MODES[mode]))(X)
    np.testing.assert_allclose(ad.grad(build(name, MODES[mode]))(X), expected)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ["y", "residuals"])
def test_in_every_mode(name: str, mode: str, build: Any) -> None:
    check_grads(build(name, MODES[mode]), (X,), rtol=1e-5, atol=1e-6)


def test_jacobians_of_jacobians() -> None:
    def g(y):
        return np.array([y[0] ** 2, y[0] ** 3, np.sin(y[0])])

    x = np.array([0.7])
    expected = np.array([2.0, 6 * 0.7, -np.sin(0.7)]).reshape(3, 1, 1)
    for outer in (ad.jacfwd, ad.jacrev):
        for inner in (ad.jacfwd, ad.jacrev):
            np.testing.assert_allclose(outer(inner(g))(x), expected)


def test_a_module_that_is_a_parameter() -> None:
    def g(np):
        return np**3

    assert ad.grad(lambda x: ad.grad(g)(x) ** 2)(2.0) == pytest.approx(36 * 8.0)
    found = ad.jacfwd(lambda x: ad.elementwise_grad(g)(x))(X)
    np.testing.assert_allclose(found, np.diag(6 * X))


def test_what_is_checked_twice_may_be_called_anything() -> None:
    def of(f, np, value, weight_0):
        return f * np * value * weight_0, f * f

    check_grads(of, (1.1, 0.7, 1.3, 0.4), order=2)


def test_words() -> None:
    own = Words(("y", "np"))
    assert [own.y, own["y"], own.residuals, own.of("np", np)] == ["y_2", "y_2", "residuals", "np_2"]
    assert own.objects == {"np_2": np}
