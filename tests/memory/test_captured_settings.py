"""What containers from outside hold may be something else at the next call."""

from __future__ import annotations

import types

import numpy as np
import pytest

import adtrans as ad

X = np.array([0.7, 1.2, 0.4])


def checked(f):
    """A check of the derivatives of `f` as it is when the check is called."""
    gradient = ad.value_and_grad(f)

    def check():
        numeric = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
        value, found = gradient(X)
        assert value == pytest.approx(f(X))
        np.testing.assert_allclose(found, numeric, rtol=1e-6, atol=1e-8)
        slope = ad.jvp(f, (X,), (np.ones(3),))[1]
        np.testing.assert_allclose(slope, np.sum(numeric), rtol=1e-6)
        return value

    return check


SETTINGS = {"n": 3, "w": 2.0, "axis": 0, "inner": {"n": 3}, "mode": "a"}
EXPONENTS = [3]
PAIR = (1.0, {"n": 3})


class Model:
    settings = {"n": 3}  # noqa: RUF012


model = Model()


def with_default(x, settings={"n": 3}):  # noqa: B006
    return np.sum(x ** settings["n"])


def in_cell():
    settings = {"n": 3}
    return lambda x: np.sum(x ** settings["n"]), settings


cell, cell_settings = in_cell()
EXPONENT = {
    "global": (lambda x: np.sum(x ** SETTINGS["n"]), SETTINGS, "n"),
    "nested": (lambda x: np.sum(x ** SETTINGS["inner"]["n"]), SETTINGS["inner"], "n"),
    "list": (lambda x: np.sum(x ** EXPONENTS[0]), EXPONENTS, 0),
    "tuple": (lambda x: np.sum(x ** PAIR[1]["n"]), PAIR[1], "n"),
    "cell": (cell, cell_settings, "n"),
    "class": (lambda x: np.sum(x ** Model.settings["n"]), Model.settings, "n"),
    "object": (lambda x: np.sum(x ** model.settings["n"]), Model.settings, "n"),
    "default": (lambda x: with_default(x), with_default.__defaults__[0], "n"),
}


@pytest.mark.parametrize("where", EXPONENT)
def test_a_number_that_becomes_another(where):
    f, held, key = EXPONENT[where]
    check = checked(f)
    seen = set()
    for n in (3, 2, -1, 0.5, 1, 3):
        held[key] = n
        seen.add(check())
    assert len(seen) == 5


def test_an_axis_that_becomes_another():
    def f(x):
        return np.sum(np.sum(np.outer(x, x * x), axis=SETTINGS["axis"])[1:])

    check = checked(f)
    before = check()
    SETTINGS["axis"] = 1
    assert check() != before


@pytest.mark.parametrize("make", [lambda v: {"a": v}, lambda v: ({"a": v},)[0]])
def test_a_number_that_becomes_an_array(make):
    held = make(2.0)
    check = checked(lambda x: np.sum((x[0] * held["a"]) ** 2))
    for value in (2.0, np.array([1.0, 2.0, 3.0]), np.ones((2, 3)), np.float32(0.5), 3):
        held["a"] = value
        check()


def test_items_of_another_rank():
    held = [np.ones(3), np.ones(3)]
    check = checked(lambda x: np.sum((x[:1] * held[0]) ** 2) + np.sum(x * held[1]))
    check()
    for n, value in enumerate((np.full(1, 2.0), np.full((3, 3), 2.0), np.array(2.0))):
        held[n % 2] = value
        check()


def test_items_of_another_dtype():
    held = {"w": np.ones(3)}

    def f(x):
        y = held["w"] * 1
        y[0] = x[0]
        return np.sum(y * x)

    check = checked(f)
    check()
    held["w"] = np.array([1, 2, 3])
    with pytest.raises(ad.AdtransError, match="AD306"):
        check()
    held["w"] = np.ones(3)
    check()


def test_another_container_whose_items_become_others():
    scope = {"np": np, "held": {"n": 3, "w": np.ones(3)}}
    check = checked(types.FunctionType(_code(), scope))
    check()
    scope["held"] = {"n": 2, "w": np.full(3, 2.0)}
    check()
    scope["held"]["w"] = np.ones((2, 3))
    check()
    scope["held"]["n"] = 4
    check()


def _code():
    def f(x):
        return np.sum(x ** held["n"] * held["w"])  # noqa: F821

    return f.__code__


@pytest.mark.parametrize("inside", [False, True])
def test_an_array_whose_shape_is_set(inside):
    a = np.arange(6.0)
    held = (a,)

    def plain(x):
        return np.sum(a[:3] * x) if a.ndim == 1 else np.sum(a * x * x)

    def within(x):
        return np.sum(held[0][:3] * x) if held[0].ndim == 1 else np.sum(held[0] * x * x)

    check = checked(within if inside else plain)
    check()
    a.shape = (2, 3)
    check()
    a.shape = (2, 1, 3)
    check()


def test_keys_that_come_and_go():
    held = {"w": 2.0}

    def f(x):
        s = x * 1.0
        for k, v in held.items():
            s = s + x * x * v if k != "u" else s * v
        return np.sum(s)

    check = checked(f)
    check()
    held["v"] = 3.0
    check()
    held["u"] = np.array([1.0, 2.0, 3.0])
    check()
    del held["w"]
    check()
    held.clear()
    check()


def test_a_number_of_a_container_is_not_looked_up_again():
    held = {"n": 3, "w": np.ones(3)}

    def f(x):
        return np.sum(x ** held["n"] * held["w"])

    _, pullback = ad.vjp(f, X)
    _, linear = ad.linearize(f, X)
    held["n"] = 2
    held["w"][...] = 7.0
    np.testing.assert_allclose(pullback(1.0)[0], 3.0 * X**2)
    np.testing.assert_allclose(linear(np.ones(3)), np.sum(3.0 * X**2))


def weighted(x, w=np.ones(3)):  # noqa: B008
    return np.sum(x**2 * w)


def test_a_default_is_not_looked_up_again():
    def f(x):
        return weighted(x)

    weights = weighted.__defaults__[0]
    weights[...] = 1.0
    _, pullback = ad.vjp(f, X)
    _, linear = ad.linearize(f, X)
    weights[...] = 7.0
    np.testing.assert_allclose(pullback(1.0)[0], 2.0 * X)
    np.testing.assert_allclose(linear(np.ones(3)), np.sum(2.0 * X))


def test_other_numbers_of_the_same_kind_are_no_reason_to_compile():
    held = {"n": 3, "dt": 0.1, "w": np.ones(3)}
    gradient = ad.differentiable(lambda x: held["dt"] * np.sum(x ** held["n"] * held["w"]))
    gradient.grad(X)
    before = gradient._recipe.latest()
    held.update(n=4, dt=0.2, w=np.full(3, 2.0))
    np.testing.assert_allclose(gradient.grad(X), 1.6 * X**3)
    assert gradient._recipe.latest() is before


GROWING: dict[int, float] = {}


def test_a_table_that_grows_behind_the_function():
    def f(x):
        return np.sum(x * x) * len(GROWING)

    check = checked(f)
    for n in range(70):
        GROWING[n] = 1.0
        if n % 23 == 0:
            check()
