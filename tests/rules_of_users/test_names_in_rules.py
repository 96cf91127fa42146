"""Parameters with names that mean something in rules: `y`, `y_bar`, `dot`, `q_dot`."""

from __future__ import annotations

import linecache
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError, InputError
from adtrans.testing import check_grads

X = np.array([0.6, 0.9, 1.3])
TEXT = """
@ad.checkpoint
def step({p}, k):
    return {p} * (number.sin({p}) + k)

@ad.checkpoint
def by_name(k, *, {p}):
    return {p} * (number.sin({p}) + k)

def f(x):
    return number.sum(step(step(x, 1), x[0]))

def g(x):
    return number.sum(step(k=x[0], {p}=x)) + number.sum(by_name(1, {p}=x))
"""


def defined(parameter: str) -> tuple[FunctionType, FunctionType]:
    text, name = TEXT.format(p=parameter), f"<checkpoints of {parameter}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {"number": np, "ad": ad, "__name__": "checkpoints"}
    exec(compile(text, name, "exec"), names)
    return names["f"], names["g"]


@pytest.mark.parametrize(
    "parameter",
    ["y", "y_bar", "dot", "y_dot", "q_dot", "residuals", "shapes", "rule", "step_pullback"],
)
def test_checkpoints(parameter):
    for fn in defined(parameter):
        check_grads(fn, (X,), order=2)


@ad.checkpoint
def of_both(x, x_dot):
    return x * np.sin(x_dot)


@ad.checkpoint
def of_many(y, y_, y__):
    return y * np.sin(y_) * y__


def both(x):
    return np.sum(of_both(x, 2 * x)) + np.sum(of_both(x_dot=x, x=x * x))


def many(x):
    return np.sum(of_many(x, x * x, x[0]))


@pytest.mark.parametrize("fn", [both, many])
def test_names_that_differ_little(fn):
    check_grads(fn, (X,), order=2)


def opaque(x: Any) -> Any:
    return np.asarray(memoryview(np.array(x)))


def cube(y):
    return opaque(y) ** 3


def product(x, y):
    return opaque(x) ** 2 * y


def weighed(x, *, y=2.0):
    return opaque(x) * y * y


ad.rule(
    weighed, x="y_bar * y * y", y="np.sum(2 * y_bar * x * y)",
    x_dot="x_dot * y * y", y_dot="2 * x * y * y_dot",
)  # fmt: skip


def scaled(y, k):
    y *= opaque(k)


@ad.rule(scaled, writes="y")
def scaled_pullback(y_bar, y, k):
    return y_bar * k, np.sum(y_bar * y)


def motion(q, q_dot):
    return opaque(q) ** 2 * q_dot


ad.rule(cube, elementwise=True, y="3 * y**2")


@ad.rule(product)
def product_pullback(y_bar, x, y):
    return y_bar * 2 * x * y, y_bar * x**2


@ad.rule(product).pushforward
def product_pushforward(x_dot, y_dot, x, y):
    return x_dot * 2 * x * y + y_dot * x**2


@ad.rule(motion)
def motion_pullback(y_bar, q, q_dot):
    return y_bar * 2 * q * q_dot, y_bar * q**2


def test_a_parameter_hides_the_result():
    check_grads(lambda x: np.sum(cube(x) * cube(y=x)), (X,))
    check_grads(lambda x: np.sum(product(x, 2 * x)), (X,))


    check_grads(lambda x: np.sum(weighed(x, y=x[0]) + weighed(x)), (X,))


def test_a_parameter_that_is_written():
    def f(x):
        z = x * 1.0
        scaled(z, x[0])
        return np.sum(z**2)

    check_grads(f, (X,), on_overwrite="save", modes=("reverse",))


def test_a_parameter_that_is_called_like_a_tangent():
    check_grads(lambda x: np.sum(motion(x, x + 1)), (X,), modes=("reverse",))


def test_wrt_is_the_name_of_the_parameter():
    (cubed,) = ad.vjp(cube, X, wrt="y")[1](np.ones(3))
    np.testing.assert_allclose(cubed, 3 * X**2)


def test_what_cannot_be_told_apart():
    def named(x, y_bar):
        return opaque(x) * y_bar

    def moved(q, q_dot):
        return opaque(q) * q_dot

    def dotted(x, dot):
        return opaque(x) * dot

    with pytest.raises(InputError, match=r"AD410.*`y_bar` is a parameter"):
        ad.rule(named, x="y_bar * y_bar", y_bar="y_bar * x")
    with pytest.raises(InputError, match=r"AD410.*`q_dot` is a parameter"):
        ad.rule(moved, q="y_bar * q_dot", q_dot="y_bar * q")
    with pytest.raises(InputError, match=r"AD410.*`dot` is a parameter"):
        ad.rule(dotted, x="y_bar * dot", dot="y_bar * x", x_dot="dot * dot", dot_dot="dot * x")


@ad.checkpoint
def doubled(y):
    y *= 2.0
    return y


def test_messages_name_the_parameter():
    with pytest.raises(CompileError, match=r"writes its argument `y`"):
        ad.grad(lambda x: np.sum(doubled(x * 1.0)))(X)


def turned(y):
    return y


ad.rule(turned, y="y_bar")


def test_a_result_that_is_the_argument():
    def f(x):
        a = x * 1.0
        b = turned(a)
        b[0] = 0.0
        return np.sum(a * a)

    with pytest.raises((ad.MutationError, CompileError)):
        ad.grad(f)(X)


def test_functions_that_are_handed_over():
    from scipy.integrate import quad

    def f(x):
        y_dot, dot = x[0], x[1]
        return quad(lambda y: y_dot * np.sin(y) * dot, 0.0, x[2])[0]

    check_grads(f, (X,))


def test_messages_call_parameters_as_the_user_does():
    def power(w, y):
        return w**y

    ad.rule(power, w="y_bar * w")
    with pytest.raises(ad.AdtransError) as found:
        ad.grad(lambda x, z: power(x, z), wrt=(0, 1))(2.0, 3.0)
    assert "with respect to `y`" in found.value.diagnostics[0].title
