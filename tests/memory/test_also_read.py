"""An argument that is differentiated and is also read under a name from outside: AD308, since the
derivative by the argument would leave out what is read under the other name."""

from __future__ import annotations

import contextlib
import types

import numpy as np
import pytest

import adtrans as ad

P = {"a": 2.0, "b": 3.0}
A = np.array([2.0, 3.0, 5.0])
L = [2.0, 3.0]
NET = {"layers": [{"w": np.array([0.5, 0.25])}, {"w": np.array([1.5])}]}
LAYER = NET["layers"][0]
SETTINGS = types.ModuleType("settings_of_a_test")
SETTINGS.start = A


def rate():
    return P["a"]


def scale(v, by=None):
    return v * rate()


def norm():
    return np.sum(A**2)


def first():
    return L[0]


def of_a_layer():
    return np.sum(LAYER["w"])


def of_a_module():
    return SETTINGS.start[0]


def by_a_callee(p):
    return p["a"] * rate()


def by_a_callee_of_a_callee(p):
    return scale(p["b"])


def by_itself(p):
    return p["a"] * P["b"]


def by_an_array(x):
    return np.sum(x) * norm()


def by_a_view(x):
    return x[0] * norm()


def by_a_list(p):
    return p[1] * first()


def by_what_is_inside(net):
    return np.sum(net["layers"][0]["w"]) * of_a_layer()


def by_an_attribute_of_a_module(x):
    return x[1] * of_a_module()


def by_a_closure():
    start = {"k": 2.0}

    def inner():
        return start["k"]

    return (lambda p: p["k"] * inner()), start


CLOSURE, START = by_a_closure()
REFUSED = [
    (by_a_callee, P), (by_a_callee_of_a_callee, P), (by_itself, P), (by_an_array, A),
    (by_a_view, A[:2]), (by_a_list, L), (by_what_is_inside, NET), (CLOSURE, START),
    (by_an_attribute_of_a_module, A),
]  # fmt: skip


@pytest.mark.parametrize(("f", "value"), REFUSED)
def test_what_is_read_under_two_names(f, value):
    for run in (
        lambda: ad.grad(f)(value),
        lambda: ad.vjp(f, value),
        lambda: ad.jvp(f, (value,), (value,)),
    ):
        with pytest.raises(ad.AdtransError, match="is also read from outside"):
            run()


def test_a_copy_is_another_one():
    assert ad.grad(by_a_callee)(dict(P)) == {"a": 2.0, "b": 0.0}
    np.testing.assert_allclose(ad.grad(by_an_array)(A.copy()), 38.0)


def test_beside_what_is_differentiated():
    f = lambda x, p: x * p["a"] * rate()  # noqa: E731
    assert ad.grad(f, wrt="x")(1.0, P) == 4.0


def test_shapes_and_keys_are_no_contents():
    def zeros():
        return np.zeros(A.shape)

    def keys():
        return P.keys()

    def f(x):
        return np.sum((x + zeros()) ** 2)

    def g(p):
        return sum(p[k] ** 2 for k in keys())

    np.testing.assert_allclose(ad.grad(f)(A), 2.0 * A)
    assert g(P) == 13.0
    with contextlib.suppress(ad.CompileError):  # where the keys are not followed
        assert ad.grad(g)(P) == {"a": 4.0, "b": 6.0}


def test_in_one_function_two_names_for_an_array_are_told_apart():
    x0 = np.array([1.0, 2.0])
    f = lambda x: np.sum((x - x0) ** 2 + x * x0)  # noqa: E731
    np.testing.assert_allclose(ad.grad(f)(x0), x0)


def test_another_array_under_the_same_name():
    global A
    before, gradient = A, ad.grad(by_an_array)
    gradient(A + 1.0)
    try:
        A = A + 2.0
        with pytest.raises(ad.AdtransError, match="is also read from outside"):
            gradient(A)
        np.testing.assert_allclose(gradient(before), np.sum(A**2))
    finally:
        A = before
