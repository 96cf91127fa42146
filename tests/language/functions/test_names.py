"""One name in two modules: the generated code means what each function means, or refuses."""

from __future__ import annotations

import linecache
import math

import numpy as np
import pytest

import adtrans as ad
from adtrans.diagnostics.errors import CompileError

X = np.array([0.5, 1.0, 2.0])

CALLEE = """
def callee(x):
    return np.sum({body})


def helper(v):
    return {helper}
"""


def module(file: str, text: str, **names: object) -> dict[str, object]:
    """The names of a module with this text; the source is where tools look for it."""
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space: dict[str, object] = {"__name__": file.strip("<>"), "np": np, **names}
    exec(compile(text, file, "exec"), space)
    return space


def check(f, expected) -> None:
    """The gradient at `X` is right, or AD105 says that a name means two things."""
    for call in (
        lambda: ad.grad(f)(X.copy()),  # some read `X` elsewhere, too
        lambda: ad.vjp(f, X.copy())[1](1.0)[0],
    ):
        try:
            found = call()
        except CompileError as error:
            assert error.diagnostics[0].code == "AD105", str(error)
        else:
            np.testing.assert_allclose(found, expected)
    try:
        _, tangent = ad.jvp(f, (X.copy(),), (X,))
    except CompileError as error:
        assert error.diagnostics[0].code == "AD105", str(error)
    else:
        np.testing.assert_allclose(tangent, np.sum(expected * X))


def caller(body: str, **names: object):
    return module("<names caller>", f"def f(x):\n    return {body}\n", **names)["f"]


def test_a_number_in_two_modules():
    inner = module("<names number>", CALLEE.format(body="x * K", helper="v"), K=3.0)
    check(caller("callee(x) * K", callee=inner["callee"], K=5.0), np.full(3, 15.0))


def test_an_array_in_two_modules():
    inner = module("<names array>", CALLEE.format(body="x * W", helper="v"), W=X)
    outer = caller("callee(x) + np.sum(x * W)", callee=inner["callee"], W=-X * X)
    check(outer, X - X * X)


def test_a_function_in_two_modules():
    text = CALLEE.format(body="helper(x)", helper="v * v")
    inner = module("<names function>", text)
    triple = lambda v: 3.0 * v  # noqa: E731
    outer = caller("callee(x) + np.sum(helper(x))", callee=inner["callee"], helper=triple)
    check(outer, 2.0 * X + 3.0)


def test_a_module_under_the_name_of_another():
    inner = module("<names np>", CALLEE.format(body="x * np.pi", helper="v"))
    outer = module("<names math>", "def f(x):\n    return callee(x) * np.sqrt(4.0)\n")
    outer["np"], outer["callee"] = math, inner["callee"]
    check(outer["f"], np.full(3, 2.0 * np.pi))


def test_a_callee_with_the_name_of_its_caller():
    inner = module("<names same>", "def f(x):\n    return np.sum(x * x)\n")
    check(caller("g(x) * 2.0", g=inner["f"]), 4.0 * X)


RESERVED = (
    "residuals", "y_bar", "x_bar", "unbroadcast", "f_forward", "f_pullback", "t", "last_writer",
)  # fmt: skip


@pytest.mark.parametrize("name", RESERVED)
def test_names_that_generated_code_uses_itself(name):
    check(caller(f"np.sum(x * x * {name})", **{name: 3.0}), 6.0 * X)
    local = f"def f(x):\n    {name} = x * 2.0\n    {name}[0] = 1.0\n    return np.sum({name} * x)\n"
    check(module(f"<names local {name}>", local)["f"], [1.0, 4.0, 8.0])
    parameter = f"def f(x, {name}=2.0):\n    return np.sum(x * x) * {name}\n"
    check(module(f"<names parameter {name}>", parameter)["f"], 4.0 * X)


def test_builtins_that_are_shadowed():
    text = "def f(x):\n    s = 0.0\n    for i in range(3):\n        s += x[i] * i\n    return s\n"
    shadowed = module("<names range>", text, range=lambda n: [2, 1])
    check(shadowed["f"], [0.0, 1.0, 2.0])
    local = "def f(x, zip=3.0, len=2.0):\n    return np.sum(x * x) * zip * len\n"
    check(module("<names builtin>", local)["f"], 12.0 * X)


def test_an_array_as_a_default():
    def weighted(x, w=X):
        return np.sum(x * w * w)

    def outside(x):
        return weighted(x) * 2.0

    check(weighted, X * X)
    check(outside, 2.0 * X * X)


FACTOR = 2.0


def test_a_comprehension_that_reads_a_global(monkeypatch):
    def f(x):
        w = np.array([FACTOR * k for k in (1.0, 2.0, 3.0)])
        return np.sum(x * w)

    g = ad.grad(f)
    np.testing.assert_allclose(g(X), [2.0, 4.0, 6.0])
    monkeypatch.setitem(globals(), "FACTOR", 10.0)
    np.testing.assert_allclose(g(X), [10.0, 20.0, 30.0])


def test_a_lambda_and_a_generator_that_read_a_global(monkeypatch):
    def f(x):
        total = sum(FACTOR * k for k in (1.0, 2.0))
        order = sorted((2, 0, 1), key=lambda k: FACTOR * k)
        return np.sum(x) * total + x[int(order[0])]

    g = ad.grad(f)
    np.testing.assert_allclose(g(X), [7.0, 6.0, 6.0])
    monkeypatch.setitem(globals(), "FACTOR", -1.0)
    np.testing.assert_allclose(g(X), [-3.0, -3.0, -2.0])
