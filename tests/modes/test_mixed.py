"""Second derivatives of gradients that have no pushforward: the gradient of the tangent.

Each is compared with finite differences of the gradient; a Hessian is symmetric.
"""

from __future__ import annotations

import copy
import heapq
import traceback
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import adtrans as ad
from adtrans.api.derived import recipe_of
from adtrans.api.gradients import Gradient
from adtrans.api.mixed import Mixed, either, prepared
from adtrans.dispatch import dispatcher
from adtrans.driver.options import Options

X = np.array([0.6, 0.9, 1.3])
V = np.array([1.0, -0.5, 0.25])


def power(v, n):
    return v if n == 1 else v * power(v, n - 1)


def recursion(x):
    return np.sum(power(x, 4)) * x[0]


def filled_by_position(x):
    out = [None] * 3
    for i in (2, 0, 1):
        out[i] = x[i] * x[0]
    return sum(out) * out[1]


def swapped_rows(x):
    rows = [[x[0] * x[1], x[1]], [x[2] ** 2, x[0]]]
    if rows[0][0] < rows[1][0]:
        rows[0], rows[1] = rows[1], rows[0]
    rows[0][1] *= rows[1][0]
    return rows[0][0] * rows[0][1] + rows[1][1] ** 3


def scaled(rows, k, by):
    rows[k][1] = rows[k][0] * by
    rows[k].append(by * by)


def rows_in_a_helper(x):
    rows = [[x[0] * v, v] for v in x]
    for k in range(3):
        scaled(rows, (k + 1) % 3, x[k])
    return rows[0][1] * rows[1][1] * rows[2][2] + rows[0][0] ** 2


def grouped(x):
    groups = {"low": [], "high": []}
    for v in x:
        groups["low" if v < 1.0 else "high"].append(v * v)
    return sum(groups["low"]) ** 2 * groups["high"][0]


def heap(x):
    h = []
    for v in x:
        heapq.heappush(h, v * v)
    s = 1.0
    while h:
        s = s * (1.0 + heapq.heappop(h)) + 0.5 * s**2
    return s


def popped(x):
    d, s = {i: v * v for i, v in enumerate(x)}, 0.0
    while d:
        k, v = d.popitem()
        s = 0.5 * s + k * v * x[0]
    return s


PROGRAMS = (
    recursion, filled_by_position, swapped_rows, rows_in_a_helper, grouped, heap, popped,
)  # fmt: skip


def differences(f, x, step=1e-5):
    rows = []
    for k in range(x.size):
        e = np.zeros(x.shape)
        e[k] = step
        rows.append((f(x + e) - f(x - e)) / (2 * step))
    return np.array(rows)


@pytest.mark.parametrize("mode", ["refuse", "save"])
@pytest.mark.parametrize("f", PROGRAMS)
def test_the_gradient_of_the_tangent(f, mode):
    options = Options(on_overwrite=mode)
    gradient = Gradient(recipe_of(f, options), None, has_aux=False, with_value=False)
    recipe = recipe_of(gradient, options)
    found = []
    for row in np.eye(3):
        value, dot = prepared(recipe, (X,), {"x": row}).run()
        assert value.tobytes() == gradient(X).tobytes()
        found.append(dot)
    np.testing.assert_allclose(found, np.transpose(found), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found, differences(gradient, X), rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("f", [recursion, swapped_rows, grouped])
def test_hessian(f):
    found = ad.hessian(f)(X)
    np.testing.assert_allclose(found, differences(ad.grad(f), X), rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(ad.hvp(f, (X,), (V,)), found @ V, atol=1e-12)


def pushed(f, wrt="x", names=("x",), args=(X,), **words):
    """How the gradient of `f` is differentiated."""
    recipe = recipe_of(f, Options())
    gradient = Gradient(recipe, wrt, words.get("has_aux", False), words.get("value", False))
    dots = {n: np.ones_like(args[k]) for k, n in enumerate(names)}
    return either(recipe_of(gradient, Options()), args, dots)


def test_only_where_the_gradient_has_no_pushforward():
    assert isinstance(pushed(recursion), Mixed)
    assert not isinstance(pushed(lambda x: np.sum(x**3)), Mixed)


def test_what_stands_in_the_way_is_that_of_the_gradient():
    class Odd:
        def __init__(self, v):
            self.v = v

    def f(x):
        made = [Odd(x), Odd(2.0 * x)]
        exec("made.reverse()")
        return np.sum(made[0].v)

    with pytest.raises(ad.CompileError):
        ad.hessian(f)(X)


def test_the_value_is_the_gradient_bit_for_bit():
    value, dot = ad.jvp(ad.grad(grouped), (X,), (V,))
    assert value.tobytes() == ad.grad(grouped)(X).tobytes()
    np.testing.assert_allclose(dot, ad.hessian(grouped)(X) @ V)


def two(x, w, rows):
    rows[1][0] = np.sum(x * w)
    rows[0], rows[1] = rows[1], rows[0]
    return rows[0][0] ** 2 * x[0] + rows[1][1] * w * rows[0][1]


def test_one_argument_along_another():
    args = (X, 0.7, [[1.0, 2.0], [3.0, 4.0]])

    def by_w(x):
        return ad.grad(two, "w")(x, *copy.deepcopy(args[1:]))

    given = copy.deepcopy(args)
    value, dot = ad.jvp(ad.grad(two, "w"), given, (V,), wrt="x")
    assert type(value) is float and type(dot) is float
    np.testing.assert_allclose(value, by_w(X), rtol=1e-12)
    np.testing.assert_allclose(dot, differences(by_w, X) @ V, rtol=1e-7)
    assert given[2] == [[float(np.sum(X * 0.7)), 4.0], [1.0, 2.0]]  # as `two` leaves it, once


def test_several_arguments_and_lists():
    rows = [[1.0, 2.0], [3.0, 4.0]]
    dots = (V, 0.5, [[1.0, 0.0], [0.0, -1.0]])
    gradient = ad.grad(two, ("x", "w", "rows"))
    tangents = copy.deepcopy(dots)
    value, dot = ad.jvp(gradient, (X, 0.7, copy.deepcopy(rows)), tangents)
    assert tangents[1:] == dots[1:] and np.array_equal(tangents[0], dots[0])
    step = 1e-5

    def at(t):
        moved = [[r + t * d for r, d in zip(a, b, strict=True)]
                 for a, b in zip(rows, dots[2], strict=True)]  # fmt: skip
        return ad.tree.ravel(gradient(X + t * V, 0.7 + t * 0.5, moved))[0]

    np.testing.assert_allclose(ad.tree.ravel(value)[0], at(0.0), rtol=1e-12)
    expected = (at(step) - at(-step)) / (2 * step)
    np.testing.assert_allclose(ad.tree.ravel(dot)[0], expected, rtol=1e-7, atol=1e-8)


def test_value_and_gradient():
    (value, gradient), (y_dot, dot) = ad.jvp(ad.value_and_grad(grouped), (X,), (V,))
    assert (value, type(value)) == (grouped(X), type(grouped(X)))
    np.testing.assert_allclose(gradient, ad.grad(grouped)(X))
    np.testing.assert_allclose(y_dot, gradient @ V)
    np.testing.assert_allclose(dot, ad.hessian(grouped)(X) @ V)


Pair = namedtuple("Pair", "first second")


@dataclass
class Line:
    slope: object
    start: object


@pytest.mark.parametrize("make", [Pair, Line, lambda n, y: {"n": n, "y": y}])
def test_what_is_returned_beside_the_value(make):
    def f(x):
        return np.sum(power(x, 3)) * x[1], make(3.0, x * x)

    hessian, aux = ad.hessian(f, has_aux=True)(X)
    expected = differences(lambda x: ad.grad(f, has_aux=True)(x)[0], X)
    np.testing.assert_allclose(hessian, expected, rtol=1e-7, atol=1e-8)
    assert type(aux) is type(f(X)[1])
    product, aux = ad.hvp(f, (X,), (V,), has_aux=True)
    np.testing.assert_allclose(product, hessian @ V, rtol=1e-12)
    if make is Line:
        assert aux.slope == 3.0
        np.testing.assert_array_equal(aux.start, X * X)


def test_by_a_dataclass():
    def f(line):
        return np.sum(power(line.slope, 3)) * line.start**2

    def packed(p):
        return f(Line(p[:3], p[3]))

    found = ad.hvp(f, (Line(X, 0.4),), (Line(V, -2.0),))
    p, v = np.array([*X, 0.4]), np.array([*V, -2.0])
    expected = differences(ad.grad(packed), p) @ v
    np.testing.assert_allclose(np.array([*found.slope, found.start]), expected, rtol=1e-7)


class Model:
    def __init__(self, q):
        self.q = q

    def loss(self, x):
        self.q = self.q * 1.0
        return np.sum(power(self.q * x, 3)) * self.q[0]


def test_by_an_attribute():
    def at(q):
        return ad.grad(Model.loss, wrt="self.q")(Model(q), V)

    gradient = ad.grad(Model.loss, wrt="self.q")
    found = ad.jvp(gradient, (Model(X), V), (X,), wrt="self.q")[1]
    np.testing.assert_allclose(found, differences(at, X) @ X, rtol=1e-7)
    found = ad.jvp(gradient, (Model(X), V), (X,), wrt="x")[1]
    expected = differences(lambda x: ad.grad(Model.loss, wrt="self.q")(Model(X), x), V)
    np.testing.assert_allclose(found, X @ expected, rtol=1e-7)


def test_prints_happen_once(capsys):
    def f(x):
        print("once")
        return np.sum(power(x, 3)) * x[1]

    value, dot = ad.jvp(ad.grad(f), (X,), (V,))
    assert capsys.readouterr().out == "once\n"
    np.testing.assert_allclose(value, ad.grad(f)(X), rtol=1e-12)
    np.testing.assert_allclose(dot, differences(ad.grad(f), X) @ V, rtol=1e-7)


def test_an_exception_names_the_line_of_the_user():
    def f(x):
        if x[0] > 1.0:
            raise ValueError("too large")
        return np.sum(power(x, 3)) * x[1]

    ad.hvp(f, (X,), (V,))
    with pytest.raises(ValueError, match="too large") as caught:
        ad.hvp(f, (2.0 * X,), (V,))
    shown = "".join(traceback.format_exception(caught.value))
    assert 'raise ValueError("too large")' in shown


def test_compiled_once(monkeypatch):
    def f(x):
        return np.sum(power(x, 3)) * x[1]

    def plain(x):
        return np.sum(x**3) * x[0]

    first = [ad.hvp(g, (X,), (V,)) for g in (f, plain)]

    def compiled(*_, **__):
        raise AssertionError("compiled again")

    monkeypatch.setattr(dispatcher, "compile_function", compiled)
    for g, found in zip((f, plain), first, strict=True):
        np.testing.assert_array_equal(ad.hvp(g, (X,), (V,)), found)
        assert ad.hessian(g)(2.0 * X).shape == (3, 3)


def test_a_captured_variable_that_changes():
    factor = 2.0

    def f(x):
        return np.sum(power(x, 3)) * x[1] * factor

    first = ad.hvp(f, (X,), (V,))
    factor = 6.0
    np.testing.assert_allclose(ad.hvp(f, (X,), (V,)), 3.0 * first, rtol=1e-12)


LOG: list[float] = []


def appends_to_a_global(x):
    LOG.append(1.0)
    return np.sum(x * x)


def appends_to_an_argument(x, rows):
    rows.append(x[0])
    return np.sum(x * x)


def sets_an_attribute(x, line):
    line.slope = x[0]
    return np.sum(x * x)


def appends_to_its_own(x):
    rows = [[v * v] for v in x]
    rows[0].append(x[0])
    line = Line(x * x, rows[0][0])
    return np.sum(line.slope) * rows[0][1] * line.start


@pytest.mark.parametrize(
    "f, more, again",
    [
        (appends_to_a_global, (), False),
        (appends_to_an_argument, ([1.0],), False),
        (sets_an_attribute, (Line(1.0, 2.0),), False),
        (appends_to_its_own, (), True),
    ],
)
def test_what_may_run_several_times(f, more, again):
    version = recipe_of(f, Options()).dispatcher(("x",), "pushforward").version((X, *more))
    assert version.compiled.repeatable is again
