"""Derivatives inside a function, of functions whose defaults are left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 0.8, 1.2])
THREE = np.float64(3.0)
W = np.array([1.0, 2.0, 3.0])


def plain(x, w=2.0):
    return np.sum(x * x * w)


def by_keyword(x, *, w=2.0):
    return np.sum(x * x * w)


def power(x, n=3):
    return np.sum(x**n)


def named(x, name="a"):
    return np.sum(x * x) if name == "a" else np.sum(x)


def none(x, w=None):
    if w is None:
        return np.sum(x**3)
    return np.sum(x * w)


def an_array(x, w=W):
    return np.sum(x * x * w)


def several(x, x_default=(2.0, 3.0), *, f=np.sin, b=None, w=THREE, top=float("inf")):
    return np.sum(np.minimum(f(x) * w * x_default[1], top)) if b is None else b


FUNCTIONS = [plain, by_keyword, power, named, none, an_array, several]
decorated = ad.differentiable(plain)


MODES = {
    "grad": "np.sum(ad.grad(g)(x) * x)",
    "value_and_grad": "np.sum(ad.value_and_grad(g)(x)[1] * x)",
    # what is differentiated where it runs is recorded
    "vjp": "np.sum(ad.vjp(g, x)[1](2.0)[0] * x)",
    "jvp": "ad.jvp(g, (x,), (x,))[1]",
    "linearize": "ad.linearize(g, x)[1](x)",
    "hvp": "np.sum(ad.hvp(g, (x,), (x,)) ** 2) + np.sum(x**2)",
    "jacobian": "np.sum(ad.jacrev(g)(x) ** 2)",
}
PAIRS = [(plain, mode) for mode in MODES] + [
    (g, mode) for g in FUNCTIONS[1:] for mode in ("grad", "linearize")
]


@pytest.mark.recorded
@pytest.mark.parametrize(("g", "mode"), PAIRS)
def test_defaults_that_are_left_out(g: Any, mode: str, tmp_path: Any) -> None:
    text = f"def f(x):\n    return {MODES[mode]}\n"
    (file := tmp_path / "of_defaults.py").write_text(text)
    space: dict[str, Any] = {"np": np, "ad": ad, "g": g}
    exec(compile(text, str(file), "exec"), space)
    check_grads(space["f"], (X,), rtol=1e-5, atol=1e-6)


@pytest.mark.recorded
def test_what_goes_on_with_its_own_memory():
    def f(x):
        v, back = ad.vjp(plain, x)
        (slope,) = back(1.5)
        value, f_jvp = ad.linearize(by_keyword, x)
        return np.sum(slope * x) * v * value * f_jvp(x)

    check_grads(f, (X,), rtol=1e-5, atol=1e-5)


def test_some_are_given():
    def f(x):
        total = np.sum(ad.grad(plain)(x, w=3.0) * x) + np.sum(ad.grad(plain)(x, 4.0) * x)
        return total + np.sum(decorated.grad(x) * x) + ad.grad(plain, wrt="w")(x, x[0])

    def of_defaults(x):
        by_x, by_w = ad.value_and_grad(an_array, wrt=("x", "w"))(x)[1]
        return np.sum(by_x * by_w * x)

    def local(x):
        k = x[0]

        def g(y, w=2.0):
            return np.sum(y * y * w * k)

        return np.sum(ad.grad(g)(x) * x) + ad.grad(ad.grad(lambda s, w=2.0: s**3 * w))(k)

    for each in (f, of_defaults, local):
        check_grads(each, (X,))
    assert W.tolist() == [1.0, 2.0, 3.0]


def test_a_default_that_is_written_is_refused():
    def g(x, seen=[]):  # noqa: B006  # it is what is asked
        seen.append(x[0])
        return x[0] ** 2 * len(seen)

    with pytest.raises(ad.AdtransError) as found:
        ad.grad(lambda x: np.sum(ad.grad(g)(x)))(X)
    assert found.value.diagnostics[0].code == "AD203"
